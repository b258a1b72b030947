"""Lessons of outlines: cut pieces read along the rays of an outline that is moved at random."""

from pathlib import Path

import numpy as np
import torch
from net import CHANNELS, INNER, RAYS, STEP_MM, STEPS
from torch.nn import functional as F

ANGLES = torch.arange(RAYS) * (2 * np.pi / RAYS)
TOWARDS = torch.stack([ANGLES.cos(), ANGLES.sin()], dim=1)
CUT_OFF = 0.2
"""Share of pieces that are learned from without one of their sides."""
MIDDLING = 4.5
"""The middle between the logarithms of black and of white."""


def radii(polygon: torch.Tensor, middle: torch.Tensor) -> torch.Tensor:
    """How far a convex outline is from a middle along each ray: (n, points, 2) and (n, 2) to (n, RAYS)."""
    ahead = torch.roll(polygon, -1, dims=1) - polygon
    normal = torch.stack([ahead[..., 1], -ahead[..., 0]], dim=-1)
    signed = (polygon * normal).sum(-1).sum(1, keepdim=True) - (middle[:, None] * normal).sum(-1).sum(
        1, keepdim=True
    )
    normal = normal * torch.sign(signed)[..., None]
    height = ((polygon - middle[:, None]) * normal).sum(-1)
    slope = torch.einsum("npk,rk->nrp", normal, TOWARDS)
    far = torch.where(slope > 1e-9, height[:, None] / slope.clamp(min=1e-9), torch.full_like(slope, 1e6))
    return far.min(dim=2).values


def waves(rng: np.random.Generator, count: int) -> torch.Tensor:
    """Random errors of outlines, in steps: too large or small, shifted, drawn out, lumpy."""
    size = (
        np.array([0.8, 1.2, 0.8, 0.5, 0.3, 0.2])
        * np.exp(rng.normal(0, 0.7, (count, 1)))
        * (rng.random((count, 1)) < 0.75)
    )
    phase, swing = rng.uniform(0, 2 * np.pi, (count, 6)), rng.normal(0, 1, (count, 6)) * size
    turns = np.arange(6)[None, :, None] * ANGLES.numpy()[None, None]
    return torch.tensor((swing[..., None] * np.cos(turns + phase[..., None])).sum(1), dtype=torch.float32)


def cut(rng: np.random.Generator, told: torch.Tensor) -> torch.Tensor:
    """Some outlines without a side: a pale piece is often found by the dark half of it alone."""
    turn = torch.tensor(rng.uniform(0, 2 * np.pi, len(told)), dtype=torch.float32)
    away = torch.tensor(rng.uniform(0.0, 0.9, len(told)), dtype=torch.float32) * told.mean(1)
    facing = torch.cos(ANGLES[None] - turn[:, None])
    short = torch.minimum(told, away[:, None].clamp(min=1.0) / facing.clamp(min=1e-3))
    some = torch.tensor(rng.random(len(told)) < CUT_OFF)[:, None]
    return torch.where(some & (facing > 1e-3), short, told)


class Group:
    """The pieces of one picture."""

    def __init__(self, kept: dict, chosen: np.ndarray, name: str) -> None:
        self.name, self.kinds, self.scale = name, str(kept["kinds"]), float(kept["scale"])
        self.picture = torch.tensor(
            np.concatenate([kept["ratio"][chosen], kept["log"][chosen]], axis=3)
        ).permute(0, 3, 1, 2)
        points, self.true = (torch.tensor(kept[n][chosen]) for n in ("points", "true"))
        last = (self.true != self.true[:, -1:]).any(2).sum(1).max() + 1
        self.true = self.true[:, :last]
        self.near = torch.tensor(kept["near"][chosen])
        self._told_by(points)

    def _told_by(self, points: torch.Tensor) -> None:
        """Take these outlines for what was traced."""
        self.middle = self._centroid(points)
        self.told = radii(points, self.middle)

    @staticmethod
    def _centroid(p: torch.Tensor) -> torch.Tensor:
        q = torch.roll(p, -1, dims=1)
        cross = p[..., 0] * q[..., 1] - q[..., 0] * p[..., 1]
        return ((p + q) * cross[..., None]).sum(1) / (3 * cross.sum(1, keepdim=True))

    def __len__(self) -> int:
        return len(self.told)

    def lesson(
        self,
        moved: torch.Tensor,
        fellows: torch.Tensor,
        zoom: float = 1.0,
        rng: np.random.Generator | None = None,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """What the rays show round the outline as moved, and how far outwards the truth lies, both in steps."""
        step = STEP_MM * self.scale * zoom
        told = (self.told + moved * step).clamp(min=2.0)
        middle = self.middle
        if rng is not None:
            told = cut(rng, told)
        # As seen from its own middle, as the referee sees it.
        points = middle[:, None] + told[..., None] * TOWARDS
        middle = self._centroid(points)
        told = radii(points, middle).clamp(min=1.0)
        far = (told[..., None] + (torch.arange(STEPS) - INNER + 0.5) * step).clamp(min=0)
        spots = middle[:, None, None] + far[..., None] * TOWARDS[None, :, None]
        side = self.picture.shape[-1]
        read = F.grid_sample(
            self.picture.float(), (spots + 0.5) / side * 2 - 1, align_corners=False, padding_mode="border"
        )
        ratio, log = read[:, :3], read[:, 3:] - MIDDLING
        usual = ratio[fellows].mean(0, keepdim=True).expand_as(ratio)
        shape = (told / told.mean(1, keepdim=True) - 1)[:, None, :, None].expand(-1, 1, -1, STEPS)
        rays = torch.cat([ratio, log, usual, self._others(spots)[:, None], shape * 4], dim=1)
        assert rays.shape[1] == CHANNELS
        true = radii(self.true, middle)
        return rays, ((true - told) / step).clamp(-INNER, INNER)

    def _others(self, spots: torch.Tensor) -> torch.Tensor:
        """1 where rays run into other pieces."""
        inside = torch.zeros(spots.shape[:3])
        for k in range(self.near.shape[1]):
            other = self.near[:, k]
            if (other > -900).all(dim=2).any():
                middle = other.mean(1)
                rel = spots - middle[:, None, None]
                turn = torch.atan2(rel[..., 1], rel[..., 0]) * (RAYS / (2 * np.pi))
                reach = torch.gather(
                    radii(other, middle), 1, (turn.round().long() % RAYS).flatten(1)
                ).view_as(turn)
                inside = torch.maximum(
                    inside, (rel.norm(dim=-1) < reach).float() * (middle > -900).all(1).float()[:, None, None]
                )
        return inside


def groups(lessons: Path, wanted) -> list[Group]:
    """The pictures of those lessons whose number is wanted."""
    found = []
    for file in sorted(lessons.glob("*/pieces.npz")):
        if wanted(int(file.parent.name)):
            kept = dict(np.load(file))
            for n in np.unique(kept["layout"]):
                found.append(Group(kept, np.flatnonzero(kept["layout"] == n), f"{file.parent.name}/{n}"))
    return found
