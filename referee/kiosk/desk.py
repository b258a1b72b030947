"""What the page needs of the house: a small protocol, so that the page knows no rules."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from referee.types import Audience

Plain = Mapping[str, Any]


class Desk(Protocol):
    def games(self) -> Sequence[Plain]:
        """Every game: name, title, seats, summary, house rules with question, default and choices."""
        ...

    def clauses(self, game: str) -> Mapping[str, str]:
        """Clause id -> what it says."""
        ...

    def cameras(self) -> Sequence[str]:
        """Names of cameras one may try."""
        ...

    def decks(self) -> Sequence[str]:
        """Names of decks that can be read."""
        ...

    def last(self) -> Plain:
        """How the latest match was set up; empty before the first."""
        ...

    def preview(self, asked: Plain) -> Plain:
        """What the camera of a set-up sees: picture, quality of its calibration, zones."""
        ...

    def begin(self, setup: Plain) -> None:
        """Start a match as set up; raises TableError when it cannot."""
        ...

    def act(self, plain: Plain, seat: str | None) -> Sequence[Plain]:
        """Judge something a person declared; the rulings. Raises TableError when it is no event."""
        ...

    def picture(self) -> bytes | None:
        """The live picture as JPEG, masked for everybody; None while nobody may look."""
        ...

    def journal(self, audience: Audience, after: int) -> Sequence[Plain]:
        """Entries behind number `after` that this audience may read."""
        ...

    def instant(self, number: int) -> Any:
        """The replay of the ruling with this number; raises TableError when there is none."""
        ...
