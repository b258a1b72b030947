"""A card game's table as the live loop sees it: frames in, events of the game out; secrets covered."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np

from hardware.frames import Frame, Image
from referee.card_eyes import DeckEyes
from referee.card_happenings import Happening
from referee.codec import to_plain
from referee.eyes import Sighting
from referee.reading import Read, Reader, Secrets
from referee.table_eyes import TableEyes
from referee.types import Card


@dataclass(slots=True)
class CardTable:
    """Eyes and reader of one game joined."""

    eyes: TableEyes
    reader: Reader[Any]
    batch: tuple[Happening, ...] = ()
    """What the last frame brought to light."""
    secrets: Secrets = field(default_factory=Secrets)
    _begun: bool = False

    def look(self, frame: Frame, state: Any) -> tuple[Read, ...]:
        """What has become certain with this frame, in the words of the game."""
        self.batch = self.eyes.feed(frame)
        if not self.eyes.settled or state is None or (self._begun and not self.batch):
            return ()
        if not self._begun:
            self.begin({})
        self.keep_secrets(state)
        return self.reader.read(state, self.batch, self.eyes.table) if self.batch else ()

    def begin(self, given: Mapping[str, object]) -> Mapping[str, object]:
        """What the first picture shows, as fields of the game's state."""
        self._begun = True
        return self.reader.begin(self.eyes.table, given)

    def standing(self, state: Any) -> tuple[Read, ...]:
        return self.reader.standing(state, self.eyes.table) if self._begun else ()

    def keep_secrets(self, state: Any) -> None:
        """Make the eyes blind to what must not be read now."""
        self.secrets = self.reader.secrets(state, self.eyes.table)
        cards = self.eyes.watch.card_eyes
        if isinstance(cards, DeckEyes):
            cards.secrets = self.secrets

    # --- As the live loop asks -------------------------------------------------------------------------

    def feed(self, frame: Frame, state: Any) -> Sequence[Sighting]:
        first = not self._begun
        reads = self.look(frame, state)
        if self.batch or (first and self._begun):
            reads = (*reads, *self.standing(state))
        return [_sighting(read, frame) for read in reads]

    def finish(self, state: Any) -> Sequence[Sighting]:  # noqa: ARG002
        """What is not settled when the footage ends is not told."""
        return ()

    def hear(self, event: Mapping[str, Any]) -> Mapping[str, Any]:
        self.reader.declared(event)
        return event

    def scene(self) -> Mapping[str, Any]:
        """Cards, dice and zones in millimetres; a masked card is an outline without a name."""
        table = self.eyes.table
        cards = [self._drawn(card) for card in table.cards]
        dice = [{"id": d.id, "value": d.value, "mm": d.mm} for d in table.dice]
        zones = self.reader.zones(table) if self._begun else ()
        return {"cards": cards, "dice": dice, "zones": [to_plain(z.shape()) for z in zones]}

    def _drawn(self, card: Card) -> dict[str, object]:
        outline = self.eyes.profile.to_board(np.array(card.corners_px)).tolist()
        hidden = card.mm is not None and any(zone.holds(card.mm) for zone in self.secrets.zones)
        return {
            "id": card.id,
            "name": None if hidden else card.name,
            "face": card.face,
            "outline_mm": outline,
        }

    def veil(self, image: Image) -> Image:
        """The picture with masked zones painted over in their own mean colour."""
        if not self.secrets.zones:
            return image
        covered = image.copy()
        for zone in self.secrets.zones:
            outline = np.round(self.eyes.profile.to_pixels(np.array(zone.outline_mm))).astype(np.int32)
            inside = np.zeros(image.shape[:2], np.uint8)
            cv2.fillPoly(inside, [outline], 255)
            covered[inside > 0] = np.array(cv2.mean(image, inside)[:3], np.uint8)
        return covered


def _sighting(read: Read, frame: Frame) -> Sighting:
    if read.at is None:
        return Sighting(dict(read.event), (frame.index, frame.index), frame.t_ns)
    return Sighting(dict(read.event), (read.at.began, read.at.frame), read.at.t_ns)
