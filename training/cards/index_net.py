from torch import nn
from wide import Wide


def conv(i, o, s=1):
    return nn.Sequential(nn.Conv2d(i, o, 3, s, 1, bias=False), nn.BatchNorm2d(o), nn.ReLU())


class IndexNet(nn.Module):
    """A corner of a card (3 x 48 x 32) -> 14 ranks and 5 suits, the last of each meaning none."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            conv(3, 16),
            nn.MaxPool2d(2),
            conv(16, 24),
            nn.MaxPool2d(2),
            Wide(*conv(24, 40)),
            conv(40, 56, 2),
            nn.Flatten(),
            nn.Dropout(0.1),
            nn.Linear(56 * 6 * 4, 80),
            nn.ReLU(),
            nn.Linear(80, 19),
        )

    def forward(self, x):
        return self.body(x)
