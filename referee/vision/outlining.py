"""Outlines moved to where pieces truly end, by a small network that was taught on rendered boards.

Shadows, highlights, grain and a piece's own dark side all look like rims. What the rays of a piece show on both sides
of its outline, and what those of its fellows show, tells a rim from all of them: they lie in one light.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.board import Field
from referee.vision.nets import MODELS, Tensor, said
from referee.vision.outline import MIDDLING, Traced, bulging
from referee.vision.ovals import RAYS, TOWARDS, Points, Radii, centroid, from_hull, within
from referee.vision.steps import Steps

NET = MODELS / "outlines.onnx"
EVERY = 2
"""Of the rays of an outline every second one is read."""
STEPS, INNER, STEP_MM = 40, 20, 0.31
"""Along each ray, how many of them lie within the outline, and how long they are."""
UNROUND = 4.0
"""Weight of an outline's own shape among what the network is told."""
WRAP = 9
"""Rays that are repeated at both ends, for a network knows no circles."""
ROUNDS, RESTS = 3, 0.3
"""How often an outline is looked at from where it came to lie, unless it moved by less than so many steps."""
FARTHEST = 18.0
"""Steps that an outline may be moved at once."""
WAVES = 6
"""Harmonics of an outline."""
AT_ONCE = 3
"""Pieces that are asked about in one step: as much as fits beside the other work on a frame."""
ENOUGH = 12
"""Pieces that tell what is usual."""
WIDER, LEAST_PX = 1.5, 0.1
"""How much larger errors are than the network thinks, on boards it never saw; and what is left of the clearest."""

Shape = tuple[Points, Radii]
"""A middle, and how far from it each ray leaves the piece."""

_INWARDS = (np.arange(STEPS) - INNER + 0.5).astype(np.float32)
_TOWARDS = TOWARDS[::EVERY].astype(np.float32)
_LOG_SIGMA = (-3.0, 3.0)


class Fellows:
    """What the rays of the pieces seen on one board so far show."""

    def __init__(self) -> None:
        self._seen: list[Tensor] = []

    def usual(self, seen: Tensor) -> Tensor:
        """The mean of these, and where they are few of those before them."""
        self._seen = [*self._seen, *seen][-max(ENOUGH, len(seen)) :]
        return np.asarray(np.mean(self._seen, axis=0), np.float32)


def outlined(
    outlines: Sequence[Traced], ratio: Field, log: Field, scale: float, fellows: Fellows
) -> Steps[list[Traced]]:
    """These outlines where their pieces end, each with the error that is left.

    `ratio` is the logarithm of picture over empty board, `log` that of the picture itself, `scale` the pixels of a
    millimetre.
    """
    if not outlines:
        return []
    step_px = STEP_MM * scale
    shapes, errors = [from_hull(one.points) for one in outlines], np.zeros(len(outlines))
    restless = list(range(len(shapes)))
    for _ in range(ROUNDS):
        yield
        off = yield from _all_asked(_rays(shapes, restless, ratio, log, step_px, fellows))
        errors[restless] = np.sqrt(np.exp(2 * np.clip(off[:, 1], *_LOG_SIGMA)).mean(axis=1)) * step_px
        moved = np.clip(off[:, 0], -FARTHEST, FARTHEST)
        for k, by in zip(restless, moved, strict=True):
            shapes[k] = _moved(*shapes[k], by * step_px)
        restless = [k for k, by in zip(restless, moved, strict=True) if np.abs(by).mean() > RESTS]
        if not restless:
            break
    return [_drawn(*one) for one in zip(outlines, shapes, errors.tolist(), strict=True)]


def _all_asked(rays: Tensor) -> Steps[Tensor]:
    """What the network says of every second ray, a few pieces at a time: how far outwards the rim lies, in steps, and
    the logarithm of the error."""
    answers: list[Tensor] = []
    for first, stop in pairwise([*range(0, len(rays), AT_ONCE), len(rays)]):
        yield
        answers.append(said(NET, rays[first:stop]))
    return np.concatenate(answers)


def _moved(middle: Points, radii: Radii, by: NDArray[np.float32]) -> Shape:
    """An outline moved outwards along every second ray, seen from its new middle."""
    return from_hull(bulging(middle + np.maximum(radii + _between(by), 1.0)[:, None] * TOWARDS))


def _between(by: NDArray[np.float32]) -> Radii:
    """What is known of every second ray for all of them, as a few harmonics."""
    waves = np.fft.rfft(by)
    waves[WAVES + 1 :] = 0
    return np.asarray(np.fft.irfft(waves, RAYS) * EVERY, float)


def _drawn(one: Traced, shape: Shape, error_px: float) -> Traced:
    middle, radii = shape
    points = middle + radii[:, None] * TOWARDS
    sigma_px = float(np.hypot(WIDER * error_px, LEAST_PX))
    return replace(one, centre=centroid(points), points=points, sigma_px=sigma_px)


# --- What the network is told -------------------------------------------------------------------------


def _rays(
    shapes: Sequence[Shape], asked: Sequence[int], ratio: Field, log: Field, step_px: float, fellows: Fellows
) -> Tensor:
    """What the network is told of each piece that is asked about: piece, channel, ray, step."""
    middles = np.array([shapes[k][0] for k in asked], np.float32)
    radii = np.array([shapes[k][1][::EVERY] for k in asked], np.float32)
    far = np.maximum(radii[..., None] + _INWARDS * np.float32(step_px), 0)
    spots = np.asarray(middles[:, None, None] + far[..., None] * _TOWARDS[:, None], np.float32)
    told = np.empty((len(asked), 11, *far.shape[1:]), np.float32)
    told[:, 0:3] = seen = _read(ratio, spots)
    told[:, 3:6] = _read(log, spots) - MIDDLING
    told[:, 6:9] = fellows.usual(seen)
    told[:, 9] = _in_others(spots, asked, shapes)
    told[:, 10] = (UNROUND * (radii / radii.mean(axis=1, keepdims=True) - 1))[..., None]
    return np.concatenate([told[:, :, -WRAP:], told, told[:, :, :WRAP]], axis=2)


def _read(picture: Field, spots: Tensor) -> Tensor:
    """A picture at some spots (piece, ray, step), its channels after the piece."""
    flat = spots.reshape(-1, spots.shape[2], 2)
    read = cv2.remap(picture, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(read, np.float32).reshape(*spots.shape[:3], 3).transpose(0, 3, 1, 2)


def _in_others(spots: Tensor, asked: Sequence[int], shapes: Sequence[Shape]) -> Tensor:
    """1 where the rays of the pieces asked about run into others."""
    inside = np.zeros(spots.shape[:3], np.float32)
    reach = [float(radii.max()) for _, radii in shapes]
    room = STEPS - INNER
    for mine, along, k in zip(inside, spots, asked, strict=True):
        for j, (other, radii) in enumerate(shapes):
            if j != k and np.hypot(*(other - shapes[k][0])) < reach[j] + reach[k] + room:
                mine[within(along - other.astype(np.float32), radii)] = 1
    return inside
