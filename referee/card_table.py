"""A card game's table on footage: frames in, events of the game out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hardware.frames import Frame
from referee.card_happenings import Happening, Moment
from referee.happenings import Sighted
from referee.house import house_event
from referee.reading import Read, Reader, Table
from referee.table_eyes import TableEyes, keep_secrets
from referee.types import Point


@dataclass(slots=True)
class CardTable:
    """Eyes and reader of one game joined."""

    eyes: TableEyes
    reader: Reader[Any]
    placed: Mapping[str, Point] = field(default_factory=dict)
    """Zone -> where people put its middle, in millimetres."""
    batch: tuple[Happening | Sighted, ...] = ()
    """What the last frame brought to light."""
    _begun: bool = False

    def look(self, frame: Frame, state: Any) -> tuple[Read, ...]:
        """What has become certain with this frame, in the words of the game."""
        self.batch = self.eyes.feed(frame)
        return self._read(state)

    def finish(self, state: Any) -> tuple[Read, ...]:
        """What becomes certain as the film is over."""
        self.batch = self.eyes.finish()
        return self._read(state)

    def _read(self, state: Any) -> tuple[Read, ...]:
        if not self.eyes.settled or state is None or (self._begun and not self.batch):
            return ()
        if not self._begun:
            self.begin({})
        self.keep_secrets(state)
        return read_batch(self.reader, state, self.batch, self.eyes.table)

    def begin(self, given: Mapping[str, object]) -> Mapping[str, object]:
        """What the first picture shows, as fields of the game's state."""
        self._begun = True
        return self.reader.begin(self.eyes.table, given)

    def standing(self, state: Any) -> tuple[Read, ...]:
        return self.reader.standing(state, self.eyes.table) if self._begun else ()

    def keep_secrets(self, state: Any) -> None:
        """Make the eyes blind to what must not be read now."""
        keep_secrets(self.eyes, self.reader, state, self.placed)

    def hear(self, event: Mapping[str, object]) -> Mapping[str, object]:
        """A player told the referee something."""
        self.reader.declared(event)
        return event


def read_batch(
    reader: Reader[Any], state: Any, batch: Sequence[Happening | Sighted], table: Table
) -> tuple[Read, ...]:
    """What one frame brought to light, in the words of the house and of the game."""
    sights = tuple(h for h in batch if isinstance(h, Sighted))
    happened = tuple(h for h in batch if not isinstance(h, Sighted))
    of_the_house = tuple(Read(house_event(s), Moment(s.frames[1], s.t_ns, s.frames[0])) for s in sights)
    return (*of_the_house, *(reader.read(state, happened, table) if happened else ()))
