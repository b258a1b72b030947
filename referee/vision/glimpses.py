"""Frames taken apart: the hands in them, and the loose pixels that may be pieces.

A frame is sketched against the still before it as soon as it arrives. Which pieces moved is known only at rest; then
the sketch is drawn anew where they lay, and nowhere else.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.frames import Image
from referee.vision.motion import (
    Contour,
    Mask,
    Spots,
    change,
    closed,
    gain_over,
    large_contours,
    lit_by,
    no_shadow,
)

Box = tuple[int, int, int, int]
"""Left, top, right and bottom, in half pixels; the last two lie outside."""
CHANGED, THING = 1, 255
"""Marks of a sketch: differs by its light alone, or is a thing."""


@dataclass(frozen=True, slots=True, eq=False)
class Sketch:
    """Where a frame differs from a plate."""

    box: Box
    marks: Mask
    """Of the pixels in the box."""
    gain: float
    """Light of the frame against that of the plate."""


@dataclass(frozen=True, slots=True, eq=False)
class Plate:
    """The board without the pieces that moved."""

    image: Image
    renewed: tuple[Box, ...]
    """Where it is other than the still that frames were sketched against."""


@dataclass(frozen=True, slots=True, eq=False)
class Glimpse:
    """One frame taken apart: the hands, and the loose pixels that may be pieces."""

    hands: tuple[Contour, ...]
    loose: Spots

    def blobs(self) -> NDArray[np.float64]:
        """Loose parts: x, y and area in half pixels, one a row."""
        if not len(self.loose):
            return np.zeros((0, 3))
        corner = self.loose.min(axis=0).astype(np.int64)
        columns, rows = (self.loose.astype(np.int64) - corner).T
        mask = np.zeros((rows.max() + 1, columns.max() + 1), np.uint8)
        mask[rows, columns] = 255
        return np.asarray(_blobs(mask) + np.array([*corner, 0]), np.float64)

    def reach(self, spot: Spots) -> float:
        """Half pixels from a spot to the edge of the nearest hand, negative under it."""
        x, y = float(spot[0]), float(spot[1])
        return min((-cv2.pointPolygonTest(hand, (x, y), True) for hand in self.hands), default=float("inf"))


def glimpse(image: Image, plate: Image, hand_area: float) -> Glimpse:
    """Take a frame apart; whatever is larger than `hand_area` half pixels is a hand."""
    return taken_apart(sketch(image, plate), hand_area)


def sketch(image: Image, plate: Image) -> Sketch:
    """Where a picture differs from the plate."""
    gain = gain_over(plate, image)
    plate = lit_by(plate, gain)
    changed = change(image, plate)
    x, y, width, height = cv2.boundingRect(changed)
    box = (x, y, x + width, y + height)
    return Sketch(box, _marks(_part(image, box), _part(plate, box), _part(changed, box)), gain)


def redrawn(drawn: Sketch, image: Image, plate: Plate) -> Sketch:
    """The sketch of the same picture against the plate."""
    boxes = [drawn.box, *plate.renewed] if drawn.marks.size else list(plate.renewed)
    if not plate.renewed:
        return drawn
    left, top = (min(box[k] for box in boxes) for k in (0, 1))
    right, bottom = (max(box[k] for box in boxes) for k in (2, 3))
    marks = np.zeros((bottom - top, right - left), np.uint8)

    def within(box: Box) -> tuple[slice, slice]:
        return slice(box[1] - top, box[3] - top), slice(box[0] - left, box[2] - left)

    if drawn.marks.size:
        marks[within(drawn.box)] = drawn.marks
    for box in plate.renewed:
        part, board = _part(image, box), lit_by(_part(plate.image, box), drawn.gain)
        marks[within(box)] = _marks(part, board, change(part, board))
    return Sketch((left, top, right, bottom), marks, drawn.gain)


def box_round(outline: Spots, room: int, shape: Sequence[int]) -> Box:
    """The box round an outline with some room, within a picture of this shape."""
    limit = np.array([shape[1], shape[0]])
    low = np.clip(np.floor(outline.min(axis=0)).astype(int) - room, 0, limit)
    high = np.clip(np.ceil(outline.max(axis=0)).astype(int) + room + 1, low, limit)
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


def taken_apart(seen: Sketch, hand_area: float) -> Glimpse:
    """The hands of a sketch, and the loose rest."""
    if not seen.marks.size:
        return Glimpse((), np.zeros((0, 2)))
    changed, things = _above(seen.marks, 0), closed(_above(seen.marks, CHANGED))
    hands = large_contours(things, hand_area)
    spots = cv2.findNonZero(_apart_from(changed, things, hands, hand_area))
    pixels = np.zeros((0, 2)) if spots is None else spots.reshape(-1, 2).astype(np.float64)
    corner = np.array(seen.box[:2], np.int32)
    return Glimpse(tuple(cast(Contour, hand + corner) for hand in hands), pixels + corner)


def _part(picture: Image, box: Box) -> Image:
    left, top, right, bottom = box
    return np.ascontiguousarray(picture[top:bottom, left:right])


def _marks(image: Image, plate: Image, changed: Mask) -> Mask:
    marks = np.bitwise_and(changed, CHANGED)
    marks |= no_shadow(image, plate, changed)
    return marks


def _above(marks: Mask, least: int) -> Mask:
    return cast(Mask, cv2.threshold(marks, least, 255, cv2.THRESH_BINARY)[1])


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


def _blobs(loose: Mask) -> NDArray[np.float64]:
    parts, _ = cv2.findContours(loose, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    rows = [_blob(cast(Contour, part)) for part in parts if len(part) > 9]
    return np.array([row for row in rows if row[2] > 8], np.float64).reshape(-1, 3)


def _blob(part: Contour) -> tuple[float, float, float]:
    line = part.reshape(-1, 2)
    return float(line[:, 0].mean()), float(line[:, 1].mean()), float(cv2.contourArea(part))
