"""What nobody may know about a night, a claim or a card is nowhere to be found."""

import json
from dataclasses import replace
from typing import Any

import pytest

from referee.codec import to_plain
from referee.errors import BadEvent
from referee.games.rocca_monster import GAME
from referee.games.rocca_monster.events import (
    ClanConfirm,
    DieFound,
    EveningBegin,
    Event,
    MayorRedirect,
    MemberTurned,
    NightBegin,
    NightEnd,
    VampireClaim,
    VoteLifted,
    VoteSet,
)
from referee.games.rocca_monster.state import State
from referee.match import Match
from referee.types import TABLE, Audience
from tests.games.harness import audiences, shown
from tests.games.rocca_monster.telling import village

SEATS = ("A", "B", "C", "D")
MARKER = "XmarkerX"


def _seat(seat: str) -> Audience:
    return Audience("seat", seat)


def _read(match: Match[State, Event], audience: Audience) -> str:
    """The journal as `audience` may read it, and everything shown to it."""
    entries = [to_plain(entry.note) for entry in match.ledger.read(audience)]
    return json.dumps(entries) + shown(GAME, match.state, audience)


@pytest.mark.parametrize(
    "event",
    [
        DieFound(MARKER),
        DieFound(f"grave:{MARKER}"),
        VoteSet(MARKER, MARKER),
        VoteLifted(MARKER, MARKER),
        MayorRedirect(MARKER),
        MemberTurned(MARKER, "monster"),
        VampireClaim(MARKER),
        ClanConfirm(MARKER, True),
    ],
)
@pytest.mark.parametrize("dark", ["NIGHT", "EVENING"])
def test_nothing_of_the_dark_is_said_shown_or_written(event: Event, dark: str) -> None:
    match = Match(GAME, village(4, dark, dead="A1 B1 C1 D1", opts={"vampire": True, "healer": True}))
    match.feed(NightBegin() if dark == "NIGHT" else EveningBegin())
    kept = [_read(match, audience) for audience in audiences(SEATS)]
    rulings = match.feed(event, frames=(77_777, 88_888), t_ns=123_456_789)
    assert MARKER not in str(rulings)
    assert [_read(match, audience) for audience in audiences(SEATS)] == kept


def test_neither_time_nor_picture_of_the_found_die_is_written() -> None:
    match = Match(GAME, village(4, "NIGHT"))
    match.feed(NightBegin())
    match.feed(NightEnd())
    match.feed(DieFound("B2"), frames=(77_777, 88_888), t_ns=123_456_789)
    written = json.dumps([to_plain(entry.note) for entry in match.ledger.whole()])
    assert "die_found" in written
    assert not [n for n in ("77777", "88888", "123456789") if n in written]


def test_every_night_looks_the_same_to_everybody() -> None:
    nights = [
        replace(village(4, "NIGHT"), asleep=True),
        replace(village(4, "NIGHT", dead="A1 C2", day=4, faces={"B1": "mayor"}), asleep=True),
    ]
    for audience in audiences(SEATS):
        assert shown(GAME, nights[0], audience) == shown(GAME, nights[1], audience)


@pytest.mark.parametrize("phase", ["SETUP", "NIGHT", "MORNING", "ROLL", "DAY", "EXECUTION", "PRAYER_ROLL"])
def test_the_back_of_a_card_that_is_no_grave_is_not_kept(phase: str) -> None:
    given: dict[str, Any] = {"die_on": "B2"} if phase in ("ROLL", "PRAYER_ROLL") else {}
    given |= {"condemned": "B2"} if phase == "EXECUTION" else {}
    seen = []
    for body in ("villager", "monster", "vampire", "healer"):
        match = Match(GAME, village(4, phase, dead="A1 B1 C1 D1", **given))
        said = match.feed(MemberTurned("C2", body))
        seen.append((said, [_read(match, a) for a in audiences(SEATS)], str(match.ledger.whole())))
    assert all(one == seen[0] for one in seen)


def _claimed(*answers: tuple[str, bool]) -> Match[State, Event]:
    match = Match(GAME, village(4, "DAY", opts={"vampire": True}))
    match.feed(VampireClaim("B"))
    for seat, yes in answers:
        match.feed(ClanConfirm(seat, yes))
    return match


@pytest.mark.parametrize("audience", [a for a in audiences(SEATS) if a.seat != "A"], ids=str)
def test_nobody_learns_what_another_answered_to_the_claim(audience: Audience) -> None:
    yes, no = _claimed(("A", True)), _claimed(("A", False))
    assert _read(yes, audience) == _read(no, audience)
    refused, by_another = (
        _claimed(("A", False), ("C", True), ("D", True)),
        _claimed(("A", True), ("C", False), ("D", True)),
    )
    if audience.seat not in ("A", "C"):
        assert _read(refused, audience) == _read(by_another, audience)


def test_the_answer_itself_is_the_seats_own_to_read() -> None:
    match = _claimed(("A", True))
    assert "clan_confirm" in _read(match, _seat("A"))
    assert "clan_confirm" not in json.dumps([to_plain(e.note) for e in match.ledger.read(TABLE)])


def test_the_buttons_of_claim_and_answer_are_on_the_seats_own_screen() -> None:
    match = _claimed()
    offered = {str(a): [c.event for c in match.view(a).choices] for a in audiences(SEATS)}
    assert [a for a, events in offered.items() if "clan_confirm" in events] == ["A", "C", "D"]


def test_a_state_with_hidden_truth_in_it_is_refused() -> None:
    with pytest.raises(BadEvent, match="no field 'hidden'"):
        GAME.load({"hidden": {"vampire": MARKER}})
    fields = set(GAME.dump(village()))
    assert not fields & {"monster", "vampire", "healer", "clan", "hidden", "bodies"}


def test_nobody_can_shorten_the_night_on_a_screen() -> None:
    night = replace(village(4, "NIGHT"), asleep=True)
    assert not [c for audience in audiences(SEATS) for c in GAME.view(night, audience).choices]


def test_the_buttons_of_the_game_master_are_not_on_the_other_players_screens() -> None:
    dusk = village(4, "NIGHT", gm="B")
    offered = {str(a): [c.event for c in GAME.view(dusk, a).choices] for a in audiences(SEATS)}
    assert [a for a, events in offered.items() if events == ["night_begin"]] == ["table", "master", "B"]
