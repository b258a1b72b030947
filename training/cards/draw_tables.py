"""Tables with cards and no dice, for those who must learn what is no die: python draw_tables.py COUNT FOLDER"""

import sys
from pathlib import Path

import cv2
import numpy as np
import world
from finder_data import places, plane, project
from scenes import cast_shadow, paint

SIDE, LONG = 480, 110


def table(w):
    """One square picture with cards LONG pixels long, about."""
    r = w.rng
    long = LONG * r.uniform(0.8, 1.25)
    to_px, out = plane(r, SIDE, long), w.background(SIDE)
    ids = np.full((SIDE, SIDE), -1, np.int32)
    deck = w.by_deck[r.choice(w.decks)]
    for x, y, t in places(r, 0.55 * SIDE / long, r.randint(8, 26), 0.716):
        u, v = np.array([np.cos(t), np.sin(t)]) * 0.358, np.array([-np.sin(t), np.cos(t)]) / 2
        c = np.array([x, y])
        quad = project(to_px, np.array([c - u - v, c + u - v, c + u + v, c - u + v]))
        cast_shadow(out, quad, np.array([2.0, 2.0]), 2.0, r.uniform(0, 0.4))
        paint(out, ids, r.choice(deck) if r.random() < 0.9 else w.art_card(), quad, 0, r.uniform(0.85, 1.0))
    return np.clip(out, 0, 255).astype(np.uint8)


if __name__ == "__main__":
    folder = Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    w = world.make(41)
    for number in range(int(sys.argv[1])):
        cv2.imwrite(str(folder / f"{number:03d}.png"), table(w))
