"""Crops of drawn tables with, for every fourth pixel, which card lies there and how."""

import cv2
import numpy as np
from scenes import World, cast_shadow, paint, rand_colour

SIDE, STRIDE = 160, 4


def plane(r, s, long):
    """Map from table units (card length 1, origin in the picture's middle) to pixels."""
    tilt = np.radians(abs(r.gauss(0, 7)) if r.random() < 0.85 else r.uniform(10, 40))
    az = r.uniform(0, 2 * np.pi)
    f = s * r.uniform(1.2, 3.0)
    z = f / long
    c, n = np.cos(tilt), np.sin(tilt)
    rot = np.array([[1, 0, 0], [0, c, -n], [0, n, c]]) @ np.array(
        [[np.cos(az), -np.sin(az), 0], [np.sin(az), np.cos(az), 0], [0, 0, 1]]
    )
    spin = r.uniform(0, 2 * np.pi)
    k = np.array(
        [[f * np.cos(spin), -f * np.sin(spin), s / 2], [f * np.sin(spin), f * np.cos(spin), s / 2], [0, 0, 1]]
    )
    return k @ np.column_stack([rot[:, 0], rot[:, 1], [0, 0, z]])


def project(h, p):
    q = np.column_stack([p, np.ones(len(p))]) @ h.T
    return q[:, :2] / q[:, 2:]


def places(r, reach, n):
    """Centres and turns (radians) of n cards: loose, rows, fans, piles, pairs."""
    out = []
    base = r.choice([0, 0, np.pi / 2, r.uniform(0, np.pi)])
    while len(out) < n:
        x, y = r.uniform(-reach, reach), r.uniform(-reach, reach)
        kind = r.choices(["loose", "row", "fan", "pile", "pair"], [4, 4, 3, 2, 3])[0]
        t = base + r.gauss(0, 0.12) + r.choice([0, 0, np.pi / 2, np.pi, r.uniform(0, 6.28)])
        m = 1 if kind == "loose" else r.randint(2, 6)
        step = {
            "loose": 0,
            "row": r.uniform(0.55, 0.95),
            "fan": r.uniform(0.1, 0.35),
            "pile": 0.03,
            "pair": r.uniform(0.15, 0.7),
        }[kind]
        a = t + (r.choice([0, np.pi / 2]) if kind != "pair" else r.uniform(0, 6.28)) + r.gauss(0, 0.06)
        bend = r.gauss(0, 0.12) if kind == "fan" else 0
        for i in range(m):
            j = 0.03 if kind != "row" else 0.06
            out.append(
                (
                    x + i * step * np.cos(a + i * bend * 0.5) + r.gauss(0, j),
                    y + i * step * np.sin(a + i * bend * 0.5) + r.gauss(0, j),
                    t
                    + i * bend
                    + r.gauss(0, 0.05 if kind != "pile" else 0.08)
                    + (np.pi / 2 if r.random() < 0.08 else 0),
                )
            )
    return out[:n]


def hand(w: World, out, ids, long):
    r, s = w.rng, out.shape[0]
    skin = np.array([r.uniform(60, 170), 0, 0], np.float32)
    skin[1] = skin[0] + r.uniform(15, 45)
    skin[2] = min(255, skin[1] + r.uniform(25, 65))
    if r.random() < 0.15:
        skin = rand_colour(r, 5, 240)
    a = r.uniform(0, 6.283)
    p = np.array([r.uniform(0.1, 0.9) * s, r.uniform(0.1, 0.9) * s])
    d = np.array([np.cos(a), np.sin(a)])
    mask = np.zeros(out.shape[:2], np.uint8)
    palm = p + d * long * r.uniform(0.5, 0.9)
    for _ in range(r.randint(1, 5)):
        b = a + np.pi + r.uniform(-0.7, 0.7)
        tip = palm + np.array([np.cos(b), np.sin(b)]) * long * r.uniform(0.6, 1.1)
        cv2.line(
            mask,
            tuple(palm.astype(int)),
            tuple(tip.astype(int)),
            255,
            max(2, int(long * r.uniform(0.13, 0.22))),
            cv2.LINE_AA,
        )
    cv2.circle(mask, tuple(palm.astype(int)), int(long * r.uniform(0.3, 0.48)), 255, -1, cv2.LINE_AA)
    cv2.line(
        mask,
        tuple(palm.astype(int)),
        tuple((palm + d * s).astype(int)),
        255,
        int(long * r.uniform(0.4, 0.7)),
        cv2.LINE_AA,
    )
    m = mask.astype(np.float32)[..., None] / 255
    sh = cv2.GaussianBlur(
        np.roll(m[..., 0], (r.randint(-8, 8), r.randint(-8, 8)), (0, 1)), (0, 0), r.uniform(2, 6)
    )[..., None]
    out *= 1 - 0.4 * sh * (1 - m)
    shade = cv2.GaussianBlur(m[..., 0], (0, 0), long * 0.07)[..., None]
    out[:] = out * (1 - m) + m * skin * (0.55 + 0.45 * shade)
    ids[mask > 127] = -1


def die(w: World, out, ids, long):
    r, s = w.rng, out.shape[0]
    c = np.array([r.uniform(0, s), r.uniform(0, s)])
    q, t = long * r.uniform(0.07, 0.13), r.uniform(0, 6.28)
    pts = [
        c + q * np.sqrt(2) * np.array([np.cos(t + i * np.pi / 2), np.sin(t + i * np.pi / 2)])
        for i in range(4)
    ]
    col = rand_colour(r, 5, 250)
    cast_shadow(out, np.array(pts), np.array([r.uniform(-3, 3), r.uniform(-3, 3)]), 2, 0.4)
    cv2.fillConvexPoly(out, np.array(pts, np.int32), col.tolist(), cv2.LINE_AA)
    m = np.zeros(out.shape[:2], np.uint8)
    cv2.fillConvexPoly(m, np.array(pts, np.int32), 1)
    for _ in range(r.randint(1, 6)):
        p = c + (np.array([r.uniform(-0.6, 0.6), r.uniform(-0.6, 0.6)]) * q)
        cv2.circle(
            out,
            tuple(p.astype(int)),
            max(1, int(q * 0.2)),
            ([250] * 3 if col.mean() < 128 else [10] * 3),
            -1,
            cv2.LINE_AA,
        )
    ids[m > 0] = -1


def sample(w: World):
    """One crop (uint8 BGR) and its target (7 channels at stride 4; channel 0 is the mask)."""
    r = w.rng
    long = np.exp(r.uniform(np.log(28), np.log(84)))
    h = plane(r, SIDE, long)
    out = w.background(SIDE)
    if r.random() < 0.35:
        w.clutter(out, r.randint(1, 5))
    ids = np.full((SIDE, SIDE), -1, np.int32)
    reach = 0.62 * SIDE / long
    n = (
        0
        if r.random() < 0.1
        else min(40, max(1, int(r.uniform(0.15, 0.95) * (2 * reach) ** 2 * 0.9 + r.random())))
    )
    aspect = r.choice([63 / 88, 63 / 88, 63 / 88, 57 / 88, 0.66, 0.7])
    art = r.random() < 0.35
    deck = w.by_deck[r.choice(w.decks)]
    backs = [f for f in deck if f.name.startswith("back")]
    back = w.art_card() if r.random() < 0.6 or not backs else r.choice(backs)
    arts = [w.art_card() for _ in range(4)] if art else []
    down = r.choice([0.0, 0.15, 0.3, 0.6])
    off = np.array([r.uniform(-1, 1), r.uniform(-1, 1)]) * long * r.uniform(0, 0.06)
    blur, strong, tint = r.uniform(0.6, 1 + long * 0.03), r.uniform(0, 0.6), r.uniform(0.86, 1.03)
    geo = []
    for x, y, t in places(r, reach, n):
        u, v = np.array([np.cos(t), np.sin(t)]) * aspect / 2, np.array([-np.sin(t), np.cos(t)]) / 2
        c = np.array([x, y])
        corners = project(h, np.array([c - u - v, c + u - v, c + u + v, c - u + v]))
        corners += w.np.standard_normal((4, 2)) * long * 0.006
        if r.random() < 0.5:
            corners = corners[[2, 3, 0, 1]]
        face = back if r.random() < down else (r.choice(arts) if art else r.choice(deck))
        if strong > 0.05:
            cast_shadow(out, corners, off, blur, strong)
        paint(out, ids, face, corners, len(geo), tint * r.uniform(0.96, 1.0))
        geo.append(corners)
    for _ in range(r.choice([0, 0, 0, 1, 2])):
        die(w, out, ids, long)
    if r.random() < 0.15:
        hand(w, out, ids, long)
    if r.random() < 0.12:
        over = out.copy()
        w.clutter(over, 1)
        ids[np.abs(over - out).sum(2) > 1] = -1
        out = over
    return w.develop(out), target(ids, geo)


def target(ids, geo):
    n = SIDE // STRIDE
    cell = ids[STRIDE // 2 :: STRIDE, STRIDE // 2 :: STRIDE]
    t = np.zeros((9, n, n), np.float32)
    if not geo:
        return t
    q = np.array(geo)
    centre = q.mean(1)
    la, sa = (q[:, 2] + q[:, 3] - q[:, 0] - q[:, 1]) / 4, (q[:, 1] + q[:, 2] - q[:, 0] - q[:, 3]) / 4
    ln, sn = np.linalg.norm(la, axis=1), np.linalg.norm(sa, axis=1)
    tl, ts = 2 * np.arctan2(la[:, 1], la[:, 0]), 2 * np.arctan2(sa[:, 1], sa[:, 0])
    table = np.column_stack(
        [np.log(ln / 32), np.log(sn / 32), np.cos(tl), np.sin(tl), np.cos(ts), np.sin(ts)]
    )
    m = cell >= 0
    yy, xx = np.nonzero(m)
    i = cell[m]
    t[0][m] = 1
    t[1][m] = (centre[i, 0] - (xx * STRIDE + STRIDE // 2)) / 32
    t[2][m] = (centre[i, 1] - (yy * STRIDE + STRIDE // 2)) / 32
    for k in range(6):
        t[3 + k][m] = table[i, k]
    return t
