"""What is on show, and for whom."""

from referee.stage import KEPT, Listener, Stage
from referee.types import TABLE, Audience

SEAT_A, SEAT_B = Audience("seat", "A"), Audience("seat", "B")


def test_a_newcomer_sees_the_last_of_each_kind_and_the_latest_rulings() -> None:
    stage = Stage()
    for k in range(KEPT + 5):
        stage.show({"kind": "view", "n": k})
        stage.show({"kind": "ruling", "n": k})
    shown = stage.snapshot(TABLE)
    assert [m["n"] for m in shown if m["kind"] == "view"] == [KEPT + 4]
    assert [m["n"] for m in shown if m["kind"] == "ruling"] == list(range(5, KEPT + 5))


def numbers_into(heard: list[object]) -> Listener:
    return lambda message: heard.append(message["n"])


def test_what_is_for_one_seat_reaches_no_other() -> None:
    stage = Stage()
    heard: dict[str, list[object]] = {"table": [], "A": [], "B": []}
    for name, audience in (("table", TABLE), ("A", SEAT_A), ("B", SEAT_B)):
        stage.listen(numbers_into(heard[name]), audience)
    stage.show({"kind": "view", "n": "secret of A"}, SEAT_A)
    stage.show({"kind": "ruling", "n": "ruling for A"}, SEAT_A)
    stage.tell({"kind": "say", "n": "whisper to A"}, SEAT_A)
    assert heard == {"table": [], "A": ["secret of A", "ruling for A", "whisper to A"], "B": []}
    assert "secret" not in str(stage.snapshot(TABLE)) + str(stage.snapshot(SEAT_B))


def test_a_seat_with_its_own_view_is_not_shown_the_table_s() -> None:
    stage = Stage()
    heard: list[object] = []
    stage.show({"kind": "view", "n": "A's"}, SEAT_A)
    stage.listen(lambda m: heard.append(m["n"]), SEAT_A)
    stage.show({"kind": "view", "n": "table's"})
    stage.show({"kind": "status", "n": "status"})
    assert heard == ["status"]


def test_whoever_left_hears_nothing_more() -> None:
    stage = Stage()
    heard: list[object] = []
    listener = heard.append
    stage.listen(listener, TABLE)
    stage.leave(listener)
    stage.show({"kind": "view"})
    assert heard == []
    assert stage.watchers == 0
