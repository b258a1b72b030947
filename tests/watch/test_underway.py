"""Pieces on their way keep their names, frame by frame; what nobody can tell is not told."""

import math

import cv2

from hardware.frames import Frame, Image
from referee.types import Piece
from referee.vision.see import Eyes
from referee.watch.underway import Underway
from tests.vision import table
from tests.vision.test_pieces import PEBBLE, SEED, known_board

FPS = 60
Spot = tuple[float, float]
RADIUS = 14.0


class Film:
    """Painted frames before the eyes, one after another."""

    def __init__(self) -> None:
        self.eyes, self.underway = Eyes(table.profile(), known_board()), Underway(table.profile())
        self._index = 0

    def show(self, image: Image) -> dict[int, Piece]:
        frame = Frame(self._index, self._index * 1_000_000_000 // FPS, image)
        self._index += 1
        lying = self.eyes.see(frame, self.underway.places).pieces
        assert self.eyes.still is not None
        moving = self.underway.see(self.eyes.looked_at, self.eyes.still, self.eyes.board, lying)
        assert not {p.id for p in lying} & {p.id for p in moving}
        return {p.id: p for p in (*lying, *moving)}

    def rest(self, *spots: tuple[Spot, tuple[float, float, float]], frames: int = 12) -> dict[int, Piece]:
        return [self.show(laid(*spots, seed=k)) for k in range(frames)][-1]


def laid(*spots: tuple[Spot, tuple[float, float, float]], seed: int) -> Image:
    return table.laid(*((*spot, RADIUS, RADIUS, colour) for spot, colour in spots), seed=seed)


def named(pieces: dict[int, Piece], spot: Spot) -> int:
    return min(pieces, key=lambda key: math.dist(pieces[key].px, spot))


def test_a_piece_under_way_is_told_in_every_frame_where_it_is() -> None:
    film = Film()
    other = ((430.0, 330.0), PEBBLE)
    before = film.rest(((200.0, 150.0), SEED), other)
    runner = named(before, (200.0, 150.0))
    for k in range(1, 12):
        at = (200.0 + 13 * k, 150.0 + 5 * k)
        seen = film.show(laid((at, SEED), other, seed=20 + k))
        assert seen.keys() == before.keys()
        assert math.dist(seen[runner].px, at) < 1.5
        assert seen[runner].moving and not seen[named(before, other[0])].moving
        assert math.dist(seen[runner].mm, before[runner].mm) * table.PX_PER_MM > 13 * k


def test_of_two_alike_that_meet_head_on_the_struck_one_goes_on() -> None:
    film = Film()
    before = film.rest(((200.0, 240.0), SEED), ((300.0, 240.0), SEED))
    shooter, struck = named(before, (200.0, 240.0)), named(before, (300.0, 240.0))
    on_the_way = [((200.0 + 12 * k, 240.0), (300.0, 240.0)) for k in range(1, 7)]
    parted = [((273.0, 240.0), (300.0 + 12 * k, 240.0)) for k in range(1, 8)]
    for k, (one, other) in enumerate(on_the_way + parted):
        seen = film.show(laid((one, SEED), (other, SEED), seed=20 + k))
        assert all(
            math.dist(seen[key].px, at) < 4 for key, at in ((shooter, one), (struck, other)) if key in seen
        )
    after = film.rest((parted[-1][0], SEED), (parted[-1][1], SEED), frames=40)
    assert math.dist(after[shooter].px, parted[-1][0]) < 2
    assert math.dist(after[struck].px, parted[-1][1]) < 2


def test_a_piece_that_stops_where_another_lay_keeps_its_name_at_rest() -> None:
    film = Film()
    before = film.rest(((200.0, 240.0), SEED), ((300.0, 240.0), SEED))
    shooter, struck = named(before, (200.0, 240.0)), named(before, (300.0, 240.0))
    on_the_way = [((200.0 + 12 * k, 240.0), (300.0, 240.0)) for k in range(1, 7)]
    parted = [((min(272.0 + 6 * k, 300.0), 240.0), (300.0 + 14 * k, 240.0 + 6 * k)) for k in range(1, 9)]
    for k, (one, other) in enumerate(on_the_way + parted):
        film.show(laid((one, SEED), (other, SEED), seed=20 + k))
    after = film.rest((parted[-1][0], SEED), (parted[-1][1], SEED), frames=40)
    assert math.dist(after[shooter].px, parted[-1][0]) < 2
    assert math.dist(after[struck].px, parted[-1][1]) < 2


def under_a_hand(image: Image, left: int, right: int) -> Image:
    covered = image.copy()
    covered[90:300, left:right] = (120, 150, 200)
    return covered


def test_a_piece_beside_a_hand_that_only_passes_stays_where_it_lies() -> None:
    film = Film()
    spots = (((200.0, 150.0), SEED), ((430.0, 330.0), PEBBLE))
    before = film.rest(*spots)
    for k in range(20):
        seen = film.show(under_a_hand(laid(*spots, seed=30 + k), 10 * k, 10 * k + 110))
        assert all(piece == before[key] for key, piece in seen.items())


def test_nothing_is_told_of_two_alike_that_a_hand_hid() -> None:
    film = Film()
    before = film.rest(((180.0, 150.0), SEED), ((240.0, 150.0), SEED))
    hidden = [
        under_a_hand(laid(((180.0, 150.0), SEED), ((240.0, 150.0), SEED), seed=k), 120, 300) for k in range(6)
    ]
    for image in hidden:
        assert not film.show(image)
    # One of them comes out on either side: which is which nobody has seen.
    for k in range(1, 5):
        image = laid(((320.0 + 8 * k, 150.0), SEED), ((200.0, 150.0), SEED), seed=40 + k)
        seen = film.show(under_a_hand(image, 120, 290))
        assert not any(piece.moving for piece in seen.values())
    assert len(before) == 2


def test_a_fingertip_that_comes_over_a_piece_and_goes_on_is_not_the_piece() -> None:
    film = Film()
    spots = (((200.0, 150.0), SEED), ((430.0, 330.0), PEBBLE))
    film.rest(*spots)
    for k in range(16):
        x = 150 + 10 * k
        image = laid(*spots, seed=30 + k).copy()
        cv2.circle(image, (x, 150), 15, (120, 150, 200), -1)
        image[20:126, x - 60 : x + 60] = (120, 150, 200)
        seen = film.show(image)
        assert not any(piece.moving for piece in seen.values())


def test_a_piece_that_goes_on_past_one_of_another_colour_keeps_its_name() -> None:
    film = Film()
    before = film.rest(((200.0, 240.0), PEBBLE), ((300.0, 240.0), SEED))
    shooter, struck = named(before, (200.0, 240.0)), named(before, (300.0, 240.0))
    on_the_way = [((200.0 + 12 * k, 240.0), (300.0, 240.0)) for k in range(1, 7)]
    # As if the struck one went on, and the shooter stopped behind it.
    past = [((300.0 + 12 * k, 240.0), (273.0, 240.0)) for k in range(1, 8)]
    for k, (one, other) in enumerate(on_the_way + past):
        seen = film.show(laid((one, PEBBLE), (other, SEED), seed=20 + k))
        assert all(
            math.dist(seen[key].px, at) < 30 for key, at in ((shooter, one), (struck, other)) if key in seen
        )
    after = film.rest((past[-1][0], PEBBLE), (past[-1][1], SEED), frames=40)
    assert math.dist(after[shooter].px, past[-1][0]) < 2
    assert math.dist(after[struck].px, past[-1][1]) < 2


def test_a_struck_piece_does_not_lie_where_the_shooter_came_after_it() -> None:
    film = Film()
    before = film.rest(((200.0, 240.0), SEED), ((300.0, 240.0), SEED))
    shooter, struck = named(before, (200.0, 240.0)), named(before, (300.0, 240.0))
    on_the_way = [((200.0 + 12 * k, 240.0), (300.0, 240.0)) for k in range(1, 7)]
    together = [((272.0 + 9 * k, 240.0), (301.0 + 9 * k, 240.0)) for k in range(1, 9)]
    for k, (one, other) in enumerate(on_the_way + together):
        seen = film.show(laid((one, SEED), (other, SEED), seed=20 + k))
        assert all(
            math.dist(seen[key].px, at) < 8 for key, at in ((shooter, one), (struck, other)) if key in seen
        )
    after = film.rest((together[-1][0], SEED), (together[-1][1], SEED), frames=40)
    assert math.dist(after[shooter].px, together[-1][0]) < 2
    assert math.dist(after[struck].px, together[-1][1]) < 2


def test_a_piece_hidden_by_a_hand_has_not_leapt_to_where_another_comes_out() -> None:
    film = Film()
    lying = ((238.0, 150.0), SEED)
    before = film.rest(((110.0, 150.0), SEED), lying)
    stayed = named(before, lying[0])
    for k in range(1, 7):
        film.show(laid(((110.0 + 12 * k, 150.0), SEED), lying, seed=20 + k))
    for k in range(2):
        film.show(under_a_hand(laid(((194.0, 150.0), SEED), lying, seed=30 + k), 168, 218))
    for k in range(3):
        seen = film.show(under_a_hand(laid(((200.0, 150.0), SEED), lying, seed=40 + k), 225, 290))
        assert stayed not in seen or seen[stayed] == before[stayed]
    after = film.rest(((200.0, 150.0), SEED), lying, frames=40)
    assert math.dist(after[stayed].px, lying[0]) < 2
