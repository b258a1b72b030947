"""What the live loop asks of the eyes, whatever the game."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from hardware.frames import Frame, Image
from hardware.stills import KeptStill
from referee.live_story import Story
from referee.types import Point
from referee.veil import Places

Plain = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Sighting:
    """An event the camera tells, with the frames that prove it."""

    event: Plain
    """In the words of the rules digest: `{"ev": ..., ...}`."""
    frames: tuple[int, int]
    t_ns: int


State = Callable[[], Any]
"""The bench's state at the moment of asking: what was told a moment ago has been judged by then."""


class Eyes(Protocol):
    def feed(self, frame: Frame, state: State) -> Iterable[Sighting]:
        """Look at the next frame; what has become certain by now, one after the other."""
        ...

    def shut(self) -> None:
        """Eyes are shut at the table: until the next frame there is nothing to be seen."""
        ...

    @property
    def busy(self) -> bool:
        """Something seen is not understood yet: there is work to do before the next frame comes."""
        ...

    def think(self, state: State, /) -> Iterable[Sighting]:
        """Do a small piece of that work."""
        ...

    def look(self, state: State) -> Iterable[Sighting]:
        """What the table tells as it lies, after somebody declared something."""
        ...

    def finish(self, state: State) -> Iterable[Sighting]:
        """The footage is over: tell what is still open."""
        ...

    def hear(self, event: Plain) -> Plain:
        """A person's declaration with what only the eyes know put in (pixels become pieces)."""
        ...

    def scene(self) -> Plain:
        """What lies on the table, for drawing, in raw pixels; public things only."""
        ...

    def place(self, zone: str, to_px: Point, /) -> None:
        """Put the middle of a zone somewhere else; refuses one this table does not have."""
        ...

    @property
    def placed(self) -> Mapping[str, Point]:
        """Where zones were put, in millimetres."""
        ...

    def story(self, frames: tuple[int, int], /) -> Story | None:
        """What happened in these frames, to be drawn over them; None when there is nothing to draw."""
        ...

    @property
    def hidden(self) -> Places | None:
        """What is covered on every picture that is shown or kept; None: all of it."""
        ...

    @property
    def still(self) -> KeptStill | None:
        """The picture at rest that was measured last, to be kept exactly beside the footage, if any."""
        ...

    @property
    def secretive(self) -> bool:
        """Something may have to be covered here: no picture is kept before it was looked at."""
        ...

    def veil(self, image: Image) -> Image:
        """The picture with everything covered that not everybody may see."""
        ...
