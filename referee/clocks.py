"""The players' clocks: one runs at a time, and an empty one is told to the bench."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from referee.ledger import TIMER, Entry, Ledger, Note
from referee.match import Match
from referee.stage import Message
from referee.types import Seat, Ticking

NOTE = "clock"
NOTE_EVERY_NS = 30_000_000_000
"""A running clock is written down this often: no more of it is lost when the power goes."""
NS_PER_MS = 1_000_000


class Clocks:
    """What everybody has used up so far, in nanoseconds of the caller's clock."""

    def __init__(self, used_ms: Mapping[Seat, int]) -> None:
        self._used_ns = {seat: ms * NS_PER_MS for seat, ms in used_ms.items()}
        self.running: Ticking | None = None
        self._counted_ns = 0

    def run(self, ticking: Ticking | None, now_ns: int) -> None:
        """Count what has passed for the clock that ran, and let this one run; None: all stand."""
        if self.running is not None:
            seat = self.running.seat
            self._used_ns[seat] = self._used_ns.get(seat, 0) + now_ns - self._counted_ns
        self.running, self._counted_ns = ticking, now_ns

    def used_ms(self) -> dict[Seat, int]:
        return {seat: ns // NS_PER_MS for seat, ns in self._used_ns.items()}

    def left_ms(self, seat: Seat, limit_ms: int) -> int:
        return max(0, limit_ms - self._used_ns.get(seat, 0) // NS_PER_MS)


class ChessClock:
    """Keeps the clocks of one match, in its journal and on show; the judge's thread ticks it."""

    def __init__(self, match: Match[Any, Any], show: Callable[[Message], None]) -> None:
        self._match, self._show = match, show
        self._written = used_before(match.ledger)
        self._clocks = Clocks(self._written)
        self._written_ns = 0
        self._run_out = set(_told_before(match.ledger))
        """An empty clock is told once: players who take it back let the seat play on."""

    def tick(self, now_ns: int, stands: bool) -> dict[str, object] | None:
        """Let time pass; the event to tell when a clock has just run out. `stands`: nobody's time counts now."""
        before = self._clocks.running
        due = None if stands else self._match.game.clock(self._match.state)
        if before is None and due is None:
            return None
        self._clocks.run(due, now_ns)
        if due != before or now_ns - self._written_ns >= NOTE_EVERY_NS:
            self._written_ns = now_ns
            self._write()
            self._show(self._message(due or before))
        if due is None or due.seat in self._run_out or self._clocks.left_ms(due.seat, due.limit_ms):
            return None
        self._run_out.add(due.seat)
        return {"ev": due.event, "seat": due.seat}

    def _write(self) -> None:
        used = self._clocks.used_ms()
        if used != self._written:
            self._written = used
            self._match.ledger.append([Note(NOTE, {"used_ms": used}, TIMER)])

    def _message(self, known: Ticking | None) -> Message:
        running = self._clocks.running
        assert known is not None, "somebody's clock runs or ran"
        left = {seat: self._clocks.left_ms(seat, ms) for seat, ms in known.limits_ms.items()}
        return {"kind": "clock", "running": running.seat if running else None, "left_ms": left}


def used_before(ledger: Ledger) -> dict[Seat, int]:
    """What the journal says everybody has used up."""
    last = next((e for e in reversed(ledger.whole()) if e.note.kind == NOTE), None)
    return {} if last is None else _used(last)


def _told_before(ledger: Ledger) -> Iterator[Seat]:
    """The seats whose time ran out before; nothing else that the clock causes has a seat."""
    for entry in ledger.whole():
        if entry.note.kind == "event" and entry.note.cause == TIMER and "seat" in entry.note.body:
            yield str(entry.note.body["seat"])


def _used(entry: Entry) -> dict[Seat, int]:
    used = entry.note.body["used_ms"]
    assert isinstance(used, dict), "a clock's note says how much was used"
    return {str(seat): int(ms) for seat, ms in used.items()}
