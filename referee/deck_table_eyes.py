"""Eyes for a live table of cards and dice: what may not be read is not read, and not shown either."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from hardware.frames import Frame, Image
from hardware.stills import KeptStill
from referee.card_eyes import DeckEyes
from referee.card_happenings import Happening
from referee.card_table import read_batch
from referee.errors import TableError
from referee.eyes import Plain, Sighting, State
from referee.happenings import Sighted
from referee.live_story import Story
from referee.reading import Read, Reader, Secrets
from referee.table_eyes import TableEyes, hidden_px, keep_secrets, to_mm
from referee.types import Point
from referee.veil import Places, covered
from referee.zones import moved


class DeckTableEyes:
    def __init__(
        self,
        eyes: TableEyes,
        reader: Reader[Any],
        begun: bool = False,
        placed: Mapping[str, Point] = MappingProxyType({}),
    ) -> None:
        """`begun`: the match began with what this reader found on the table; `placed`: zones moved by people."""
        self._eyes, self._reader, self._begun = eyes, reader, begun
        self._placed = dict(placed)
        self._looked = False
        self._now = (0, 0)

    def feed(self, frame: Frame, state: State) -> Iterable[Sighting]:
        self._now = frame.index, frame.t_ns
        batch = self._eyes.feed(frame)
        if self._eyes.settled and not self._looked:
            self._looked = True
            if not self._begun:
                self._reader.begin(self._eyes.table, {})
            yield from self.look(state)
        yield from self._read(batch, state)

    def _read(self, batch: Sequence[Happening | Sighted], state: State) -> Iterable[Sighting]:
        if batch:
            reads = read_batch(self._reader, state(), batch, self._eyes.table)
            yield from map(self._sighting, reads)
            yield from self.look(state)

    def shut(self) -> None:
        self._eyes.shut()

    @property
    def busy(self) -> bool:
        return False

    def think(self, _state: State) -> Iterable[Sighting]:
        return ()

    def look(self, state: State) -> Iterable[Sighting]:
        if self._looked:
            yield from map(self._sighting, self._reader.standing(state(), self._eyes.table))
            keep_secrets(self._eyes, self._reader, state(), self._placed)

    def finish(self, state: State) -> Iterable[Sighting]:
        return self._read(self._eyes.finish(), state)

    def hear(self, event: Plain) -> Plain:
        self._reader.declared(event)
        return event

    def scene(self) -> Plain:
        table = self._eyes.table
        secrets = self._secrets()
        return {
            "size": list(self._eyes.profile.image_size),
            "cards": [
                {"corners_px": c.corners_px, "name": c.name, "face": c.face}
                for c in table.cards
                if c.mm is None or secrets.shows(c.mm)
            ],
            "dice": [{"px": d.px, "value": d.value} for d in table.dice],
            "zones": [
                {"name": z.name, "outline_px": self._pixels(z.outline_mm).tolist(), "read": z.read}
                for z in moved(self._reader.zones(table), self._placed)
            ],
        }

    def place(self, zone: str, to_px: Point) -> None:
        names = [z.name for z in self._reader.zones(self._eyes.table)]
        if zone not in names:
            raise TableError(f"this table has no zone called {zone!r}; zones: {', '.join(names)}")
        self._placed[zone] = to_mm(self._eyes.profile)(to_px)

    @property
    def placed(self) -> Mapping[str, Point]:
        return dict(self._placed)

    def story(self, _frames: tuple[int, int]) -> Story | None:
        return None

    def veil(self, image: Image) -> Image:
        """A curtain over every place where something hidden may lie."""
        return covered(image, self.hidden)

    @property
    def still(self) -> KeptStill | None:
        return None

    @property
    def secretive(self) -> bool:
        return True

    @property
    def hidden(self) -> Places | None:
        """Before the first settled picture nobody knows what is to be covered: all of it is."""
        return hidden_px(self._secrets(), self._eyes) if self._looked else None

    def _secrets(self) -> Secrets:
        cards = self._eyes.watch.card_eyes
        return cards.secrets if isinstance(cards, DeckEyes) else Secrets()

    def _sighting(self, read: Read) -> Sighting:
        if read.at is None:
            return Sighting(read.event, (self._now[0], self._now[0]), self._now[1])
        return Sighting(read.event, (read.at.began, read.at.frame), read.at.t_ns)

    def _pixels(self, outline: Sequence[Point]) -> Any:
        return np.round(self._eyes.profile.to_pixels(np.array(outline)), 1)
