"""Frames taken apart: the hands in them, and the loose pixels that may be pieces.

A frame is sketched against the still before it as soon as it arrives. Which pieces moved is known only at rest; then
the sketch is drawn anew where they lay, and nowhere else.
"""

from dataclasses import dataclass, field
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.frames import Image
from referee.vision.motion import (
    Contour,
    Mask,
    Places,
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
class Renewed:
    """The part of a plate that is other than the still, as far as it lies in the part of the picture that is kept."""

    rows: Places
    columns: Places
    """In that part."""
    box: Box
    """Round them in the whole picture."""
    colours: Image


@dataclass(frozen=True, eq=False)
class Plate:
    """The board without the pieces that moved."""

    image: Image
    renewed: Mask
    """255 where it is other than the still that frames were sketched against."""
    _within: dict[Box, Renewed | None] = field(default_factory=dict, repr=False)

    def within(self, box: Box) -> Renewed | None:
        """What is renewed within a part of the picture, which is the same for all frames of a scene."""
        if box not in self._within:
            self._within[box] = self._renewed(box)
        return self._within[box]

    def _renewed(self, box: Box) -> Renewed | None:
        left, top, right, bottom = box
        rows, columns = np.nonzero(self.renewed[top:bottom, left:right])
        if not len(rows):
            return None
        around = int(columns.min()), int(rows.min()), int(columns.max()) + 1, int(rows.max()) + 1
        colours = self.image[rows + top, columns + left][None]
        return Renewed(rows, columns, _moved(around, left, top), colours)


@dataclass(frozen=True, slots=True, eq=False)
class Glimpse:
    """One frame taken apart: the hands, and the loose pixels that may be pieces."""

    hands: tuple[Contour, ...]
    loose: Spots
    skin: tuple[Contour, ...] = ()
    """Parts of the hands that are hardly told from the board, once they were looked for."""

    @property
    def hands_area(self) -> float:
        """Of all that is known of the hands, in half pixels."""
        return sum(cv2.contourArea(hand) for hand in self.hands)

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
        hands = (*self.hands, *self.skin)
        return min((-cv2.pointPolygonTest(hand, (x, y), True) for hand in hands), default=float("inf"))


def glimpse(image: Image, plate: Image, hand_area: float) -> Glimpse:
    """Take a frame apart; whatever is larger than `hand_area` half pixels is a hand."""
    return taken_apart(sketch(image, plate), hand_area)


def sketch(image: Image, plate: Image, corner: tuple[int, int] = (0, 0)) -> Sketch:
    """Where a picture differs from the plate; both may be the part of a larger one that begins at the corner."""
    gain = gain_over(plate, image)
    plate = lit_by(plate, gain)
    changed = change(image, plate)
    x, y, width, height = cv2.boundingRect(changed)
    box = (x, y, x + width, y + height)
    marks = _marks(*(_part(picture, box) for picture in (image, plate, changed)))
    return Sketch(_moved(box, *corner), marks, gain)


def redrawn(drawn: Sketch, image: Image, plate: Plate, corner: tuple[int, int] = (0, 0)) -> Sketch:
    """The sketch of the same picture against the plate, which is always whole."""
    (x, y), (height, width) = corner, image.shape[:2]
    new = plate.within((x, y, x + width, y + height))
    if new is None:
        return drawn
    left, top, right, bottom = _both(drawn.box, new.box) if drawn.marks.size else new.box
    marks = np.zeros((bottom - top, right - left), np.uint8)
    if drawn.marks.size:
        x0, y0, x1, y1 = drawn.box
        marks[y0 - top : y1 - top, x0 - left : x1 - left] = drawn.marks
    now, was = image[new.rows, new.columns][None], lit_by(new.colours, drawn.gain)
    marks[new.rows + (y - top), new.columns + (x - left)] = _marks(now, was, change(now, was))[0]
    return Sketch((left, top, right, bottom), marks, drawn.gain)


def _both(one: Box, other: Box) -> Box:
    """The box round two."""
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])


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


def _moved(box: Box, x: int, y: int) -> Box:
    return box[0] + x, box[1] + y, box[2] + x, box[3] + y


def _part(picture: Image, box: Box) -> Image:
    left, top, right, bottom = box
    return picture[top:bottom, left:right]


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
