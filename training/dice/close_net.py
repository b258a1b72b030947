"""The net that reads the upper face of a die from close by, pulled straight."""

from torch import Tensor, nn

SIDE_PX = 64
WIDTHS = (32, 64, 96)
ANSWERS = 7
"""The six values, and that this is no upper face."""


def _conv(a: int, b: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(nn.Conv2d(a, b, 3, stride, 1, bias=False), nn.BatchNorm2d(b), nn.ReLU(inplace=True))


class _Again(nn.Module):
    """Looks twice and adds what it saw."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.looks = nn.Sequential(_conv(width, width), _conv(width, width))

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = x + self.looks(x)
        return out


class CloseNet(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        a, b, c = WIDTHS
        self.eye = nn.Sequential(
            _conv(3, a, 2),
            _Again(a),
            _conv(a, b, 2),
            _Again(b),
            _Again(b),
            _conv(b, c, 2),
            _Again(c),
            _Again(c),
        )
        self.head = nn.Linear(c * 16, ANSWERS)
        self.kept = nn.Dropout(0.2)

    def forward(self, x: Tensor) -> Tensor:
        seen = nn.functional.avg_pool2d(self.eye(x), 2)
        out: Tensor = self.head(self.kept(seen.flatten(1)))
        return out
