"""What the referee must not know it cannot be told: every hidden field is shut at the door."""

import json

import pytest

from referee.codec import to_plain
from referee.errors import BadEvent
from referee.games.shisogari import GAME
from referee.ledger import Scroll
from referee.match import open_match
from referee.types import MASTER, TABLE, Audience

MARK = "GREEN-ELEPHANT"
SEATS = ("A", "B", "C", "D")
TWO_AND_TWO = {seat: {"white": 2, "black": 2} for seat in SEATS}
TAKEN: list[dict[str, object]] = [
    {"ev": "table_card_taken", "seat": s, "colour": c}
    for s, c in zip("ABCD", ("white", "black") * 2, strict=True)
]
GAME_SO_FAR: list[dict[str, object]] = [
    {"ev": "setup_seen", "hand": TWO_AND_TWO, "start": "A"},
    *TAKEN,
    {"ev": "action", "seat": "A", "kind": "take", "target": "B", "item": "dagger"},
    {"ev": "card_picked", "picker": "A", "from": "B", "colour": "white"},
    {"ev": "resolved", "seat": "A", "outcome": "pair_down", "colour": "white", "item": MARK},
    {"ev": "action", "seat": "B", "kind": "give", "target": "C", "item": "bible"},
    {"ev": "card_picked", "picker": "C", "from": "B", "colour": "black"},
    {"ev": "resolved", "seat": "C", "outcome": "added", "colour": "black", "item": MARK},
]


def test_a_marker_in_every_hidden_field_appears_nowhere() -> None:
    match = open_match(GAME, SEATS, {}, Scroll())
    told = [json.dumps([to_plain(r) for r in match.tell(plain)]) for plain in GAME_SO_FAR]
    audiences = (TABLE, MASTER, *(Audience("seat", s) for s in SEATS))
    shown = [json.dumps(to_plain(match.view(a))) for a in audiences]
    journal = [json.dumps(to_plain(entry.note)) for entry in match.ledger.whole()]
    assert len(match.state.pairs) == 1 and match.state.actions == 2
    everything = "".join([*told, *shown, *journal, json.dumps(GAME.dump(match.state))])
    assert MARK not in everything


@pytest.mark.parametrize("plain", GAME_SO_FAR)
@pytest.mark.parametrize("field", ["card", "role", "content", "hidden"])
def test_no_event_has_room_for_a_secret(plain: dict[str, object], field: str) -> None:
    with pytest.raises(BadEvent, match=f"no field '{field}'"):
        GAME.event({**plain, field: MARK})


def test_the_truth_that_a_simulator_keeps_is_not_read() -> None:
    state = GAME.load({"players": list(SEATS), "hidden": {"roles": {"A": MARK}}})
    assert MARK not in json.dumps(GAME.dump(state))


def test_same_colour_pairs_sound_the_same_whatever_they_are() -> None:
    """Equal Items, Bloodsucking and the Vampire's option are one event with one answer."""
    match = open_match(GAME, SEATS, {}, Scroll())
    for plain in GAME_SO_FAR[:7]:
        match.tell(plain)
    said = [
        GAME.judge(match.state, GAME.event({**GAME_SO_FAR[7], "item": item}))
        for item in ("dagger", "x", None)
    ]
    assert said[0] == said[1] == said[2]
