"""Decks that nobody prints: framed pictures, portraits, symbols, words, and patterned backs."""

import random

import cv2
import numpy as np
from tables import colour

Rng = random.Random
HEIGHT = 160
WORDS = "ABCDEFGHIKLMNOPRSTUVW"


class Style:
    """What the cards of one made-up deck have in common."""

    def __init__(self, r: Rng) -> None:
        self.width = r.choice([104, 110, 114, 114, 114, 118])
        self.paper = np.full(
            3, r.choice([r.uniform(150, 255), r.uniform(150, 255), r.uniform(15, 80)]), np.float32
        )
        if r.random() < 0.4:
            self.paper = self.paper * 0.6 + colour(r, 20, 250) * 0.4
        self.border = r.choice([0, 0, 3, 5, 8, 12])
        self.rim = colour(r, 0, 140) if r.random() < 0.5 else None
        self.frame = colour(r) if r.random() < 0.4 else None
        self.corner = self.width * r.choice([0.0, 0.03, 0.055, 0.08]) + 1
        self.band = r.choice(["", "", "top", "bottom", "middle", "both"])


def faces(r: Rng, pictures: list, count: int) -> tuple[list[np.ndarray], float]:
    """`count` flat BGR pictures of HEIGHT of one made-up deck, and the radius of their corners; the last is a back."""
    style = Style(r)
    kinds = [r.choice(FRONTS) for _ in range(r.randint(1, 3))]
    drawn = [card(r, style, r.choice(kinds), pictures) for _ in range(count - 1)]
    return [*drawn, card(r, style, back, pictures)], style.corner


def card(r: Rng, style: Style, draw, pictures: list) -> np.ndarray:
    out = np.empty((HEIGHT, style.width, 3), np.float32)
    out[:] = style.paper
    b = style.border
    inner = out[b : HEIGHT - b, b : style.width - b]
    draw(r, inner, pictures)
    if draw is not back:
        bands(r, inner, style.band)
    if style.frame is not None:
        cv2.rectangle(
            inner, (4, 4), (inner.shape[1] - 5, inner.shape[0] - 5), style.frame.tolist(), r.randint(1, 4)
        )
    if style.rim is not None:
        cv2.rectangle(out, (1, 1), (style.width - 2, HEIGHT - 2), style.rim.tolist(), 1)
    return out.clip(0, 255).astype(np.uint8)


def plain(r: Rng, inner: np.ndarray, _: list) -> None:
    if r.random() < 0.5:
        inner[:] = colour(r, 20, 255)


def picture(r: Rng, inner: np.ndarray, pictures: list) -> None:
    if pictures:
        p = r.choice(pictures)
        y, x = r.randint(0, p.shape[0] - 140), r.randint(0, p.shape[1] - 100)
        inner[:] = cv2.resize(p[y : y + 140, x : x + 100], inner.shape[1::-1])


def portrait(r: Rng, inner: np.ndarray, _: list) -> None:
    """Head and shoulders, or a coat that runs off the card's edge."""
    h, w = inner.shape[:2]
    inner[:] = colour(r, 60, 255)
    coat, skin = colour(r, 10, 230).tolist(), (r.uniform(60, 190), r.uniform(100, 215), r.uniform(140, 245))
    neck = h * r.choice([r.uniform(0.5, 0.65), r.uniform(-0.1, 0.15)])
    shoulder, foot = neck + h * 0.15, (w * r.uniform(0, 0.25), w * r.uniform(0.75, 1.0))
    left, right = w * r.uniform(0.1, 0.3), w * r.uniform(0.7, 0.9)
    body = [(w * 0.5, neck), (right, shoulder), (foot[1], h), (foot[0], h), (left, shoulder)]
    cv2.fillPoly(inner, [np.array(body, np.int32)], coat, cv2.LINE_AA)
    cv2.line(inner, (w // 2, int(neck)), (w // 2, h), colour(r).tolist(), 2)
    head = (int(w * r.uniform(0.16, 0.26)), int(h * r.uniform(0.14, 0.2)))
    centre = (w // 2, int(neck - head[1] * 0.7))
    cv2.ellipse(
        inner,
        (centre[0], centre[1] - 5),
        (head[0] + 5, head[1] + 3),
        0,
        0,
        360,
        colour(r, 0, 200).tolist(),
        -1,
    )
    cv2.ellipse(inner, centre, head, 0, 0, 360, skin, -1, cv2.LINE_AA)
    for side in (-1, 1):
        cv2.circle(inner, (centre[0] + side * head[0] // 3, centre[1]), 2, (20, 20, 20), -1)


def shapes(r: Rng, inner: np.ndarray, _: list) -> None:
    h, w = inner.shape[:2]
    inner[:] = colour(r, 30, 255)
    for _ in range(r.randint(1, 8)):
        x, y, q, dye = r.uniform(0, w), r.uniform(0, h), r.uniform(4, 45), colour(r).tolist()
        if r.random() < 0.5:
            size = (int(q), int(q * r.uniform(0.5, 1.6)))
            cv2.ellipse(inner, (int(x), int(y)), size, r.uniform(0, 180), 0, 360, dye, -1, cv2.LINE_AA)
        else:
            cv2.rectangle(inner, (int(x), int(y)), (int(x + q), int(y + q * r.uniform(0.3, 1.5))), dye, -1)


def symbol(r: Rng, inner: np.ndarray, _: list) -> None:
    """One thing in the middle of an empty card."""
    h, w = inner.shape[:2]
    if r.random() < 0.7:
        inner[:] = colour(r, 10, 255)
    corners, dye = r.randint(3, 9), colour(r).tolist()
    a = np.arange(corners) * 2 * np.pi / corners + r.uniform(0, 6)
    reach = np.array([r.uniform(0.4, 1) for _ in a])
    size = np.array([w * r.uniform(0.1, 0.4), h * r.uniform(0.1, 0.4)])
    outline = (
        np.array([w / 2, h * r.uniform(0.4, 0.6)])
        + np.column_stack([np.cos(a), np.sin(a)]) * reach[:, None] * size
    )
    cv2.fillPoly(inner, [outline.astype(np.int32)], dye, cv2.LINE_AA)


def back(r: Rng, inner: np.ndarray, _: list) -> None:
    h, w = inner.shape[:2]
    one, two = colour(r), colour(r) if r.random() < 0.4 else np.full(3, 245, np.float32)
    if r.random() < 0.3:
        two = one * r.uniform(0.75, 1.3)
    k = np.clip(pattern(r, h, w) * 3 + 0.5, 0, 1)[..., None]
    inner[:] = one * (1 - k) + two * k
    if r.random() < 0.5:
        size = (int(w * r.uniform(0.1, 0.35)), int(h * r.uniform(0.1, 0.35)))
        cv2.ellipse(
            inner, (w // 2, h // 2), size, 0, 0, 360, colour(r).tolist(), r.choice([-1, 2, 4]), cv2.LINE_AA
        )


def pattern(r: Rng, h: int, w: int) -> np.ndarray:
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    kind = r.choice(["checks", "lattice", "net", "plain", "sun", "waves"])
    if kind == "sun":
        return np.sin(np.arctan2(y - h / 2, x - w / 2) * r.randint(6, 24))
    turn, period = r.choice([0, 0.785, 0.785, r.uniform(0, 1.5)]), r.uniform(2.5, 26)
    a = np.sin((x * np.cos(turn) + y * np.sin(turn)) * 2 * np.pi / period)
    b = np.sin((y * np.cos(turn) - x * np.sin(turn)) * 2 * np.pi / period)
    waves = np.sin(y * 2 * np.pi / period + 2 * np.sin(x / r.uniform(4, 20)))
    return {
        "checks": a * b,
        "lattice": a + b,
        "net": np.maximum(a, b) - 0.6,
        "plain": a * 0 + 1,
        "waves": waves,
    }[kind]


def bands(r: Rng, inner: np.ndarray, where: str) -> None:
    """A strip with the card's name."""
    h = inner.shape[0]
    strip, ink = colour(r, 0, 255), colour(r, 0, 255).tolist()
    high = int(h * r.uniform(0.08, 0.16))
    tops = {"top": [0], "bottom": [h - high], "middle": [(h - high) // 2], "both": [0, h - high]}.get(
        where, []
    )
    for y in tops:
        inner[y : y + high] = strip
        word = "".join(r.choice(WORDS) for _ in range(r.randint(3, 9)))
        text = inner[y : y + high].clip(0, 255).astype(np.uint8)
        cv2.putText(
            text,
            word,
            (r.randint(3, 30), high - 3),
            r.randint(0, 4),
            r.uniform(0.3, 0.6),
            ink,
            1,
            cv2.LINE_AA,
        )
        inner[y : y + high] = text


FRONTS = [plain, picture, portrait, portrait, shapes, shapes, symbol, symbol, back]
