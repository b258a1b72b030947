"""One picture: the cards and dice on it."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from calibration import Profile
from hardware.pictures import read_picture
from referee.types import Card, Die
from referee.vision.cards import Reader, find_cards
from referee.vision.dice import find_dice
from referee.vision.printed import without_drawings, without_faces


@dataclass(frozen=True, slots=True)
class Look:
    """What lies on one picture."""

    image: str
    cards: tuple[Card, ...]
    dice: tuple[Die, ...]

    def plain(self) -> Mapping[str, object]:
        cards, dice = [_plain_card(card) for card in self.cards], [_plain_die(die) for die in self.dice]
        return {"image": self.image, "cards": cards, "dice": dice}


def look(path: Path, deck: Reader, profile: Profile | None = None) -> Look:
    """Find and read everything on the picture at `path`."""
    image = read_picture(path)
    if profile is not None:
        profile = profile.fitting((image.shape[1], image.shape[0]))
    cards = find_cards(image, deck, profile)
    dice = find_dice(image, profile, cards)
    cards = without_faces(cards, dice)
    return Look(path.name, cards, without_drawings(dice, image, cards, deck))


def _plain_card(card: Card) -> Mapping[str, object]:
    plain: dict[str, object] = {
        "name": card.name,
        "face": card.face,
        "corners_px": card.corners_px,
        "turn_deg": card.turn_deg,
        "confidence": card.confidence,
        "visible": card.visible,
    }
    return plain if card.mm is None else {**plain, "mm": card.mm}


def _plain_die(die: Die) -> Mapping[str, object]:
    plain: dict[str, object] = {"value": die.value, "px": die.px, "confidence": die.confidence}
    if die.cocked:
        plain["cocked"] = True
    return plain if die.mm is None else {**plain, "mm": die.mm}
