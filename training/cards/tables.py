"""Tables to lay cards on: cloth, wood, tiles, and pictures of rooms and landscapes."""

import random

import cv2
import numpy as np

Rng = random.Random
KINDS = {"photo": 3, "plain": 2.5, "stripes": 3, "gingham": 3, "wood": 3.5, "flowers": 3.5, "tiles": 1}


def colour(r: Rng, low: float = 0, high: float = 255) -> np.ndarray:
    return np.array([r.uniform(low, high) for _ in range(3)], np.float32)


def noise(r: Rng, side: int, cell: int) -> np.ndarray:
    """A field of hills about `cell` pixels wide."""
    coarse = np.random.default_rng(r.getrandbits(32)).standard_normal((max(2, side // cell + 2),) * 2)
    return cv2.resize(coarse.astype(np.float32), (side, side), interpolation=cv2.INTER_CUBIC)


def table(r: Rng, pictures: list, side: int) -> np.ndarray:
    """A square of table, float BGR."""
    kind = r.choices(list(KINDS), list(KINDS.values()))[0]
    if kind == "photo" and pictures:
        return photo(r, r.choice(pictures), side)
    base = colour(r, 15, 225)
    if r.random() < 0.5:
        base = base.mean() * 0.7 + base * 0.3
    out = np.empty((side, side, 3), np.float32)
    out[:] = base
    out = DRAW.get(kind, plain)(r, out, *axes(side, r.uniform(0, np.pi)))
    return out + noise(r, side, r.randint(1, 8))[..., None] * r.uniform(0, 12)


def axes(side: int, turn: float) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates along two directions at right angles."""
    y, x = np.mgrid[0:side, 0:side].astype(np.float32)
    return x * np.cos(turn) + y * np.sin(turn), -x * np.sin(turn) + y * np.cos(turn)


def photo(r: Rng, picture: np.ndarray, side: int) -> np.ndarray:
    h, w = picture.shape[:2]
    zoom = max(r.uniform(0.5, 1.6), 1.2) * side / min(h, w)
    turn = cv2.getRotationMatrix2D((w / 2, h / 2), r.uniform(0, 360), zoom)
    big = cv2.warpAffine(picture, turn, (w, h), borderMode=cv2.BORDER_REFLECT)
    y, x = r.randint(0, max(0, h - side)), r.randint(0, max(0, w - side))
    return cv2.resize(big[y : y + side, x : x + side], (side, side)).astype(np.float32)


def plain(_r: Rng, out: np.ndarray, _u: np.ndarray, _v: np.ndarray) -> np.ndarray:
    return out


def stripes(r: Rng, out: np.ndarray, u: np.ndarray, _: np.ndarray) -> np.ndarray:
    period = r.uniform(5, 90)
    for _ in range(r.randint(1, 4)):
        if r.random() < 0.4:
            period = r.uniform(5, 90)
        out[(u / period + r.random()) % 1 < r.uniform(0.05, 0.5)] = colour(r, 10, 250)
    return out


def gingham(r: Rng, out: np.ndarray, u: np.ndarray, v: np.ndarray) -> np.ndarray:
    period, duty, dye = r.uniform(6, 60), r.uniform(0.3, 0.6), colour(r, 10, 250)
    woven = ((u / period % 1 < duty).astype(np.float32) + (v / period % 1 < duty))[..., None] / 2
    ground = out if r.random() < 0.4 else np.full_like(out, r.uniform(150, 245))
    return ground * (1 - woven) + dye * woven


def wood(r: Rng, out: np.ndarray, u: np.ndarray, _: np.ndarray) -> np.ndarray:
    side = out.shape[0]
    blue = r.uniform(15, 150)
    green = blue + r.uniform(8, 50)
    out[:] = (blue, green, green + r.uniform(8, 60))
    along = u + 6 * noise(r, side, r.randint(20, 90))
    grain = np.sin(along / r.uniform(0.8, 6) + 2 * noise(r, side, 30)) * r.uniform(2, 18)
    out += grain[..., None]
    plank = r.uniform(50, 200)
    if r.random() < 0.7:
        out[(u / plank % 1) < 1.3 / plank] *= 0.45
    return out


def flowers(r: Rng, out: np.ndarray, _u: np.ndarray, _v: np.ndarray) -> np.ndarray:
    side, step = out.shape[0], r.uniform(14, 75)
    size, loose, turn = r.uniform(2.5, 0.32 * step), r.choice([0.05, 0.1, 0.3]), r.uniform(0, 3.1)
    petals, thin = r.randint(4, 8), r.uniform(0.25, 0.6)
    petal = colour(r, 20, 250) if r.random() < 0.6 else np.full(3, r.uniform(170, 250), np.float32)
    eye, reach = colour(r, 20, 250), int(side / step) + 2
    for i in range(-reach, reach):
        for j in range(-reach, reach):
            x, y = (i + 0.5 * (j % 2) + r.gauss(0, loose)) * step, (j + r.gauss(0, loose)) * step
            x, y = x * np.cos(turn) - y * np.sin(turn), x * np.sin(turn) + y * np.cos(turn)
            if max(abs(x), abs(y)) < side / 2 + size:
                flower(r, out, (x + side / 2, y + side / 2), size, petals, thin, petal, eye)
    return out


def flower(r: Rng, out, at, size, petals, thin, petal, eye) -> None:
    spin, leaf = r.uniform(0, 6.28), (max(1, int(size * 0.55)), max(1, int(size * thin * 0.6)))
    for k in range(petals):
        a = spin + k * 2 * np.pi / petals
        c = (int(at[0] + size * 0.6 * np.cos(a)), int(at[1] + size * 0.6 * np.sin(a)))
        cv2.ellipse(out, c, leaf, np.degrees(a), 0, 360, petal.tolist(), -1, cv2.LINE_AA)
    cv2.circle(out, (int(at[0]), int(at[1])), max(1, int(size * 0.3)), eye.tolist(), -1, cv2.LINE_AA)


def tiles(r: Rng, out: np.ndarray, u: np.ndarray, v: np.ndarray) -> np.ndarray:
    side = r.uniform(15, 80)
    out[(u // side + v // (side * r.uniform(0.5, 2))) % 2 == 0] = colour(r, 10, 250)
    return out


DRAW = {"stripes": stripes, "gingham": gingham, "wood": wood, "flowers": flowers, "tiles": tiles}
