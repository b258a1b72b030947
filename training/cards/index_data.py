"""Corners of cards with the index they bear, or none."""

import numpy as np
from corners import IDX_BOX, IDX_H, IDX_W, cut, label
from scenes import World, cast_shadow, noise_field, paint, rand_colour

MIDDLE = np.array([0.125, 0.165])  # of the patch, in card units


def sample(w: World, pool):
    r = w.rng
    long = np.exp(r.uniform(np.log(58), np.log(190)))
    s = int(long * 0.72) + 6
    out = np.empty((s, s, 3), np.float32)
    out[:] = rand_colour(r, 10, 235)
    if r.random() < 0.3:
        out += noise_field(r, s, r.randint(2, 30))[..., None] * r.uniform(0, 30)
    ids = np.full((s, s), -1, np.int32)
    aspect = r.choice([63 / 88, 63 / 88, 57 / 88, 0.66])
    t = r.uniform(0, 6.283)
    rot = np.array([[np.cos(t), -np.sin(t)], [np.sin(t), np.cos(t)]]) @ np.array(
        [[1, r.gauss(0, 0.04)], [0, 1 + r.gauss(0, 0.05)]]
    )
    roll = r.random()
    at = MIDDLE
    face = r.choice(pool)
    if roll < 0.07:
        face = r.choice(w.backs) if r.random() < 0.5 else w.art_card()
    elif roll < 0.11:
        face = r.choice(w.jokers)
    elif roll < 0.2:  # not the corner, or the corner without an index
        at = (
            np.array([r.uniform(0.1, 0.9), r.uniform(0.1, 0.9)])
            if r.random() < 0.6
            else np.array([0.875, 0.165])
        )
        if min(np.abs(at - MIDDLE).max(), np.abs(1 - at - MIDDLE).max()) < 0.22 or (
            r.random() < 1 and face.deck in FOUR and at[0] == 0.875
        ):
            at = np.array([0.5, 0.5])
    named = label(face.name) < 52 and at is MIDDLE

    def quad_of(m, dx, dy, turn):
        k = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        q = (np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float) - m) * (aspect, 1) * long
        return (q + np.array([dx, dy]) * long) @ k.T @ rot.T + s / 2

    off, blur, strong = (
        np.array([r.uniform(-1, 1), r.uniform(-1, 1)]) * long * 0.03,
        r.uniform(0.6, 3),
        r.uniform(0, 0.5),
    )
    tint = r.uniform(0.86, 1.03)
    if r.random() < 0.3:
        paint(
            out,
            ids,
            r.choice(pool),
            quad_of(np.array([r.uniform(0, 1), r.uniform(0, 1)]), 0, 0, r.choice([0, 0.2, 1.57, 3.1])),
            3,
            tint,
        )
    quad = quad_of(at, 0, 0, 0)
    cast_shadow(out, quad, off, blur, strong) if strong > 0.1 else None
    paint(out, ids, face, quad, 0, tint)
    if r.random() < 0.3:
        a = r.uniform(0, 6.283)
        d = r.uniform(0.05, 0.5)
        q = quad_of(
            np.array([0.5, 0.5]),
            np.cos(a) * (d + 0.4),
            np.sin(a) * (d + 0.4),
            r.choice([0, 0, 1.57, r.uniform(0, 6)]) + r.gauss(0, 0.1),
        )
        cast_shadow(out, q, off, blur, strong) if strong > 0.1 else None
        paint(out, ids, r.choice(pool) if r.random() < 0.8 else r.choice(w.backs), q, 7, tint)
    img = w.develop(out, 1.1)
    sig = 0.012 if r.random() < 0.7 else 0.028
    m = np.eye(2) * (1 + r.gauss(0, 2 * sig)) + np.array(
        [[r.gauss(0, sig), r.gauss(0, 1.5 * sig)], [r.gauss(0, 1.5 * sig), r.gauss(0, sig)]]
    )
    q = (quad - s / 2) @ m.T + s / 2 + w.np.standard_normal(2) * long * sig
    if at is not MIDDLE:
        q = q + (rot @ ((at - MIDDLE) * (aspect, 1) * long))
        if r.random() < 0.3:
            q = np.roll(q, 1, axis=0)
    patch = cut(img, q, IDX_BOX, (IDX_W, IDX_H))
    if not named:
        return patch, 13, 4
    seen = (cut((ids == 0).astype(np.uint8) * 255, quad, (0.02, 0.02, 0.2, 0.28), (12, 18)) > 127).mean()
    lab = label(face.name)
    if seen > 0.85:
        return patch, lab % 13, lab // 13
    return patch, (-1 if seen > 0.5 else 13), (-1 if seen > 0.5 else 4)


FOUR = {"dondorf", "kde_white"}
