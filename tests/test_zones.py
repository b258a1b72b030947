"""Seats, sides and zones of a table."""

from referee.zones import Zone, dragged, open_table, seat_round

HALF = (500.0, 300.0)


def test_four_seats_sit_clockwise_from_the_bottom() -> None:
    seating = seat_round(("A", "B", "C", "D"), (), HALF)
    places = ((0.0, -250.0), (-450.0, 0.0), (0.0, 250.0), (450.0, 0.0))
    assert [seating.seat_at(p) for p in places] == ["A", "B", "C", "D"]


def test_three_seats_are_put_where_the_cards_lie() -> None:
    seating = seat_round(("A", "B", "C"), ((0.0, -200.0), (-400.0, 0.0), (0.0, 200.0)), HALF)
    assert seating.seat_at((-400.0, 0.0)) == "B"
    assert seating.seat_at((30.0, 220.0)) == "C"


def test_seats_see_their_own_right_and_left() -> None:
    seating = seat_round(("A", "B", "C", "D"), (), HALF)
    assert tuple(map(round, seating.from_seat("A", (50.0, -200.0)))) == (50, 200)
    right, towards = seating.from_seat("C", (50.0, 200.0))
    assert (round(right), round(towards)) == (-50, 200)
    x, y = seating.to_table("B", 30.0, 100.0)
    assert tuple(map(round, seating.from_seat("B", (x, y)))) == (30, 100)


def test_a_card_is_upright_to_whoever_it_looks_at() -> None:
    seating = seat_round(("A", "B", "C", "D"), (), HALF)
    assert [seating.seat_looking(t) for t in (0.0, -90.0, 180.0, 90.0)] == ["A", "B", "C", "D"]


def test_a_dragged_zone_holds_its_new_place_and_no_longer_the_old() -> None:
    square = Zone("DECK", ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)))
    (moved,) = dragged((square,), "DECK", (105.0, 5.0))
    assert square.holds((5.0, 5.0)) and not moved.holds((5.0, 5.0))
    assert moved.holds((105.0, 5.0))


def test_the_open_table_ends_where_hands_begin_on_every_side() -> None:
    seating = seat_round(("A", "B", "C", "D"), (), (400.0, 250.0))
    near = {seat: 0.6 * seating.reach_mm(seat) for seat in seating.seats}
    table = open_table(seating, near)
    for seat in seating.seats:
        for right in (-60.0, 0.0, 60.0):
            assert table.holds(seating.to_table(seat, right, near[seat] - 1))
            assert not table.holds(seating.to_table(seat, right, near[seat] + 1))
    assert not table.holds((399.0, 249.0))
