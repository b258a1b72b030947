"""Teach the network that moves outlines.

    python train.py LESSONS MINUTES OUT.pt [FROM.pt] [RATE]

Lessons whose number ends with 5 or 0 are never learned from; it prints how far off outlines are there, before and
after.
"""

import sys
import time
from pathlib import Path

import numpy as np
import torch
from data import Group, groups, waves
from net import RAYS, STEP_MM, Outliner, wrapped
from paint import Painted

GROUPS_A_STEP = 6
HELD_OUT = 5


def drawn(rng: np.random.Generator, group: Group) -> tuple[torch.Tensor, torch.Tensor]:
    """One picture's pieces with outlines moved, turned, mirrored and coloured at random."""
    some = torch.tensor(rng.permutation(len(group))[: rng.integers(1, len(group) + 1)])
    moved = waves(rng, len(group)) if rng.random() < 0.8 else torch.zeros(len(group), RAYS)
    rays, off = group.lesson(moved, some, float(np.exp(rng.normal(0, 0.1))), rng)
    turn = int(rng.integers(RAYS))
    rays, off = torch.roll(rays, turn, 2), torch.roll(off, turn, 1)
    if rng.random() < 0.5:
        rays, off = rays.flip(2), off.flip(1)
    order = torch.tensor(rng.permutation(3))
    rays = torch.cat([rays[:, 0:3][:, order], rays[:, 3:6][:, order], rays[:, 6:9][:, order], rays[:, 9:]], 1)
    brighter = torch.tensor(rng.normal(0, 0.25), dtype=torch.float32)
    rays[:, 3:6] += brighter
    rays[:, :6] += torch.randn_like(rays[:, :6]) * float(rng.uniform(0, 0.03))
    return rays, off


def loss_of(said: torch.Tensor, off: torch.Tensor) -> torch.Tensor:
    """How badly the truth fits what was said, by Student's curve: one outline that is quite wrong must not rule."""
    error, log_sigma = said[:, 0] - off, said[:, 1].clamp(-3, 3)
    return (log_sigma + 2.5 * torch.log1p((error / log_sigma.exp()) ** 2 / 4)).mean()


@torch.no_grad()
def told(net: Outliner, held: list[Group], loud: bool = False) -> str:
    """How far off outlines are, in mm, before and after."""
    net.eval()
    before, after, sizes = [], [], []
    for group in held:
        rays, off = group.lesson(torch.zeros(len(group), RAYS), torch.arange(len(group)))
        said = net(wrapped(rays))
        before.append(off * STEP_MM)
        after.append((off - said[:, 0]) * STEP_MM)
        sizes.append(said[:, 1].exp() * STEP_MM)
        if loud:
            print(f"  {group.name} {group.kinds:34s} {_figures(before[-1])}  ->  {_figures(after[-1])}")
    net.train()
    b, a, s = (torch.cat(x) for x in (before, after, sizes))
    cover = ((a.abs() < 2 * s).float().mean()).item()
    return f"{_figures(b)}  ->  {_figures(a)}, within twice what was said {cover:.3f}"


def _figures(off: torch.Tensor) -> str:
    each = off.abs().flatten()
    return f"rms {off.pow(2).mean().sqrt():.3f} median {each.median():.3f} p95 {each.quantile(0.95):.3f}"


def _read(lessons: Path) -> tuple[list[Group], list[Group]]:
    """Those to learn from and those held out, of as many as are rendered by now."""
    return groups(lessons, lambda n: n % HELD_OUT != 0), groups(lessons, lambda n: n % HELD_OUT == 0)


def main() -> None:
    lessons, minutes, out = Path(sys.argv[1]), float(sys.argv[2]), sys.argv[3]
    torch.set_num_threads(1)
    torch.manual_seed(1)
    rng = np.random.default_rng(1)
    learned, held = _read(lessons)
    net = Outliner()
    if len(sys.argv) > 4 and sys.argv[4] != "-":
        net.load_state_dict(torch.load(sys.argv[4]))
    rate = float(sys.argv[5]) if len(sys.argv) > 5 else 2e-3
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-3)
    print(
        f"{sum(map(len, learned))} pieces of {len(learned)} pictures, {sum(map(len, held))} held out of {len(held)}"
    )
    began, step, shown = time.time(), 0, 0.0
    while (spent := (time.time() - began) / 60) < minutes:
        for g in optimiser.param_groups:
            g["lr"] = rate * min(1, step / 100) * (0.5 + 0.5 * np.cos(np.pi * spent / minutes))
        batch = [drawn(rng, learned[int(k)]) for k in rng.integers(len(learned), size=GROUPS_A_STEP)]
        batch.append(drawn(rng, Painted(rng)))
        rays, off = (torch.cat(x) for x in zip(*batch, strict=True))
        loss = loss_of(net(wrapped(rays)), off)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimiser.step()
        step += 1
        if time.time() - shown > 120:
            shown = time.time()
            learned, held = _read(lessons)
            print(
                f"{spent:.1f} min, step {step}, {len(learned)} pictures, loss {loss.item():.3f}: {told(net, held)}",
                flush=True,
            )
    torch.save(net.state_dict(), out)
    print(f"step {step}:", told(net, held, loud=True))


if __name__ == "__main__":
    main()
