"""A match: events in, rulings out; undo and overrule append to the journal and fold again."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from referee.codec import plain_event, read_event, to_plain
from referee.errors import BadEvent, TableError
from referee.game import Game, Plain
from referee.house import (
    HOUSE_EVENTS,
    OVERTURNS,
    HouseEvent,
    Override,
    Overturn,
    Redo,
    Sitting,
    Undo,
    forbids,
    judge_house,
    not_agreed,
    say_once,
)
from referee.ledger import CAMERA, REFEREE, TIMER, Cause, Entry, Ledger, Note, Scroll
from referee.log import OF_THE_CAMERA, Told, after, read_log
from referee.types import TABLE, Audience, Choice, Code, Ruling, Seat, View

S = TypeVar("S")
E = TypeVar("E")
MOST_FOLLOWERS = 100
"""More than any game can need; past it the game's `follow` runs in a circle."""


@dataclass(frozen=True, slots=True)
class Step(Generic[S]):
    """One event of the log, judged."""

    told: Told
    after: Sitting[S]
    rulings: tuple[Ruling, ...]
    followed: tuple[dict[str, object], ...] = ()
    """What the referee did next by itself."""
    changed: bool = True
    first_ruling: int = 0
    """Number of its first ruling in the journal."""


class Match(Generic[S, E]):
    """One game at the table, written down as it goes."""

    def __init__(
        self,
        game: Game[S, E],
        begun: S,
        ledger: Ledger | None = None,
        *,
        alone: bool = False,
        overturn: Overturn = "unanimous",
    ) -> None:
        """`alone`: judge only what is told; the referee does nothing by itself."""
        self.game = game
        self.ledger: Ledger = Scroll() if ledger is None else ledger
        self._alone = alone
        self._begun: Sitting[S] = Sitting(begun, overturn=overturn)
        written = self.ledger.whole()
        self._log = read_log(written)
        # Noted here as it goes: reading a whole evening's journal at every undo takes more memory each time.
        self._firsts = _first_rulings(written)
        self._steps: list[Step[S]] = []
        self._fold()

    @property
    def sitting(self) -> Sitting[S]:
        return self._steps[-1].after if self._steps else self._begun

    @property
    def begun(self) -> S:
        """The state it began with."""
        return self._begun.state

    @property
    def state(self) -> S:
        return self.sitting.state

    def ruled(self) -> Iterator[tuple[int, tuple[Ruling, ...]]]:
        """Every event that counts, by its number in the journal, with what is ruled on it now."""
        return ((step.told.number, step.rulings) for step in self._steps)

    def view(self, audience: Audience) -> View:
        """What `audience` sees and may declare; nothing but going on while paused."""
        view = self.game.view(self.state, audience)
        return replace(view, choices=self.choices()) if self.sitting.paused else view

    def choices(self) -> tuple[Choice, ...]:
        """What may be declared now; nothing but going on while paused."""
        if self.sitting.paused:
            return (Choice("resume", "Go on"),)
        return self.game.choices(self.state)

    def tell(self, plain: Plain) -> tuple[Ruling, ...]:
        """Judge an event in its envelope `{"ev", ..., "src", "seat"}`."""
        return self.feed(self.read(plain), _cause(plain))

    def read(self, plain: Plain) -> E | HouseEvent:
        """The event that `plain` tells, the game's or the house's."""
        if str(plain.get("ev")) in HOUSE_EVENTS:
            return read_event(HOUSE_EVENTS, plain)
        return self.game.event(plain)

    def is_public(self, event: E | HouseEvent) -> bool:
        """Whether everybody may know of it, and when it was."""
        game, state = self.game, self.state
        if isinstance(event, HouseEvent) or game.blind(state):
            return not game.blind(state)
        return game.heard(event) == TABLE and not game.undated(event) and game.kept(state, event) == event

    def feed(
        self,
        event: E | HouseEvent,
        cause: Cause = REFEREE,
        frames: tuple[int, int] | None = None,
        t_ns: int | None = None,
    ) -> tuple[Ruling, ...]:
        """Judge an event, write it down with its rulings, and say them."""
        if isinstance(event, Undo):
            return self._undo(cause)
        if isinstance(event, Redo):
            return self._redo(cause)
        if isinstance(event, Override):
            return self._override(event, cause)
        if not isinstance(event, HouseEvent):
            kept = self.game.kept(self.state, event)
            if kept is None:
                return self.game.judge(self.state, event).rulings
            event, dated = kept, not self.game.undated(event)
            frames, t_ns = (frames, t_ns) if dated else (None, None)
        note = Note("event", self._plain(event), cause, self._heard(event), frames, t_ns)
        step = self._judge(self.sitting, Told(self.ledger.length() + 1, note.body, cause, frames, t_ns))
        first = self._write(note, step)
        self._steps.append(replace(step, first_ruling=first))
        return step.rulings

    # --- Taking back and overruling --------------------------------------------------------------------

    def _undo(self, cause: Cause) -> tuple[Ruling, ...]:
        first = self._last_change()
        if first is None:
            return (Ruling(Code.ILLEGAL, ("HO-02",), "There is nothing to take back."),)
        return self._amend(Note("undo", {"first": first}, cause), _info("HO-02", "Taken back."))

    def _redo(self, cause: Cause) -> tuple[Ruling, ...]:
        if not self._log.undone:
            return (Ruling(Code.ILLEGAL, ("HO-02",), "There is nothing to do again."),)
        return self._amend(Note("redo", {}, cause), _info("HO-02", "Done again."))

    def _last_change(self) -> int | None:
        """The number of the last act that changed anything: an event, or an overruling."""
        overruled = [a.number for a in self._log.acts if a.overrules is not None]
        changed = [
            step.told.number
            for step in self._steps
            if step.changed and step.told.plain["ev"] not in OF_THE_CAMERA
        ]
        return max(overruled + changed, default=None)

    def _override(self, event: Override, cause: Cause) -> tuple[Ruling, ...]:
        target, rule = self._target(event), self._begun.overturn
        no = not_agreed(rule, event.by, self._players(), self._about(target))
        if no is not None:
            return (no,)
        if target is None:
            return (Ruling(Code.ILLEGAL, ("HO-03",), "There is no event to overrule."),)
        instead = self._instead(event, target)
        body = {
            "target": target.number,
            "instead": instead,
            "by": list(event.by),
            "rule": rule,
            "ruling": to_plain(event.ruling),
        }
        return self._amend(Note("overrule", body, cause), _info("HO-03", _OVERRULED[rule]))

    def _about(self, target: Told | None) -> Seat | None:
        """Whom the rulings on an event are about."""
        step = next((s for s in self._steps if target is not None and s.told.number == target.number), None)
        return next((r.seat for r in step.rulings if r.seat is not None), None) if step else None

    def _players(self) -> tuple[Seat, ...]:
        plain = self.game.dump(self.state)
        seats = plain.get("active") or plain.get("players") or ()
        return tuple(map(str, seats)) if isinstance(seats, list | tuple) else ()

    def _target(self, event: Override) -> Told | None:
        games = [s.told for s in self._steps if s.told.plain["ev"] not in HOUSE_EVENTS]
        if event.target is None:
            return games[-1] if games else None
        return next((told for told in games if told.number == event.target), None)

    def _instead(self, event: Override, target: Told) -> dict[str, object]:
        if event.instead is not None:
            return self._plain(self.game.event(event.instead))
        if self.game.overturn is None:
            raise BadEvent("this override says no event to judge instead; give it as 'instead'")
        return self._plain(self.game.overturn(self.game.event(target.plain), event.ruling))

    def _amend(self, note: Note, said: Ruling) -> tuple[Ruling, ...]:
        """Write the amendment down, fold again, and say what is ruled differently now."""
        log, steps = self._log, self._steps
        number = self.ledger.length() + 1
        self._log = after(log, Entry(number, note, ""))
        self._fold()
        rulings = (said, *self._corrections({step.told.number: step for step in steps}))
        try:
            self.ledger.append([note, *(_ruling_note(r, number) for r in rulings)])
        except TableError:  # it was not written, so it did not happen
            self._log, self._steps = log, steps
            raise
        self._firsts[number] = number + 1
        return rulings

    def _corrections(self, before: Mapping[int, Step[S]]) -> tuple[Ruling, ...]:
        corrected: list[Ruling] = []
        for step in self._steps:
            old = before.get(step.told.number)
            if old is not None and old.rulings != step.rulings:
                corrected += [replace(r, corrects=old.first_ruling or None) for r in step.rulings]
        return tuple(corrected)

    # --- Judging and folding ---------------------------------------------------------------------------

    def _fold(self) -> None:
        self._steps = []
        for told in self._log.told():
            step = self._judge(self.sitting, told)
            self._steps.append(replace(step, first_ruling=self._firsts.get(told.number, 0)))

    def _judge(self, sitting: Sitting[S], told: Told) -> Step[S]:
        event = self.read(told.plain)
        if isinstance(event, HouseEvent):
            after, ruling = judge_house(sitting, event)
            return Step(told, after, (replace(ruling, frames=told.frames),), changed=after is not sitting)
        no = forbids(sitting, told.cause)
        if no is not None:
            return Step(told, sitting, (replace(no, frames=told.frames),), changed=False)
        return self._judge_game(sitting, told, event)

    def _judge_game(self, sitting: Sitting[S], told: Told, event: E) -> Step[S]:
        judged = self.game.judge(sitting.state, event)
        state, rulings, followed = judged.state, judged.rulings, []
        if state is not sitting.state and not self._alone:
            while followers := self.game.follow(state):
                for follower in followers:
                    judged = self.game.judge(state, follower)
                    state, rulings = judged.state, rulings + judged.rulings
                    followed.append(self.game.plain(follower))
                if len(followed) > MOST_FOLLOWERS:
                    raise AssertionError(f"{self.game.name} follows itself in a circle: {followed[-3:]}")
        changed = state is not sitting.state
        sitting, rulings = say_once(replace(sitting, state=state) if changed else sitting, rulings)
        proven = tuple(replace(r, frames=r.frames or told.frames) for r in rulings)
        return Step(told, sitting, proven, tuple(followed), changed)

    # --- Writing ---------------------------------------------------------------------------------------

    def _write(self, note: Note, step: Step[S]) -> int:
        """Event, followers and rulings in one go; the number of the first ruling, or 0."""
        number = step.told.number
        follow = [Note("follow", {**plain, "of": number}, REFEREE) for plain in step.followed]
        rulings = [_ruling_note(r, number) for r in step.rulings]
        entries = self.ledger.append([note, *follow, *rulings])
        self._log = after(self._log, entries[0])
        if not rulings:
            return 0
        self._firsts[number] = number + len(follow) + 1
        return self._firsts[number]

    def _plain(self, event: Any) -> dict[str, object]:
        if isinstance(event, HouseEvent):
            return plain_event(event)
        return self.game.plain(event)

    def _heard(self, event: Any) -> Audience:
        return TABLE if isinstance(event, HouseEvent) else self.game.heard(event)


def open_match(
    game: Game[S, E],
    seats: tuple[Seat, ...],
    switches: Plain,
    ledger: Ledger | None = None,
    given: Plain | None = None,
    overturn: Overturn = "unanimous",
) -> Match[S, E]:
    """Begin a match and write down how it began; `given` sets fields of the state to begin with."""
    check_seats(game, seats)
    ledger = Scroll() if ledger is None else ledger
    if ledger.length():
        raise TableError("this journal holds a match already; resume it or take another file")
    body = {
        "game": game.name,
        "seats": list(seats),
        "switches": to_plain(switches),
        "given": to_plain(given or {}),
        "overturn": check_overturn(overturn),
    }
    begun = _begun(game, body)
    ledger.append([Note("open", body)])
    return Match(game, begun, ledger, overturn=overturn)


def resume_match(game: Game[S, E], ledger: Ledger) -> Match[S, E]:
    """Take up a match where its journal left it."""
    entries = ledger.whole()
    if not entries or entries[0].note.kind != "open":
        raise TableError("this journal does not begin with the opening of a match")
    body = entries[0].note.body
    if body.get("game") != game.name:
        raise TableError(f"this journal is of {body.get('game')}, not of {game.name}")
    rule = check_overturn(body.get("overturn", "unanimous"))
    try:
        return Match(game, _begun(game, body), ledger, overturn=rule)
    except (LookupError, ValueError, TypeError, AttributeError, AssertionError) as error:
        # Sealed, and yet nothing that we wrote: whoever can write the file can make one.
        raise TableError(f"this journal tells of a match that cannot have been ({error})") from error


def check_overturn(rule: object) -> Overturn:
    """One of the ways in which a table may overrule, refused otherwise."""
    for known in OVERTURNS:
        if rule == known:
            return known
    raise TableError(f"a ruling may be overturned by {', '.join(OVERTURNS)}, not by {rule!r}")


def check_seats(game: Game[S, E], seats: tuple[Seat, ...]) -> None:
    """Refuse too few, too many, nameless or doubled seats."""
    fewest, most = game.seats
    if not fewest <= len(seats) <= most:
        raise TableError(f"{game.title} takes {fewest} to {most} players, not {len(seats)}")
    if len(set(seats)) != len(seats) or not all(seats):
        raise TableError(f"every seat needs a name of its own, not {', '.join(map(repr, seats))}")


def _begun(game: Game[S, E], body: Mapping[str, Any]) -> S:
    begun = game.begin(tuple(body["seats"]), body["switches"])
    return game.load({**game.dump(begun), **body["given"]}) if body["given"] else begun


_OVERRULED: Mapping[Overturn, str] = {
    "unanimous": "All players overrule the referee.",
    "majority": "More than half of the players overrule the referee.",
    "other_side": "The player concerned and another player overrule the referee.",
}


def _cause(plain: Plain) -> Cause:
    seat = plain.get("seat")
    source = plain.get("src")
    if source == "P":
        return Cause("seat", seat if isinstance(seat, str) else None)
    return {"C": CAMERA, "T": TIMER}.get(str(source), REFEREE)


def _info(clause: str, because: str) -> Ruling:
    return Ruling(Code.INFO, (clause,), because)


def _ruling_note(ruling: Ruling, number: int) -> Note:
    body = {**to_plain(ruling), "of": number}
    return Note("ruling", body, REFEREE, ruling.audience, ruling.frames)


def _first_rulings(entries: Iterable[Entry]) -> dict[int, int]:
    """Event number -> number of the first ruling about it."""
    firsts: dict[int, int] = {}
    for entry in entries:
        if entry.note.kind == "ruling":
            firsts.setdefault(int(str(entry.note.body["of"])), entry.number)
    return firsts
