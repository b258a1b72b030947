"""Eyes for the deck that the players use, blind to what the game keeps secret."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from calibration.profile import Profile
from hardware.frames import Image
from referee.decks.learning import learn
from referee.decks.store import find_deck
from referee.folder import FootageFolder
from referee.games import secrets_at_first
from referee.reading import Secrets
from referee.types import Card, Die, Outline
from referee.vision.cards import Reader, Reading, find_cards
from referee.vision.cards.eyes import turn_deg
from referee.vision.cards.learned import LearnedDeck, side_of
from referee.vision.cards.spot import GRID, Spot
from referee.vision.motion import Mask
from referee.vision.printed import without_drawings


@dataclass(slots=True)
class DeckEyes:
    """Reads one deck; `secrets` may be changed between pictures."""

    deck: Reader
    profile: Profile
    secrets: Secrets = field(default_factory=Secrets)

    def see(self, image: Image, where: Mask | None = None) -> tuple[Card, ...]:
        deck = Masked(self.deck, self.profile, self.secrets)
        return find_cards(image, deck, self.profile, where, at_play=True)

    def read_at(self, image: Image, corners: Outline) -> Card | None:
        spot = Spot(np.array(corners, np.float64), np.ones(GRID[::-1], bool), 1.0)
        (reading,) = Masked(self.deck, self.profile, self.secrets).read(image, [spot])
        if reading.name is None:
            return None
        placed = np.asarray(spot.turned().corners if reading.turned else spot.corners)
        on_table = self.profile.to_board(placed)
        x, y = on_table.mean(axis=0).tolist()
        outline = tuple((float(a), float(b)) for a, b in placed)
        return Card(-1, reading.name, reading.face, outline, (x, y), turn_deg(on_table), reading.confidence)

    def real(self, dice: Sequence[Die], image: Image, cards: Sequence[Card]) -> tuple[Die, ...]:
        return without_drawings(dice, image, cards, self.deck)


@dataclass(frozen=True, slots=True)
class Masked:
    """A deck that compares cards in masked zones with backs alone, and knows no card that must not be read."""

    deck: Reader
    profile: Profile
    secrets: Secrets
    index: None = field(default=None, init=False)
    """What must not be read is not looked for."""

    def read(self, image: Image, spots: Sequence[Spot]) -> tuple[Reading, ...]:
        masked = [self._is_masked(spot) for spot in spots]
        open_spots = [s for s, m in zip(spots, masked, strict=True) if not m]
        hidden_spots = [s for s, m in zip(spots, masked, strict=True) if m]
        faces = iter(_without(self.deck, self.secrets.unread).read(image, open_spots))
        backs = iter(_backs_alone(self.deck).read(image, hidden_spots))
        return tuple(_only_down(next(backs)) if m else next(faces) for m in masked)

    def accustomed(self, image: Image, spots: Sequence[Spot]) -> "Masked":
        return replace(self, deck=self.deck.accustomed(image, [s for s in spots if not self._is_masked(s)]))

    def _is_masked(self, spot: Spot) -> bool:
        if not self.secrets.zones:
            return False
        x, y = self.profile.to_board(np.asarray(spot.corners, float)).mean(axis=0).tolist()
        return any(zone.holds((x, y)) for zone in self.secrets.zones)


def _without(deck: Reader, unread: tuple[str, ...]) -> Reader:
    """The deck without the cards whose names begin so."""
    return _chosen(deck, lambda name: not name.startswith(unread)) if unread else deck


def _backs_alone(deck: Reader) -> Reader:
    return _chosen(deck, lambda name: side_of(name) == "down")


def _chosen(deck: Reader, wanted: Callable[[str], bool]) -> Reader:
    return deck.only(wanted) if isinstance(deck, LearnedDeck) else deck


def _only_down(reading: Reading) -> Reading:
    """What a masked zone may tell: a back, or nothing."""
    return reading if reading.face == "down" else Reading(None, "unknown", 0.0)


def deck_eyes(folder: FootageFolder, profile: Profile) -> DeckEyes:
    """Eyes that read the deck named in match.toml."""
    chosen = folder.match.deck
    deck: Reader = (
        learn(folder.path / chosen.folder) if chosen.folder else find_deck(chosen.name or "standard")
    )
    return DeckEyes(deck, profile, secrets_at_first(folder.match.game))
