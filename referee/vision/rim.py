"""The rim of a piece to a fraction of a pixel, once it is known to half of one.

Towards its rim a piece turns from the light, and the board there lies the deeper in shadow the nearer it is: what
either of them looks like at the rim is not what it looks like farther off, but what that leads to. The rim lies where
a ray is about half of the one and half of the other.
"""

import numpy as np
from numpy.typing import NDArray

from referee.vision.board import Field
from referee.vision.ovals import STEP_PX, Radii, steps_at

ROUNDS = 2
"""How often the rim is looked for about the place where it was found last."""
AROUND, WITHIN, BEYOND, NEAR = (-6, 7), slice(4, None, -1), slice(8, None), slice(2, 11)
"""Steps from the rim that are looked at; those of them that show the piece, and the board, from the rim away; those
among which a ray leaves the piece."""
FROM_IT = np.abs(np.arange(8) - 3.5)
"""How far from the rim, as it was found last, each of these is left."""
TO_THE_RIM = np.array([1.0, 0.6, 0.2, -0.2, -0.6], np.float32)
"""The straight line through five steps, the first of them two steps off, carried on to the rim."""
DIMMER, BRIGHTER = 0.35, 2.0
"""The light changes by no more than this on its last step to the rim."""
SHARE, LIT_SHARE = 0.46, 0.4
"""Share of the piece in what is seen at its rim, less than half: its last part, all but upright, mirrors the board; and
where a bright board lights a dark piece."""
GLOW = (0.1, 0.3)
"""How much brighter than a piece the board is, in light, where it begins to light its rim, and where it fully does."""


def sharpened(radii: Radii, along: Field, light: Field) -> Radii:
    """The rims near some radii, by the picture over the board in logarithms and by its light.

    Shade takes a share of the light, and is even in logarithms; but the camera blurs light, and so does a board that
    glows. Where only one of both shows a rim, that one is believed, where neither does, the radius stays.
    """
    for _ in range(ROUNDS):
        at = np.round(radii / STEP_PX).astype(np.int64)
        lit, seen = (steps_at(picture, at, *AROUND) for picture in (light, along))
        glow = np.interp((lit[:, :, BEYOND] - lit[:, :, WITHIN]).mean(axis=(2, 3)), GLOW, (0.0, 1.0))
        share = SHARE + (LIT_SHARE - SHARE) * glow
        by_light, by_log = _rim(lit, *_lit_sides(lit), share, at), _rim(seen, *_sides(seen), share, at)
        mean = by_log + (1 + glow) / 2 * (by_light - by_log)
        radii = _first_known(mean, by_light, by_log, radii)
    return radii


def _first_known(*radii: Radii) -> Radii:
    first, *others = radii
    return np.where(np.isnan(first), _first_known(*others), first) if others else first


def _sides(seen: Field) -> tuple[Field, Field]:
    """What piece and board look like at the rim, carried on from both sides."""
    inside, outside = (np.einsum("nrsc,s->nrc", seen[:, :, side], TO_THE_RIM) for side in (WITHIN, BEYOND))
    return np.asarray(inside, np.float32), np.asarray(outside, np.float32)


def _lit_sides(lit: Field) -> tuple[Field, Field]:
    """The same for light, which cannot become nothing."""
    inside, outside = (
        np.clip(side, DIMMER * lit[:, :, nearest], BRIGHTER * lit[:, :, nearest])
        for side, nearest in zip(_sides(lit), (WITHIN.start, BEYOND.start), strict=True)
    )
    return inside, outside


def _rim(seen: Field, inside: Field, outside: Field, share: Radii, at: NDArray[np.int64]) -> Radii:
    """Where so much of a ray is piece; nan where it never is."""
    across = inside - outside
    own = np.einsum("nrsc,nrc->nrs", seen[:, :, NEAR] - outside[:, :, None], across)
    return fallen(own / np.maximum((across * across).sum(axis=2), 1e-9)[..., None] - share[..., None], at)


def fallen(share: Field, at: NDArray[np.int64]) -> Radii:
    """Where what is followed from four steps within a place falls below nothing, nearest to it; nan where it never
    does."""
    falls = (share[..., :-1] > 0) & (share[..., 1:] <= 0)
    k = np.where(falls, FROM_IT, 99).argmin(axis=2)
    here = np.arange(k.size), k.ravel()
    found = falls.reshape(k.size, -1)[here].reshape(k.shape)
    share = share.reshape(k.size, -1)
    before, after = (share[here[0], here[1] + step].reshape(k.shape) for step in (0, 1))
    part = before / np.where(found, before - after, 1)
    return np.where(found, at + k - 4 + part, np.nan) * STEP_PX
