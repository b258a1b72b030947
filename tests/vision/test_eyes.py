"""Ids that stay with the piece, and silence about what is not surely seen."""

import numpy as np

from hardware.frames import Frame, Image
from referee.types import Observation
from referee.vision.see import Eyes
from tests.vision import table
from tests.vision.test_pieces import PEBBLE, SEED, known_board

FPS = 60
A, B = (200.0, 150.0), (430.0, 330.0)


def run(eyes: Eyes, pictures: list[Image], first: int = 0) -> list[Observation]:
    return [
        eyes.see(Frame(first + k, (first + k) * 1_000_000_000 // FPS, picture))
        for k, picture in enumerate(pictures)
    ]


def picture(a: tuple[float, float], b: tuple[float, float], seed: int) -> Image:
    return table.laid((*a, 15.0, 13.0, SEED), (*b, 14.0, 14.0, PEBBLE), seed=seed)


def with_hand(image: Image) -> Image:
    hand = image.copy()
    hand[120:300, 150:260] = (120, 150, 200)
    return hand


def test_every_frame_gives_an_observation_from_the_first_on() -> None:
    seen = run(Eyes(table.profile(), known_board()), [picture(A, B, k) for k in range(4)])
    assert [o.frame for o in seen] == [0, 1, 2, 3]
    assert all(len(o.pieces) == 2 for o in seen)


def test_a_piece_keeps_its_id_when_it_moves() -> None:
    eyes = Eyes(table.profile(), known_board())
    before = {p.id: p for p in run(eyes, [picture(A, B, k) for k in range(3)])[-1].pieces}
    run(eyes, [picture((A[0] + 12 * k, A[1] + 4 * k), B, 10 + k) for k in range(1, 9)], 3)
    after = run(eyes, [picture((296.0, 182.0), B, 20 + k) for k in range(40)], 11)[-1].pieces
    assert {p.id for p in after} == set(before)
    moved = next(p for p in after if before[p.id].px[0] < 250)
    assert np.hypot(moved.px[0] - 296, moved.px[1] - 182) < 1.5


def test_a_piece_under_a_hand_is_not_reported_and_comes_back_with_its_id() -> None:
    eyes = Eyes(table.profile(), known_board())
    before = run(eyes, [picture(A, B, k) for k in range(3)])[-1].pieces
    covered = run(eyes, [with_hand(picture(A, B, 5 + k)) for k in range(20)], 3)[-1].pieces
    assert [p.px for p in covered] == [p.px for p in before if p.px[0] > 300]
    assert run(eyes, [picture(A, B, 30)], 23)[-1].pieces == before


def test_a_piece_that_stops_where_another_lay_is_not_taken_for_that() -> None:
    eyes = Eyes(table.profile(), known_board())
    before = run(eyes, [alike(200.0, 300.0, k) for k in range(3)])[-1].pieces
    struck = next(p.id for p in before if p.px[0] > 250)
    on_the_way = [alike(200.0 + 12.5 * k, 300.0, 10 + k) for k in range(1, 6)]
    together = [alike(262.5 + 9 * k, 306.0 + 16 * k, 20 + k) for k in range(5)]
    stopped = run(eyes, [*on_the_way, *together, alike(300.0, 390.0, 30), alike(300.0, 410.0, 31)], 3)
    assert all(p.id != struck for p in stopped[-1].pieces)
    assert {p.id for p in run(eyes, [alike(300.0, 410.0, 40 + k) for k in range(40)], 20)[-1].pieces} == {
        p.id for p in before
    }


def alike(x: float, other_x: float, seed: int) -> Image:
    return table.laid((x, 240.0, 15.0, 13.0, SEED), (other_x, 240.0, 15.0, 13.0, SEED), seed=seed)


def test_what_only_the_first_frame_showed_is_gone_after_a_better_look() -> None:
    grain = picture(A, B, 0).astype(int)
    rows, columns = np.mgrid[0 : table.HEIGHT, 0 : table.WIDTH]
    # As light as the board, so that nothing seems to move when it is gone.
    grain[np.hypot(columns - 300, rows - 300) < 12] += (-24, 0, 9)
    seen = run(
        Eyes(table.profile(), known_board()), [grain.astype(np.uint8), *(picture(A, B, k) for k in range(30))]
    )
    assert len(seen[0].pieces) == 3
    assert len(seen[-1].pieces) == 2


def test_pieces_that_did_not_move_keep_their_very_outline() -> None:
    eyes = Eyes(table.profile(), known_board())
    before = run(eyes, [picture(A, B, k) for k in range(3)])[-1].pieces
    after = run(eyes, [picture((260.0, 180.0), B, 9 + k) for k in range(40)], 3)[-1].pieces
    still = next(p for p in before if p.px[0] > 300)
    assert still in after


def test_a_piece_that_fell_beside_the_board_is_seen_there() -> None:
    eyes = Eyes(table.profile(half_mm=120.0), None)
    run(eyes, [picture(A, B, k) for k in range(3)])
    after = run(eyes, [picture((80.0, 150.0), B, 9 + k) for k in range(40)], 3)[-1].pieces
    assert sorted(p.on_board for p in after) == [False, True]


def test_a_piece_that_creeps_while_the_picture_seems_to_rest_is_seen_where_it_ends() -> None:
    eyes = Eyes(table.profile(), known_board())
    run(eyes, [picture(A, B, k) for k in range(10)])
    creeping = [picture((258.0 + 0.15 * k, 180.0), B, 20 + k) for k in range(14)]
    resting = [picture((260.0, 180.0), B, 40 + k) for k in range(60)]
    after = run(eyes, creeping + resting, 10)[-1].pieces
    crept = min(after, key=lambda p: p.px[0])
    assert np.hypot(crept.px[0] - 260, crept.px[1] - 180) < 0.7


def test_a_piece_that_rocks_for_long_is_seen_where_it_ends() -> None:
    eyes = Eyes(table.profile(), known_board())
    run(eyes, [picture(A, B, k) for k in range(12)])
    turns = np.linspace(0, 6 * np.pi, 90)
    rocking = [
        (A[0] + 30 + 5 * float(np.cos(t)) * (1 - k / 90), A[1] + 4 * float(np.sin(t)))
        for k, t in enumerate(turns)
    ]
    run(eyes, [picture(place, B, 20 + k) for k, place in enumerate(rocking)], 12)
    last = run(eyes, [picture(rocking[-1], B, 200 + k) for k in range(60)], 102)[-1].pieces
    off = min(float(np.hypot(p.px[0] - rocking[-1][0], p.px[1] - rocking[-1][1])) for p in last)
    assert off < 0.5


def test_a_heap_larger_than_a_hand_is_seen_when_it_lies_still() -> None:
    eyes = Eyes(table.profile(), known_board())
    run(eyes, [table.bare(k) for k in range(6)])
    heap = [(260.0 + 30 * column, 180.0 + 29 * row) for column in range(4) for row in range(3)]
    dropped = [table.laid(*((*place, 14.0, 13.0, SEED) for place in heap), seed=k) for k in range(60)]
    assert len(run(eyes, dropped, 6)[-1].pieces) == len(heap)


def test_a_piece_as_bright_as_the_board_that_a_hand_moved_is_seen_where_it_lies() -> None:
    def as_bright(x: float, seed: int) -> Image:
        flat = (x, 200.0, 14.0, 14.0, (230.0, 178.0, 208.0)), (*B, 14.0, 14.0, SEED)
        return table.laid(*flat, seed=seed, shadow=0.0)

    eyes = Eyes(table.profile(), known_board())
    before = run(eyes, [as_bright(200.0, k) for k in range(12)])[-1].pieces
    run(eyes, [with_hand(as_bright(200.0 + 6 * k, 20 + k)) for k in range(9)], 12)
    after = run(eyes, [as_bright(248.0, 30 + k) for k in range(60)], 21)[-1].pieces
    assert {p.id for p in after} == {p.id for p in before}
    assert sorted(round(p.px[0]) for p in after) == [248, 430]
