from torch import nn
from torch.nn.functional import pad

QUICK = 12
"""Rows and columns from which on OpenCV works 3 x 3 convolutions out by the way of Winograd, in half of the time."""


class Wide(nn.Sequential):
    """The same layers on a picture made wide enough for that: zeros beside it change nothing, and are cut off again."""

    def forward(self, x):
        columns = x.shape[-1]
        return super().forward(pad(x, (0, QUICK - columns)))[..., :columns]
