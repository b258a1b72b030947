"""What differs between two stills: which pieces stayed, shifted, went, came or fell off the board."""

import math
from dataclasses import dataclass, replace
from typing import cast

import cv2
import numpy as np

from calibration.profile import Profile
from hardware.frames import Image
from referee.types import Outline, Piece, Point
from referee.vision.motion import (
    Mask,
    Spots,
    change,
    colour_within,
    drawn,
    lit_like,
    mean_within,
    shift_between,
    solid,
    to_half,
    widest,
)
from referee.vision.steps import Steps
from referee.watch.scenes import Still

SAME_MM = 2.5
"""A piece found this near to where one lay is the same piece."""
UNCHANGED = 4.0
"""Grey levels by which the place of a piece may differ, on the mean, between two stills."""
UNTOUCHED = 1.2
"""Grey levels below which nothing at all happened there: a shift of a tenth of a millimetre makes more."""
OVERLOOKED = 0.4
"""Share of a piece's area that must be new before a piece is taken to lie there."""
CARRIED_SIGMA_MM = 0.8
NUDGE_MM = 4.0
"""Further than this the patch of a piece is not followed back."""
LIKE = 0.85
"""Correlation above which the shift of a patch is believed."""
SHIFT_SIGMA_MM, TREMBLING_SIGMA_MM = 0.06, 0.12
"""How well stills agree on where a piece lies, of a firm camera and of one that trembled."""
DISTINCT = 40.0
"""Grey levels, over three channels, by which one colour must be nearer than another."""
ROUGHLY_LIKE = 0.6
"""The same for whole half pixels, with what lies round the piece."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A piece that lies (almost) where it lay, and how far it shifted."""

    before: Piece
    after: Piece
    shift_mm: float
    sigma_mm: float


@dataclass(frozen=True, slots=True)
class Changes:
    kept: tuple[Kept, ...]
    gone: tuple[Piece, ...]
    """On the board before, nowhere near now."""
    come: tuple[Piece, ...]
    """On the board now, nowhere near before."""
    fallen_px: tuple[Point, ...]
    """New things of a piece's size beside the board."""


def compare(
    before: Still, after: Still, old: tuple[Piece, ...], new: tuple[Piece, ...], profile: Profile
) -> Steps[Changes]:
    """Match the pieces of two stills, a few at a time."""
    pairs = _without_swaps(before.small, after.small, _nearest_pairs(old, new), new, profile)
    differs = widest(cast(Image, cv2.absdiff(after.small, lit_like(before.small, after.small))))
    old, new, pairs = _settled(differs, old, new, pairs, profile)
    nudged = yield from _nudged(before, after, old, new, pairs, profile)
    old, pairs = (*old, *(was for was, _ in nudged)), pairs + nudged
    shifts: list[Spots | None] = []
    for old_piece, _ in pairs:
        if _mean_within(differs, old_piece, profile) < UNTOUCHED:
            shifts.append(np.zeros(2))
            continue
        yield
        shifts.append(_shift_mm(before.image, after.image, old_piece, profile))
    shake = _shake(shifts)
    sigma = TREMBLING_SIGMA_MM if before.trembled or after.trembled else SHIFT_SIGMA_MM
    kept = tuple(_kept(a, b, s, shake, sigma) for (a, b), s in zip(pairs, shifts, strict=True))
    gone = tuple(p for p in old if all(p is not a for a, _ in pairs))
    come = tuple(p for p in new if all(p is not b for _, b in pairs))
    yield
    area = _piece_area(old + new, profile)
    beside = fallen(before.small, after.small, profile, area)
    if gone and len(come) <= len(gone):
        # Who strikes pieces drops none: what appeared beside the board is none of them, but for those that are missed.
        beside = beside[: len(gone) - len(come)]
    missing = len(gone) - len(come) - len(beside)
    if missing > 0:
        yield
        come += overlooked(before.small, after.small, gone, new, profile)[:missing]
    elif missing == -1 and gone and not beside:
        # Nor does one come from nowhere: one that lies there now was overlooked before.
        yield
        gone += overlooked(after.small, before.small, come, old, profile)[:1]
    return Changes(kept, gone, come, beside)


def _nearest_pairs(old: tuple[Piece, ...], new: tuple[Piece, ...]) -> list[tuple[Piece, Piece]]:
    if not old or not new:
        return []
    far = np.array([[math.dist(a.mm, b.mm) for b in new] for a in old])
    return [
        (a, new[int(far[i].argmin())])
        for i, a in enumerate(old)
        if far[i].min() < SAME_MM and int(far[:, int(far[i].argmin())].argmin()) == i
    ]


def _without_swaps(
    before: Image, after: Image, pairs: list[tuple[Piece, Piece]], new: tuple[Piece, ...], profile: Profile
) -> list[tuple[Piece, Piece]]:
    """A piece may come to lie where another lay: no pair, if something elsewhere looks much more like the other."""
    paired = {id(piece) for _, piece in pairs}
    elsewhere = [colour_of(after, p, profile) for p in new if id(p) not in paired]
    return [
        (a, b)
        for a, b in pairs
        if not any(
            _nearer(colour_of(before, a, profile), there, colour_of(after, b, profile)) for there in elsewhere
        )
    ]


def _nearer(colour: Spots, one: Spots, other: Spots) -> bool:
    """Whether a colour is clearly nearer to the one than to the other."""
    return float(np.linalg.norm(colour - one)) + DISTINCT < float(np.linalg.norm(colour - other))


def colour_of(image: Image, piece: Piece, profile: Profile) -> Spots:
    """The mean colour of a piece in a picture of half resolution."""
    return colour_within(image, to_half(profile.to_pixels(np.array(piece.outline_mm))))


def _settled(
    differs: Mask,
    old: tuple[Piece, ...],
    new: tuple[Piece, ...],
    pairs: list[tuple[Piece, Piece]],
    profile: Profile,
) -> tuple[tuple[Piece, ...], tuple[Piece, ...], list[tuple[Piece, Piece]]]:
    """A piece found in one still only, where both look the same, lay there all the time."""
    paired = {id(p) for pair in pairs for p in pair}
    same_old = [p for p in old if id(p) not in paired and _mean_within(differs, p, profile) < UNCHANGED]
    same_new = [p for p in new if id(p) not in paired and _mean_within(differs, p, profile) < UNCHANGED]
    spare = [replace(p, id=-1 - k) for k, p in enumerate(same_new)]
    pairs = pairs + [(p, p) for p in same_old] + list(zip(spare, same_new, strict=True))
    return (*old, *spare), (*new, *same_old), pairs


def _nudged(
    before: Still,
    after: Still,
    old: tuple[Piece, ...],
    new: tuple[Piece, ...],
    pairs: list[tuple[Piece, Piece]],
    profile: Profile,
) -> Steps[list[tuple[Piece, Piece]]]:
    """A piece found only now, whose very picture lay a little aside before, was overlooked then and pushed since."""
    paired = {id(piece) for pair in pairs for piece in pair}
    known = tuple(p for p in old if id(p) not in paired)
    found: list[tuple[Piece, Piece]] = []
    for piece in (p for p in new if id(p) not in paired and _lay_near(before.small, after.small, p, profile)):
        yield
        back = _shift_mm(after.image, before.image, piece, profile)
        if back is not None and float(np.hypot(*back)) < NUDGE_MM:
            lay = _moved(piece, back, -100 - len(found), profile)
            if all(math.dist(p.mm, lay.mm) > SAME_MM for p in known):
                found.append((lay, piece))
    return found


def _lay_near(before: Image, after: Image, piece: Piece, profile: Profile) -> bool:
    """A quick look: whether something like the piece lay within a nudge of its place."""
    outline = profile.to_pixels(np.array(piece.outline_mm))
    room = int(NUDGE_MM * np.sqrt(cv2.contourArea(outline.astype(np.float32)) / _area_mm2(piece)) / 2) + 1
    (x0, y0), (x1, y1) = (np.round(to_half(edge)).astype(int) for edge in (outline.min(0), outline.max(0)))
    around = before[max(y0 - room, 0) : y1 + room, max(x0 - room, 0) : x1 + room]
    patch = after[max(y0, 0) : y1, max(x0, 0) : x1]
    if not patch.size or around.shape[0] < patch.shape[0] or around.shape[1] < patch.shape[1]:
        return False
    return float(cv2.matchTemplate(around, patch, cv2.TM_CCOEFF_NORMED).max()) > ROUGHLY_LIKE


def _area_mm2(piece: Piece) -> float:
    return float(cv2.contourArea(np.array(piece.outline_mm, np.float32)))


def _moved(piece: Piece, by_mm: Spots, number: int, profile: Profile) -> Piece:
    dx, dy = (float(v) for v in by_mm)
    mm = (piece.mm[0] + dx, piece.mm[1] + dy)
    x, y = profile.to_pixels(np.array([mm]))[0].tolist()
    outline = tuple((px + dx, py + dy) for px, py in piece.outline_mm)
    return replace(piece, id=number, px=(x, y), mm=mm, outline_mm=outline)


def _mean_within(differs: Mask, piece: Piece, profile: Profile) -> float:
    return mean_within(differs, to_half(profile.to_pixels(np.array(piece.outline_mm))))


def _shift_mm(before: Image, after: Image, piece: Piece, profile: Profile) -> Spots | None:
    outline = profile.to_pixels(np.array(piece.outline_mm))
    shift = shift_between(before, after, outline)
    if shift is None or shift.likeness < LIKE:
        return None
    middle = outline.mean(0)
    ends = profile.to_board(np.array([middle, middle + np.array([shift.dx, shift.dy])]))
    return cast(Spots, ends[1] - ends[0])


def _shake(shifts: list[Spots | None]) -> Spots:
    """The shift all pieces share is the camera's."""
    seen = [shift for shift in shifts if shift is not None]
    return cast(Spots, np.median(seen, axis=0)) if len(seen) >= 3 else np.zeros(2)


def _kept(a: Piece, b: Piece, shift: Spots | None, shake: Spots, sigma_mm: float) -> Kept:
    apart = math.dist(a.mm, b.mm)
    if shift is None:
        return Kept(a, b, apart, math.hypot(a.sigma_mm, b.sigma_mm, 0.25))
    near = float(np.hypot(*(shift - shake)))
    # The patch finds no shift larger than its own texture: then the outlines know better.
    return Kept(a, b, near, sigma_mm) if abs(near - apart) < 1.0 else Kept(a, b, apart, 0.4)


def overlooked(
    before: Image, after: Image, gone: tuple[Piece, ...], found: tuple[Piece, ...], profile: Profile
) -> tuple[Piece, ...]:
    """Something new of a piece's size where no piece was found: a vanished piece that lies against another.

    Its outline is the one it had, carried there; that is good to a millimetre or so, and says so.
    """
    plate = lit_like(before, after)
    things = solid(after, plate, change(after, plate))
    known = [to_half(profile.to_pixels(np.array(p.outline_mm))) for p in (*gone, *found)]
    things[drawn(known, things.shape, 1) > 0] = 0
    things[_board_mask(profile, things.shape) == 0] = 0
    things = cast(Mask, cv2.morphologyEx(things, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)))
    count, _, stats, middles = cv2.connectedComponentsWithStats(things, connectivity=8)
    usual = min(half_area(p.outline_mm, profile) for p in gone)
    area = stats[:, cv2.CC_STAT_AREA]
    spots = sorted((k for k in range(1, count) if area[k] > OVERLOOKED * usual), key=lambda k: -area[k])
    return tuple(_carried(gone[0], middles[k] * 2 + 0.5, profile) for k in spots[: len(gone)])


def _carried(piece: Piece, px: Spots, profile: Profile) -> Piece:
    here = profile.to_board(px[None])[0]
    by = here - np.array(piece.mm)
    outline = tuple((x + float(by[0]), y + float(by[1])) for x, y in piece.outline_mm)
    at = (float(px[0]), float(px[1]))
    return replace(
        piece, px=at, mm=(float(here[0]), float(here[1])), outline_mm=outline, sigma_mm=CARRIED_SIGMA_MM
    )


def _piece_area(pieces: tuple[Piece, ...], profile: Profile) -> float:
    """Mean area of a piece in half pixels."""
    if not pieces:
        return 120.0
    areas = [half_area(p.outline_mm, profile) for p in pieces]
    return float(np.median(areas))


def half_area(outline_mm: Outline, profile: Profile) -> float:
    """Area of an outline in half pixels."""
    spots = to_half(profile.to_pixels(np.array(outline_mm))).astype(np.float32)
    return float(cv2.contourArea(spots))


def fallen(before: Image, after: Image, profile: Profile, area: float) -> tuple[Point, ...]:
    """Things of about a piece's area that appeared beside the board, first what is most like one in size."""
    if profile.board_outline_mm is None:
        return ()
    plate = lit_like(before, after)
    things = solid(after, plate, change(after, plate))
    things[_board_mask(profile, things.shape) > 0] = 0
    count, _, stats, middles = cv2.connectedComponentsWithStats(things, connectivity=8)
    sizes = stats[:, cv2.CC_STAT_AREA]
    sized = [k for k in range(1, count) if 0.3 * area < sizes[k] < 3.0 * area]
    sized.sort(key=lambda k: abs(math.log(sizes[k] / area)))
    return tuple((float(middles[k][0]) * 2 + 0.5, float(middles[k][1]) * 2 + 0.5) for k in sized)


def _board_mask(profile: Profile, shape: tuple[int, ...]) -> Mask:
    mask = np.zeros(shape[:2], np.uint8)
    outline = to_half(profile.to_pixels(np.array(profile.board_outline_mm)))
    cv2.fillPoly(mask, [np.round(outline).astype(np.int32)], 255)
    return cast(Mask, cv2.dilate(mask, np.ones((5, 5), np.uint8)))
