"""Train the net for dice of any slant: python train_upper.py OUT.onnx MINUTES BEGUN.pt|- PAINTED.npz... RENDERED/

Every picture of RENDERED whose number ends with 7 is held out; new ones are taken up while they are being made.
"""

import sys
import time
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
from export import save
from lessons import SIDE_PX, Answer, Lesson, painted, rendered, shown
from torch import Tensor, nn
from torch.nn import functional as F
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from upper_net import UpperNet

BATCH, RATE, RATE_ON = 8, 2e-3, 8e-4
"""Pictures of a step, and how far it goes, from the beginning and when a net is taken up."""
FROM_RENDERS = 0.6
"""Of each batch, as soon as there are ENOUGH."""
ENOUGH = 100
EVERY_S = 280.0
THREADS = 1
FREE = {"picture": {0: "n", 2: "h", 3: "w"}, "answer": {0: "n", 2: "gh", 3: "gw"}}
Batch = tuple[Tensor, Tensor, Tensor, Tensor]


class Lessons:
    """All that there is to learn from, growing."""

    def __init__(self, files: Sequence[Path]) -> None:
        self.painted = [f for f in files if f.suffix == ".npz"]
        self.folders = [f for f in files if f.is_dir()]
        self.drawn: list[Lesson] = []
        self.renders: list[Lesson] = []
        self.held: list[Lesson] = []
        self.known: set[Path] = set()

    def look(self) -> None:
        for path in (p for p in self.painted if p.exists() and p not in self.known):
            self.known.add(path)
            self.drawn += painted(path)
        for truth in (t for folder in self.folders for t in sorted(folder.glob("*.json"))):
            if truth not in self.known and time.time() - truth.stat().st_mtime > 5:
                self.known.add(truth)
                to = self.held if truth.stem.endswith("7") else self.renders
                to.append(rendered(truth.with_suffix(".jpg")))

    def batch(self, rng: np.random.Generator) -> Batch:
        share = FROM_RENDERS * min(1.0, len(self.renders) / ENOUGH)
        pools = [self.renders if rng.random() < share else self.drawn for _ in range(BATCH)]
        return stacked([shown(pool[rng.integers(len(pool))], rng) for pool in pools])


def stacked(pairs: Sequence[tuple[cv2.typing.MatLike, Answer]]) -> Batch:
    pictures = np.stack([picture for picture, _ in pairs])
    return (
        torch.from_numpy(pictures).permute(0, 3, 1, 2).float() / 255,
        *(
            torch.from_numpy(np.stack([getattr(a, name) for _, a in pairs]))
            for name in ("heat", "shape", "value")
        ),
    )


def loss(out: Tensor, heat: Tensor, shape: Tensor, value: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Of the middles (as CenterNet has it), the shapes and the values."""
    asked, top = heat >= 0, heat > 0.98
    p = torch.sigmoid(out[:, 0]).clamp(1e-5, 1 - 1e-5)
    hit = torch.where(top, (1 - p) ** 2 * p.log(), (1 - heat.clamp(min=0)) ** 4 * p**2 * (1 - p).log())
    found = -(hit * asked).sum() / top.sum().clamp(min=5)
    core = value >= 0
    said = out.permute(0, 2, 3, 1)[core]
    off = F.smooth_l1_loss(said[:, 1:6], shape.permute(0, 2, 3, 1)[core], beta=0.1)
    read = F.cross_entropy(said[:, 6:], value[core], label_smoothing=0.02)
    return found, off, read


def scored(net: nn.Module, batches: Sequence[Batch]) -> str:
    """Middles above even odds, false ones a picture, and values right on the middles."""
    net.eval()
    hit, false, right, count = 0.0, 0.0, 0.0, 0
    with torch.no_grad():
        for x, heat, _, value in batches:
            out = net(x)
            top = heat > 0.98
            peak = (out[:, :1] == F.max_pool2d(out[:, :1], 5, 1, 2))[:, 0] & (out[:, 0] > 0)
            hit += float((F.max_pool2d(out[:, :1], 3, 1, 1)[:, 0] > 0)[top].sum())
            false += float((peak & (heat == 0) & (value < 0)).sum())
            right += float((out[:, 6:].argmax(1) == value)[top].sum())
            count += int(top.sum())
    net.train()
    pictures = sum(len(b[0]) for b in batches)
    return f"found {hit / count:.3f} read {right / count:.3f} false {false / pictures:.2f} of {count}"


def held_batches(held: Sequence[Lesson], seed: int) -> list[Batch]:
    rng = np.random.default_rng(seed)
    pairs = [shown(held[k % len(held)], rng) for k in range(120)]
    return [stacked(pairs[k : k + 24]) for k in range(0, 120, 24)]


def main() -> None:
    out, minutes, begun = Path(sys.argv[1]), float(sys.argv[2]), sys.argv[3]
    files = [Path(p) for p in sys.argv[4:]]
    cv2.setNumThreads(1)
    torch.set_num_threads(THREADS)
    torch.manual_seed(1)
    rng = np.random.default_rng(int(time.time()) if begun != "-" else 2)
    kept = [f for f in files if "held" in f.name]
    lessons = Lessons([f for f in files if f not in kept])
    lessons.look()
    net = UpperNet()
    if begun != "-":
        net.load_state_dict(torch.load(begun))
    mean = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(0.995))
    highest = RATE if begun == "-" else RATE_ON
    optimiser = torch.optim.AdamW(net.parameters(), highest, weight_decay=1e-4)
    drawn_held = [b for f in kept if f.exists() for b in held_batches(painted(f), 5)]
    start = told = time.time()
    step, sums = 0, np.zeros(3)
    while (done := (time.time() - start) / 60 / minutes) < 1:
        rate = (
            highest
            * min(1.0, (step + 1) / 150)
            * max(0.01, 0.5 * (1 + np.cos(np.pi * max(0.0, done - 0.25) / 0.75)))
        )
        for group in optimiser.param_groups:
            group["lr"] = rate
        x, *wanted = lessons.batch(rng)
        found, off, read = loss(net(x), *wanted)
        optimiser.zero_grad()
        (found + 2 * off + read).backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        mean.update_parameters(net)
        step += 1
        sums += [found.item(), off.item(), read.item()]
        if time.time() - told > EVERY_S:
            told = time.time()
            lessons.look()
            _tell(step, start, sums, mean.module, lessons, drawn_held, out)
            sums = np.zeros(3)
    _tell(step, start, sums, mean.module, lessons, drawn_held, out)


def measured(net: nn.Module, batches: Sequence[Batch]) -> None:
    """Set the means and variances of a net whose weights are a mean of weights: those of its own layers are late."""
    norms = [m for m in net.modules() if isinstance(m, nn.BatchNorm2d)]
    for norm in norms:
        norm.reset_running_stats()
        norm.momentum = None
    net.train()
    with torch.no_grad():
        for x, *_ in batches:
            net(x)


def _tell(
    step: int, start: float, sums: np.ndarray, net: nn.Module, lessons: Lessons, drawn: list[Batch], out: Path
) -> None:
    rng = np.random.default_rng(step)
    measured(net, [lessons.batch(rng) for _ in range(16)])
    print(
        f"{step} {time.time() - start:.0f} s sums {sums.round(1)} from {len(lessons.renders)}+{len(lessons.drawn)}"
    )
    if drawn:
        print("  painted, held:", scored(net, drawn))
    if len(lessons.held) > 3:
        print("  rendered, held:", scored(net, held_batches(lessons.held, 6)), flush=True)
    torch.save(net.state_dict(), out.with_suffix(".pt"))
    save(net, out, SIDE_PX, FREE)


if __name__ == "__main__":
    main()
