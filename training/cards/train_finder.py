"""Teach the finder: python train_finder.py MINUTES START.pt|- SAVE.pt RATE SEED [RENDERED]"""

import random
import sys
import time
from pathlib import Path

import cv2
import finder_data
import numpy as np
import torch
import torch.nn.functional as F
import world
from finder_net import Finder
from rendered import Stills
from teaching import blend, pace

BATCH, KEPT = 4, 1500
"""Crops of a batch, and batches kept to be shown again, turned and mirrored: drawing is slower than learning."""
SHOWN = 4
"""Steps for every fresh batch."""
RENDERED = 2
"""Crops of a batch that are cut from rendered stills, if there are any."""
AGAIN = 100
"""Steps after which stills that were rendered meanwhile are taken up."""
SIGNS = {
    "across": (1, -1, 1, 1, 1, 1, -1, 1, -1, 1.0),
    "down": (1, 1, -1, 1, 1, 1, -1, 1, -1, 1.0),
    "diagonal": (1, 1, 1, 1, 1, -1, 1, -1, 1, 1.0),
}
"""What a mirroring does to middles and double angles."""


class Maker:
    """Draws batches of crops and keeps the latest; some crops may be of rendered stills."""

    def __init__(self, seed: int, stills: Stills | None = None) -> None:
        self.world, self.rng, self.stills = world.make(seed), random.Random(5), stills
        self.kept: list[tuple[np.ndarray, np.ndarray]] = []
        self.drawn = 0

    def draw(self) -> None:
        count = BATCH - (RENDERED if self.stills else 0)
        crops, targets = zip(*(finder_data.sample(self.world) for _ in range(count)), strict=True)
        self.kept.append((np.stack(crops), np.stack(targets).astype(np.float16)))
        del self.kept[:-KEPT]
        self.drawn += 1

    def batch(self, step: int) -> tuple[torch.Tensor, torch.Tensor]:
        while self.drawn < 16 + step / SHOWN:
            self.draw()
        crops, targets = self.kept[-1] if self.rng.random() < 1 / SHOWN else self.rng.choice(self.kept)
        if self.stills:
            if step % AGAIN == 0:
                self.stills.refresh()
            some = zip(*(self.stills.sample(self.world) for _ in range(RENDERED)), strict=True)
            crops, targets = (np.concatenate(both) for both in zip((crops, targets), some, strict=True))
        x, t = torch.from_numpy(crops).permute(0, 3, 1, 2).float() / 255, torch.from_numpy(targets).float()
        return turned(x, t, self.rng)


def turned(x: torch.Tensor, t: torch.Tensor, rng: random.Random) -> tuple[torch.Tensor, torch.Tensor]:
    """One of the eight turns and mirrorings, and now and then other colours."""
    if rng.random() < 0.5:
        x, t = x.flip(3), t.flip(3) * signs("across")
    if rng.random() < 0.5:
        x, t = x.flip(2), t.flip(2) * signs("down")
    if rng.random() < 0.5:
        t = t.transpose(2, 3)[:, [0, 2, 1, 3, 4, 5, 6, 7, 8, 9]] * signs("diagonal")
        x = x.transpose(2, 3)
    if rng.random() < 0.08:
        x = x[:, torch.randperm(3)]
    if rng.random() < 0.3:
        x = 1 - (1 - x) * float(rng.uniform(0.6, 1.1))
    return x.clamp(0, 1), t


def signs(mirror: str) -> torch.Tensor:
    return torch.tensor(SIGNS[mirror]).view(1, 10, 1, 1)


def losses(out: torch.Tensor, t: torch.Tensor) -> torch.Tensor:
    """Of: on a card, middle, size, turn. Errors of place count relative to the card."""
    on, counts = t[:, 0], t[:, 9]
    cells, size = counts.sum().clamp(min=1), torch.exp(t[:, 3]).clamp(0.3)
    middle = F.smooth_l1_loss(out[:, 1:3], t[:, 1:3], reduction="none", beta=0.1).sum(1) / size
    sizes = F.smooth_l1_loss(out[:, 3:5], t[:, 3:5], reduction="none", beta=0.1).sum(1)
    turn = ((out[:, 5:9] - t[:, 5:9]) ** 2).sum(1)
    card = F.binary_cross_entropy_with_logits(out[:, 0], on)
    return torch.stack([card, *((part * counts).sum() / cells for part in (middle, sizes, turn))])


WEIGHTS = torch.tensor([2.0, 1.5, 0.5, 0.5])


def teach(minutes: float, start: str, save: str, rate: float, seed: int, rendered: str = "") -> None:
    stills = Stills(Path(rendered)) if rendered else None
    maker, net = Maker(seed, stills), Finder().to(memory_format=torch.channels_last)
    if start != "-":
        net.load_state_dict(torch.load(start))
    if stills:
        net.eval()  # What normalises stays as it is: four crops of two kinds would say something else at every step.
    average = {name: value.clone() for name, value in net.state_dict().items()}
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-3)
    began, step, recent = time.time(), 0, np.zeros(4)
    while (done := (time.time() - began) / (minutes * 60)) < 1:
        pace(optimiser, rate, step, done, 100)
        x, t = maker.batch(step)
        parts = losses(net(x.contiguous(memory_format=torch.channels_last)), t)
        optimiser.zero_grad()
        (parts * WEIGHTS).sum().backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5)
        optimiser.step()
        blend(average, net, step, 0.999)
        step += 1
        recent = recent * 0.97 + 0.03 * parts.detach().numpy()
        if step % 200 == 0:
            took, crops = time.time() - began, maker.drawn * BATCH
            print(
                f"{step} {took:.0f}s, {crops} crops: card, middle, size, turn {np.round(recent, 3)}",
                flush=True,
            )
            torch.save(average, save)
    torch.save(average, save)


if __name__ == "__main__":
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    teach(float(sys.argv[1]), sys.argv[2], sys.argv[3], float(sys.argv[4]), int(sys.argv[5]), *sys.argv[6:7])
