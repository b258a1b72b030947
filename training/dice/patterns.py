"""What runs through the body of a die: nothing, marbling, swirls of two colours, speckles, or grain."""

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Size = tuple[int, int]


def plain(body: Array, _second: Array, size: Size, _rng: np.random.Generator) -> Array:
    return np.broadcast_to(body, (*size, 3))


def marbled(body: Array, _second: Array, size: Size, rng: np.random.Generator) -> Array:
    strong = rng.uniform(0.1, 0.5)
    return np.clip(body * (1 + strong * _clouds(size, rng, 12)[..., None]), 0, 1)


def swirled(body: Array, second: Array, size: Size, rng: np.random.Generator) -> Array:
    """Two colours stirred into each other."""
    far = rng.uniform(8, 30)
    y, x = np.mgrid[: size[0], : size[1]].astype(np.float32)
    stirred = [g + far * _clouds(size, rng, 6).astype(np.float32) for g in (x, y)]
    mixed = cv2.remap(_clouds(size, rng, 9).astype(np.float32), *stirred, cv2.INTER_LINEAR, borderMode=2)
    share = np.clip(0.5 + mixed * rng.uniform(0.4, 3), 0, 1)[..., None]
    return body * (1 - share) + second * share


def speckled(body: Array, second: Array, size: Size, rng: np.random.Generator) -> Array:
    fine = rng.uniform(0.7, 2.5)
    spots = cv2.GaussianBlur(rng.normal(0, 1, size), (0, 0), fine)
    share = np.clip((spots / spots.std() - rng.uniform(0.9, 1.8)) * 4, 0, 1)[..., None]
    return body * (1 - share) + second * share


def grained(body: Array, _second: Array, size: Size, rng: np.random.Generator) -> Array:
    lines = cv2.GaussianBlur(rng.normal(0, 1, size), (0, 0), sigmaX=25, sigmaY=rng.uniform(0.8, 2))
    return np.clip(body * (1 + rng.uniform(0.05, 0.2) * (lines / lines.std())[..., None]), 0, 1)


def _clouds(size: Size, rng: np.random.Generator, cells: int) -> Array:
    """Smooth chance, about 1 strong."""
    coarse = rng.normal(0, 1, (cells, round(cells * size[1] / size[0])))
    return np.asarray(cv2.resize(coarse, size[::-1], interpolation=cv2.INTER_CUBIC))


PATTERNS = {"plain": plain, "marbled": marbled, "swirled": swirled, "speckled": speckled, "grained": grained}
