"""Pieces and boards beyond those of the studio: coins, buttons and beans; painted, chequered and printed boards."""

import colorsys

import cv2
import numpy as np

KINDS = ["seeds", "pebbles", "glass", "beans", "buttons", "coins"]
ODDS = [0.24, 0.26, 0.22, 0.10, 0.10, 0.08]
COINS = [(0.55, 0.24, 0.12), (0.62, 0.45, 0.16), (0.60, 0.60, 0.58), (0.42, 0.40, 0.36)]
BEANS = [(0.60, 0.52, 0.38), (0.20, 0.03, 0.02), (0.02, 0.015, 0.015), (0.38, 0.20, 0.08), (0.12, 0.16, 0.06)]
BOARDS = ["maple", "walnut", "felt", "wood", "painted", "cloth", "chess", "book"]
BOARD_ODDS = [0.22, 0.17, 0.13, 0.2, 0.1, 0.06, 0.06, 0.06]


def any_colour(rng, dull=0.6):
    """A colour in linear light, of any brightness."""
    grey = rng.random() < dull
    saturation = rng.uniform(0, 0.25) if grey else rng.uniform(0.3, 0.95)
    return np.array(
        colorsys.hsv_to_rgb(rng.random(), saturation, float(np.exp(rng.uniform(np.log(0.015), np.log(0.75)))))
    )


def make_piece(scene, rng, kind):
    """One piece of a kind, in the studio's own terms."""
    if kind in ("seeds", "pebbles", "glass"):
        piece = scene.make_piece(rng, kind)
        if rng.random() < 0.25:
            piece["color"] = [float(c) for c in any_colour(rng)]
        return piece
    solid, finish, colour = {"beans": _bean, "buttons": _button, "coins": _coin}[kind](scene, rng)
    v, f, volume = scene.hull_mesh(solid)
    density = 7000.0 if kind == "coins" else 1250.0
    return {
        "v": v, "f": f, "color": [float(c) for c in colour], "mass": density * volume,
        "set": finish, "translucent": False, "metal": kind == "coins", "seed": int(rng.integers(1 << 30)),
    }  # fmt: skip


def _bean(scene, rng):
    long = rng.uniform(6.0, 10.5)
    solid = scene.ICO * np.array([long, long * rng.uniform(0.5, 0.75), long * rng.uniform(0.4, 0.55)]) * 1e-3
    colour = np.array(BEANS[rng.integers(len(BEANS))]) * rng.uniform(0.8, 1.2)
    return solid, "seeds", np.minimum(colour, 0.8)


def _disc(radius, thick, bevel):
    turn = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    rings = [(radius - bevel, 0), (radius, bevel), (radius, thick - bevel), (radius - bevel, thick)]
    return np.array([(r * np.cos(a), r * np.sin(a), z) for r, z in rings for a in turn]) * 1e-3


def _button(_, rng):
    thick = rng.uniform(2.0, 4.5)
    solid = _disc(rng.uniform(6.0, 11.0), thick, thick * rng.uniform(0.15, 0.4))
    return solid, str(rng.choice(["glass", "pebbles"])), any_colour(rng, 0.4)


def _coin(_, rng):
    solid = _disc(rng.uniform(8.0, 12.5), rng.uniform(1.5, 2.4), 0.2)
    return solid, "pebbles", np.array(COINS[rng.integers(len(COINS))]) * rng.uniform(0.8, 1.1)


def board_texture(textures, rng, kind, seed, planks):
    """The picture of a board's top, in linear light."""
    if kind == "wood":
        pale = any_colour(rng, 0.0) * 0.15 + np.array([1.0, 0.66, 0.4]) * np.exp(
            rng.uniform(np.log(0.06), np.log(0.62))
        )
        textures.WOODS["wood"] = (pale, pale * rng.uniform(0.35, 0.8), rng.uniform(0.3, 0.9))
        return textures.wood(seed, "wood", planks=planks)
    if kind == "painted":
        return textures.felt(seed, col=tuple(any_colour(rng)))
    if kind == "chess":
        return _chess(textures, rng, seed)
    return _print(textures, rng, seed, fine=kind == "cloth")


def _chess(textures, rng, seed):
    light, dark = (
        textures.wood(seed, "maple", planks=1),
        textures.wood(seed + 1, str(rng.choice(["walnut", "oak"])), planks=1),
    )
    n, fields = len(light), int(rng.integers(6, 11))
    y, x = np.mgrid[0:n, 0:n] * fields // n
    return np.where(((x + y) % 2)[..., None] > 0, light, dark).astype(np.float32)


def _print(textures, rng, seed, fine):
    ground, ink = any_colour(rng), any_colour(rng, 0.2)
    image = textures.felt(seed, col=tuple(np.maximum(ground, 0.03)))
    n = len(image)
    if fine and rng.random() < 0.6:
        y, x = np.mgrid[0:n, 0:n]
        every = int(rng.integers(50, 160))
        mark = ((x // every) % 2 == 0) | ((y // every) % 3 == 0 if rng.random() < 0.5 else False)
        mask = cv2.GaussianBlur(mark.astype(np.float32), (0, 0), 2)
    else:
        mask = np.zeros((n, n), np.float32)
        for _ in range(int(rng.integers(20, 60)) if fine else int(rng.integers(4, 12))):
            at, size = (
                tuple(int(v) for v in rng.integers(0, n, 2)),
                int(rng.uniform(0.01, 0.04 if fine else 0.12) * n),
            )
            if rng.random() < 0.5:
                cv2.circle(mask, at, size, 1.0, -1, cv2.LINE_AA)
            else:
                cv2.putText(
                    mask,
                    "".join(chr(65 + int(k)) for k in rng.integers(0, 26, 5)),
                    at,
                    0,
                    size / 20,
                    1.0,
                    max(size // 9, 2),
                    cv2.LINE_AA,
                )
    return np.clip(image * (1 - 0.8 * mask[..., None]) + ink * 0.8 * mask[..., None], 0, 1).astype(np.float32)
