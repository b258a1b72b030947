"""No piece is ever lost, whatever is told, in whatever order."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.codec import plain_event
from referee.games.rocca import GAME
from referee.games.rocca import events as ev
from referee.games.rocca.state import State, is_solo, pieces
from tests.games.random_play import next_event

seats = st.sampled_from("ABCDEF")
ids = st.sampled_from(["p1", "p2", "p3", "p9"])
small = st.integers(-1, 16)
maybe = st.none() | st.booleans()
bowls = st.dictionaries(seats, small, max_size=6)

shots = st.builds(
    ev.ShotResult,
    piece=ids,
    start_inside=maybe,
    through=maybe,
    gate=st.none() | st.tuples(ids, ids),
    gate_contact=maybe,
    other_contact=st.lists(ids, max_size=2).map(tuple),
    off=st.lists(ids, max_size=3).map(tuple),
    hand_pieces=st.integers(0, 3),
    hands=st.integers(0, 2),
    motion=st.sampled_from(["single", "multiple", "guided"]),
    tool=maybe,
    touched_moving=maybe,
    touched_other_moving=st.booleans(),
    jumped=st.booleans(),
    hit_last=maybe,
    margin_mm=st.none() | st.floats(-20, 40),
)
anything: st.SearchStrategy[Any] = st.one_of(
    shots,
    st.builds(ev.TurnBegin, seats),
    st.builds(ev.AntePaid, seats, small),
    st.builds(ev.Drop, small, small, st.booleans()),
    st.builds(ev.GateCalled, seats, ids, ids),
    st.builds(ev.CallRequested, seats),
    st.builds(ev.ObviousAgreed),
    st.builds(ev.ReviewAnswer, st.sampled_from(["through", "foul", "hit_last", "jump"]), st.booleans()),
    st.builds(ev.FoulClaimed, seats, st.sampled_from(["RO-46", "RO-52", "RO-13"])),
    st.builds(ev.PieceCollected, small),
    st.builds(ev.EndTurn, seats),
    st.builds(ev.BowlsVerified, bowls),
    st.builds(ev.WinAnnounced, seats, small),
    st.builds(ev.AnnounceClosed),
    st.builds(ev.IdleTouch, seats),
    st.builds(ev.ClockExpired, seats),
)
switches = st.fixed_dictionaries(
    {},
    optional={
        "fouler_in_rotation": st.booleans(),
        "splash_merge": st.booleans(),
        "splash_includes_dropper": st.booleans(),
        "clear_beats_off": st.booleans(),
        "split_drop": st.sampled_from(["redo", "foul"]),
        "leftovers": st.sampled_from(["distribute", "remove"]),
        "timeout_pieces": st.sampled_from(["distribute", "remove"]),
        "idle_touch_foul": st.booleans(),
        "chess_clock": st.just(True),
        "start_pieces": st.integers(1, 4),
    },
)


def _law(state: State) -> int:
    return state.sw.solo_pieces if is_solo(state) else state.sw.start_pieces * len(state.players)


@settings(max_examples=100)
@given(n=st.integers(1, 6), sw=switches, data=st.data())
def test_pieces_are_conserved_by_legal_and_illegal_events(
    n: int, sw: dict[str, object], data: st.DataObject
) -> None:
    state = GAME.begin(tuple("ABCDEF"[:n]), sw)
    for _ in range(data.draw(st.integers(0, 30))):
        legal = next_event(GAME, state, []).map(GAME.event) if GAME.choices(state) else anything
        event = data.draw(st.one_of(legal, legal, anything))
        judged = GAME.judge(state, event)
        assert pieces(judged.state) == _law(judged.state)
        assert min((*judged.state.bowls.values(), judged.state.board, judged.state.won)) >= 0
        if {r.code.value for r in judged.rulings} == {"ILLEGAL"}:
            assert judged.state is state
        state = judged.state


@given(event=anything)
def test_events_survive_json(event: Any) -> None:
    assert GAME.event(plain_event(event)) == event
