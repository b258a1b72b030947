"""The live loop: the only module that joins camera, eyes, bench, journal, recorder and screen.

One thread judges: frames, declarations and the clock's cues come to it one after the other, so a match is never
touched by two at once. Camera, recorder and page each have a thread of their own and never wait for it.
"""

import threading
import time
import traceback
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from queue import Empty, Queue
from typing import Any

from hardware.frames import Frame
from hardware.memory import give_back
from hardware.priority import go_first
from hardware.recorder import Recorder
from referee.authority import Authority
from referee.backlog import Backlog, Deed
from referee.clocks import ChessClock
from referee.cues import Cues
from referee.errors import JournalError, TableError
from referee.eyes import Eyes, Plain, Sighting
from referee.ledger import CAMERA, TIMER, Cause
from referee.match import Match
from referee.relay import Relay
from referee.roll import Roll
from referee.showing import Showing
from referee.stage import Stage
from referee.types import Point, Ruling
from referee.veil import Curtains

TICK_S = 0.04
"""How long the loop waits for a frame before it looks at acts and cues again."""
FORGIVEN_NS = 5_000_000_000
"""A stumble is shown this long."""
STATUS_NS = 500_000_000
"""How often the screen is told how the referee is, and what lies on the table."""
TIDY_NS = 60_000_000_000
"""How often memory that is free goes back to the system."""


class Table:
    """One match being played."""

    def __init__(
        self,
        match: Match[Any, Any],
        seats: Sequence[str],
        stage: Stage,
        eyes: Eyes | None = None,
        relay: Relay | None = None,
        recorder: Recorder | None = None,
        authority: Authority | None = None,
        clause_text: Callable[[str], str] = lambda clause: clause,
        declared: Sequence[tuple[int, Plain]] = (),
        clock: Callable[[], int] = time.monotonic_ns,
        keep_told: Callable[[Plain, int], None] | None = None,
    ) -> None:
        """`keep_told`: is given what was declared with the number of the frame it was declared at."""
        self.match, self.seats, self.stage = match, tuple(seats), stage
        self.eyes, self.relay, self.recorder = eyes, relay, recorder
        self._authority, self._clock = authority or Authority(), clock
        self._showing = Showing(match, seats, stage, clause_text)
        self._declared, self._keep_told = list(declared), keep_told
        self._frame = -1
        self._acts: Queue[tuple[Plain, str | None, Future[tuple[Ruling, ...]]]] = Queue()
        self._cues = Cues()
        self._curtains = Curtains(eyes is None or eyes.secretive)
        self._chess_clock = ChessClock(match, stage.show)
        self._backlog = Backlog(lambda why: self.trouble("journal", why))
        self._stumbled_ns: int | None = None
        self._pending: list[Sighting] = []
        self._troubles: dict[str, str] = {}
        self._next_status_ns = 0
        self._next_tidy_ns = 0
        self._closed = threading.Event()
        self.over = threading.Event()
        """The camera has ended (footage), and all it showed has been judged."""
        self._threads = [threading.Thread(target=self._judge_loop, name="judge", daemon=True)]
        self._roll: Roll | None = None
        if relay is not None and recorder is not None:
            self._roll = Roll(relay.recorder, recorder, self._curtains, self._stumble)
            self._threads.append(
                threading.Thread(target=self._roll.run, args=(self._closed,), name="recorder", daemon=True)
            )

    def start(self) -> None:
        if self.relay is not None:
            self.relay.start()
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Stop in order: camera, judging, recording; closing twice is harmless."""
        self._closed.set()
        if self.relay is not None:
            self.relay.close()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(5)
        if self._roll is not None and not any(thread.is_alive() for thread in self._threads):
            self._roll.finish()  # a recorder that is still writing ends by itself

    def act(self, plain: Plain, seat: str | None, timeout_s: float = 5.0) -> tuple[Ruling, ...]:
        """Judge what a person declared; from any thread."""
        done: Future[tuple[Ruling, ...]] = Future()
        self._acts.put((plain, seat, done))
        try:
            return done.result(timeout_s)
        except TimeoutError:
            if done.cancel():
                raise TableError("the referee is busy and has not judged this: try again") from None
            raise TableError(
                "the referee is busy and is judging this now: look before you try again"
            ) from None

    def trouble(self, what: str, why: str | None) -> None:
        """Say on the screen what is wrong, or that it is no more."""
        if self._troubles.get(what) == why:
            return
        if why is None:
            self._troubles.pop(what, None)
        else:
            self._troubles[what] = why
        self._next_status_ns = 0

    # --- The judge's thread ----------------------------------------------------------------------------

    def _judge_loop(self) -> None:
        go_first()
        try:
            self._take_up()
        except JournalError:
            if not self._closed.is_set():  # a table that is closed at once has no journal any more
                raise
        while not self._closed.is_set():
            try:
                self._backlog.retry(self._clock())
                self._judge_acts()
                self._follow_cues()
                self._tick()
                self._look()
                self._say_status()
            except Exception as error:  # our own fault: said aloud, and the game goes on
                self._stumble(error)
                self._closed.wait(TICK_S)
        with suppress(JournalError):
            self._chess_clock.tick(self._clock(), stands=True)

    def _take_up(self) -> None:
        """Show where the match stands."""
        self._cues.restart(self.match.game.script(self.match.state), self._clock())
        self._changed()
        if self.eyes is not None and self.match.sitting.blind:  # taken up again: the camera looks afresh
            self._write(lambda: self._feed(self.match.read({"ev": "camera_clear"}), CAMERA))

    def _write(self, deed: Deed) -> None:
        """Do something that the journal must hold, now or when it can."""
        self._backlog.do(deed, self._clock())

    def _stumble(self, error: Exception) -> None:
        traceback.print_exception(error)
        self.trouble("referee", f"The referee stumbled ({error}); it goes on")
        self._stumbled_ns = self._clock()

    def _look(self) -> None:
        if self.relay is None or self.eyes is None or self.over.is_set():
            self._closed.wait(TICK_S / 2)
            return
        try:
            frame = self.relay.eyes.take(0 if self.eyes.busy else TICK_S)
        except Empty:
            if not self.match.game.blind(self.match.state):
                self._see_all(self.eyes.think(self._state))
            return
        if frame is None:
            if not self.match.game.blind(self.match.state):
                self._see_all(self.eyes.finish(self._state))
            self._keep_still()
            self.over.set()
        elif not self.match.game.blind(self.match.state):
            self._watch(frame)

    def _watch(self, frame: Frame) -> None:
        assert self.eyes is not None
        self._frame = frame.index
        try:
            self._see_all(self.eyes.feed(frame, self._state))
            self._declare(frame.index)
            self._keep_still()
        finally:  # whatever came of it, the recorder waits no longer for this frame
            self._curtains.note(frame.index, self.eyes.hidden)

    def _keep_still(self) -> None:
        if self._roll is not None and self.eyes is not None:
            self._roll.keep_still(self.eyes.still)

    def _state(self) -> Any:
        return self.match.state

    def _see_all(self, sightings: Iterable[Sighting]) -> None:
        for sighting in sightings:
            self._write(partial(self._see, sighting))

    def _declare(self, frame: int) -> None:
        """What was told at this moment of the footage, when it was recorded."""
        while self._declared and self._declared[0][0] <= frame:
            _, plain = self._declared.pop(0)
            seat = plain.get("seat")
            with suppress(TableError):  # refused then as now: the journal has its ruling
                self._act(plain, seat if isinstance(seat, str) else None)

    def _see(self, sighting: Sighting) -> None:
        """Judge what the camera tells, as far as the players let it decide by itself."""
        if self._pending:
            self._pending.append(sighting)
            return
        try:
            event = self.match.read(sighting.event)
        except TableError as error:
            self.trouble("reading", f"The camera read something this game does not have: {error}")
            return
        self.trouble("reading", None)
        event = self._authority.spared(self.match, event)
        way, foul = self._authority.weigh(self.match, event)
        if way == "propose" and foul is not None:
            self._pending.append(sighting)
            self._showing.proposal(foul)
            return
        if way == "ignore":
            event = self._authority.pardoned(self.match, event)
        self._feed(event, CAMERA, sighting.frames, sighting.t_ns)

    def _judge_acts(self) -> None:
        while True:
            try:
                plain, seat, done = self._acts.get_nowait()
            except Empty:
                return
            if not done.set_running_or_notify_cancel():
                continue
            try:
                self._backlog.clear_first()
                done.set_result(self._act(plain, seat))
            except JournalError as error:
                done.set_exception(error)
                self._write(self.match.ledger.try_writing)  # the screen says so until it is over
            except TableError as error:
                done.set_exception(error)
            except Exception as error:  # our own fault: whoever acted is told at once
                done.set_exception(TableError(f"the referee stumbled over this ({error})"))
                self._stumble(error)

    def _act(self, plain: Plain, seat: str | None) -> tuple[Ruling, ...]:
        if plain.get("ev") == "proposal_answer":
            return self._settle_proposal(plain.get("agreed") is True)
        if plain.get("ev") == "zone_placed":
            return self._place_zone(plain)
        keeps = self._keeps(plain)
        try:
            return self._judge_act(plain, seat)
        except JournalError:
            keeps = False  # it was not written down, so it did not happen
            raise
        finally:
            if keeps and self._keep_told is not None:
                self._keep_told(plain, self._frame + 1)

    def _judge_act(self, plain: Plain, seat: str | None) -> tuple[Ruling, ...]:
        if self.eyes is None:
            return self._feed(self.match.read(plain), Cause("seat", seat))
        rulings = self._feed(self.match.read(self.eyes.hear(plain)), Cause("seat", seat))
        if not self.match.game.blind(self.match.state):
            self._see_all(self.eyes.look(self._state))
        return rulings

    def _keeps(self, plain: Plain) -> bool:
        """Beside the footage, unless it is not for everybody or its moment is nobody's business."""
        return self._keep_told is not None and (
            "at_px" in plain or self.match.is_public(self.match.read(plain))
        )

    def _place_zone(self, plain: Plain) -> tuple[Ruling, ...]:
        if self.eyes is None:
            raise TableError("without a camera there are no zones to place")
        self.eyes.place(str(plain.get("name")), _point(plain.get("px")))
        self._see_all(self.eyes.look(self._state))
        self._show_scene()
        return ()

    def _settle_proposal(self, agreed: bool) -> tuple[Ruling, ...]:
        if not self._pending:
            raise TableError("no ruling is waiting for the players")
        sighting, *later = self._pending
        event = self._authority.spared(self.match, self.match.read(sighting.event))
        if not agreed:
            event = self._authority.pardoned(self.match, event)
        rulings = self._feed(event, CAMERA, sighting.frames, sighting.t_ns)
        self._pending = []
        self._showing.proposal(None)
        self._see_all(later)
        return rulings

    def _follow_cues(self) -> None:
        for cue in self._cues.due(self._clock()):
            if cue.say:
                self.stage.tell({"kind": "say", "text": cue.say})
            if cue.event:
                self._write(partial(self._feed, self.match.read({"ev": cue.event}), TIMER))
                return  # what was to come belonged to the state before

    def _tick(self) -> None:
        """Nobody's time counts while the game stands still or players are asked."""
        sitting = self.match.sitting
        run_out = self._chess_clock.tick(
            self._clock(), sitting.paused or sitting.blind or bool(self._pending)
        )
        if run_out is not None:
            self._write(partial(self._feed, self.match.read(run_out), TIMER))

    def _feed(
        self, event: Any, cause: Cause, frames: tuple[int, int] | None = None, t_ns: int | None = None
    ) -> tuple[Ruling, ...]:
        before = self.match.state
        rulings = self.match.feed(event, cause, frames, t_ns)
        if self.match.state is not before:
            self._cues.restart(self.match.game.script(self.match.state), self._clock())
        self._changed()
        return rulings

    # --- Showing ---------------------------------------------------------------------------------------

    def _changed(self) -> None:
        blind = self.match.game.blind(self.match.state)
        if self.relay is not None:
            (self._shut if blind else self.relay.open)()
        self._showing.views(blind)
        self._show_scene()
        self._showing.new_rulings()

    def _shut(self) -> None:
        """No picture is taken any more, and none that waits for the recorder is kept."""
        assert self.relay is not None
        self.relay.shut()
        self._curtains.shut()
        if self.eyes is not None:
            self.eyes.shut()

    def _show_scene(self) -> None:
        """What lies on the table now; not while eyes are shut."""
        if self.eyes is not None and not self.match.game.blind(self.match.state):
            self._showing.scene(self.eyes.scene())

    def _say_status(self) -> None:
        now = self._clock()
        if now < self._next_status_ns:
            return
        self._next_status_ns = now + STATUS_NS
        self._examine(now)
        self._show_scene()
        self._showing.status(self._troubles, *self._dropped())

    def _examine(self, now: int) -> None:
        """What is wrong with the pictures; a stumble that is long past is no trouble any more; and tidy up."""
        if self.relay is not None:
            self.trouble("picture", self.relay.trouble())
        if self._stumbled_ns is not None and now - self._stumbled_ns > FORGIVEN_NS:
            self._stumbled_ns = None
            self.trouble("referee", None)
        if now >= self._next_tidy_ns:
            self._next_tidy_ns = now + TIDY_NS
            give_back()

    def _dropped(self) -> tuple[int, int]:
        """Frames that the eyes missed, and the recorder."""
        return (self.relay.eyes.dropped, self.relay.recorder.dropped) if self.relay is not None else (0, 0)


def _point(px: object) -> Point:
    try:
        x, y = (float(v) for v in px)  # type: ignore[attr-defined]  # refused below when it is no pair
    except (TypeError, ValueError):
        raise TableError(f"a place on the picture is two numbers, not {px!r}") from None
    return x, y
