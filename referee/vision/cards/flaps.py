"""Whether the open rim of a card that is mostly covered shows everywhere: within it is not as beyond it."""

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.cards.learned import LOGARITHMS
from referee.vision.cards.refining import edges_along
from referee.vision.cards.sides import Floats, sides_of
from referee.vision.cards.spot import Image, Quad, within

STEP = 0.035
"""How far within and beyond the rim is looked, in card lengths."""
BESIDE = 1.05
"""Nearer to other cards than if they were so much larger, their rims are seen."""
BLUR, LEAST_BLUR_PX = 0.012, 0.5
"""Grain finer than this, in card lengths, is no step; and a pixel's own noise."""
COLOUR = 2.0
"""Weight of colour beside brightness."""
PART, LEAST_STEP, PLAIN_STEP = 3, 0.07, 0.15
"""Places that make a part of a side; the step, as logarithms, that each such part has at least, and all but a fifth of
them if the rim is plain."""
MANY, SIDES, CLEAR = 18, 3, 0.55
"""Places along the open rim at least, on how many sides, and how clear it is on the whole."""
WHOLE, BEGINNING = 12, 2
"""Where two opposite sides show so many places, so few of one between them will do."""

FEW, MOSTLY = 8, 0.5
"""On fewer places nothing is seen; and the share of them with a step, hands and faint rims and all."""

Bits = NDArray[np.bool_]


def worth_of_rims(image: Image, corners: Floats, others: Floats) -> Floats:
    """How clear the rim of each card (n, 4, 2) is beside the others (m, 4, 2), up to 1; 0 if it does not show
    everywhere."""
    own, steps = _steps(image, corners, others)
    edges = edges_along(image, sides_of(corners))
    return np.array([_worth(*one) for one in zip(own, steps, edges, strict=True)])


def steps_show(image: Image, corners: Quad, others: Floats) -> bool:
    """Whether there is a step almost wherever a rim of the card's own lies beside the others, if there is enough."""
    own, steps = _steps(image, corners[None], others)
    return bool(own.sum() < FEW or (steps[own] >= LEAST_STEP).mean() >= MOSTLY)


def _steps(image: Image, corners: Floats, others: Floats) -> tuple[Bits, Floats]:
    """(cards, sides, samples): where each rim is beside the others, and how much within it differs from beyond."""
    sides = sides_of(corners)
    length = float(np.median(sides.length))
    calm = np.asarray(cv2.GaussianBlur(image, (0, 0), BLUR * length + LEAST_BLUR_PX), np.uint8)
    inside, outside = (sides.rim + way * sides.outwards for way in (-STEP, STEP))
    off = _looks(calm, inside) - _looks(calm, outside)
    steps = np.sqrt(off[..., 0] ** 2 + COLOUR**2 * (off[..., 1] ** 2 + off[..., 2] ** 2))
    return _beside(inside, others) & _beside(outside, others), steps


def _worth(own: Bits, steps: Floats, edges: Floats) -> float:
    """Of one card, by (sides, samples) of its rim."""
    by_side = own.sum(axis=1)
    ends = max(min(by_side[0], by_side[2]), min(by_side[1], by_side[3]))
    a_side = BEGINNING if ends >= WHOLE else PART
    if own.sum() < MANY or (by_side >= a_side).sum() < SIDES or edges[own].mean() < CLEAR:
        return 0.0
    parts = [
        side[mine][k : k + PART].mean()
        for side, mine, many in zip(steps, own, by_side.tolist(), strict=True)
        for k in range(0, many - PART + 1, PART)
    ]
    if min(parts) < LEAST_STEP:
        return 0.0
    return float(edges[own].mean() * min(1.0, np.percentile(parts, 20) / PLAIN_STEP))


def _beside(points: Floats, others: Floats) -> Bits:
    """(cards, sides, samples): which places lie on none of the others."""
    middles = others.mean(axis=1, keepdims=True)
    flat = points.reshape(-1, 2)
    on = within(np.broadcast_to(flat, (len(others), *flat.shape)), middles + BESIDE * (others - middles))
    return np.asarray(~on.any(axis=0).reshape(points.shape[:-1]))


def _looks(image: Image, points: Floats) -> Floats:
    """Brightness and two of colour at places, as logarithms."""
    x, y = points.reshape(-1, points.shape[-2], 2).astype(np.float32).transpose(2, 0, 1)
    look = cv2.remap(
        image,
        np.ascontiguousarray(x),
        np.ascontiguousarray(y),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    blue, green, red = np.moveaxis(LOGARITHMS[np.asarray(look)], -1, 0)
    layers = np.stack([(blue + green + red) / 3, red - green, blue - green], axis=-1)
    return np.asarray(layers.reshape(*points.shape[:-1], 3))
