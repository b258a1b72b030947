"""Dice of every colour and material painted over geometry buffers, and set down on a picture."""

import cv2
import numpy as np
from solid import Floats, Solid, face_normals

PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)),
    6: ((-1, -1), (0, -1), (1, -1), (-1, 1), (0, 1), (1, 1)),
}
KNOWN = (
    ((236, 228, 208), (28, 26, 26)),
    ((250, 250, 250), (10, 10, 10)),
    ((240, 240, 236), (30, 30, 160)),
    ((170, 20, 22), (250, 248, 244)),
    ((186, 140, 92), (38, 24, 16)),
    ((110, 70, 40), (240, 230, 210)),
    ((26, 26, 28), (240, 240, 238)),
    ((30, 60, 150), (245, 245, 245)),
    ((20, 110, 60), (245, 245, 245)),
    ((230, 190, 40), (20, 20, 20)),
    ((60, 50, 90), (220, 190, 90)),
    ((230, 120, 40), (250, 250, 250)),
)
"""Body and pip colours people own, RGB."""


def values(rng: np.random.Generator) -> list[int]:
    """Which value each of the six faces bears: opposite faces add to seven."""
    firsts = rng.permutation([1, 2, 3])
    pairs = [(a, 7 - a) if rng.random() < 0.5 else (7 - a, a) for a in firsts.tolist()]
    return [v for pair in pairs for v in pair]


def pip_mask(shape: Solid, faces: list[int], rng: np.random.Generator) -> Floats:
    radius, pitch = rng.uniform(0.065, 0.115), rng.uniform(0.215, 0.285)
    one = radius * rng.choice([1.0, 1.2, 1.5, 1.8])
    ink = np.zeros(shape.mask.shape, np.float32)
    soft = 0.02
    for face, value in enumerate(faces):
        here = shape.face == face
        if not here.any():
            continue
        flip, swap = rng.choice([-1, 1]), rng.random() < 0.5
        # A six is narrower across its rows on many dice.
        wide = pitch * (rng.uniform(0.85, 1.0) if value == 6 else 1.0)
        uv, dots = shape.uv[here], ink[here]
        for a, b in PIPS[value]:
            u, v = (b, a) if swap else (a, b)
            du = uv[:, 0] - u * flip * (wide if (swap and value == 6) else pitch)
            dv = uv[:, 1] - v * (wide if (not swap and value == 6) else pitch)
            away = np.hypot(du, dv)
            dots = np.maximum(dots, np.clip((one if value == 1 else radius) / soft - away / soft + 0.5, 0, 1))
        ink[here] = dots
    return ink


def colours(rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Body and pip colour (BGR, 0..1), different enough to be read."""
    if rng.random() < 0.55:
        body, ink = KNOWN[rng.integers(len(KNOWN))]
        pair = np.array([body[::-1], ink[::-1]], np.float32) / 255
        return np.clip(pair + rng.normal(0, 0.04, (2, 1)), 0, 1).astype(np.float32)
    while True:
        pair = rng.uniform(0, 1, (2, 3)).astype(np.float32)
        if rng.random() < 0.7:
            pair[1] = rng.uniform(0.85, 1) if pair[0].mean() < 0.5 else rng.uniform(0, 0.15)
        if abs(float((pair[0] - pair[1]) @ [0.114, 0.587, 0.299])) > 0.3:
            return pair[0], pair[1]


def grain(rng: np.random.Generator, size: int) -> Floats:
    """Wood grain, marbling or nothing."""
    kind = rng.random()
    if kind < 0.5:
        return np.zeros((size, size, 1), np.float32)
    coarse = (rng.integers(20, 60), rng.integers(3, 8)) if kind < 0.8 else (6, 6)
    noise = cv2.resize(
        rng.standard_normal(coarse).astype(np.float32), (size, size), interpolation=cv2.INTER_CUBIC
    )
    return noise[..., None] * rng.uniform(0.03, 0.15)


def painted(shape: Solid, faces: list[int], light: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Colour (BGR 0..1) and opacity of one die."""
    body, ink_colour = colours(rng)
    ink = pip_mask(shape, faces, rng)[..., None]
    albedo = body * (1 + grain(rng, shape.mask.shape[0])) * (1 - ink) + ink_colour * ink
    ambient = rng.uniform(0.35, 0.75)
    lambert = np.clip(shape.normal @ light, 0, 1)[..., None]
    dent = 1 - ink * rng.uniform(0, 0.25) * (shape.uv @ rng.normal(0, 1, 2))[..., None]
    half = light + np.array([0, 0, 1], np.float32)
    half /= np.linalg.norm(half)
    gloss = rng.uniform(0, 0.9) if rng.random() < 0.7 else 0.0
    shine = gloss * np.clip(shape.normal @ half, 0, 1)[..., None] ** rng.uniform(15, 120)
    rim = rng.uniform(0, 0.25) * (1 - np.clip(shape.normal[..., 2:], 0, 1)) ** 3
    colour = albedo * (ambient + (1 - ambient) * lambert * 1.3) * dent + shine + rim
    opacity = shape.mask[..., None] * (1 - (rng.uniform(0, 0.45) if rng.random() < 0.2 else 0) * (1 - ink))
    return colour.astype(np.float32), opacity.astype(np.float32)


def set_down(
    picture: Floats,
    colour: Floats,
    opacity: Floats,
    at: tuple[float, float],
    scale: float,
    light: Floats,
    dark: float,
) -> None:
    """Blend a die of `scale` (buffer to picture) and its shadow into `picture`."""
    h, w = picture.shape[:2]
    side = opacity.shape[0]
    small = np.array([[scale, 0, at[0] - scale * side / 2], [0, scale, at[1] - scale * side / 2]], np.float32)
    blur = max(1.0, 0.5 / scale)
    stack = cv2.GaussianBlur(np.concatenate([colour * opacity, opacity], -1), (0, 0), blur * 0.7)
    die = cv2.warpAffine(stack, small, (w, h), flags=cv2.INTER_LINEAR)
    shift = small.copy()
    shift[:, 2] -= light[:2] * scale * 30
    cast = cv2.warpAffine(opacity, shift, (w, h), flags=cv2.INTER_LINEAR)
    contact = cv2.warpAffine(opacity, small, (w, h), flags=cv2.INTER_LINEAR)
    shade = cv2.GaussianBlur(np.maximum(cast, contact * 0.8), (0, 0), max(0.8, scale * 5))[..., None]
    picture *= 1 - dark * shade
    picture *= 1 - die[..., 3:]
    picture += die[..., :3]


def up_normal(shape: Solid, face: int) -> tuple[float, float]:
    normal = face_normals(shape.turn)[face]
    return float(normal[0]), float(normal[1])
