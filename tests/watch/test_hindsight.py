"""Names in hindsight: ids stay with the piece where they could not be told on the way."""

import math
from collections.abc import Mapping
from dataclasses import replace

import pytest

from hardware.frames import Frame, Image
from referee.types import Observation, Piece, Point
from referee.vision.see import Eyes
from referee.watch import hindsight
from referee.watch.hindsight import Hindsight, renamed
from referee.watch.looking import Looker
from referee.watch.movers import Mover, Place
from referee.watch.underway import Underway
from tests.vision import table
from tests.vision.test_pieces import SEED, known_board

FPS = 30
SHOOTER, STRUCK = (200.0, 200.0), (290.0, 240.0)


class Film:
    """Painted frames before the eyes, each told once it is understood."""

    def __init__(self) -> None:
        profile, board = table.profile(), known_board()
        self.eyes, self.underway = Eyes(profile, board), Underway(profile)
        self.hindsight = Hindsight(profile, Looker(profile, board).look)
        self.seen: list[Observation] = []
        self.told: list[Observation] = []

    def show(self, image: Image) -> None:
        index = len(self.seen)
        frame = Frame(index, index * 1_000_000_000 // FPS, image)
        seen = self.eyes.see(frame, self.underway.places)
        assert self.eyes.still is not None
        moving = self.underway.see(self.eyes.looked_at, self.eyes.still, self.eyes.board, seen.pieces)
        self.seen.append(replace(seen, pieces=(*seen.pieces, *moving)))
        self.told += self.hindsight.see(frame, self.seen[-1])


def laid(*spots: Point, seed: int) -> Image:
    return table.laid(*((*spot, 14.0, 14.0, SEED) for spot in spots), seed=seed)


def flicked_from_under_a_hand() -> tuple[Film, list[tuple[Point, Point]]]:
    """A shooter that strikes one like it before anybody sees it come, and follows it for a while."""
    film, places = Film(), list[tuple[Point, Point]]()
    ways = [(SHOOTER, STRUCK)] * 15
    ways += [((255.0, 225.0), STRUCK), ((284.0, 239.0), (310.0, 251.0)), ((302.0, 250.0), (334.0, 267.0))]
    ways += [
        ((317.0, 259.0), (354.0, 280.0)),
        ((328.0, 265.0), (370.0, 291.0)),
        ((335.0, 269.0), (382.0, 298.0)),
    ]
    ways += [((338.0, 271.0), (389.0, 302.0))] * 60
    for k, (one, other) in enumerate(ways):
        image = laid(one, other, seed=20 + k).copy()
        if 8 <= k < 26:
            image[:250, 150:232] = (120, 150, 200)
        film.show(image)
        places.append((one, other))
    film.told += film.hindsight.finish()
    return film, places


def at(seen: Observation, spot: Point) -> list[int]:
    return [p.id for p in seen.pieces if math.dist(p.px, spot) < 8]


def strangers(observations: list[Observation], places: list[tuple[Point, Point]]) -> list[int]:
    """Frames in which a piece is told by another name than it had at first."""
    names = [at(observations[0], spot)[0] for spot in places[0]]
    return [
        seen.frame
        for seen, spots in zip(observations, places, strict=True)
        if any(set(at(seen, spot)) - {name} for name, spot in zip(names, spots, strict=True))
    ]


def test_of_two_alike_that_met_behind_a_hand_each_is_told_at_rest_by_its_own_name() -> None:
    film, places = flicked_from_under_a_hand()
    assert strangers(film.seen, places), "the eyes alone mistake one for the other"
    assert [seen.frame for seen in film.told] == [seen.frame for seen in film.seen]
    assert not strangers(film.told, places)
    assert all(len(at(film.told[-1], spot)) == 1 for spot in places[-1])


def test_what_rests_is_told_at_once_and_what_never_does_after_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    film = Film()
    for k in range(30):
        film.show(laid(SHOOTER, STRUCK, seed=k))
    assert film.told == film.seen
    monkeypatch.setattr(hindsight, "MOST_HELD", 20)
    for k in range(30):
        film.show(laid(SHOOTER, STRUCK if k % 2 else (310.0, 260.0), seed=1))
    assert len(film.told) == 50


# --- Who is who ----------------------------------------------------------------------------------------


def piece(key: int, x: float) -> Piece:
    return Piece(key, (x, 0.0), (x, 0.0), ((x, 1.0), (x - 1, -1.0), (x + 1, -1.0)))


def mover(start: float, end: float, first: float) -> Mover:
    """One that went along a line, first seen at a place of it."""
    places = (Place(1, 1, (first, 0.0), 9.0), Place(2, 2, (end, 0.0), 9.0))
    return Mover(piece(70, start), piece(71, end), (end, 0.0), places, ())


def lying(**places: float) -> Mapping[int, Piece]:
    """As `one_1=0.0`: piece 1 lies at 0."""
    return {int(key[-1]): piece(int(key[-1]), x) for key, x in places.items()}


def test_whoever_was_followed_from_its_place_keeps_its_name_and_the_other_gets_what_is_left() -> None:
    names = renamed({}, [mover(100, 200, first=100)], lying(_1=0.0, _2=100.0), lying(_1=200.0, _2=120.0))
    assert (names[1], names[2]) == (2, 1)


def test_a_way_that_begins_at_the_place_of_another_renames_nobody() -> None:
    first, last = lying(_1=0.0, _2=100.0), lying(_1=100.0, _2=200.0)
    assert all(key == name for key, name in renamed({}, [mover(0, 200, first=100)], first, last).items())


def test_a_piece_with_a_new_name_gets_its_old_one_and_gives_that_away_for_good() -> None:
    first, last = lying(_1=0.0, _2=100.0), lying(_1=0.0, _9=300.0)
    names = renamed({}, [mover(100, 300, first=100)], first, last)
    assert (names[9], names[2]) == (2, 9)


def test_where_two_would_have_to_give_up_their_names_all_stay() -> None:
    first, last = lying(_1=0.0, _2=100.0, _3=300.0), lying(_4=10.0, _1=200.0, _5=120.0, _2=400.0, _3=500.0)
    ways = [mover(100, 120, first=100), mover(0, 10, first=0)]
    assert renamed({}, ways, first, last) == {}
