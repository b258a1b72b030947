"""Hands of nearly the board's colour.

Skin may be as light as pale wood and differ from it by less than noise does in a single pixel; then only the shaded
rims of a hand are told as things. Over many pixels its tint is plain.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

import cv2
import numpy as np

from hardware.frames import Image
from referee.vision.glimpses import Glimpse
from referee.vision.motion import SMALL, Contour, Field, Mask, Spots

ROOM = 28
"""Half pixels round some places, and round the known parts of a hand, in which the rest of it is looked for."""
LIGHT, TINT = (0.85, 1.15), (3.0, 14.0)
"""Of the board's light, and grey levels from its tint: skin that is hardly told from it. Shadows are darker, and what
differs more is a thing anyway."""
PALE = 0.15
"""Share of what is known of a hand that is found besides, when skin is like the board."""
LEAST = 0.5
"""Share of the area of the smallest hand that a part of one has."""


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A part of a picture, and the empty board beneath it."""

    image: Image
    plate: Image
    corner: Spots
    """In half pixels of the whole picture."""
    gains: Field
    """How much brighter each channel is than that of the board: cameras adapt their colours, too."""


def view(image: Image, plate: Image, corner: tuple[int, int], spots: Spots) -> View | None:
    """What lies round some spots; None where none of it is in the picture, which begins at the corner."""
    (x, y), (height, width) = corner, image.shape[:2]
    bare = plate[y : y + height, x : x + width]
    low = np.maximum(np.floor(spots.min(axis=0)).astype(int) - corner - ROOM, 0)
    high = np.minimum(np.ceil(spots.max(axis=0)).astype(int) - corner + ROOM, [width, height])
    high -= (high - low) % 2
    if (high - low < 2).any():
        return None
    part = (slice(low[1], high[1]), slice(low[0], high[0]))
    return View(image[part], bare[part], low + corner, _gains(image, bare))


def is_pale(sight: Glimpse, image: Image, plate: Image, corner: tuple[int, int]) -> bool:
    """Whether much of the hands in a picture is hardly told from the board."""
    known = sight.hands_area
    if not known:
        return False
    whole = view(image, plate, corner, np.concatenate(sight.hands).reshape(-1, 2).astype(np.float64))
    found = () if whole is None else _skin(sight, whole, 0.0)
    return sum(cv2.contourArea(part) for part in found) > PALE * known


def with_skin(sight: Glimpse, part: View, hand_area: float) -> Glimpse:
    """The glimpse with what lies in a part of the picture of hands hardly told from the board; that is not loose."""
    skin = _skin(sight, part, LEAST * hand_area)
    return replace(sight, skin=skin, loose=_outside(sight.loose, skin)) if skin else sight


def _skin(sight: Glimpse, part: View, least: float) -> tuple[Contour, ...]:
    """Contours of parts of hands, larger than the least, that hang together with what is known of them."""
    corner = part.corner.astype(np.int32)
    hands = [hand - corner for hand in sight.hands]
    joined = _joined(_faint(part), hands, least)
    found, _ = cv2.findContours(joined, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    return tuple(cast(Contour, contour + corner) for contour in found)


def _gains(image: Image, plate: Image) -> Field:
    now, was = (picture[8::16, 8::16].reshape(-1, 3).astype(np.float32) + 4 for picture in (image, plate))
    return np.asarray(np.median(now / was, axis=0), np.float32)


def _faint(part: View) -> Mask:
    """255 where a picture, at half its resolution, has nearly the light and the tint of the board, but not quite."""
    size = (part.image.shape[1] // 2, part.image.shape[0] // 2)
    now, was = (
        cv2.blur(cv2.resize(picture, size, interpolation=cv2.INTER_AREA).astype(np.float32), (3, 3))
        for picture in (part.image, part.plate)
    )
    was = was * part.gains
    light = cv2.divide(_sum(cv2.multiply(now, was)), _sum(cv2.multiply(was, was)) + 1)
    blue, green, red = cv2.split(cv2.absdiff(now, cv2.multiply(was, cv2.merge([light, light, light]))))
    tint = cv2.max(cv2.max(blue, green), red)
    faint = cv2.bitwise_and(cv2.inRange(light, *LIGHT), cv2.inRange(tint, *TINT))
    return cast(Mask, cv2.morphologyEx(faint, cv2.MORPH_OPEN, SMALL))


def _sum(picture: cv2.typing.MatLike) -> cv2.typing.MatLike:
    """The three channels together."""
    return cv2.transform(picture, np.ones((1, 3), np.float32))


def _joined(faint: Mask, hands: Sequence[Contour], least: float) -> Mask:
    """At full size the parts of a mask that touch a hand."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(faint)
    known = np.zeros((2 * faint.shape[0], 2 * faint.shape[1]), np.uint8)
    cv2.drawContours(known, list(hands), -1, 255, 2)
    touching = np.bincount(labels[known[::2, ::2] > 0], minlength=count) > 0
    keep = touching & (4 * stats[:, cv2.CC_STAT_AREA] > least)
    keep[0] = False
    mask = np.where(keep, 255, 0).astype(np.uint8)[labels]
    return cast(Mask, cv2.resize(mask, known.shape[::-1], interpolation=cv2.INTER_NEAREST))


def _outside(loose: Spots, skin: Sequence[Contour]) -> Spots:
    """The loose pixels that lie in none of the contours."""
    if not len(loose):
        return loose
    corner = loose.min(axis=0).astype(np.int32)
    columns, rows = (loose.astype(np.int64) - corner).T
    mask = np.zeros((rows.max() + 1, columns.max() + 1), np.uint8)
    cv2.drawContours(mask, [part - corner for part in skin], -1, 1, cv2.FILLED)
    return cast(Spots, loose[mask[rows, columns] == 0])
