"""The upper faces of dice, pulled straight and read from close by: a third look at what a net found."""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.frames import Image
from referee.types import Point
from referee.vision.nets import MODELS, odds_of, said
from referee.vision.upper import Upper

Array = NDArray[np.float64]

MODEL = MODELS / "dice_close.onnx"
SIDE_PX, EDGE_PX, AT_PX = 64, 34.0, (31.5, 25.5)
"""The picture that is read, the edge of a die in it, and where the middle of its upper face is, the sides below."""
FLATTEST = 0.42
"""The cosine of the steepest view that is pulled straight."""
SHRUNK, ROOM = 0.6, 1.6
"""Faces that must be shrunk further than this are averaged first, with so much of what is round them."""
SELDOM = 0.004
"""Neither look is surer than this of a value that it does not see."""
HEARD, FIRST = 0.75, 0.25
"""How much this look and those before it count for the value,"""
BELIEVED = 0.5
"""and this one for whether there is a die at all."""


def closely(image: Image, faces: Sequence[Upper]) -> list[Upper]:
    """The same dice, with what this look says of them besides."""
    if not faces:
        return []
    pictures = [straight(image, face) for face in faces]
    scores = said(MODEL, np.asarray(cv2.dnn.blobFromImages(pictures, 1 / 255)))
    odds = odds_of(scores.astype(np.float64))
    return [_both(face, its) for face, its in zip(faces, odds, strict=True)]


def straight(image: Image, face: Upper) -> Image:
    """Its upper face as it would be seen from above, the foot of the die downwards."""
    edge, at = face.edge_px, np.array(face.face)
    if edge * SHRUNK > EDGE_PX:
        side, small = round(ROOM * SIDE_PX * edge / EDGE_PX), round(ROOM * SIDE_PX)
        image = averaged(image, face.face, side, small)
        edge, at = edge * small / side, np.full(2, (small - 1) / 2)
    upright = np.array(face.upright) / face.edge_px
    slant = float(np.hypot(*upright))
    down = upright / slant if slant > 1e-6 else np.array([0.0, 1.0])
    flat = max(FLATTEST, float(np.sqrt(max(0.0, 1 - slant**2))))
    turn = np.array([[down[1], -down[0]], down / flat]) * EDGE_PX / edge
    move = np.c_[turn, np.array(AT_PX) - turn @ at]
    size = (SIDE_PX, SIDE_PX)
    return cast(
        Image, cv2.warpAffine(image, move, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    )


def averaged(image: Image, px: Point, side: int, small: int) -> Image:
    """A square round a pixel made smaller: shrinking far without averaging would lose pips to chance."""
    near = cv2.getRectSubPix(image, (side, side), px)
    return cast(Image, cv2.resize(near, (small, small), interpolation=cv2.INTER_AREA))


def _both(face: Upper, odds: Array) -> Upper:
    """What the looks before and this one say together; the last of its odds are for no upper face."""
    values, none = odds[:-1] / max(1e-9, 1 - odds[-1]), odds[-1]
    together = np.maximum(face.odds, SELDOM) ** FIRST * np.maximum(values, SELDOM) ** HEARD
    found = face.found ** (1 - BELIEVED) * (1 - none) ** BELIEVED
    return replace(face, found=float(found), odds=tuple((together / together.sum()).tolist()))
