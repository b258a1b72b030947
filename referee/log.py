"""The acts of a match in order, with what was undone and overruled: a value, folded from the journal."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from referee.ledger import Cause, Entry, Note

OF_THE_CAMERA = ("camera_blocked", "camera_clear")
"""Whether the camera sees is nobody's to take back."""


@dataclass(frozen=True, slots=True)
class Act:
    """An event that was told, or an overruling of one."""

    number: int
    """In the journal."""
    note: Note
    overrules: int | None = None
    """The number of the event this act puts another in place of."""

    @property
    def lasts(self) -> bool:
        """It stays when what was told around it is taken back."""
        return self.overrules is None and self.note.body.get("ev") in OF_THE_CAMERA


@dataclass(frozen=True, slots=True)
class Told:
    """An event as it counts now."""

    number: int
    plain: Mapping[str, object]
    """The very body that was written: a long match is not kept twice."""
    cause: Cause
    frames: tuple[int, int] | None
    t_ns: int | None


@dataclass(frozen=True, slots=True)
class Log:
    acts: tuple[Act, ...] = ()
    undone: tuple[tuple[Act, ...], ...] = ()
    """The latest undoing last; a new act forgets them."""

    def act(self, act: Act) -> "Log":
        return Log((*self.acts, act))

    def undo(self, first: int) -> "Log":
        """Take back the act numbered `first` and all after it, but for what lasts."""
        kept = tuple(a for a in self.acts if a.number < first or a.lasts)
        gone = tuple(a for a in self.acts if a.number >= first and not a.lasts)
        return Log(kept, (*self.undone, gone))

    def redo(self) -> "Log":
        again = sorted((*self.acts, *self.undone[-1]), key=lambda act: act.number)
        return Log(tuple(again), self.undone[:-1])

    def told(self) -> Iterator[Told]:
        """The events that count, in order, each as the last overruling left it."""
        latest = {a.overrules: a for a in self.acts if a.overrules is not None}
        for act in self.acts:
            if act.overrules is None:
                yield _told(act, latest.get(act.number))

    def has(self, number: int) -> bool:
        return any(a.number == number and a.overrules is None for a in self.acts)


def read_log(entries: Iterable[Entry]) -> Log:
    """The log that a journal's entries tell."""
    log = Log()
    for entry in entries:
        log = after(log, entry)
    return log


def after(log: Log, entry: Entry) -> Log:
    """The log after one more entry; rulings and what followed of itself leave it as it is."""
    note = entry.note
    if note.kind == "event":
        return log.act(Act(entry.number, note))
    if note.kind == "overrule":
        return log.act(Act(entry.number, note, int(str(note.body["target"]))))
    if note.kind == "undo":
        return log.undo(int(str(note.body["first"])))
    if note.kind == "redo":
        return log.redo()
    return log


def _told(act: Act, overruling: Act | None) -> Told:
    told = Told(act.number, act.note.body, act.note.cause, act.note.frames, act.note.t_ns)
    if overruling is None:
        return told
    instead = overruling.note.body["instead"]
    assert isinstance(instead, dict), "an overruling always says what happened instead"
    return replace(told, plain=instead, cause=overruling.note.cause)
