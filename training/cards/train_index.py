"""Teach the reader of indices: python train_index.py MINUTES START.pt|- SAVE.pt RATE [SEED [RENDERED]]"""

import random
import sys
import time
from pathlib import Path

import cv2
import index_data
import numpy as np
import rendered_cards
import torch
import torch.nn.functional as F
import world
from corners import label
from index_net import IndexNet
from teaching import MadeUp, answers, blend, keep, pace, tell, tensors, told

torch.set_num_threads(1)
cv2.setNumThreads(1)
HELD_OUT = {"paris", "tigullio", "cardsjs"}
"""Decks that are not learned from here."""
FRESH, BATCH, KEPT, TESTS = 12, 64, 60000, 1500
RENDERED = 0.4
"""Share of lessons that are cut from rendered stills, if there are any."""


def relit(x):
    n = len(x)
    light = x * torch.empty(n, 3, 1, 1).uniform_(0.85, 1.12) + torch.empty(n, 1, 1, 1).uniform_(-0.06, 0.06)
    return light.clamp(0, 1).contiguous(memory_format=torch.channels_last)


def main(minutes, start, save, lr0, seed, folder):
    w = world.make(seed)
    w.backs = [f for f in w.faces if f.name.startswith("back")]
    w.jokers = [f for f in w.faces if f.name.startswith("joker")]
    named = [f for f in w.faces if label(f.name) < 52]
    real = [f for f in named if f.deck not in HELD_OUT]
    held = [f for f in named if f.deck in HELD_OUT]
    cards, apart = rendered_cards.load(Path(folder)) if folder else ([], [])
    tests = {"decks not learned from": tensors([index_data.sample(w, held) for _ in range(TESTS)])}
    if apart:
        tests["stills not learned from"] = tensors([card.index(w) for card in apart for _ in range(6)])
    made = MadeUp(w)
    net = IndexNet().to(memory_format=torch.channels_last)
    if start != "-":
        net.load_state_dict(torch.load(start))
        tell(net.state_dict(), tests, scored)
    opt = torch.optim.AdamW(net.parameters(), lr=lr0, weight_decay=2e-3)
    ema = {k: v.clone() for k, v in net.state_dict().items()}
    store, t0, n, avg, rng = [], time.time(), 0, np.zeros(2), random.Random(seed)
    while (done := (time.time() - t0) / (minutes * 60)) < 1:
        pace(opt, lr0, n, done, 60)
        for _ in range(FRESH if n > 40 else 40):
            if cards and rng.random() < RENDERED:
                store.append(rng.choice(cards).index(w))
            else:
                store.append(index_data.sample(w, real if rng.random() < 0.6 else made.faces))
        made.renew(n)
        store = store[-KEPT:]
        x, k, s = tensors(store[-FRESH:] + rng.sample(store, min(BATCH - FRESH, len(store))))
        y = net(relit(x))
        a, c = F.cross_entropy(y[:, :14], k, ignore_index=-1), F.cross_entropy(y[:, 14:], s, ignore_index=-1)
        opt.zero_grad()
        (a + c).backward()
        opt.step()
        n += 1
        blend(ema, net, n, 0.998)
        avg = avg * 0.98 + 0.02 * np.array([a.item(), c.item()])
        if n % 100 == 0:
            print(f"{n} {time.time() - t0:.0f}s {np.round(avg, 3)}", flush=True)
        if n % 500 == 0:
            keep(ema, save, tests, scored)
    keep(ema, save, tests, scored)


def scored(state, test):
    """Ranks and suits right, and wrong ones among those said with nine in ten."""
    x, k, s = test
    y = answers(IndexNet(), state, x)
    asked = k >= 0
    rank, suit = y[asked, :14].softmax(1), y[asked, 14:].softmax(1)
    k, s = k[asked], s[asked]
    ranks, suits = rank.argmax(1) == k, suit.argmax(1) == s
    sure = rank.max(1).values * suit.max(1).values > 0.9
    wrong = (~(ranks & suits))[sure]
    shares = (part.float().mean() for part in (ranks, suits, sure, wrong))
    return "ranks {:.4f}, suits {:.4f}, sure {:.3f}, wrong among the sure {:.4f}".format(*shares)


if __name__ == "__main__":
    main(*told(sys.argv[1:], seed=11))
