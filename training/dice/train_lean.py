"""Train the eye for leaning dice: python train_lean.py OUT.onnx MINUTES PICTURES_WITHOUT_DICE... (torch 2.13.0)."""

import sys
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from export import save
from numpy.typing import NDArray
from paint import painted, set_down, values
from scenes import CLOSE_EDGE, CLOSE_PX, close, sensor
from solid import EDGE_PX, Floats, Solid, rotation, solid
from torch import Tensor, nn
from torch.nn import functional as F

POSES, CROPS, HELD, BATCH = 2400, 5000, 400, 64
HIGHEST_RATE = 4e-3
ROOM_PX = 52
"""Side of the picture into which a die is set before it is looked at closely."""
FREE = {"picture": {0: "n"}, "answer": {0: "n"}}

Data = tuple[Tensor, Tensor, Tensor]
"""Close pictures, the upward direction there, and the normals of the upper faces."""


class LeanEye(nn.Module):
    """A close picture and, in two more layers, the upward direction there; out comes the upper face's normal."""

    def __init__(self) -> None:
        super().__init__()
        self.eye = nn.Sequential(_conv(5, 16, 2), _conv(16, 28), _conv(28, 40, 2), _conv(40, 40))
        self.mind = nn.Sequential(nn.Flatten(), nn.Linear(40 * 81, 48), nn.ReLU(), nn.Linear(48, 2))

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.mind(self.eye(x))
        return out


def _conv(a: int, b: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(nn.Conv2d(a, b, 3, stride, 1, bias=False), nn.BatchNorm2d(b), nn.ReLU(inplace=True))


def pose(rng: np.random.Generator) -> tuple[Solid, Floats, Floats]:
    """A die that lies or leans; the upward direction and its upper face's normal in the camera's axes."""
    aslant = rotation(2, rng.uniform(0, 6.3)) @ rotation(0, -min(0.9, abs(rng.normal(0, 0.36))))
    turned = rng.uniform(0, 6.3)
    tilt = rng.uniform(0.2, 0.83) if rng.random() < 0.5 else abs(rng.normal(0, 0.02))
    up = aslant @ rotation(2, turned) @ rotation(0, -tilt)
    # It mostly leans over an edge, but may lean over a corner.
    spin = rng.choice([0, np.pi / 2]) if rng.random() < 0.6 else rng.uniform(0, 6.3)
    shape = solid((up @ rotation(2, spin)).astype(np.float32), rng.uniform(0.04, 0.22))
    return shape, aslant[:, 2], up[:, 2]


def crop(
    poses: list[tuple[Solid, Floats, Floats]], pictures: list[NDArray[np.uint8]], rng: np.random.Generator
) -> tuple[NDArray[np.uint8], Floats, Floats]:
    """One close picture, as far off as the finder may be, some with another die beside or below."""
    edge = CLOSE_EDGE * 2 ** rng.uniform(-0.5, 0.6)
    picture = ground(pictures, edge, rng)
    light = np.array([*rng.normal(0, 0.5, 2), 1], np.float32)
    light /= np.linalg.norm(light)
    dark = rng.uniform(0.1, 0.75)
    shape, level, normal = poses[rng.integers(len(poses))]
    middle = np.array([ROOM_PX / 2, ROOM_PX / 2]) + rng.uniform(-2, 2, 2)
    if rng.random() < 0.5:
        beside = rng.uniform(0, 6.3)
        at = middle + rng.uniform(0.95, 1.3) * edge * np.array([np.cos(beside), np.sin(beside)])
        put(picture, poses[rng.integers(len(poses))][0], at, edge, light, dark, rng)
    put(picture, shape, middle, edge, light, dark, rng)
    off = rng.normal(0, 0.1, 2) * edge
    return close(sensor(picture, rng), middle + off, edge * 2 ** rng.normal(0, 0.14)), level, normal


def put(
    picture: Floats,
    shape: Solid,
    at: NDArray[np.float64],
    edge: float,
    light: Floats,
    dark: float,
    rng: np.random.Generator,
) -> None:
    colour, opacity = painted(shape, values(rng), light, rng)
    set_down(picture, colour, opacity, (float(at[0]), float(at[1])), edge / EDGE_PX, light, dark)


def ground(pictures: list[NDArray[np.uint8]], edge: float, rng: np.random.Generator) -> Floats:
    if rng.random() < 0.3:
        plain = np.tile(rng.uniform(0, 1, 3), (ROOM_PX, ROOM_PX, 1))
        return np.clip(plain + rng.normal(0, 0.03, plain.shape), 0, 1).astype(np.float32)
    picture = pictures[rng.integers(len(pictures))]
    side = int(ROOM_PX * min(4.0, 20.0 / edge * 2 ** rng.uniform(-0.7, 0.7)))
    y, x = (int(rng.integers(0, n - side)) for n in picture.shape[:2])
    part = cv2.resize(picture[y : y + side, x : x + side], (ROOM_PX, ROOM_PX), interpolation=cv2.INTER_AREA)
    return np.ascontiguousarray(np.rot90(part, rng.integers(4))).astype(np.float32) / 255


def dataset(pictures: list[Path], seed: int, count: int) -> Data:
    rng = np.random.default_rng(seed)
    grounds = [p for p in (cv2.imread(str(f)) for f in pictures) if p is not None]
    poses = [pose(rng) for _ in range(POSES * count // CROPS)]
    crops = [crop(poses, grounds, rng) for _ in range(count)]
    images = torch.from_numpy(np.stack([c for c, _, _ in crops])).permute(0, 3, 1, 2)
    level = torch.tensor(np.array([v for _, v, _ in crops]), dtype=torch.float32)
    normal = torch.tensor(np.array([n for _, _, n in crops]), dtype=torch.float32)
    return images, level, normal


def batch(data: Data, rng: np.random.Generator) -> Data:
    """Turned by quarters, mirrored, in other colours and other light."""
    pick = torch.from_numpy(rng.integers(len(data[0]), size=BATCH))
    x, level, normal = (d[pick] for d in data)
    x = x.float() / 255
    if rng.random() < 0.5:
        mirror = torch.tensor([-1.0, 1.0, 1.0])
        x, level, normal = x.flip(-1), level * mirror, normal * mirror
    if rng.random() < 0.5:
        mirror = torch.tensor([1.0, -1.0, 1.0])
        x, level, normal = x.flip(-2), level * mirror, normal * mirror
    if rng.random() < 0.5:
        x, level, normal = x.transpose(-1, -2), level[:, [1, 0, 2]], normal[:, [1, 0, 2]]
    if rng.random() < 0.4:
        x = x[:, torch.from_numpy(rng.permutation(3))]
    gain = torch.from_numpy(rng.uniform(0.7, 1.3, (BATCH, 1, 1, 1)).astype(np.float32))
    return (x * gain).clamp(0, 1), level, normal


def shown(x: Tensor, level: Tensor) -> Tensor:
    return torch.cat([x, level[:, :2, None, None].expand(-1, -1, CLOSE_PX, CLOSE_PX)], 1)


def loss(net: LeanEye, x: Tensor, level: Tensor, normal: Tensor) -> Tensor:
    return F.smooth_l1_loss(net(shown(x, level)), normal[:, :2], beta=0.1)


def scored(net: LeanEye, data: Data) -> str:
    net.eval()
    with torch.no_grad():
        out = net(shown(data[0].float() / 255, data[1]))
    net.train()
    off = (out - data[2][:, :2]).norm(dim=1)
    return f"normal off {off.median():.3f} (90 %: {off.quantile(0.9):.3f})"


def main() -> None:
    out, minutes, pictures = Path(sys.argv[1]), float(sys.argv[2]), [Path(p) for p in sys.argv[3:]]
    torch.manual_seed(1)
    torch.set_num_threads(1)
    rng = np.random.default_rng(5)
    began = time.time()
    train, held = dataset(pictures[:-20], 6, CROPS), dataset(pictures[-20:], 7, HELD)
    print(f"{len(train[0])} made in {time.time() - began:.0f} s", flush=True)
    net = LeanEye()
    optimiser = torch.optim.AdamW(net.parameters(), HIGHEST_RATE, weight_decay=1e-3)
    began, told, step = time.time(), 0.0, 0
    while (spent := (time.time() - began) / 60 / minutes) < 1:
        for group in optimiser.param_groups:
            group["lr"] = HIGHEST_RATE * min(1.0, spent / 0.05 + 0.05) * (0.5 + 0.5 * np.cos(np.pi * spent))
        cost = loss(net, *batch(train, rng))
        optimiser.zero_grad()
        cost.backward()
        optimiser.step()
        step += 1
        if spent > told:
            told = spent + 0.1
            print(f"{step} {spent:.0%} loss {cost.item():.3f} {scored(net, held)}", flush=True)
    save(net, out, CLOSE_PX, FREE, layers=5)
    print(f"{step} steps {scored(net, held)}", flush=True)


if __name__ == "__main__":
    main()
