"""Teach the finder: python train_finder.py MINUTES START.pt|- SAVE.pt RATE SEED"""

import sys
import time

import numpy as np
import torch
import torch.nn.functional as F
from finder_net import Finder

torch.set_num_threads(1)


class Maker:
    """Draws a batch of crops whenever asked."""

    def __init__(self, seed):
        import cv2

        cv2.setNumThreads(1)
        import finder_data
        import world

        self.w, self.sample = world.make(seed), finder_data.sample

    def batch(self):
        s = [self.sample(self.w) for _ in range(8)]
        return np.stack([a for a, _ in s]), np.stack([b for _, b in s])


def loss_of(out, t):
    m = t[:, 0]
    seg = F.binary_cross_entropy_with_logits(out[:, 0], m)
    k = m.sum().clamp(min=1)
    size = torch.exp(t[:, 3]).clamp(0.3)  # errors count relative to the card
    off = (F.smooth_l1_loss(out[:, 1:3], t[:, 1:3], reduction="none", beta=0.1).sum(1) / size * m).sum() / k
    size_loss = (F.smooth_l1_loss(out[:, 3:5], t[:, 3:5], reduction="none", beta=0.1).sum(1) * m).sum() / k
    ax = (((out[:, 5:9] - t[:, 5:9]) ** 2).sum(1) * m).sum() / k
    return seg * 2 + 1.5 * off + 0.5 * size_loss + 0.5 * ax, (
        seg.item(),
        off.item(),
        size_loss.item(),
        ax.item(),
    )


def turn(x, t, rng):
    """One of the eight turns and mirrorings, and now and then other colours."""
    if rng.random() < 0.5:
        x, t = x.flip(3), t.flip(3) * torch.tensor([1, -1, 1, 1, 1, 1, -1, 1, -1.0]).view(1, 9, 1, 1)
    if rng.random() < 0.5:
        x, t = x.flip(2), t.flip(2) * torch.tensor([1, 1, -1, 1, 1, 1, -1, 1, -1.0]).view(1, 9, 1, 1)
    if rng.random() < 0.5:
        x, t = (
            x.transpose(2, 3),
            t.transpose(2, 3)[:, [0, 2, 1, 3, 4, 5, 6, 7, 8]]
            * torch.tensor([1, 1, 1, 1, 1, -1, 1, -1, 1.0]).view(1, 9, 1, 1),
        )
    if rng.random() < 0.08:
        x = x[:, torch.randperm(3)]
    if rng.random() < 0.3:
        x = 1 - (1 - x) * float(rng.uniform(0.6, 1.1))
    return x.clamp(0, 1), t


def main(minutes, start, save, lr0):
    maker = Maker(int(sys.argv[5]))
    net = Finder().to(memory_format=torch.channels_last)
    if start != "-":
        net.load_state_dict(torch.load(start))
    opt = torch.optim.AdamW(net.parameters(), lr=lr0, weight_decay=1e-3)
    t0, n, avg, store, fresh, rng = time.time(), 0, np.zeros(4), [], 0, __import__("random").Random(5)
    while time.time() - t0 < minutes * 60:
        f = (time.time() - t0) / (minutes * 60)
        for g in opt.param_groups:
            g["lr"] = lr0 * min(1, (n + 1) / 100) * (1 - f) ** 0.8 + 1e-5
        while len(store) < 16 + n / 4:
            store.append(maker.batch())
            fresh += 1
        a, c = store[-1] if rng.random() < 0.25 else rng.choice(store)
        x, t = turn(torch.from_numpy(a).permute(0, 3, 1, 2).float() / 255, torch.from_numpy(c), rng)
        loss, parts = loss_of(net(x.contiguous(memory_format=torch.channels_last)), t)
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5)
        opt.step()
        n += 1
        avg = avg * 0.97 + 0.03 * np.array(parts)
        if n % 50 == 0:
            print(
                f"{n} {time.time() - t0:.0f}s, {fresh * 8} crops: card, middle, size, turn {np.round(avg, 3)}",
                flush=True,
            )
            torch.save(net.state_dict(), save)
    torch.save(net.state_dict(), save)


main(float(sys.argv[1]), sys.argv[2], sys.argv[3], float(sys.argv[4]))
