"""Coins, buttons and beans on a chessboard, printed cloth and a book: seen, told apart from the print, and followed."""

import math
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray
from shapely.geometry import MultiPoint, Polygon

from referee.happenings import ShotSeen
from referee.types import Point
from referee.vision.pieces import Blob, find_blobs
from referee.watch.looking import Looker
from referee.watch.play import BoardWatch
from tests.vision import table
from tests.watch import painted

KINDS = ("coin", "button", "bean")
PALE = 1
"""Of three colours the one of the cloth itself: where such a piece lies is seen, its rim only in part."""


def hull(piece: painted.Lying) -> Polygon:
    return cast(Polygon, MultiPoint(painted.outline(piece)).convex_hull)


def middle(shape: Polygon) -> Point:
    return float(shape.centroid.x), float(shape.centroid.y)


def far(blob: Blob, at: Point) -> float:
    return math.dist(tuple(blob.centre_px), at)


def share(silhouette: NDArray[np.float64], true: Polygon) -> float:
    seen = Polygon(silhouette).buffer(0)
    return float(seen.intersection(true).area / seen.union(true).area)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("board", painted.BOARDS)
def test_pieces_are_outlined_on_any_board_and_its_print_is_no_piece(board: str, kind: str) -> None:
    flick = painted.flick(board, kind)
    blobs = find_blobs(flick.picture(3), painted.known(board), table.profile())
    assert len(blobs) == len(flick.pieces)
    shares = []
    for piece in flick.pieces:
        true = hull(piece)
        blob = min(blobs, key=lambda b: far(b, middle(true)))
        assert far(blob, middle(true)) < 6
        if board != "printed cloth" or piece.seed % 3 != PALE:
            shares.append(share(blob.silhouette_px, true))
    assert min(shares) > 0.75
    assert sum(shares) / len(shares) > 0.88


@pytest.mark.parametrize("kind", KINDS)
def test_squares_that_no_still_shows_are_no_pieces(kind: str) -> None:
    flick = painted.flick("chessboard", kind)
    blobs = find_blobs(flick.picture(3), painted.partly_known("chessboard"), table.profile())
    pieces = [middle(hull(piece)) for piece in flick.pieces]
    assert all(min(far(b, at) for at in pieces) < 8 for b in blobs)
    assert len(blobs) >= len(pieces) - 1


@pytest.mark.parametrize(
    ("board", "kind"), [("chessboard", "button"), ("printed cloth", "bean"), ("book cover", "coin")]
)
def test_a_flick_is_followed_on_any_board(board: str, kind: str) -> None:
    flick = painted.flick(board, kind)
    watch = BoardWatch(table.profile(), Looker(table.profile(), painted.known(board)).look)
    watch.called_at((flick.pieces[1].at, flick.pieces[2].at))
    told, before = [], None
    for frame in flick.frames():
        told += watch.feed(frame)
        before = before or {p.id: p.px for p in watch.pieces}
    told += watch.finish()
    (shot,) = told
    assert isinstance(shot, ShotSeen)
    assert before is not None and len(before) == len(flick.pieces)
    after = {p.id: p.px for p in watch.pieces}
    assert set(after) == set(before)
    stayed = [key for key in after if math.dist(after[key], before[key]) < 1]
    assert set(after) - set(stayed) == {shot.shooter.id}
    assert math.dist(after[shot.shooter.id], flick.to) < 5
    assert (
        shot.contacts == () and not shot.gates[0].missed and not any(p.touched for p in shot.gates[0].posts)
    )
    measured = shot.gates[0].clearance_mm
    assert measured is not None and abs(measured - clearance_mm(flick)) < 2


def clearance_mm(flick: painted.Flick) -> float:
    """Between the shooter where it rests and the band round its gate."""
    a, b = (painted.outline(flick.pieces[k]) for k in flick.gate)
    band = MultiPoint(np.concatenate([a, b])).convex_hull
    shift = np.array(flick.to) - flick.pieces[0].at
    return (
        float(MultiPoint(painted.outline(flick.pieces[0]) + shift).convex_hull.distance(band))
        / table.PX_PER_MM
    )
