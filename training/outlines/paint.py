"""Lessons painted by numbers: flat and shaded ovals with any shadow, of any colour on any ground.

They look like nothing on a table, but what is odd there is usual here: pieces without shading, shadows as dark as
these are.
"""

import cv2
import numpy as np
import torch
from data import Group

SIDE = 96
SCALE = 1.6
"""Pixels of a millimetre."""


class Painted(Group):
    """The pieces of one painted board, each with an outline that may have taken in its shadow, or lost a side."""

    def __init__(self, rng: np.random.Generator, count: int = 10) -> None:
        self.name = self.kinds = "painted"
        self.scale = SCALE * float(np.exp(rng.normal(0, 0.15)))
        ground = rng.uniform(3.3, 5.5) + rng.normal(0, 0.25, 3)
        turn, cast = rng.uniform(0, 2 * np.pi), float(rng.choice([0.0, rng.uniform(0, 10)]))
        way = np.array([np.cos(turn), np.sin(turn)])
        soft, depth = float(np.exp(rng.uniform(np.log(0.4), np.log(5)))), float(rng.uniform(0.05, 1.3))
        shading, one_kind = float(rng.choice([0.0, rng.uniform(0, 1.0)])), rng.random() < 0.5
        colour = rng.normal(-0.3, 0.9) + rng.normal(0, 0.35, 3)
        pictures, truths, told = [], [], []
        for _ in range(count):
            own = (
                colour + rng.normal(0, 0.1, 3) if one_kind else rng.normal(-0.3, 0.9) + rng.normal(0, 0.35, 3)
            )
            size = (rng.uniform(9, 19), rng.uniform(0.6, 1.0), rng.uniform(0, np.pi))
            picture, true = _piece(
                rng, ground, np.clip(own, 2.3 - ground, 5.55 - ground), size, way * cast, soft, depth, shading
            )
            pictures.append(picture)
            truths.append(true)
            told.append(_with_shadow(rng, true, way * cast))
        self.picture = torch.tensor(np.array(pictures)).permute(0, 3, 1, 2)
        self.true = torch.tensor(np.array(truths), dtype=torch.float32)
        points = torch.tensor(np.array(told), dtype=torch.float32)
        self.near = torch.full((count, 1, 64, 2), -999.0)
        self._told_by(points)


def _piece(rng, ground, own, size, cast, soft, depth, shading):
    middle = SIDE / 2 - 0.5 + rng.uniform(-1, 1, 2)
    rim = _oval(size) + middle
    solid, shadow = _filled(rim, 0.7), _filled(rim + cast, soft)
    rows, columns = np.mgrid[0:SIDE, 0:SIDE]
    off = np.stack([columns, rows], 2) - middle
    across = off @ (cast / max(np.hypot(*cast), 1e-6)) / size[0]
    ratio = (
        own
        + (-shading * across * 0.5)[..., None]
        + rng.normal(0, 0.03) * cv2.GaussianBlur(rng.normal(size=(SIDE, SIDE)), (0, 0), 1.5)[..., None] * 6
    )
    bare = -depth * shadow[..., None] * np.ones(3)
    light = np.exp(ratio) * solid[..., None] + np.exp(bare) * (1 - solid[..., None])
    board = ground + 0.03 * cv2.GaussianBlur(rng.normal(size=(SIDE, SIDE)), (0, 0), 2)[..., None] * 6
    grain = rng.normal(0, rng.uniform(0.005, 0.03), (SIDE, SIDE, 3))
    seen = np.log(light) + grain
    return np.concatenate([seen, seen + board], axis=2).astype(np.float16), rim


def _oval(size, points=64):
    turn = np.arange(points) * (2 * np.pi / points)
    long, share, tilt = size
    x, y = long * np.cos(turn), long * share * np.sin(turn)
    return np.stack([x * np.cos(tilt) - y * np.sin(tilt), x * np.sin(tilt) + y * np.cos(tilt)], axis=1)


def _filled(rim, soft):
    mask = np.zeros((SIDE, SIDE), np.float32)
    cv2.fillPoly(mask, [np.round(rim * 16).astype(np.int32)], 1.0, cv2.LINE_AA, 4)
    return cv2.GaussianBlur(mask, (0, 0), soft)


def _with_shadow(rng, rim, cast):
    """An outline as it may have been traced: right, or round both, or without its dark side."""
    if rng.random() < 0.5:
        return rim
    share = rng.uniform(-0.5, 1.1)
    both = np.concatenate([rim, rim + share * cast]) if share > 0 else rim
    if share <= 0 and np.hypot(*cast):
        toward = cast / np.hypot(*cast)
        along = (rim - rim.mean(0)) @ toward
        both = rim + np.clip(along, 0, None)[:, None] * share * toward
    hull = cv2.convexHull(both.astype(np.float32))[:, 0]
    return hull[np.round(np.linspace(0, len(hull), 64, endpoint=False)).astype(int)]
