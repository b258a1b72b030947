"""Pieces at rest in one picture: whatever lies on the board and is neither the board nor a shadow on it."""

from functools import lru_cache

import cv2
import numpy as np

from calibration.profile import Profile
from hardware.frames import Image
from referee.vision.ball_table import balls_in
from referee.vision.board import EmptyBoard, Field, Mask
from referee.vision.choosing import apart, without_shadows
from referee.vision.large import LARGE_BOARD_MM, has_balls
from referee.vision.look import Blob, Look
from referee.vision.motion import cut_out
from referee.vision.outline import Traced
from referee.vision.outlining import Fellows
from referee.vision.ovals import Points, radius_of
from referee.vision.steps import Steps, at_once

CONTRAST = 0.09
"""Least step across the outline in the picture itself."""
CUT_OFF = 0.2
"""Share of a piece's outline that may run along the board's edge."""
SMALL, VAGUE, VAGUE_ON_EDGE = 0.7, 0.25, 0.12
"""Radius of what may be a speck, as a share of what is usual, and its error as a share of that radius: of pieces that
are seen at all that is hardly ever more than a tenth."""
VAGUE_IN_DOUBT, DOUBTED, FAINTER = 0.1, 0.2, 0.4
"""The same error, whatever the radius, where so much of the ground is remembered with doubt; and how faint an edge is
there, as a share of what is usual, that is none."""
DOUBLE = 0.3
"""How far within another outline, as a share of its radius, the middle of one lies that is of the same piece: of pieces
that lean on one another it does not."""
SCRAP, WITHIN = 0.3, 0.25
"""Share of another outline's area that no piece is as small as, and of its own that lies in no other."""
ALONG_EDGE = np.ones((11, 11), np.uint8)
"""Pixels round one that runs along it, for the corners of a board are round."""


def px_per_mm(profile: Profile) -> float:
    """Scale of the picture at the middle of the board."""
    pair = profile.to_pixels(np.array([[-10.0, 0.0], [10.0, 0.0]]))
    return float(np.hypot(*(pair[1] - pair[0]))) / 20


def piece_scale(profile: Profile) -> float:
    """The same for the size of pieces, which grow with the board: a billiard table has balls, not beads."""
    outline = np.array(profile.board_outline_mm or ((0.0, 0.0),))
    return px_per_mm(profile) * max(1.0, float(np.ptp(outline, axis=0).max()) / LARGE_BOARD_MM)


def find_blobs(image: Image, board: EmptyBoard, profile: Profile) -> tuple[Blob, ...]:
    """Every piece on the board, with its silhouette."""
    return at_once(search(image, board, profile))


def search(
    image: Image | Field,
    board: EmptyBoard,
    profile: Profile,
    where: Mask | None = None,
    fellows: Fellows | None = None,
) -> Steps[tuple[Blob, ...]]:
    """The same in small steps, so that no single frame has to wait for all of it.

    `image` is a whole picture, or its window of the board, also as a mean of many. Only things that touch `where`, a
    mask of the window at half resolution, are looked at; `fellows` remembers what the others told before.
    """
    if has_balls(profile):
        yield
        return balls_in(image, board, profile)
    scale = piece_scale(profile)
    look = Look(image, board)
    yield
    look.level()
    yield
    look.relight()
    yield
    things = yield from look.things(scale, where)
    ovals = yield from look.settle(things, scale)
    yield
    pieces = [o for o in without_shadows(apart(ovals)) if not _is_edge(o.points, look, board)]
    look.learn_shadows(pieces)
    traced = without_scraps((yield from look.outlines(pieces)))
    whole = without_doubles((yield from look.outlined(traced, scale, fellows or Fellows())))
    usual = float(np.median([radius_of(t.points) for t in whole])) if whole else 0.0
    there = without_shades(
        [t for t in whole if t.contrast > CONTRAST and not _is_speck(t, usual, look, board)], look, board
    )
    return tuple(look.blob(t) for t in there if not _is_edge(t.points, look, board))


def without_scraps(traced: list[Traced]) -> list[Traced]:
    """Without outlines that lie in much larger ones: a piece traced as a whole holds the shadow it was found by."""
    hulls = [np.asarray(cv2.convexHull(t.points.astype(np.float32))) for t in traced]
    areas = [cv2.contourArea(hull) for hull in hulls]
    return [
        one
        for one, hull, area in zip(traced, hulls, areas, strict=True)
        if not any(
            area < SCRAP * other_area and cv2.intersectConvexConvex(hull, other)[0] > WITHIN * area
            for other, other_area in zip(hulls, areas, strict=True)
        )
    ]


def without_shades(outlined: list[Traced], look: Look, board: EmptyBoard) -> list[Traced]:
    """Without what was remembered wrongly where nobody surely knows the board: outlines that are hardly known, hold
    hardly more than the bare board, and have much less of an edge than the clear ones."""
    vague = [one.sigma_px > VAGUE_IN_DOUBT * radius_of(one.points) for one in outlined]
    if not any(vague) or all(vague):
        return outlined
    clear = [
        look.step_across(one.points) for one, doubted in zip(outlined, vague, strict=True) if not doubted
    ]
    faint = FAINTER * float(np.median(clear))
    return [
        one
        for one, doubted in zip(outlined, vague, strict=True)
        if not doubted
        or _in_doubt(one.points, board) < DOUBTED
        or not look.is_rim(one.points)
        or look.step_across(one.points) > faint
    ]


def without_doubles(outlined: list[Traced]) -> list[Traced]:
    """Without the less sure of two outlines of one piece: parts of it that were found as two come to lie on its rim."""
    kept: list[Traced] = []
    for one in sorted(outlined, key=lambda o: o.sigma_px):
        if not any(_in(one, other) or _in(other, one) for other in kept):
            kept.append(one)
    return [one for one in outlined if one in kept]


def _in(one: Traced, other: Traced) -> bool:
    """Whether the middle of one lies well within another."""
    far = cv2.pointPolygonTest(other.points.astype(np.float32), tuple(map(float, one.centre)), True)
    return far > DOUBLE * radius_of(other.points)


def _is_speck(one: Traced, usual_px: float, look: Look, board: EmptyBoard) -> bool:
    """Whether an outline that is hardly known holds hardly more than the bare board, and is smaller than usual or
    touches the board's edge: grain and edges show here and there, most of all under a trembling camera."""
    radius = radius_of(one.points)
    on_edge = _along_edge(one.points, board) > 0
    if not on_edge and radius > SMALL * usual_px:
        return False
    vague = VAGUE_ON_EDGE if on_edge else VAGUE
    return one.sigma_px > vague * radius and look.is_rim(one.points)


def _in_doubt(points: Points, board: EmptyBoard) -> float:
    """Share of what an outline holds of which the board is a guess, or its light is."""
    window, mask = cut_out(points, board.sure.shape)
    doubt = board.sure[window] == 0
    if board.doubtful is not None:
        doubt |= board.doubtful[window] > 0
    return float(doubt[mask > 0].mean()) if mask.any() else 0.0


def _is_edge(points: Points, look: Look, board: EmptyBoard) -> bool:
    """Whether an outline, in the window's pixels, is that of the board's edge rather than of a piece."""
    return _along_edge(points, board) > CUT_OFF and (board.guessed or look.is_rim(points))


def _along_edge(points: Points, board: EmptyBoard) -> float:
    """Share of an outline that is the board's edge: a pocket or a frame, where nobody has seen the board empty."""
    columns, rows = np.round(points).astype(int).T
    rows, columns = np.clip(rows, 0, board.size[1] - 1), np.clip(columns, 0, board.size[0] - 1)
    return float((_well_within(board)[rows, columns] == 0).mean())


@lru_cache(maxsize=2)
def _well_within(board: EmptyBoard) -> Mask:
    """255 where the board's edge is far."""
    return np.asarray(cv2.erode(board.inside, ALONG_EDGE, borderValue=0), np.uint8)


__all__ = ["Blob", "find_blobs", "piece_scale", "px_per_mm", "search"]
