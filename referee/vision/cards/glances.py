"""Pictures of few cards are taken from any distance: small pictures of them are glanced at, turned by a quarter, too.

The finder errs on some sizes and turns of a picture and not on others; what one glance knows well was there.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from referee.vision.cards.grouping import MANY
from referee.vision.cards.peeling import known_well
from referee.vision.cards.reading import WELL_READ, Reading
from referee.vision.cards.spot import Image, Spot
from referee.vision.cards.tangles import CLEARER, Told, clearer, length_px, meeting

GLANCES: tuple[tuple[int, bool], ...] = (
    (256, True), (192, False), (192, True), (256, False), (112, False), (160, True),
    (112, True), (160, False), (80, False), (80, True), (320, True), (320, False),
)  # fmt: skip
"""Longer sides of the small pictures, and whether they are turned by a quarter: the smallest are for cards that nearly
fill them."""

WITHIN_PX = 36, 120
"""Cards that are known and shorter or longer than this on a small picture are too far away or too near to be glanced
at."""
AT_MOST = 0.89
"""How sure a card can be that only glances know."""

Looked = Callable[[Image, float], Sequence[Told]]
"""What a look at a picture at some scale tells."""


def with_glances(image: Image, told: Sequence[Told], look: Looked) -> list[Told]:
    """What was told and what glances tell, until one tells the same; many cards that are known need none."""
    first, told = _known(told), list(told)
    if len(first) >= MANY:
        return told
    for longer, turned in GLANCES:
        scale = longer / max(image.shape[:2])
        if _known(told) and not WITHIN_PX[0] <= length_px(told) * scale <= WITHIN_PX[1]:
            continue
        other = _glance(image, scale, turned, look)
        if _all_known(told) and _known(other) == _known(told):
            break
        told = _better(told, other)
    return [(spot, reading if reading.name in first else _less_sure(reading)) for spot, reading in told]


def _less_sure(reading: Reading) -> Reading:
    return replace(reading, confidence=min(reading.confidence, AT_MOST))


def _better(told: list[Told], other: list[Told]) -> list[Told]:
    """Both together; or one alone, if the other knows no face: parts of a near card, or of other things.

    A glance that does not know again what is known counts only where nothing was seen: its outlines may be wrong.
    """
    if not _known(told):
        return other if _faces(other) > _faces(told) + CLEARER else told
    if not {*_known(told)} <= {reading.name for _, reading in other}:
        other = [one for one in other if len(told) not in meeting([*told, one])[0]]
    return clearer(told, other)


def _glance(image: Image, scale: float, turned: bool, look: Looked) -> list[Told]:
    if not turned:
        return list(look(image, scale))
    quarter = np.ascontiguousarray(np.rot90(image))
    return [(_turned_back(spot, image.shape[1]), reading) for spot, reading in look(quarter, scale)]


def _turned_back(spot: Spot, width: int) -> Spot:
    """A card of the picture turned by a quarter, on the picture itself."""
    x, y = spot.corners.T
    return replace(spot, corners=np.stack([width - 1 - y, x], axis=1))


def _known(told: Sequence[Told]) -> list[str]:
    """The faces that are well read."""
    return sorted(str(r.name) for _, r in told if r.face == "up" and r.confidence >= WELL_READ)


def _faces(told: Sequence[Told]) -> float:
    """How well faces are known; a back is read into any pattern."""
    return float(known_well([reading for _, reading in told if reading.face == "up"]).sum())


def _all_known(told: Sequence[Told]) -> bool:
    return bool(told) and len(_known(told)) == len(told)
