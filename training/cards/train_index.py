"""Teach the reader of indices: python train_index.py MINUTES START.pt|- SAVE.pt RATE"""

import random
import sys
import time

import cv2
import index_data
import numpy as np
import synth
import torch
import torch.nn.functional as F
import world
from corners import label
from index_net import IndexNet

torch.set_num_threads(1)
cv2.setNumThreads(1)


def main(minutes, start, save, lr0):
    w = world.make(11 if start == "-" else int(time.time()) % 9999)
    real = [f for f in w.faces if label(f.name) < 52]
    w.backs = [f for f in w.faces if f.name.startswith("back")]
    w.jokers = [f for f in w.faces if f.name.startswith("joker")]
    made = [f for i in range(10) for f in synth.deck(w, i)]
    ix = IndexNet()
    if start != "-":
        ix.load_state_dict(torch.load(start))
    opt = torch.optim.AdamW(ix.parameters(), lr=lr0, weight_decay=2e-3)
    store, t0, n, avg, rng, decks = [], time.time(), 0, np.zeros(4), random.Random(1), 10
    while time.time() - t0 < minutes * 60:
        f = (time.time() - t0) / (minutes * 60)
        for g in opt.param_groups:
            g["lr"] = lr0 * min(1, (n + 1) / 60) * (1 - f) ** 0.8 + 1e-5
        for _ in range(12 if n > 40 else 40):
            store.append(index_data.sample(w, real if rng.random() < 0.6 else made))
        if n % 40 == 0:
            made = made[52 if len(made) > 52 * 30 else 0 :] + synth.deck(w, decks)
            decks += 1
        b = store[-12:] + rng.sample(store, min(52, len(store)))
        store = store[-60000:]
        x = torch.from_numpy(np.stack([p for p, _, _ in b])).permute(0, 3, 1, 2).float() / 255
        x = x * torch.empty(len(b), 3, 1, 1).uniform_(0.85, 1.12) + torch.empty(len(b), 1, 1, 1).uniform_(
            -0.06, 0.06
        )
        k, s = torch.tensor([k for _, k, _ in b]), torch.tensor([s for _, _, s in b])
        y = ix(x.clamp(0, 1))
        a, c = F.cross_entropy(y[:, :14], k, ignore_index=-1), F.cross_entropy(y[:, 14:], s, ignore_index=-1)
        opt.zero_grad()
        (a + c).backward()
        opt.step()
        n += 1
        with torch.no_grad():
            m = k[:12] >= 0
            r1, r2 = (
                (y[:12, :14].argmax(1) == k[:12])[m].float().mean().item(),
                (y[:12, 14:].argmax(1) == s[:12])[m].float().mean().item(),
            )
        avg = avg * 0.98 + 0.02 * np.array([a.item(), c.item(), r1, r2])
        if n % 100 == 0:
            print(
                f"{n} {time.time() - t0:.0f}s {np.round(avg[:2], 3)}, rank and suit right {np.round(avg[2:], 3)}",
                flush=True,
            )
            torch.save(ix.state_dict(), save)
    torch.save(ix.state_dict(), save)


main(float(sys.argv[1]), sys.argv[2], sys.argv[3], float(sys.argv[4]))
