"""The network that moves outlines: what rays show on both sides of an outline in, how far off that is out."""

import torch
from torch import nn

RAYS, STEPS, INNER = 32, 40, 20
"""Rays of a piece, steps along each of them, and how many of these lie within the outline."""
STEP_MM = 0.31
CHANNELS = 11
WRAP = 9
"""Rays that are repeated at both ends, for a network knows no circles."""


class Outliner(nn.Module):
    """For each ray: how far outwards the true outline lies, in steps, and the logarithm of its error."""

    def __init__(self, wide: int = 24) -> None:
        super().__init__()
        w = wide
        self.flat = nn.Sequential(
            nn.Conv2d(CHANNELS, w, (3, 5), stride=(1, 2), padding=(0, 2)), nn.BatchNorm2d(w), nn.ReLU(),
            nn.Conv2d(w, w, (3, 3), padding=(0, 1)), nn.BatchNorm2d(w), nn.ReLU(),
            nn.Conv2d(w, 2 * w, (3, 3), stride=(1, 2), padding=(0, 1)), nn.BatchNorm2d(2 * w), nn.ReLU(),
            nn.Conv2d(2 * w, 2 * w, (1, STEPS // 4)), nn.BatchNorm2d(2 * w), nn.ReLU(),
        )  # fmt: skip
        self.round = nn.Sequential(
            nn.Conv2d(2 * w, 2 * w, (5, 1)), nn.BatchNorm2d(2 * w), nn.ReLU(),
            nn.Conv2d(2 * w, 2 * w, (5, 1), dilation=(2, 1)), nn.BatchNorm2d(2 * w), nn.ReLU(),
            nn.Dropout(0.1),
            nn.Conv2d(2 * w, 2, 1),
        )  # fmt: skip

    def forward(self, rays: torch.Tensor) -> torch.Tensor:
        """(n, CHANNELS, RAYS + 2 * WRAP, STEPS) to (n, 2, RAYS)."""
        return self.round(self.flat(rays))[..., 0]


def wrapped(rays: torch.Tensor) -> torch.Tensor:
    """Rays with some of them repeated at both ends."""
    return torch.cat([rays[:, :, -WRAP:], rays, rays[:, :, :WRAP]], dim=2)
