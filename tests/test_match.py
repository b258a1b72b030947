"""A match: what is told is judged, written down, taken back and overruled."""

import gc
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from referee.errors import BadEvent, TableError
from referee.games.rocca import GAME
from referee.games.rocca.events import ShotResult
from referee.games.rocca.state import State
from referee.house import Overturn
from referee.journal import Journal
from referee.ledger import CAMERA, Cause, Entry, Scroll
from referee.match import Match, open_match, resume_match
from referee.types import TABLE, Ruling

AIMING = {"phase": "AIM", "board": 5, "won": 2, "bowls": {"A": 4, "B": 5, "C": 5}, "gate_call": ["p1", "p2"]}
MISS = ShotResult(piece="p9", through=False, gate=("p1", "p2"), margin_mm=-6.0)
GOOD = {"ev": "shot_result", "piece": "p9", "through": True, "margin_mm": 9.0}
ALL = ["A", "B", "C"]


@pytest.fixture
def match() -> Match[State, Any]:
    return open_match(GAME, ("A", "B", "C"), {}, given=AIMING)


def _codes(rulings: tuple[Ruling, ...]) -> list[str]:
    return [str(r.code) for r in rulings]


def _kinds(match: Match[State, Any]) -> list[str]:
    return [entry.note.kind for entry in match.ledger.whole()]


def test_event_and_ruling_are_written_with_their_cause_and_the_frames_that_prove_them(
    match: Match[State, Any],
) -> None:
    (ruling,) = match.feed(MISS, CAMERA, frames=(103, 171), t_ns=5)
    _, event, said = match.ledger.whole()
    assert (event.note.cause, event.note.frames, event.note.t_ns) == (CAMERA, (103, 171), 5)
    assert (said.note.cause.kind, said.note.frames, said.note.body["of"]) == (
        "referee",
        (103, 171),
        event.number,
    )
    assert ruling.frames == (103, 171)


def test_a_declaration_is_caused_by_the_seat_that_made_it(match: Match[State, Any]) -> None:
    match.tell({"ev": "end_turn", "seat": "A", "src": "P", "t": 12, "conf": 1.0})
    assert match.ledger.whole()[1].note.cause == Cause("seat", "A")


def test_what_the_referee_does_next_is_written_as_its_own(match: Match[State, Any]) -> None:
    match.feed(MISS)
    match.tell({"ev": "bowls_verified", "bowls": dict(match.state.bowls)})
    match.tell({"ev": "announce_closed"})
    assert match.state.ante_due == {"A": 1, "B": 1, "C": 1}
    follow = [entry.note for entry in match.ledger.whole() if entry.note.kind == "follow"]
    assert [(note.body["ev"], note.cause.kind) for note in follow] == [("turn_begin", "referee")]


# --- Undo and redo -------------------------------------------------------------------------------------


def test_undo_appends_and_takes_back_the_last_change(match: Match[State, Any]) -> None:
    before = match.state
    match.feed(MISS)
    assert _codes(match.tell({"ev": "undo"})) == ["INFO"]
    assert match.state == before
    assert _kinds(match) == ["open", "event", "ruling", "undo", "ruling"]


def test_undo_takes_the_refused_events_after_the_last_change_with_it(match: Match[State, Any]) -> None:
    match.tell({"ev": "end_turn", "seat": "A"})
    match.tell({"ev": "gate_called", "seat": "A", "a": "p5", "b": "p6"})
    match.tell({"ev": "undo"})
    assert match.state.gate_call == ("p1", "p2")


def test_undo_takes_back_what_followed_of_itself(match: Match[State, Any]) -> None:
    match.tell({"ev": "end_turn", "seat": "A"})
    match.tell({"ev": "bowls_verified", "bowls": dict(match.state.bowls)})
    match.tell({"ev": "announce_closed"})
    match.tell({"ev": "undo"})
    assert match.state.phase == "ANNOUNCE"


def test_redo_is_forgotten_when_something_else_happens(match: Match[State, Any]) -> None:
    match.feed(MISS)
    match.tell({"ev": "undo"})
    match.tell({"ev": "end_turn", "seat": "A"})
    assert _codes(match.tell({"ev": "redo"})) == ["ILLEGAL"]


def test_there_is_nothing_to_take_back_in_a_fresh_match(match: Match[State, Any]) -> None:
    assert _codes(match.tell({"ev": "undo"})) == ["ILLEGAL"]
    assert _codes(match.tell({"ev": "redo"})) == ["ILLEGAL"]


# --- Overruling ----------------------------------------------------------------------------------------


def test_all_players_together_overrule_and_what_came_after_is_judged_again(match: Match[State, Any]) -> None:
    match.feed(MISS)
    match.tell({"ev": "end_turn", "seat": "A"})
    rulings = match.tell({"ev": "override", "by": ALL, "target": 2, "ruling": {"code": "OK"}})
    assert _codes(rulings) == ["INFO", "OK", "OK"]
    assert match.state.phase == "SETTLE"
    assert match.state.bowls["A"] == 7
    foul = next(e.number for e in match.ledger.whole() if e.note.body.get("code") == "FOUL")
    assert rulings[1].corrects == foul


def test_an_overruling_may_say_what_really_happened(match: Match[State, Any]) -> None:
    match.feed(MISS)
    match.tell({"ev": "override", "by": ALL, "instead": GOOD})
    assert (match.state.phase, match.state.won) == ("AIM", 3)


def test_a_good_shot_may_be_overruled_to_a_foul(match: Match[State, Any]) -> None:
    match.tell(GOOD)
    rulings = match.tell(
        {"ev": "override", "by": ALL, "ruling": {"code": "FOUL", "clauses": ["RO-46", "RO-52"]}}
    )
    assert rulings[-1].clauses == ("RO-46", "RO-52")
    assert match.state.phase == "SETTLE"


def test_an_overruling_can_be_taken_back(match: Match[State, Any]) -> None:
    match.feed(MISS)
    before = match.state
    match.tell({"ev": "override", "by": ALL, "ruling": {"code": "OK"}})
    match.tell({"ev": "undo"})
    assert match.state == before


def test_without_one_player_nothing_is_overruled(match: Match[State, Any]) -> None:
    match.feed(MISS)
    before = match.state
    (ruling,) = match.tell({"ev": "override", "by": ["A", "B"], "ruling": {"code": "OK"}})
    assert (ruling.code, ruling.seats) == ("ILLEGAL", ("C",))
    assert match.state is before


def test_an_overruling_that_names_no_possible_ruling_is_refused_at_the_door(match: Match[State, Any]) -> None:
    match.feed(MISS)
    written = match.ledger.length()
    with pytest.raises(BadEvent):
        match.tell({"ev": "override", "by": ALL, "ruling": {"code": "FOUL", "clauses": ["RO-99"]}})
    assert match.ledger.length() == written


# --- The house -----------------------------------------------------------------------------------------


def test_nothing_counts_while_the_game_is_paused(match: Match[State, Any]) -> None:
    match.tell({"ev": "pause"})
    before = match.state
    assert _codes(match.feed(MISS)) == ["ILLEGAL"]
    assert match.state is before
    assert [choice.event for choice in match.choices()] == ["resume"]
    match.tell({"ev": "resume"})
    assert _codes(match.feed(MISS)) == ["FOUL"]


def test_a_blocked_camera_rules_nothing_but_people_may(match: Match[State, Any]) -> None:
    match.tell({"ev": "camera_blocked", "why": "a hand"})
    assert _codes(match.feed(MISS, CAMERA)) == ["UNSEEN"]
    assert _codes(match.tell({"ev": "end_turn", "seat": "A", "src": "P"})) == ["OK"]
    match.tell({"ev": "undo"})
    match.tell({"ev": "camera_clear"})
    assert _codes(match.feed(MISS, CAMERA)) == ["FOUL"]


def test_taking_back_leaves_the_camera_as_blind_as_it_is(match: Match[State, Any]) -> None:
    aiming = match.state
    match.feed(MISS, CAMERA)
    match.tell({"ev": "camera_blocked", "why": "it is too dark"})
    fouled = match.state
    match.tell({"ev": "undo"})
    assert match.state == aiming
    assert match.sitting.blind
    match.tell({"ev": "redo"})
    assert match.state == fouled
    assert match.sitting.blind
    match.tell({"ev": "camera_clear"})
    match.tell({"ev": "undo"})
    assert match.state == aiming
    assert not match.sitting.blind


def test_what_changed_while_the_camera_was_blocked_is_said_and_nothing_is_made_of_it(
    match: Match[State, Any],
) -> None:
    before = match.state
    match.tell({"ev": "camera_blocked", "why": "it is too dark"})
    (said,) = match.tell({"ev": "camera_clear", "changed": "1 piece lies elsewhere"})
    assert said.code == "UNSEEN"
    assert "1 piece lies elsewhere" in said.because
    assert match.state is before
    assert _codes(match.tell({"ev": "camera_clear"})) == ["INFO"]


def test_a_dispute_and_a_bumped_table_change_nothing(match: Match[State, Any]) -> None:
    before = match.state
    assert _codes(match.tell({"ev": "dispute", "seat": "B", "clause": "RO-48"})) == ["PROMPT"]
    assert _codes(match.tell({"ev": "table_bumped"})) == ["CORRECT"]
    assert match.state is before


# --- Taking a match up again -----------------------------------------------------------------------------


def test_a_match_is_taken_up_where_its_journal_left_it(tmp_path: Path) -> None:
    with Journal(tmp_path / "m") as journal:
        live = open_match(GAME, ("A", "B", "C"), {"start_pieces": 5}, journal)
        live.tell({"ev": "setup_seen", "bowls": {"A": 5, "B": 5, "C": 5}})
        live.tell({"ev": "ante_paid", "seat": "A", "n": 1})
        live.tell({"ev": "pause"})
    with Journal(tmp_path / "m") as journal:
        again = resume_match(GAME, journal)
        assert again.sitting == live.sitting
        assert again.view(TABLE) == live.view(TABLE)


def test_a_journal_of_another_game_or_with_a_match_in_it_is_refused(match: Match[State, Any]) -> None:
    with pytest.raises(TableError, match="holds a match already"):
        open_match(GAME, ("A", "B"), {}, match.ledger)
    match.ledger.whole()[0].note.body["game"] = "chess"  # type: ignore[index] # spoilt on purpose
    with pytest.raises(TableError, match="is of chess, not of rocca"):
        resume_match(GAME, match.ledger)


@pytest.mark.parametrize("seats", [(), ("A", "A"), tuple("ABCDEFG"), ("A", "")])
def test_a_wrong_number_of_seats_is_refused(seats: tuple[str, ...]) -> None:
    with pytest.raises(TableError):
        open_match(GAME, seats, {})


@pytest.mark.parametrize(
    ("rule", "by", "overruled"),
    [
        ("unanimous", "ABC", True),
        ("unanimous", "AB", False),
        ("majority", "AB", True),
        ("majority", "BC", True),
        ("majority", "A", False),
        ("other_side", "AB", True),
        ("other_side", "BC", False),
        ("other_side", "A", False),
    ],
)
def test_a_ruling_is_overturned_by_the_rule_the_table_chose(
    tmp_path: Path, rule: Overturn, by: str, overruled: bool
) -> None:
    """A missed: the ruling is about A. The rule is in the journal, and holds when the match is taken up again."""
    with Journal(tmp_path / "journal.db") as journal:
        open_match(GAME, ("A", "B", "C"), {}, journal, AIMING, rule).feed(MISS)
    with Journal(tmp_path / "journal.db") as journal:
        match = resume_match(GAME, journal)
        rulings = match.tell({"ev": "override", "by": list(by), "ruling": {"code": "OK"}})
        assert (rulings[0].code != "ILLEGAL") == overruled
        written = [e.note.body["rule"] for e in journal.whole() if e.note.kind == "overrule"]
        assert written == ([rule] if overruled else [])


def test_a_dispute_says_who_may_overrule() -> None:
    match = open_match(GAME, ("A", "B", "C"), {}, given=AIMING, overturn="majority")
    (asked,) = match.tell({"ev": "dispute", "seat": "A", "clause": "RO-48"})
    assert asked.because.endswith("More than half of the players may overrule.")


def test_a_rule_nobody_knows_is_refused() -> None:
    with pytest.raises(TableError, match="not by 'dice'"):
        open_match(GAME, ("A", "B", "C"), {}, overturn="dice")  # type: ignore[arg-type]  # that is the point


class CountedScroll(Scroll):
    """Counts how often all of it is read."""

    reads = 0

    def whole(self) -> tuple[Entry, ...]:
        self.reads += 1
        return super().whole()


def test_taking_back_does_not_read_the_whole_evening_again() -> None:
    scroll = CountedScroll()
    match = open_match(GAME, ("A", "B", "C"), {}, scroll)
    begun = scroll.reads
    for _ in range(3):
        match.tell({"ev": "pause"})
        match.tell({"ev": "undo"})
        match.tell({"ev": "redo"})
    assert scroll.reads == begun


def test_a_long_match_keeps_less_than_four_kilobytes_of_each_event(tmp_path: Path) -> None:
    with Journal(tmp_path / "long.journal") as journal:
        match = open_match(GAME, ("A", "B", "C"), {}, journal, given=AIMING)
        shots = [{**GOOD, "margin_mm": number / 7, "src": "C"} for number in range(120)]
        for shot in shots[:20]:
            match.tell(shot)
        tracemalloc.start()
        for shot in shots[20:]:
            match.tell(shot)
        gc.collect()
        held, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert 100 <= held / 100 < 4096
