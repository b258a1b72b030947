"""The live loop: one judge, three helpers, nobody waits."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from queue import Empty
from typing import Any, Protocol

import pytest

from hardware.frames import Frame, Image
from hardware.recorder import Recorder, last_recorded
from referee.authority import Authority
from referee.errors import JournalError, TableError
from referee.eyes import Eyes, Plain, Sighting
from referee.games import find_game
from referee.ledger import Entry, Note, Scroll
from referee.live_story import Story
from referee.match import Match, open_match
from referee.relay import Relay
from referee.stage import Stage
from referee.table import Table
from referee.types import TABLE
from referee.veil import Places
from tests.hardware.videos import write_video
from tests.untroubled import untroubled
from tests.waiting import wait_for

AIM = {
    "phase": "AIM",
    "turn": "A",
    "bowls": {"A": 6, "B": 6, "C": 6},
    "board": 3,
    "hand": 0,
    "gate_call": ["p1", "p2"],
}
MISS = {
    "ev": "shot_result",
    "piece": "p3",
    "start_inside": False,
    "through": False,
    "gate": ["p1", "p2"],
    "gate_contact": False,
    "other_contact": [],
    "off": [],
    "hand_pieces": 1,
    "hands": 1,
    "motion": "single",
    "tool": False,
    "touched_moving": False,
    "hit_last": None,
    "margin_mm": -6.0,
}


class StandInEyes:
    """Tells one event at one frame."""

    def __init__(self, at: int, event: Plain) -> None:
        self.at, self.event, self.seen = at, event, 0

    busy = False
    secretive = True
    still = None

    def shut(self) -> None:
        return None

    def think(self, state: Any) -> Sequence[Sighting]:
        return []

    def look(self, state: Any) -> Sequence[Sighting]:
        return []

    def feed(self, frame: Frame, state: Any) -> Sequence[Sighting]:
        self.seen += 1
        if frame.index == self.at:
            return [Sighting(self.event, (self.at - 5, self.at), frame.t_ns)]
        return []

    def finish(self, state: Any) -> Sequence[Sighting]:
        return []

    def hear(self, event: Plain) -> Plain:
        return event

    def scene(self) -> Plain:
        return {"pieces": []}

    def place(self, zone: str, to_px: tuple[float, float]) -> None:
        pass

    @property
    def placed(self) -> Plain:
        return {}

    def story(self, frames: tuple[int, int]) -> Story | None:
        return None

    def veil(self, image: Image) -> Image:
        return image

    @property
    def hidden(self) -> Places | None:
        return ()


@pytest.fixture
def footage(tmp_path: Path) -> str:
    write_video(tmp_path / "f.mp4", [k * 10 for k in range(60)])
    return f"footage:{tmp_path / 'f.mp4'}"


def rocca() -> Match[Any, Any]:
    return open_match(find_game("rocca"), ("A", "B", "C"), {}, given=AIM)


class Set(Protocol):
    """Sets a table of these parts; without a match, one of Rocca before a shot."""

    def __call__(
        self,
        match: Match[Any, Any] | None = None,
        eyes: Eyes | None = None,
        relay: Relay | None = None,
        recorder: Recorder | None = None,
        authority: Authority | None = None,
        keep_told: Callable[[Plain, int], None] | None = None,
    ) -> Table: ...


@pytest.fixture
def set_table() -> Iterator[Set]:
    tables: list[Table] = []

    def make(
        match: Match[Any, Any] | None = None,
        eyes: Eyes | None = None,
        relay: Relay | None = None,
        recorder: Recorder | None = None,
        authority: Authority | None = None,
        keep_told: Callable[[Plain, int], None] | None = None,
    ) -> Table:
        seats = ("A", "B", "C")
        table = Table(match or rocca(), seats, Stage(), eyes, relay, recorder, authority, keep_told=keep_told)
        tables.append(table)
        table.start()
        return table

    yield make
    for table in tables:
        table.close()


def shown(table: Table, kind: str) -> list[Any]:
    return [m for m in table.stage.snapshot(TABLE) if m["kind"] == kind]


def test_what_the_camera_tells_is_judged_written_down_and_shown(
    set_table: Set, footage: str, tmp_path: Path
) -> None:
    eyes, recorder = StandInEyes(30, MISS), Recorder(tmp_path / "footage", untroubled)
    relay = Relay(footage, lambda why: None)
    table = set_table(eyes=eyes, relay=relay, recorder=recorder)
    assert table.over.wait(10)
    (foul,) = [r for r in shown(table, "ruling") if r["code"] == "FOUL"]
    assert ("RO-48" in foul["clauses"], foul["frames"]) == (True, [25, 30])
    assert eyes.seen == 60
    assert relay.eyes.dropped == relay.recorder.dropped == 0
    table.close()
    assert list((tmp_path / "footage").glob("*.mp4"))


class StuckEyes(StandInEyes):
    """Over a table without secrets; come no further than its first frame."""

    secretive = False

    def __init__(self) -> None:
        super().__init__(-1, MISS)
        self.free = threading.Event()

    def feed(self, frame: Frame, state: Any) -> Sequence[Sighting]:
        self.free.wait(30)
        return super().feed(frame, state)


def test_where_nothing_is_secret_the_recording_does_not_wait_for_slow_eyes(
    set_table: Set, footage: str, tmp_path: Path
) -> None:
    eyes, folder = StuckEyes(), tmp_path / "footage"
    recorder = Recorder(folder, untroubled)
    set_table(eyes=eyes, relay=Relay(footage, lambda why: None), recorder=recorder)
    wait_for(lambda: last_recorded(folder) == 59)
    assert eyes.seen == 0
    eyes.free.set()


def test_a_declaration_is_judged_in_the_same_thread_and_answers_its_caller(set_table: Set) -> None:
    table = set_table()
    assert table.act({"ev": "end_turn", "seat": "A"}, "A")
    wait_for(lambda: shown(table, "view")[-1]["view"]["headline"])
    with pytest.raises(TableError, match="no event called"):
        table.act({"ev": "castle", "seat": "A"}, "A")


def test_a_foul_set_to_propose_waits_for_the_players(set_table: Set, footage: str) -> None:
    relay = Relay(footage, lambda why: None)
    table = set_table(eyes=StandInEyes(10, MISS), relay=relay, authority=Authority({"RO-48": "propose"}))
    wait_for(lambda: shown(table, "proposal"))
    assert shown(table, "proposal")[0]["ruling"]["clauses"][0] == "RO-48"
    assert not shown(table, "ruling")
    rulings = table.act({"ev": "proposal_answer", "agreed": True}, "B")
    assert [r.code for r in rulings if r.code == "FOUL"]
    assert shown(table, "proposal")[0]["ruling"] is None


def test_a_proposal_the_players_refuse_is_no_foul(set_table: Set, footage: str) -> None:
    table = set_table(
        eyes=StandInEyes(10, MISS),
        relay=Relay(footage, lambda why: None),
        authority=Authority({"RO-48": "propose"}),
    )
    wait_for(lambda: shown(table, "proposal"))
    rulings = table.act({"ev": "proposal_answer", "agreed": False}, "B")
    assert not [r for r in rulings if r.code == "FOUL"]


def test_a_foul_kind_the_table_ignores_is_no_foul(set_table: Set, footage: str) -> None:
    table = set_table(
        eyes=StandInEyes(10, MISS),
        relay=Relay(footage, lambda why: None),
        authority=Authority({"RO-48": "ignore"}),
    )
    assert table.over.wait(10)
    assert not [r for r in shown(table, "ruling") if r["code"] == "FOUL"]


@pytest.mark.parametrize(("ignored", "asked"), [("RO-47", False), ("RO-52", True)])
def test_a_foul_kind_the_table_ignores_is_not_asked_about(
    set_table: Set, footage: str, ignored: str, asked: bool
) -> None:
    unsure = {**MISS, "through": True, "margin_mm": 6.0, "motion": None}
    table = set_table(
        eyes=StandInEyes(10, unsure),
        relay=Relay(footage, lambda why: None),
        authority=Authority({ignored: "ignore"}),
    )
    assert table.over.wait(10)
    codes = {r["code"] for r in shown(table, "ruling")}
    assert ("REVIEW" in codes) == asked
    assert ("OK" in codes) != asked


def test_a_foul_kind_the_table_ignores_is_not_asked_about_second_either(set_table: Set, footage: str) -> None:
    unsure = {**MISS, "through": True, "margin_mm": 0.2, "motion": None}
    table = set_table(
        eyes=StandInEyes(10, unsure),
        relay=Relay(footage, lambda why: None),
        authority=Authority({"RO-47": "ignore"}),
    )
    assert table.over.wait(10)
    assert [r["code"] for r in shown(table, "ruling")] == ["REVIEW"]
    answer = {"ev": "review_answer", "question": "through", "answer": True, "seats": []}
    assert [r.code for r in table.act(answer, "B")] == ["OK"]


def test_an_answer_without_a_proposal_is_refused(set_table: Set) -> None:
    with pytest.raises(TableError, match="no ruling is waiting"):
        set_table().act({"ev": "proposal_answer", "agreed": True}, None)


def test_while_eyes_are_shut_no_frame_is_kept(footage: str) -> None:
    relay = Relay(footage, lambda why: None)
    relay.shut()
    relay.start()
    time.sleep(0.2)
    assert relay.latest is None
    with pytest.raises(Empty):
        relay.eyes.take(0.01)
    relay.open()
    wait_for(lambda: relay.latest)
    relay.close()


def test_a_slow_taker_loses_frames_and_nobody_else_does(footage: str) -> None:
    relay = Relay(footage, lambda why: None)
    relay.eyes._queue.maxsize = 3
    taken: list[int] = []

    def record() -> None:
        while (frame := relay.recorder.take(2)) is not None:
            taken.append(frame.index)

    thread = threading.Thread(target=record)
    thread.start()
    relay.start()
    wait_for(lambda: relay.eyes.dropped >= 57)
    relay.eyes.drain()
    thread.join(5)
    assert taken == list(range(60))


class LockedScroll(Scroll):
    """A journal that another program holds."""

    locked = False

    def append(self, notes: Sequence[Note]) -> tuple[Entry, ...]:
        if self.locked:
            raise JournalError("the journal is locked")
        return super().append(notes)

    def try_writing(self) -> None:
        if self.locked:
            raise JournalError("the journal is locked")


def test_what_could_not_be_written_down_is_not_kept_beside_the_footage_either(set_table: Set) -> None:
    kept: list[Any] = []
    scroll = LockedScroll()
    match = open_match(find_game("rocca"), ("A", "B", "C"), {}, scroll, given=AIM)
    table = set_table(match=match, keep_told=lambda plain, frame: kept.append(plain["ev"]))
    scroll.locked = True
    with pytest.raises(JournalError):
        table.act({"ev": "pause"}, None)
    scroll.locked = False
    wait_for(lambda: all("journal" not in m["troubles"] for m in shown(table, "status")))
    table.act({"ev": "end_turn", "seat": "A"}, None)
    assert kept == ["end_turn"]


class ClosedScroll(Scroll):
    """Cannot be read: its table was closed before it was ready."""

    def after(self, number: int) -> tuple[Entry, ...]:
        raise JournalError("the journal cannot be used: Cannot operate on a closed database.")


def test_a_table_closed_before_it_was_ready_is_closed_without_a_word() -> None:
    match = open_match(find_game("rocca"), ("A", "B", "C"), {}, ledger=ClosedScroll(), given=AIM)
    table = Table(match, ("A", "B", "C"), Stage())
    table.close()
    table.start()
    table.close()
