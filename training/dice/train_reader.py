"""Train the reader: python train_reader.py OUT.onnx FINDER.onnx PICTURES_WITHOUT_DICE... (torch 2.13.0, CPU)."""

import sys
import time
from pathlib import Path

import numpy as np
import torch
from export import save
from mining import false_alarms
from scenes import CLOSE_PX, Scenes
from torch import Tensor, nn
from torch.nn import functional as F

CROPS, STEPS, BATCH = 8000, 2000, 64
FREE = {"picture": {0: "n"}, "answer": {0: "n"}}
"""Any number of them."""


class DieReader(nn.Module):
    """A close picture in; seven scores (no die, 1 to 6) and the upper face's normal out."""

    def __init__(self) -> None:
        super().__init__()
        self.eye = nn.Sequential(
            _conv(3, 20), _conv(20, 28, 2), _conv(28, 40), _conv(40, 48, 2), _conv(48, 48)
        )
        self.mind = nn.Sequential(nn.Flatten(), nn.Linear(48 * 81, 64), nn.ReLU(), nn.Linear(64, 9))

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.mind(self.eye(x))
        return out


def _conv(a: int, b: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(nn.Conv2d(a, b, 3, stride, 1, bias=False), nn.BatchNorm2d(b), nn.ReLU(inplace=True))


def dataset(finder: Path, pictures: list[Path], seed: int, count: int) -> tuple[Tensor, Tensor, Tensor]:
    scenes = Scenes(pictures, seed, 700 if count > 5000 else 200)
    crops: list[tuple[np.ndarray, int, tuple[float, float]]] = []
    while len(crops) < count:
        crops += scenes.crops()
    alarms = false_alarms(finder, pictures, 1 + count // 4000, seed)
    crops += [(crop, 0, (0.0, 0.0)) for crop in alarms[: count // 2]]
    images = torch.from_numpy(np.stack([c for c, _, _ in crops])).permute(0, 3, 1, 2)
    return images, torch.tensor([v for _, v, _ in crops]), torch.tensor([n for _, _, n in crops])


def batch(data: tuple[Tensor, Tensor, Tensor], rng: np.random.Generator) -> tuple[Tensor, Tensor, Tensor]:
    pick = torch.from_numpy(rng.integers(len(data[0]), size=BATCH))
    x, value, normal = (d[pick] for d in data)
    x = x.float() / 255
    if rng.random() < 0.5:
        x, normal = x.flip(-1), normal * torch.tensor([-1.0, 1.0])
    if rng.random() < 0.4:
        x = x[:, torch.from_numpy(rng.permutation(3))]
    gain = torch.from_numpy(rng.uniform(0.7, 1.3, (BATCH, 1, 1, 1)).astype(np.float32))
    return (x * gain).clamp(0, 1), value, normal


def loss(out: Tensor, value: Tensor, normal: Tensor) -> Tensor:
    die, known = value != 0, value >= 0
    read = F.cross_entropy(out[known, :7], value[known])
    # A die that leans is a die, whatever it shows.
    leans = F.softplus(out[~known, 0] - out[~known, 1:7].logsumexp(1)).sum() / len(out)
    return read + leans + F.smooth_l1_loss(out[die, 7:], normal[die], beta=0.1)


def scored(net: DieReader, data: tuple[Tensor, Tensor, Tensor]) -> str:
    net.eval()
    with torch.no_grad():
        out = torch.cat([net(x.float() / 255) for x in data[0].split(256)])
    net.train()
    said, die = out[:, :7].argmax(1), data[1] > 0
    none = data[1] == 0
    lean = (out[die, 7:] - data[2][die]).norm(dim=1)
    return (
        f"values right {(said == data[1])[die].float().mean():.4f}, false {(said > 0)[none].float().mean():.4f}, "
        f"normal off {lean.median():.3f} (95 %: {lean.quantile(0.95):.3f})"
    )


def main() -> None:
    out, finder, *pictures = map(Path, sys.argv[1:])
    torch.manual_seed(1)
    torch.set_num_threads(1)
    rng = np.random.default_rng(5)
    began = time.time()
    train, held = dataset(finder, pictures[:-40], 6, CROPS), dataset(finder, pictures[-40:], 7, 600)
    print(f"{len(train[0])} made in {time.time() - began:.0f} s", flush=True)
    net = DieReader()
    optimiser = torch.optim.AdamW(net.parameters(), 1e-3, weight_decay=1e-3)
    plan = torch.optim.lr_scheduler.OneCycleLR(optimiser, 2e-3, STEPS)
    for step in range(STEPS):
        x, value, normal = batch(train, rng)
        cost = loss(net(x), value, normal)
        optimiser.zero_grad()
        cost.backward()
        optimiser.step()
        plan.step()
        if step % 200 == 199:
            print(
                f"{step + 1} {time.time() - began:.0f} s loss {cost.item():.3f} {scored(net, held)}",
                flush=True,
            )
            save(net, out, CLOSE_PX, FREE)
    save(net, out, CLOSE_PX, FREE)


if __name__ == "__main__":
    main()
