import torch
from torch import nn


class Res(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.a, self.b = conv(c, c), nn.Sequential(nn.Conv2d(c, c, 3, 1, 1, bias=False), nn.BatchNorm2d(c))

    def forward(self, x):
        return torch.relu(x + self.b(self.a(x)))


def conv(i, o, s=1, k=3):
    return nn.Sequential(nn.Conv2d(i, o, k, s, k // 2, bias=False), nn.BatchNorm2d(o), nn.ReLU())


class Finder(nn.Module):
    """Colour picture in; at every fourth pixel: on a card?, where its middle is, its axes."""

    def __init__(self):
        super().__init__()
        self.s2, self.s4 = conv(3, 12, 2), conv(12, 24, 2)
        self.s8 = nn.Sequential(conv(24, 40, 2), Res(40))
        self.s16 = nn.Sequential(conv(40, 80, 2), Res(80), Res(80))
        self.s32 = nn.Sequential(conv(80, 128, 2), Res(128), Res(128))
        self.d32, self.d16, self.d8 = conv(128, 80, k=1), conv(80, 40), conv(40, 24)
        self.m16 = Res(80)
        self.l4 = conv(24, 24, k=1)
        self.out = nn.Sequential(conv(24, 24), nn.Conv2d(24, 9, 1))
        self.up = nn.Upsample(scale_factor=2, mode="nearest")

    def forward(self, x):
        a = self.s4(self.s2(x))
        b = self.s8(a)
        c = self.s16(b)
        d = self.s32(c)
        y = self.m16(self.up(self.d32(d)) + c)
        y = self.up(self.d16(y)) + b
        y = self.up(self.d8(y)) + self.l4(a)
        return self.out(y)
