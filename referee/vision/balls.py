"""Balls on a large table: discs of one size, told by their rims, though they lean on one another or on a cushion.

Every edge speaks for the places at which a ball would have its rim there. What counts is which way it runs, not which
of its sides is lighter: balls have two colours, and lie before cloth, shadows and other balls.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from referee.vision.board import Field, Flags
from referee.vision.differing import shade_and_tint
from referee.vision.middles import percentile
from referee.vision.ovals import Points

EDGE = 0.25
"""Step from one pixel to the next, in logarithms over three channels, that is as plain as any."""
RIM = 0.36
"""Share of a rim that must be seen, less what runs across it."""
ALONE = 0.65
"""The same as a share of what is seen of most, of one that nothing hides."""
WHOLE = 0.88
"""Share of all places round a ball at which a rim is seen that may be fainter."""
BESIDE, LEANING = 0.45, 2.6
"""The same of one whose middle is no more radii from that of another: each hides some of the other's rim."""
FREE, DISC, FAINT = 2.2, 0.5, 0.7
"""Area of what is surely no arm, in balls, and share of a ball that it fills; a green one on green has a faint rim, of
which that share is seen."""
PLAINEST = 0.7
"""The same of those that tell how large balls are; pockets look like faint small ones."""
AS_LIKELY = 0.85
"""Share of the plainest rims of one size that make another as likely."""
RIM_PX = 0.8
"""How sharp rims are."""
SECTORS, PLAIN, MOST = 24, 0.2, 0.6
"""Places along a rim, what counts as seen at one, and the share of them at which it must be."""
CLOTH_TINT, CLOTH_SHADE = 0.12, (-0.6, 0.15)
"""How much bare cloth may be off in colour, and what lamps and shadows make of its light."""
FILLED = 0.25
"""Share of a ball that is not of the colour of the cloth."""
MIDST = 0.75
"""Radii within which a ball has its own colour."""
APART = 1.6
"""Radii between two balls, at least: one may hide a little of the other."""
LINE = 0.6
"""Radii that no line drawn on a cloth is as wide as."""
_ACROSS = np.array([[-0.5, 0.0, 0.5]], np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Ball:
    """A ball in one picture."""

    spot: Points
    colour: Points
    """Mean of the logarithm of the picture within."""
    rim: float = 0.0
    """How much of its rim was seen; 0 of a streak, which has none."""
    share: float = 0.0
    """Share of the rim at which it was seen."""
    free: bool = False
    """It hangs on nothing larger."""
    streak: Points | None = None
    """From its middle to its end."""


@dataclass(frozen=True, slots=True, eq=False)
class Rims:
    """How plain edges are and which way they run, by twice their angle, so that both their sides are alike."""

    cosine: Field
    sine: Field

    def around(self, radius: float) -> Field:
        """How much of the rim of a ball is seen round every place, from 0 to 1."""
        reach = int(np.ceil(radius + 2))
        y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1].astype(np.float32)
        ring = np.exp(-0.5 * ((np.hypot(x, y) - radius) / RIM_PX) ** 2)
        ring, angle = ring / ring.sum(), 2 * np.arctan2(y, x)
        seen = cv2.filter2D(self.cosine, -1, ring * np.cos(angle))
        return np.asarray(seen + cv2.filter2D(self.sine, -1, ring * np.sin(angle)), np.float32)

    def share(self, spot: Points, radius: float) -> float:
        """Share of the rim of one ball at which it is seen: one strong arc does not make a ball."""
        angle = np.linspace(0, 2 * np.pi, SECTORS, endpoint=False)
        x, y = (spot[:, None] + radius * np.stack([np.cos(angle), np.sin(angle)])).astype(np.float32)
        cosine, sine = (cv2.remap(f, x, y, cv2.INTER_LINEAR).ravel() for f in (self.cosine, self.sine))
        return float((cosine * np.cos(2 * angle) + sine * np.sin(2 * angle) > PLAIN).mean())


def rims_of(log: Field) -> Rims:
    """The edges of a picture in logarithms."""
    soft = cv2.GaussianBlur(log, (0, 0), 0.8)
    across, down = cv2.filter2D(soft, -1, _ACROSS), cv2.filter2D(soft, -1, _ACROSS.T)
    wide, high = (np.einsum("ijc,ijc->ij", way, way) for way in (across, down))
    cosine, sine = wide - high, 2 * np.einsum("ijc,ijc->ij", across, down)
    plain = np.minimum(np.sqrt(wide + high) / EDGE, 1) / np.maximum(np.hypot(cosine, sine), 1e-9)
    return Rims(np.asarray(cosine * plain, np.float32), np.asarray(sine * plain, np.float32))


def likely_radius(rims: Rims, radii: Sequence[float], within: Flags) -> float:
    """The radius of which most whole rims are seen; of those as likely the largest, for balls are shaded to the rim."""

    def seen(radius: float) -> float:
        around = rims.around(radius)
        plain = [(x, y) for x, y in _peaks(around, radius, within) if around[y, x] > PLAINEST]
        whole = (at for at in plain if rims.share(np.array(at), radius) > WHOLE)
        return sum((float(around[y, x]) - RIM) ** 2 for x, y in whole)

    share = [seen(radius) for radius in radii]
    return max(radius for radius, much in zip(radii, share, strict=True) if much >= AS_LIKELY * max(share))


def find_balls(log: Field, rims: Rims, off: Field, radius: float, within: Flags) -> tuple[Ball, ...]:
    """The balls whose middles lie within; `off` is what the picture differs from the bare cloth by."""
    around, found = rims.around(radius), []
    differs = not_cloth(off).astype(np.float32)
    free = _free(differs, radius)
    for x, y in _peaks(around, radius, within):
        spot = np.array([x, y]) + _between(around, x, y)
        share = rims.share(spot, radius)
        filled, alone = (float(mean_in(f, spot, radius)[0]) for f in (differs, free))
        if share >= MOST and filled > FILLED:
            colour = mean_in(log, spot, MIDST * radius)
            found.append(Ball(spot, colour, float(around[y, x]), share, alone > DISC and share > FAINT))
    plain = ALONE * percentile(np.array([ball.rim for ball in found]), 75) if found else 0.0
    sure = [b for b in found if b.rim > plain or b.free or b.share > WHOLE]
    return tuple(sure + _leaning(sure, [b for b in found if b.rim > BESIDE], radius))


def _leaning(sure: list[Ball], others: list[Ball], radius: float) -> list[Ball]:
    """The others that lean on sure balls, or on such as do."""
    others = [b for b in others if all(b is not s for s in sure)]
    new = [b for b in others if any(np.linalg.norm(b.spot - s.spot) < LEANING * radius for s in sure)]
    return new + _leaning(new, others, radius) if new else []


def _free(differs: Field, radius: float) -> Field:
    """Where what differs from the cloth hangs on nothing larger than a ball or two."""
    wide = np.ones((round(LINE * radius),) * 2, np.uint8)
    solid = cv2.morphologyEx(differs.astype(np.uint8), cv2.MORPH_OPEN, wide)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(solid)
    small = stats[:, cv2.CC_STAT_AREA] < FREE * np.pi * radius**2
    small[0] = False
    return np.asarray(small[labels], np.float32)


def not_cloth(off: Field) -> Flags:
    """Where a picture shows something else than the cloth in any light."""
    shade, tint = shade_and_tint(off)
    return (tint > CLOTH_TINT) | (shade < CLOTH_SHADE[0]) | (shade > CLOTH_SHADE[1])


def _peaks(around: Field, radius: float, within: Flags) -> list[tuple[int, int]]:
    """Places of balls that leave room for one another, the plainest first."""
    high = (around > RIM) & (around >= cv2.dilate(around, np.ones((3, 3), np.uint8))) & within
    rows, columns = np.nonzero(high)
    kept: list[tuple[int, int]] = []
    for k in np.argsort(-around[rows, columns]):
        x, y = int(columns[k]), int(rows[k])
        if all(np.hypot(x - a, y - b) > APART * radius for a, b in kept):
            kept.append((x, y))
    return kept


def _between(around: Field, x: int, y: int) -> Points:
    """Where between the pixels the peak lies."""
    if not (0 < x < around.shape[1] - 1 and 0 < y < around.shape[0] - 1):
        return np.zeros(2)
    sides = ((around[y, x - 1], around[y, x + 1]), (around[y - 1, x], around[y + 1, x]))
    top = float(around[y, x])
    return np.array([float(a - b) / (2 * min(float(a + b) - 2 * top, -1e-6)) for a, b in sides])


def mean_in(field: Field, spot: Points, radius: float) -> Points:
    """The mean of a field over a disc."""
    x, y = np.round(spot).astype(int)
    reach = int(np.ceil(radius))
    part = field[max(y - reach, 0) : y + reach + 1, max(x - reach, 0) : x + reach + 1]
    mask = np.zeros(part.shape[:2], np.uint8)
    cv2.circle(mask, (x - max(x - reach, 0), y - max(y - reach, 0)), round(radius), 255, cv2.FILLED)
    return np.array(cv2.mean(part, mask)[: 1 if field.ndim == 2 else 3])
