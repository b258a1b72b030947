"""Teach the reader of whole faces: python train_face.py MINUTES START.pt|- SAVE.pt RATE [SEED [RENDERED]]"""

import random
import sys
import time
from pathlib import Path

import cv2
import face_data
import numpy as np
import rendered_cards
import torch
import torch.nn.functional as F
import world
from corners import label
from face_net import FaceNet
from teaching import MadeUp, answers, blend, keep, pace, tell, tensors, told

torch.set_num_threads(1)
cv2.setNumThreads(1)
HELD_OUT = {"paris", "tigullio"}
"""Decks never learned from: on them the confidence is calibrated."""
FRESH, BATCH, KEPT = 8, 64, 40000
RENDERED = 0.4
"""Share of lessons that are cut from rendered stills, if there are any."""


def loss(y, kind, suit):
    return F.cross_entropy(y[:, :16], kind), F.cross_entropy(y[:, 16:], suit, ignore_index=-1)


def relit(x):
    n = len(x)
    light = x[:, :3] * torch.empty(n, 3, 1, 1).uniform_(0.85, 1.12) + torch.empty(n, 1, 1, 1).uniform_(
        -0.06, 0.06
    )
    return torch.cat([light.clamp(0, 1), x[:, 3:]], 1).contiguous(memory_format=torch.channels_last)


def prepared(seed):
    """A world with the pools that samples are drawn from."""
    w = world.make(seed)
    learned = [f for f in w.faces if f.deck not in HELD_OUT]
    w.backs = [f for f in learned if f.name.startswith("back")]
    w.jokers = [f for f in learned if f.name.startswith("joker")]
    return (
        w,
        [f for f in learned if label(f.name) < 52],
        [f for f in w.faces if f.deck in HELD_OUT and label(f.name) < 52],
    )


def main(minutes, start, save, lr0, seed, folder):
    w, real, held = prepared(seed)
    cards, apart = rendered_cards.load(Path(folder)) if folder else ([], [])
    tests = {"decks never seen": [x for _ in range(200) for x in face_data.sample(w, held)]}
    if apart:
        tests["stills never seen"] = [card.face(w) for card in apart for _ in range(2)]
    made = MadeUp(w)
    net = FaceNet().to(memory_format=torch.channels_last)
    if start != "-":
        net.load_state_dict(torch.load(start))
        tell(net.state_dict(), tests, scored)
    opt = torch.optim.AdamW(net.parameters(), lr=lr0, weight_decay=2e-3)
    ema = {k: v.clone() for k, v in net.state_dict().items()}
    store, t0, n, avg, rng = [], time.time(), 0, np.zeros(4), random.Random(seed)
    while (done := (time.time() - t0) / (minutes * 60)) < 1:
        pace(opt, lr0, n, done, 60)
        for _ in range((FRESH if n > 40 else 60) // 2):
            if cards and rng.random() < RENDERED:
                store += [rng.choice(cards).face(w) for _ in range(2)]
            else:
                store += face_data.sample(w, real if rng.random() < 0.6 else made.faces)
        made.renew(n)
        store = store[-KEPT:]
        x, k, s = tensors(store[-FRESH:] + rng.sample(store, BATCH - FRESH))
        y = net(relit(x))
        a, c = loss(y, k, s)
        opt.zero_grad()
        (a + c).backward()
        opt.step()
        n += 1
        blend(ema, net, n, 0.998)
        with torch.no_grad():
            m = s[:FRESH] >= 0
            right = [
                (y[:FRESH, :16].argmax(1) == k[:FRESH]).float().mean(),
                (y[:FRESH, 16:].argmax(1) == s[:FRESH])[m].float().mean(),
            ]
        avg = avg * 0.98 + 0.02 * np.nan_to_num([a.item(), c.item(), *map(float, right)])
        if n % 100 == 0:
            print(
                f"{n} {time.time() - t0:.0f}s {np.round(avg[:2], 3)}, kind and suit right {np.round(avg[2:], 3)}",
                flush=True,
            )
        if n % 500 == 0:
            keep(ema, save, tests, scored)
    keep(ema, save, tests, scored)


def scored(state, test):
    """Right ones, and misread ones among those said with nine in ten."""
    x, k, s = tensors(test)
    y = answers(FaceNet(), state, x)
    kind, suit = y[:, :16].softmax(1), y[:, 16:].softmax(1)
    right = (kind.argmax(1) == k) & ((suit.argmax(1) == s) | (s < 0))
    sure = kind.max(1).values * torch.where(s < 0, 1.0, suit.max(1).values) > 0.9
    wrong = (~right)[sure].float().mean()
    return (
        f"right {right.float().mean():.3f}, sure {sure.float().mean():.3f}, wrong among the sure {wrong:.4f}"
    )


if __name__ == "__main__":
    main(*told(sys.argv[1:], seed=17))
