"""Teach the eye for leaning dice on a calibrated table: python train_cocked.py OUT.onnx MINUTES CUTS.pkl... [BEGUN.pt]

CUTS are of table_lessons.py; the referee's own packages pull each die straight, so they must be on the path. Pictures
whose number ends with 7 are held out. (torch 2.13.0, CPU)
"""

import pickle
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from close_net import _Again, _conv
from export import save
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from referee.vision.leaning import SIDE_PX, straight

BATCH, RATE, RATE_ON = 64, 1.5e-3, 6e-4
FLAT_DEG, LEANS_DEG = 4.0, 12.0
"""Up to here a die is taught as flat, from here on as leaning."""
NONE_SHARE, BY_HAND_SHARE = 0.12, 0.35
"""Of each batch that is no die, and that was not seen from over a table."""
SUPPOSED_SHARE, FLAT_SHARE = 0.6, 0.5
"""How often another table than the true one is supposed under a die, and how often it lies flat on that."""
STEEPEST = 0.77
"""Cosine of the flattest angle at which a camera above a table looks at it."""
EVERY_S = 60.0
FREE = {"picture": {0: "n"}, "answer": {0: "n"}}
Array = NDArray[np.float64]
Batch = tuple[Tensor, Tensor, Tensor, Tensor]


class CockedEye(nn.Module):
    """Colours and steepness in; whether it leans, seven scores (no die, 1 to 6) and the normal's run out."""

    def __init__(self) -> None:
        super().__init__()
        self.eye = nn.Sequential(
            _conv(4, 24, 2), _Again(24), _conv(24, 48, 2), _Again(48), _conv(48, 64, 2), _Again(64)
        )
        self.mind = nn.Sequential(
            nn.Flatten(),
            nn.Dropout(0.2),
            nn.Linear(64 * 36, 64),
            nn.BatchNorm1d(64),
            nn.ReLU(),
            nn.Linear(64, 10),
        )

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = self.mind(self.eye(x))
        return out


def supposed_up(view: Array, normal: Array, rng: np.random.Generator) -> Array | None:
    """The upward direction of a table on which this die might lie, flat or leaning, seen by a camera above it."""
    sight = np.cross(view[0], view[1])
    sight *= np.sign(sight[2]) / np.linalg.norm(sight)
    for _ in range(8):
        lean = abs(rng.normal(0, 1.5)) if rng.random() < FLAT_SHARE else rng.uniform(6, 43)
        side = np.cross(normal, rng.normal(0, 1, 3))
        side /= np.linalg.norm(side)
        up = np.cos(np.radians(lean)) * normal + np.sin(np.radians(lean)) * side
        if sight @ up > STEEPEST:
            return np.asarray(up)
    return None


def seen_on(view: Array, normal: Array, up: Array) -> tuple[Array, Array]:
    """View and normal in the axes of a table with that upward direction."""
    side = np.cross(up, [1.0, 0, 0] if abs(up[0]) < 0.8 else [0, 1.0, 0])
    side /= np.linalg.norm(side)
    axes = np.stack([side, np.cross(up, side), up], 1)
    return view @ axes, normal @ axes


def asked(cuts: list[tuple[Any, ...]], rng: np.random.Generator, spoil: bool = True) -> Batch:
    """Pictures, values (0: no die), how far they lean, and where their normals point in the picture."""
    layers: list[NDArray[np.float32]] = []
    values, leans, ways = [], [], []
    for _, picture, px, view, value, normal, tabled in cuts:
        if value and (not tabled or (spoil and rng.random() < SUPPOSED_SHARE)):
            up = supposed_up(view, normal, rng)
            if up is None:
                continue
            view, normal = seen_on(view, normal, up)
        edge = np.linalg.norm(view[:, :2]) / np.sqrt(2)
        if spoil:
            view, px = view * 2 ** rng.normal(0, 0.1), px + rng.normal(0, 0.04, 2) * edge
        seen, slope = straight(picture, (float(px[0]), float(px[1])), view)
        run = np.linalg.solve(view[:, :2], view[:, 2])
        c, s = run / max(1e-6, np.hypot(*run))
        way = np.array([-s * normal[0] + c * normal[1], -c * normal[0] - s * normal[1]])
        if spoil and rng.random() < 0.5:
            seen, way = seen[:, ::-1], way * (-1, 1)
        coloured = relit(seen, rng) if spoil else seen.astype(np.float32) / 255
        layers.append(np.dstack([coloured, np.full((SIDE_PX, SIDE_PX), slope, np.float32)]))
        values.append(value)
        leans.append(float(np.degrees(np.arccos(min(1.0, normal[2])))) if value else 0.0)
        ways.append(way)
    return (
        torch.from_numpy(np.stack(layers)).permute(0, 3, 1, 2).contiguous(),
        torch.tensor(values),
        torch.tensor(leans),
        torch.tensor(np.array(ways), dtype=torch.float32),
    )


def relit(seen: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.float32]:
    """In other colours and another light, partly covered, noisy."""
    out = seen.astype(np.float32) / 255
    if rng.random() < 0.35:
        out = out[..., rng.permutation(3)]
    if rng.random() < 0.1:
        out = np.repeat(out.mean(axis=2, keepdims=True), 3, axis=2)
    if rng.random() < 0.15:
        out = 1 - out
    out = out * rng.uniform(0.6, 1.4) * rng.uniform(0.85, 1.15, 3).astype(np.float32)
    out = np.clip(out, 0, 1) ** np.float32(2 ** rng.normal(0, 0.35))
    if rng.random() < 0.3:
        # Light falls from one side.
        across = np.linspace(-1, 1, SIDE_PX, dtype=np.float32)
        a, b = rng.normal(0, 0.2, 2).astype(np.float32)
        out = out * (1 + a * across + b * across[:, None])[..., None]
    if rng.random() < 0.25:
        x, y = rng.integers(-8, SIDE_PX - 6, 2)
        side = int(rng.integers(6, 16))
        near = min(abs(x + side / 2 - SIDE_PX / 2), abs(y + side / 2 - SIDE_PX / 2))
        if near > 8:
            out[max(0, y) : y + side, max(0, x) : x + side] = rng.uniform(0, 1, 3)
    if rng.random() < 0.4:
        out = out + rng.normal(0, rng.uniform(0.005, 0.05), out.shape).astype(np.float32)
    return np.asarray(np.clip(out, 0, 1), np.float32)


def loss(out: Tensor, value: Tensor, lean: Tensor, way: Tensor) -> Tensor:
    leans = ((lean - FLAT_DEG) / (LEANS_DEG - FLAT_DEG)).clamp(0, 1).float()
    die = value > 0
    # What a die shows that leans far is nobody's question, nor which of two faces is its upper one.
    read = (value == 0) | (lean < 30)
    plain = die & (lean < 38)
    told = F.binary_cross_entropy_with_logits(out[die, 0], leans[die])
    points = F.smooth_l1_loss(out[plain, 8:], way[plain], beta=0.1)
    return told + 0.4 * F.cross_entropy(out[read, 1:8], value[read]) + 2 * points


def scored(net: nn.Module, held: Batch) -> str:
    net.eval()
    with torch.no_grad():
        out = torch.cat([net(part) for part in held[0].split(128)])
    net.train()
    value, lean = held[1], held[2]
    said, die = torch.sigmoid(out[:, 0]), value > 0
    bands = [
        f"{name} {(said[k] > 0.5).float().mean():.3f} {(said[k] > 0.9).float().mean():.3f}"
        for name, k in (
            ("flat", die & (lean < 4)),
            ("8-15", die & (lean > 8) & (lean < 15)),
            ("15-25", die & (lean >= 15) & (lean < 25)),
            ("25-", die & (lean >= 25)),
        )
    ]
    flat, none = die & (lean < 4), value == 0
    right = (out[flat, 1:8].argmax(1) == value[flat]).float().mean()
    false = (out[none, 1:8].softmax(1)[:, 0] < 0.5).float().mean()
    return f"called leaning: {', '.join(bands)}; values {right:.3f}; false dice {false:.3f}"


def main() -> None:
    out, minutes, paths = Path(sys.argv[1]), float(sys.argv[2]), [Path(p) for p in sys.argv[3:]]
    cuts = [cut for p in paths if p.suffix == ".pkl" for cut in pickle.loads(p.read_bytes())]
    torch.manual_seed(1)
    torch.set_num_threads(1)
    rng = np.random.default_rng(2)
    held = asked([c for c in cuts if c[0] % 10 == 7 and c[6]], rng, False)
    cuts = [c for c in cuts if c[0] % 10 != 7]
    dice, none = [c for c in cuts if c[4] and c[6]], [c for c in cuts if not c[4]]
    others = [c for c in cuts if c[4] and not c[6]]
    net = CockedEye()
    begun = paths[-1].suffix == ".pt"
    if begun:
        net.load_state_dict(torch.load(paths[-1]))
    mean = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(0.998), use_buffers=True)
    optimiser = torch.optim.AdamW(net.parameters(), RATE, weight_decay=5e-3)
    began, said, step = time.time(), time.time(), 0
    blanks, strange = round(BATCH * NONE_SHARE), round(BATCH * BY_HAND_SHARE)
    pools = ((dice, BATCH - blanks - strange), (none, blanks), (others, strange))
    print(*(len(pool) for pool, _ in pools), len(held[0]), "held out", flush=True)
    while (gone := (time.time() - began) / 60 / minutes) < 1:
        for each in optimiser.param_groups:
            each["lr"] = (
                (RATE_ON if begun else RATE) * min(1.0, (step + 1) / 100) * (0.5 + 0.5 * np.cos(np.pi * gone))
            )
        some = [pool[k] for pool, many in pools for k in rng.integers(len(pool), size=many)]
        picture, *answers = asked(some, rng)
        cost = loss(net(picture), *answers)
        optimiser.zero_grad()
        cost.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimiser.step()
        mean.update_parameters(net)
        step += 1
        if time.time() - said > EVERY_S:
            said = time.time()
            print(
                f"{step} {said - began:.0f} s loss {cost.item():.3f} {scored(mean.module, held)}", flush=True
            )
            _save(mean.module, out)
    print(step, scored(mean.module, held))
    _save(mean.module, out)


def _save(net: nn.Module, out: Path) -> None:
    torch.save(net.state_dict(), out.with_suffix(".pt"))
    save(net, out, SIDE_PX, FREE, 4)


if __name__ == "__main__":
    main()
