"""The net that finds the upper faces of dice from any slant, and reads them."""

from torch import Tensor, nn
from torch.nn import functional as F

STRIDE = 4
WIDTHS = (32, 64, 96)


def _conv(a: int, b: int, stride: int = 1, dilation: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(a, b, 3, stride, dilation, dilation, bias=False), nn.BatchNorm2d(b), nn.ReLU(inplace=True)
    )


class _Again(nn.Module):
    """Looks twice and adds what it saw."""

    def __init__(self, width: int, dilation: int = 1) -> None:
        super().__init__()
        self.one, self.two = _conv(width, width), _conv(width, width, 1, dilation)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.two(self.one(x))


class UpperNet(nn.Module):
    """At every fourth pixel: is it the middle of an upper face?, from there to that middle and on to the die's foot in
    edges, log2 of the edge over 32 pixels, and the scores of the six values."""

    def __init__(self) -> None:
        super().__init__()
        a, b, c = WIDTHS
        self.near = nn.Sequential(_conv(3, 16, 2), _conv(16, a, 2), _conv(a, a))
        self.far = nn.Sequential(_conv(a, b, 2), _Again(b))
        self.farthest = nn.Sequential(_conv(b, c, 2), _Again(c, 2), _Again(c, 4))
        self.back, self.back_near = nn.Conv2d(c, b, 1), nn.Conv2d(b, a, 1)
        self.joined, self.joined_near = _conv(b, b), _conv(a, 48)
        self.head = nn.Conv2d(48, 12, 1)
        nn.init.constant_(self.head.bias[:1], -4.0)

    def forward(self, x: Tensor) -> Tensor:
        near = self.near(x)
        far = self.far(near)
        back = self.back(self.farthest(far))
        far = self.joined(far + F.interpolate(back, scale_factor=2.0, mode="nearest"))
        near = self.joined_near(near + F.interpolate(self.back_near(far), scale_factor=2.0, mode="nearest"))
        out: Tensor = self.head(near)
        return out
