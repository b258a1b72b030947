"""What moves: differences from a still plate, and the shift of a piece between two stills.

Everything that moves is looked at in half the camera's resolution: it is four times cheaper, and a blurred piece has
no sharper edge to lose. A half pixel (x, y) is centred on the raw pixel (2x + 0.5, 2y + 0.5).
"""

import math
from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.frames import Image

Mask = NDArray[np.uint8]
Field = NDArray[np.float32]
Spots = NDArray[np.float64]
"""Shape (n, 2): x, y in half pixels."""

Places = NDArray[np.int64]
"""Of pixels, counted through a patch row by row."""
Contour = NDArray[np.int32]
"""As OpenCV gives it: shape (n, 1, 2)."""

CHANGED = 12
"""Grey levels that noise, flicker and compression stay below."""
DIFFERS = 6
"""The same for the means of many frames."""
JITTER = 0.12
"""Half pixels by which compression may move an edge."""
SHADE = (0.40, 1.12)
"""How much of the light a shadow leaves."""
SHADE_TINT = 8.5
"""Grey levels by which a shadow may miss the plain scaling of the plate."""
SMALL = np.ones((3, 3), np.uint8)
GUESSED_FROM, AROUND = 3, 8
"""Pixels round a place that nobody saw from which it is guessed, and room for that round several."""


def half(image: Image) -> Image:
    """The picture at half resolution, each pixel the mean of four."""
    size = (image.shape[1] // 2, image.shape[0] // 2)
    return cast(Image, cv2.resize(image, size, interpolation=cv2.INTER_AREA))


def to_raw(spots: Spots) -> Spots:
    """Half pixels to raw camera pixels."""
    return spots * 2 + 0.5


def to_half(px: Spots) -> Spots:
    """Raw camera pixels to half pixels."""
    return (px - 0.5) / 2


def change(image: Image, plate: Image) -> Mask:
    """255 where any channel differs from the plate by more than noise."""
    beyond = cv2.threshold(cv2.absdiff(image, plate), CHANGED, 255, cv2.THRESH_BINARY)[1]
    # The grey value of a pixel with any channel at 255 is at least 29.
    return cast(Mask, cv2.threshold(cv2.cvtColor(beyond, cv2.COLOR_BGR2GRAY), 20, 255, cv2.THRESH_BINARY)[1])


def widest(difference: Image) -> Mask:
    """Per pixel the largest of the three channels."""
    blue, green, red = cv2.split(difference)
    return cast(Mask, cv2.max(cv2.max(blue, green), red))


def finely_changed(before: Image, after: Image) -> Mask:
    """255 where two stills at half resolution differ by more than what compression does to their edges."""
    grey = widest(cast(Image, cv2.absdiff(after, lit_like(before, after))))
    # Compression moves edges by a fraction of a pixel, and the steeper they are the more they differ.
    steep = widest(cast(Image, cv2.morphologyEx(before, cv2.MORPH_GRADIENT, SMALL)))
    grey = cast(Mask, cv2.subtract(grey, cv2.convertScaleAbs(steep, alpha=JITTER)))
    beyond = cv2.threshold(grey, DIFFERS, 255, cv2.THRESH_BINARY)[1]
    return cast(Mask, cv2.morphologyEx(beyond, cv2.MORPH_OPEN, SMALL))


def lit_like(plate: Image, image: Image) -> Image:
    """The plate under the light of this picture: lamps flicker and cameras adapt."""
    return lit_by(plate, gain_over(plate, image))


def gain_over(plate: Image, image: Image) -> float:
    """How much brighter a picture is than the plate."""
    ratio = (image[8::16, 8::16].astype(np.float32) + 4) / (plate[8::16, 8::16].astype(np.float32) + 4)
    return float(np.partition(ratio, ratio.size // 2, axis=None)[ratio.size // 2])


def lit_by(plate: Image, gain: float) -> Image:
    """The plate in so much more light."""
    return plate if abs(gain - 1) < 0.008 else cast(Image, cv2.convertScaleAbs(plate, alpha=gain))


def solid(image: Image, plate: Image, changed: Mask) -> Mask:
    """Of the changed pixels those that are a thing, not its shadow, with their gaps closed."""
    return closed(no_shadow(image, plate, changed))


def closed(things: Mask) -> Mask:
    """Gaps of a pixel or two closed."""
    return cast(Mask, cv2.morphologyEx(things, cv2.MORPH_CLOSE, SMALL))


def no_shadow(image: Image, plate: Image, changed: Mask) -> Mask:
    """Of the changed pixels those that are not shadow, which only scales the plate."""
    things = np.zeros(changed.shape, np.uint8)
    there = (changed > 0).ravel()
    if not there.any():
        return things
    now, was = (_planes(picture, there) for picture in (image, plate))
    light, own = (np.einsum("cn,cn->n", one, was) for one in (now, was))
    light /= np.maximum(own, 1, out=own)
    thing = (light <= SHADE[0]) | (light >= SHADE[1])
    was *= light
    now -= was
    thing |= np.abs(now, out=now).max(axis=0) >= SHADE_TINT
    things.ravel()[there] = thing
    things *= 255
    return things


def _planes(picture: Image, there: NDArray[np.bool_]) -> Field:
    """The three colours of some pixels of a picture, one a row."""
    # Four bytes are one number, and numbers are picked much faster than threes of bytes.
    whole = cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA).view(np.uint32).ravel()
    return whole[there].view(np.uint8).reshape(-1, 4).T[:3].astype(np.float32, order="C")


def large_contours(mask: Mask, area: float) -> tuple[Contour, ...]:
    """Outer contours of the parts of a mask that are larger than the area."""
    found, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    # Of all lines of so many points, none more than a diagonal apart, the circle holds most: specks are not measured.
    shortest = math.sqrt(2 * math.pi * area)
    return tuple(
        cast(Contour, contour)
        for contour in found
        if len(contour) >= shortest and cv2.contourArea(contour) > area
    )


def plate_between(before: Image, after: Image, left: Mask, taken: Mask) -> Image:
    """The board without the pieces that moved: where they lay before it is seen in the picture after.

    `left` covers where they lay, `taken` where they lie now; where both do, the board is guessed from around.
    """
    plate = before.copy()
    cv2.copyTo(after, cv2.bitwise_and(left, cv2.bitwise_not(taken)), plate)
    never_seen = cv2.bitwise_and(left, taken)
    if never_seen.any():
        x, y, width, height = cv2.boundingRect(never_seen)
        part = (slice(max(y - AROUND, 0), y + height + AROUND), slice(max(x - AROUND, 0), x + width + AROUND))
        plate[part] = cv2.inpaint(plate[part], never_seen[part], GUESSED_FROM, cv2.INPAINT_TELEA)
    return plate


def drawn(outlines: list[Spots], shape: tuple[int, ...], room: int) -> Mask:
    """Mask of filled outlines with some room round them."""
    mask = np.zeros(shape[:2], np.uint8)
    for outline in outlines:
        cv2.fillPoly(mask, [np.round(outline).astype(np.int32)], 255)
    return cast(Mask, cv2.dilate(mask, np.ones((2 * room + 1, 2 * room + 1), np.uint8))) if room else mask


def cut_out(outline: Spots, shape: tuple[int, ...]) -> tuple[tuple[slice, slice], Mask]:
    """Rows and columns of a picture that hold an outline, and its mask within them."""
    height, width = shape[:2]
    low = np.clip(np.floor(outline.min(0)).astype(int), 0, [width, height])
    high = np.clip(np.ceil(outline.max(0)).astype(int) + 1, 0, [width, height])
    window = (slice(low[1], high[1]), slice(low[0], high[0]))
    return window, drawn([outline - low], (high[1] - low[1], high[0] - low[0]), 0)


def mean_within(picture: Mask, outline: Spots) -> float:
    """Mean of a grey picture inside an outline; 0 for one that lies outside of it."""
    return float(colour_within(picture, outline)[0])


def colour_within(picture: Image, outline: Spots) -> Spots:
    """Mean of each channel of a picture inside an outline; 0 for one that lies outside of it."""
    points = np.round(outline).astype(np.int32)
    x, y = np.maximum(points.min(axis=0), 0)
    right, bottom = points.max(axis=0) + 1
    part = picture[y : max(bottom, y), x : max(right, x)]
    mask = np.zeros(part.shape[:2], np.uint8)
    if not part.size:
        return np.zeros(3)
    cv2.fillPoly(mask, [points - (x, y)], 255)
    return np.array(cv2.mean(part, mask)[:3])


@dataclass(frozen=True, slots=True)
class Shift:
    """How far the picture of a piece moved between two stills, in raw pixels."""

    dx: float
    dy: float
    sigma_px: float
    likeness: float
    """Correlation after the shift; low when the piece is covered or shows another face."""


def shift_between(before: Image, after: Image, outline_px: Spots) -> Shift | None:
    """Sub-pixel shift of the piece with this outline; None when it lies too near to the picture's edge."""
    room = 6
    low = np.floor(outline_px.min(0)).astype(int) - room
    high = np.ceil(outline_px.max(0)).astype(int) + room + 1
    if (low < 0).any() or high[0] > before.shape[1] or high[1] > before.shape[0]:
        return None
    window = (slice(low[1], high[1]), slice(low[0], high[0]))
    old, new = before[window].astype(np.float32), after[window].astype(np.float32)
    return _least_squares_shift(old, new, np.flatnonzero(drawn([outline_px - low], old.shape, 1)))


def _least_squares_shift(old: Field, new: Field, at: Places) -> Shift:
    """Move the new patch until it fits the old one best, whatever the light; stop when it no longer gets better."""
    was, moved = _inside(old, at), new
    now = _inside(moved, at)
    shift, best, sigma = np.zeros(2), _misfit(was, now), 1.0
    for _ in range(12):
        step, sigma = _newton_step(was, now, moved, at)
        trial = shift + np.clip(step, -1.0, 1.0)
        moved = _shifted(new, trial)
        now = _inside(moved, at)
        misfit = _misfit(was, now)
        if misfit >= best:
            break
        shift, best = trial, misfit
        if np.abs(step).max() < 0.005:
            break
    return Shift(float(shift[0]), float(shift[1]), sigma, 1 - best)


def _shifted(patch: Field, shift: Spots) -> Field:
    """The patch moved back by the shift."""
    warp = np.array([[1, 0, shift[0]], [0, 1, shift[1]]], np.float32)
    flags = cv2.INTER_CUBIC | cv2.WARP_INVERSE_MAP
    size = (patch.shape[1], patch.shape[0])
    return cast(Field, cv2.warpAffine(patch, warp, size, flags=flags, borderMode=cv2.BORDER_REPLICATE))


def _inside(patch: Field, at: Places) -> Field:
    """The colours of a patch at some places, less their mean."""
    colours = patch.reshape(-1, 3)[at]
    return cast(Field, colours - colours.mean(0))


def _spread(colours: Field) -> Field:
    """The standard deviation of each channel of colours without their mean."""
    return np.asarray(np.sqrt(np.einsum("nc,nc->c", colours, colours) / len(colours)), np.float32)


def _misfit(a: Field, b: Field) -> float:
    """One minus the correlation of colours, all channels together."""
    return 1 - float(np.vdot(a, b) / np.sqrt(np.vdot(a, a) * np.vdot(b, b) + 1e-6))


def _newton_step(was: Field, now: Field, moved: Field, at: Places) -> tuple[Spots, float]:
    """The shift that best explains the difference, with the light of each channel free, and its standard error."""
    flat, width = moved.reshape(-1, 3), moved.shape[1]
    slopes = [(flat[at + step] - flat[at - step]) / 2 for step in (1, width)]
    gain = np.maximum(_spread(was) / np.maximum(_spread(now), 1e-3), 1e-3)
    rest = (was / gain - now).ravel()
    across = np.column_stack([(slope - slope.mean(0)).ravel() for slope in slopes])
    normal = across.T @ across + np.eye(2) * 1e-3
    step = np.linalg.solve(normal, across.T @ rest)
    left = rest - across @ step
    error = float(np.sqrt(left.var() * np.linalg.inv(normal).diagonal().max()))
    return cast(Spots, step), error
