"""What moves: differences from a still plate, blobs that are not the hand, and the shift of a piece between two stills.

Everything that moves is looked at in half the camera's resolution: it is four times cheaper, and a blurred piece has
no sharper edge to lose. A half pixel (x, y) is centred on the raw pixel (2x + 0.5, 2y + 0.5).
"""

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

Contour = NDArray[np.int32]
"""As OpenCV gives it: shape (n, 1, 2)."""

CHANGED = 12
"""Grey levels that noise, flicker and compression stay below."""
SHADE = (0.40, 1.12)
"""How much of the light a shadow leaves."""
SHADE_TINT = 8.5
"""Grey levels by which a shadow may miss the plain scaling of the plate."""
SMALL = np.ones((3, 3), np.uint8)


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


def lit_like(plate: Image, image: Image) -> Image:
    """The plate under the light of this picture: lamps flicker and cameras adapt."""
    ratio = (image[8::16, 8::16].astype(np.float32) + 4) / (plate[8::16, 8::16].astype(np.float32) + 4)
    gain = float(np.median(ratio))
    return plate if abs(gain - 1) < 0.008 else cast(Image, cv2.convertScaleAbs(plate, alpha=gain))


def solid(image: Image, plate: Image, changed: Mask) -> Mask:
    """Of the changed pixels those that are a thing, not its shadow: a shadow only scales the plate."""
    at = np.flatnonzero(changed)
    now = np.take(image.reshape(-1, 3), at, axis=0).astype(np.float32)
    was = np.take(plate.reshape(-1, 3), at, axis=0).astype(np.float32)
    light = np.einsum("ij,ij->i", now, was) / np.maximum(np.einsum("ij,ij->i", was, was), 1)
    tint = np.abs(now - light[:, None] * was)
    shadow = (light > SHADE[0]) & (light < SHADE[1])
    for channel in range(3):
        shadow &= tint[:, channel] < SHADE_TINT
    things = np.zeros(changed.size, np.uint8)
    things[at[~shadow]] = 255
    return cast(Mask, cv2.morphologyEx(things.reshape(changed.shape), cv2.MORPH_CLOSE, SMALL))


@dataclass(frozen=True, slots=True, eq=False)
class Glimpse:
    """One frame taken apart: the hands, and the loose pixels that may be pieces."""

    hands: tuple[Contour, ...]
    loose: Spots
    blobs: NDArray[np.float64]
    """Loose parts: x, y and area in half pixels, one a row."""

    def reach(self, spot: Spots) -> float:
        """Half pixels from a spot to the edge of the nearest hand, negative under it."""
        x, y = float(spot[0]), float(spot[1])
        return min((-cv2.pointPolygonTest(hand, (x, y), True) for hand in self.hands), default=float("inf"))


def glimpse(image: Image, plate: Image, hand_area: float) -> Glimpse:
    """Take a frame apart; whatever is larger than `hand_area` half pixels is a hand."""
    plate = lit_like(plate, image)
    changed = change(image, plate)
    things = solid(image, plate, changed)
    hands = large_contours(things, hand_area)
    loose = _apart_from(changed, things, hands, hand_area)
    spots = cv2.findNonZero(loose)
    pixels = np.zeros((0, 2)) if spots is None else spots.reshape(-1, 2).astype(np.float64)
    return Glimpse(hands, pixels, _blobs(loose))


def _blobs(loose: Mask) -> NDArray[np.float64]:
    parts, _ = cv2.findContours(loose, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    rows = [_blob(cast(Contour, part)) for part in parts if len(part) > 9]
    return np.array([row for row in rows if row[2] > 8], np.float64).reshape(-1, 3)


def _blob(part: Contour) -> tuple[float, float, float]:
    line = part.reshape(-1, 2)
    return float(line[:, 0].mean()), float(line[:, 1].mean()), float(cv2.contourArea(part))


def large_contours(mask: Mask, area: float) -> tuple[Contour, ...]:
    """Outer contours of the parts of a mask that are larger than the area."""
    found, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return tuple(cast(Contour, contour) for contour in found if cv2.contourArea(contour) > area)


def _apart_from(changed: Mask, things: Mask, hands: tuple[Contour, ...], hand_area: float) -> Mask:
    """Loose change with its own shade where no hand throws a shadow, the solid part of it where one does."""
    if not hands:
        return changed
    loose = changed.copy()
    shaded = np.zeros_like(changed)
    cv2.drawContours(shaded, large_contours(changed, hand_area), -1, 255, cv2.FILLED)
    cv2.copyTo(things, shaded, loose)
    cv2.drawContours(loose, hands, -1, 0, cv2.FILLED)
    return loose


def plate_between(before: Image, after: Image, left: Mask, taken: Mask) -> Image:
    """The board without the pieces that moved: where they lay before it is seen in the picture after.

    `left` covers where they lay, `taken` where they lie now; where both do, the board is guessed from around.
    """
    plate = np.where(((left > 0) & (taken == 0))[..., None], after, before).astype(np.uint8)
    never_seen = cv2.bitwise_and(left, taken)
    if never_seen.any():
        plate = cast(Image, cv2.inpaint(plate, never_seen, 3, cv2.INPAINT_TELEA).astype(np.uint8))
    return plate


def drawn(outlines: list[Spots], shape: tuple[int, ...], room: int) -> Mask:
    """Mask of filled outlines with some room round them."""
    mask = np.zeros(shape[:2], np.uint8)
    for outline in outlines:
        cv2.fillPoly(mask, [np.round(outline).astype(np.int32)], 255)
    return cast(Mask, cv2.dilate(mask, np.ones((2 * room + 1, 2 * room + 1), np.uint8))) if room else mask


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
    mask = drawn([outline_px - low], old.shape, 1) > 0
    return _least_squares_shift(old, new, mask)


def _least_squares_shift(old: Field, new: Field, mask: NDArray[np.bool_]) -> Shift:
    """Move the new patch until it fits the old one best, whatever the light; stop when it no longer gets better."""
    shift, best, sigma = np.zeros(2), _misfit(old, new, mask), 1.0
    for _ in range(12):
        moved = _shifted(new, shift)
        step, error = _newton_step(old, moved, mask)
        trial = shift + np.clip(step, -1.0, 1.0)
        misfit = _misfit(old, _shifted(new, trial), mask)
        sigma = error
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


def _misfit(old: Field, new: Field, mask: NDArray[np.bool_]) -> float:
    """One minus the correlation inside the mask, all channels together."""
    a, b = old[mask] - old[mask].mean(0), new[mask] - new[mask].mean(0)
    return 1 - float((a * b).sum() / np.sqrt((a * a).sum() * (b * b).sum() + 1e-6))


def _newton_step(old: Field, new: Field, mask: NDArray[np.bool_]) -> tuple[Spots, float]:
    """The shift that best explains the difference, with the light of each channel free, and its standard error."""
    slope_x = (np.roll(new, -1, 1) - np.roll(new, 1, 1))[mask] / 2
    slope_y = (np.roll(new, -1, 0) - np.roll(new, 1, 0))[mask] / 2
    gain = old[mask].std(0) / np.maximum(new[mask].std(0), 1e-3)
    rest = (
        (old[mask] - old[mask].mean(0)) / np.maximum(gain, 1e-3) - (new[mask] - new[mask].mean(0))
    ).ravel()
    slopes = np.column_stack([(slope_x - slope_x.mean(0)).ravel(), (slope_y - slope_y.mean(0)).ravel()])
    normal = slopes.T @ slopes + np.eye(2) * 1e-3
    step = np.linalg.solve(normal, slopes.T @ rest)
    left = rest - slopes @ step
    error = float(np.sqrt(left.var() * np.linalg.inv(normal).diagonal().max()))
    return cast(Spots, step), error
