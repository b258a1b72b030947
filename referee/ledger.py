"""What a journal holds: entries, each chained by its hash to the one before, each with its audience."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol

from referee.errors import TableError
from referee.types import TABLE, Audience, Seat

GENESIS = "0" * 64
"""The hash before the first entry."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Who or what caused an entry."""

    kind: Literal["camera", "seat", "timer", "referee"]
    seat: Seat | None = None

    def __str__(self) -> str:
        return self.kind if self.seat is None else f"{self.kind}:{self.seat}"


REFEREE = Cause("referee")
CAMERA = Cause("camera")
TIMER = Cause("timer")


@dataclass(frozen=True, slots=True)
class Note:
    """Something to write down."""

    kind: str
    """`open`, `event`, `ruling`, `follow`, `undo`, `redo`, `overrule` or `clock`."""
    body: Mapping[str, object]
    cause: Cause = REFEREE
    audience: Audience = TABLE
    frames: tuple[int, int] | None = None
    """First and last frame that prove it."""
    t_ns: int | None = None
    """On the camera's clock."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A note in its place."""

    number: int
    note: Note
    hash: str


class Ledger(Protocol):
    """Where a match writes."""

    def append(self, notes: Sequence[Note]) -> tuple[Entry, ...]:
        """All of the notes or none; when it returns they are safe."""
        ...

    def try_writing(self) -> None:
        """Find out whether anything can be written now; raises JournalError when it cannot."""
        ...

    def length(self) -> int:
        """How many entries there are; the last one's number."""
        ...

    def whole(self) -> tuple[Entry, ...]:
        """Every entry, for folding the match again; people are shown `read` instead."""
        ...

    def read(self, audience: Audience) -> tuple[Entry, ...]:
        """What this audience may see."""
        ...

    def after(self, number: int) -> tuple[Entry, ...]:
        """The entries behind this number, for the house."""
        ...


class Scroll:
    """A ledger that lives as long as the program."""

    def __init__(self) -> None:
        self._entries: list[Entry] = []

    def append(self, notes: Sequence[Note]) -> tuple[Entry, ...]:
        last = self._entries[-1] if self._entries else None
        added = chain(last, notes)
        self._entries.extend(added)
        return added

    def try_writing(self) -> None:
        """Nothing stands in the way of a list."""

    def length(self) -> int:
        return len(self._entries)

    def whole(self) -> tuple[Entry, ...]:
        return tuple(self._entries)

    def read(self, audience: Audience) -> tuple[Entry, ...]:
        return tuple(entry for entry in self._entries if may_see(audience, entry.note.audience))

    def after(self, number: int) -> tuple[Entry, ...]:
        return tuple(self._entries[number:])


def may_see(reader: Audience, meant_for: Audience) -> bool:
    """Everybody sees what is for the table; the rest is for its own audience alone."""
    return meant_for in (TABLE, reader)


def chain(last: Entry | None, notes: Sequence[Note]) -> tuple[Entry, ...]:
    """The entries that `notes` become after `last`."""
    entries: list[Entry] = []
    for note in notes:
        number, before = (last.number + 1, last.hash) if last else (1, GENESIS)
        last = Entry(number, note, seal(before, number, note))
        entries.append(last)
    return tuple(entries)


def seal(before: str, number: int, note: Note) -> str:
    """The hash that ties an entry to all the ones before it."""
    try:
        words = canonical([before, number, *columns(note)]).encode()
    except UnicodeEncodeError as error:  # half of a letter, from a JSON escape: no file can hold it
        raise TableError(f"{error.object[error.start : error.end]!r} cannot be written down") from error
    return hashlib.sha256(words).hexdigest()


def columns(note: Note) -> tuple[str, str, str, str, str | None, int | None]:
    """A note as a row of a table: kind, body, cause, audience, frames, t_ns."""
    frames = canonical(note.frames) if note.frames else None
    return note.kind, canonical(note.body), str(note.cause), _audience_word(note.audience), frames, note.t_ns


def from_columns(row: Sequence[object]) -> Note:
    """A note from its row; raises TableError for a row no journal of ours holds."""
    kind, body, cause, audience, frames, t_ns = row
    try:
        note = Note(str(kind), _body(str(body)), _cause(str(cause)), _audience(str(audience)))
        return replace(note, frames=_frames(frames), t_ns=None if t_ns is None else int(str(t_ns)))
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        raise TableError(f"an entry that cannot be read: {error}") from error


def _body(word: str) -> Mapping[str, object]:
    body = json.loads(word)
    if not isinstance(body, dict):
        raise ValueError(f"a body that is {word[:40]!r}")
    return body


def canonical(value: object) -> str:
    """One spelling for one value, so that equal things have equal hashes."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _audience_word(audience: Audience) -> str:
    return f"seat:{audience.seat}" if audience.kind == "seat" else audience.kind


def _audience(word: str) -> Audience:
    kind, _, seat = word.partition(":")
    if kind not in ("table", "seat", "master"):
        raise ValueError(f"an audience called {word!r}")
    return Audience(kind, seat or None)  # type: ignore[arg-type] # checked in the line above


def _cause(word: str) -> Cause:
    kind, _, seat = word.partition(":")
    if kind not in ("camera", "seat", "timer", "referee"):
        raise ValueError(f"a cause called {word!r}")
    return Cause(kind, seat or None)  # type: ignore[arg-type] # checked in the line above


def _frames(word: object) -> tuple[int, int] | None:
    if word is None:
        return None
    first, last = json.loads(str(word))
    return int(first), int(last)
