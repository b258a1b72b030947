"""Train the dice net: python train.py OUT.onnx PICTURES_WITHOUT_DICE... (torch 2.13.0, CPU, about 25 minutes)."""

import sys
import time
from pathlib import Path

import numpy as np
import torch
from export import save
from scenes import PATCH_PX, Answer, Scenes
from torch import Tensor, nn
from torch.nn import functional as F

PATCHES, STEPS, BATCH = 7000, 3600, 32
WIDTH = 24
FREE = {"picture": {0: "n", 2: "h", 3: "w"}, "answer": {0: "n", 2: "gh", 3: "gw"}}
"""Of any size."""


class DiceNet(nn.Module):
    """Every fourth pixel says: a die's middle?, where exactly, how big."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(_conv(3, 16, 2), _conv(16, WIDTH, 2))
        self.body = nn.ModuleList(_conv(WIDTH, WIDTH, 1, d) for d in (1, 2, 3))
        self.head = nn.Conv2d(WIDTH, 4, 1)

    def forward(self, x: Tensor) -> Tensor:
        x = self.stem(x)
        for block in self.body:
            x = x + block(x)
        out: Tensor = self.head(x)
        return out


def _conv(a: int, b: int, stride: int, dilation: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(a, b, 3, stride, dilation, dilation, bias=False), nn.BatchNorm2d(b), nn.ReLU(inplace=True)
    )


def loss(out: Tensor, die: Tensor, shape: Tensor) -> Tensor:
    asked, core = die >= 0, die > 0
    each = F.binary_cross_entropy_with_logits(out[:, 0], die.clamp(min=0), reduction="none")
    hard = (1 - torch.exp(-each)) ** 1.5
    found = (each * hard * (1 + 3 * core))[asked].sum() / core.sum().clamp(min=20)
    off = F.smooth_l1_loss(out[:, 1:].permute(0, 2, 3, 1)[core], shape.permute(0, 2, 3, 1)[core], beta=0.1)
    return found + off


def dataset(pictures: list[Path], seed: int, count: int) -> tuple[Tensor, Tensor, Tensor]:
    scenes = Scenes(pictures, seed)
    pairs = [scenes.patch() for _ in range(count)]
    answers: list[Answer] = [a for _, a in pairs]
    images = torch.from_numpy(np.stack([p for p, _ in pairs])).permute(0, 3, 1, 2)
    return (
        images,
        torch.from_numpy(np.stack([a.die for a in answers])),
        torch.from_numpy(np.stack([a.shape for a in answers])),
    )


def batch(data: tuple[Tensor, ...], rng: np.random.Generator) -> tuple[Tensor, ...]:
    """A random batch, half of it mirrored, its colours permuted and its brightness changed."""
    pick = torch.from_numpy(rng.integers(len(data[0]), size=BATCH))
    x, die, shape = (d[pick] for d in data)
    x = x.float() / 255
    if rng.random() < 0.5:
        x, die, shape = (t.flip(-1) for t in (x, die, shape))
        # dx changes sign in a mirror.
        shape = shape * torch.tensor([-1, 1, 1.0]).view(1, 3, 1, 1)
    if rng.random() < 0.5:
        x, die, shape = (t.transpose(-1, -2) for t in (x, die, shape))
        shape = shape[:, [1, 0, 2]]
    if rng.random() < 0.4:
        x = x[:, torch.from_numpy(rng.permutation(3))]
    gain = torch.from_numpy(rng.uniform(0.7, 1.3, (BATCH, 1, 1, 1)).astype(np.float32))
    return (x * gain).clamp(0, 1), die, shape


def scored(net: DiceNet, data: tuple[Tensor, ...]) -> str:
    net.eval()
    with torch.no_grad():
        out = torch.cat([net(x.float() / 255) for x in data[0].split(64)])
    core = data[1] > 0
    said = out[:, 0] > 0
    false = (said & (data[1] == 0)).float().sum() / len(said)
    net.train()
    return f"cells found {said[core].float().mean():.4f}, false a patch {false:.3f}"


def main() -> None:
    out = Path(sys.argv[1])
    pictures = [Path(p) for p in sys.argv[2:]]
    torch.manual_seed(1)
    torch.set_num_threads(1)
    rng = np.random.default_rng(2)
    began = time.time()
    train, held = dataset(pictures, 3, PATCHES), dataset(pictures, 4, 600)
    print(f"made in {time.time() - began:.0f} s", flush=True)
    net = DiceNet()
    optimiser = torch.optim.AdamW(net.parameters(), 2e-3, weight_decay=1e-4)
    plan = torch.optim.lr_scheduler.OneCycleLR(optimiser, 4e-3, STEPS)
    for step in range(STEPS):
        x, die, shape = batch(train, rng)
        cost = loss(net(x), die, shape)
        optimiser.zero_grad()
        cost.backward()
        optimiser.step()
        plan.step()
        if step % 250 == 249:
            print(
                f"{step + 1} {time.time() - began:.0f} s loss {cost.item():.3f} {scored(net, held)}",
                flush=True,
            )
            save(net, out, PATCH_PX, FREE)
    save(net, out, PATCH_PX, FREE)


if __name__ == "__main__":
    main()
