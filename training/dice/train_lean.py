"""Train the eye for leaning dice: python train_lean.py OUT.onnx STEPS RATE SHARE PICTURES... [RENDERED...] [FROM.pt]

A picture pulled straight as seen from above the table, and how steeply upright edges run in it: what does the upper
face show, and does the die lean? (torch 2.13.0, CPU) PICTURES are without dice, SHARE of each batch is from RENDERED.
"""

import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from poses import FLAT_DEG, LEANS_DEG, SIDE_PX, Posed, answer, drawn, rendered, straight, up
from torch import Tensor, nn
from torch.nn import functional as F

DRAWN, SOLIDS, BATCH = 8000, 1333, 48
FREE = {"picture": {0: "n"}, "answer": {0: "n"}}
"""Any number of them."""


@dataclass(frozen=True, slots=True)
class Lesson:
    steps: int
    rate: float
    share: float
    """Of each batch that is rendered."""
    painted: list[Posed]
    shot: list[Posed]
    held: list[Posed]


class LeanEye(nn.Module):
    """Colours and steepness in; whether it leans, then seven scores (no die, 1 to 6) out."""

    def __init__(self) -> None:
        super().__init__()
        self.eye = nn.Sequential(
            _conv(4, 16, 2), _conv(16, 24), _conv(24, 32, 2), _conv(32, 40), _conv(40, 48, 2)
        )
        self.mind = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.1), nn.Linear(48 * 36, 48), nn.ReLU(), nn.Linear(48, 8)
        )

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.mind(self.eye(x))
        return out


def _conv(a: int, b: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(nn.Conv2d(a, b, 3, stride, 1, bias=False), nn.BatchNorm2d(b), nn.ReLU(inplace=True))


def asked(dice: list[Posed], rng: np.random.Generator) -> tuple[Tensor, Tensor, Tensor]:
    """These dice, each on a table of its own: pictures, values (0: no die) and how far they lean."""
    rows: list[NDArray[np.float32]] = []
    values, leans = [], []
    for die in dice:
        upward = up(die, rng)
        picture, slope = straight(die, upward, rng)
        value, lean = answer(die, upward)
        if rng.random() < 0.5:
            picture = picture[:, ::-1]
        if rng.random() < 0.4:
            picture = picture[..., rng.permutation(3)]
        layers = picture.astype(np.float32) / 255 * rng.uniform(0.7, 1.3)
        flat = np.full((SIDE_PX, SIDE_PX, 1), slope, np.float32)
        rows.append(np.concatenate([np.clip(layers, 0, 1), flat], 2).transpose(2, 0, 1))
        values.append(value)
        leans.append(lean)
    return torch.from_numpy(np.stack(rows)), torch.tensor(values), torch.tensor(leans)


def loss(out: Tensor, value: Tensor, lean: Tensor) -> Tensor:
    leans = ((lean - FLAT_DEG) / (LEANS_DEG - FLAT_DEG)).clamp(0, 1).float()
    die = value > 0
    # What a die shows that leans far is nobody's question.
    read = (value == 0) | (lean < 30)
    told = F.binary_cross_entropy_with_logits(out[die, 0], leans[die])
    return told + 0.5 * F.cross_entropy(out[read, 1:], value[read])


def scored(net: LeanEye, dice: list[Posed]) -> str:
    """On dice that lie flat or lean clearly."""
    rng = np.random.default_rng(9)
    x, value, lean = asked(dice, rng)
    net.eval()
    with torch.no_grad():
        out = torch.cat([net(part) for part in x.split(128)])
    net.train()
    die = value > 0
    flat, leans = die & (lean < 6), die & (lean > 18)
    said = torch.sigmoid(out[:, 0])
    right = (out[flat, 1:].argmax(1) == value[flat]).float().mean()
    false, missed = said[flat], 1 - said[leans]
    return (
        f"flat called leaning {(false > 0.5).float().mean():.4f} (0.9: {(false > 0.9).float().mean():.4f}), "
        f"leaning missed {(missed > 0.5).float().mean():.4f} (0.9: {(missed > 0.1).float().mean():.4f}), "
        f"values {right:.4f}"
    )


def save(net: LeanEye, out: Path) -> None:
    net.eval()
    names = {"input_names": ["picture"], "output_names": ["answer"], "dynamic_axes": FREE}
    torch.save(net.state_dict(), out.with_suffix(".pt"))
    torch.onnx.export(net, (torch.zeros(1, 4, SIDE_PX, SIDE_PX),), str(out), dynamo=False, **names)
    net.train()


def teach(net: LeanEye, lesson: Lesson, out: Path) -> None:
    rng = np.random.default_rng(2)
    began = time.time()
    optimiser = torch.optim.AdamW(net.parameters(), 1e-3, weight_decay=1e-3)
    plan = torch.optim.lr_scheduler.OneCycleLR(optimiser, lesson.rate, lesson.steps, pct_start=0.15)
    for step in range(lesson.steps):
        some = round(BATCH * lesson.share) if lesson.shot else 0
        dice = [lesson.painted[k] for k in rng.integers(len(lesson.painted), size=BATCH - some)]
        dice += [lesson.shot[k] for k in rng.integers(max(1, len(lesson.shot)), size=some)]
        picture, value, lean = asked(dice, rng)
        cost = loss(net(picture), value, lean)
        optimiser.zero_grad()
        cost.backward()
        optimiser.step()
        plan.step()
        if step % 250 == 249:
            said = f"{step + 1} {time.time() - began:.0f} s loss {cost.item():.3f} {scored(net, lesson.held)}"
            print(said, flush=True)
            save(net, out)
    save(net, out)


def main() -> None:
    out, steps, rate, share = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4])
    paths = [Path(p) for p in sys.argv[5:]]
    torch.manual_seed(1)
    torch.set_num_threads(1)
    pictures = [p for p in paths if p.is_file() and p.suffix != ".pt"]
    painted, held = list(drawn(pictures, 3, DRAWN, SOLIDS)), list(drawn(pictures, 4, 400, 200))
    net = LeanEye()
    for begun in (p for p in paths if p.suffix == ".pt"):
        net.load_state_dict(torch.load(begun))
    shot = list(rendered([p for p in paths if p.is_dir()]))
    teach(net, Lesson(steps, rate, share, painted, shot, held), out)


if __name__ == "__main__":
    main()
