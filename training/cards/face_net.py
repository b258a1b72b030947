from torch import nn
from wide import Wide


def conv(i, o, s=1):
    return nn.Sequential(nn.Conv2d(i, o, 3, s, 1, bias=False), nn.BatchNorm2d(o), nn.ReLU())


class FaceNet(nn.Module):
    """A whole card (4 x 96 x 64: colours and what is open) -> 13 ranks, joker, back, no card; 4 suits."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(
            conv(4, 24, 2),
            conv(24, 32, 2),
            conv(32, 40),
            nn.MaxPool2d(2),
            Wide(*conv(40, 64)),
            Wide(*conv(64, 80)),
            nn.MaxPool2d(2),
            conv(80, 112),
            nn.Flatten(),
            nn.Dropout(0.1),
            nn.Linear(112 * 6 * 4, 128),
            nn.ReLU(),
            nn.Linear(128, 20),
        )

    def forward(self, x):
        return self.body(x)
