"""What lies on a table beside and on top of cards: papers, tins, pens, dice and hands."""

import cv2
import numpy as np
from light import cast_shadow
from PIL import Image, ImageDraw
from tables import colour

LETTERS = "abcdefghijklmnopqrstuvwxyz  ABCDEJQKA 0123456789"


def clutter(w, out: np.ndarray, count: int) -> None:
    """Things that are not cards, in odd shapes."""
    r, side = w.rng, out.shape[0]
    for _ in range(count):
        at = np.array([r.uniform(-0.1, 1.1) * side, r.uniform(-0.1, 1.1) * side])
        dye = colour(r, 5, 250) if r.random() < 0.6 else np.full(3, r.uniform(170, 255), np.float32)
        r.choice([sheet, blob, disc, rod, sheet])(w, out, at, dye)


def sheet(w, out: np.ndarray, at: np.ndarray, dye: np.ndarray) -> None:
    """A paper, book or box; never of a card's proportions."""
    r, side = w.rng, out.shape[0]
    width, height = r.uniform(0.1, 0.9) * side, r.uniform(0.25, 1.1) * side
    if 0.5 < min(width, height) / max(width, height) < 0.86:
        width *= 0.45
    width, height = int(max(8, width)), int(max(8, height))
    m = cv2.getRotationMatrix2D((width / 2, height / 2), r.uniform(0, 360), 1)
    m[:, 2] += at - (width / 2, height / 2)
    cover = cv2.warpAffine(np.ones((height, width), np.float32), m, (side, side))[..., None]
    out[:] = out * (1 - cover) + cv2.warpAffine(print_on(w, width, height, dye), m, (side, side)) * cover


def print_on(w, width: int, height: int, dye: np.ndarray) -> np.ndarray:
    r = w.rng
    if r.random() < 0.5 and w.pictures:
        return cv2.resize(r.choice(w.pictures), (width, height)).astype(np.float32)
    if r.random() < 0.7:
        return text_block(w, width, height, dye, colour(r, 0, 120))
    return np.full((height, width, 3), dye, np.float32)


def text_block(w, width: int, height: int, paper: np.ndarray, ink: np.ndarray) -> np.ndarray:
    im = Image.new("RGB", (width, height), tuple(int(c) for c in paper))
    draw, r, y = ImageDraw.Draw(im), w.rng, w.rng.uniform(0, 10)
    while y < height:
        size = r.choice([7, 8, 9, 10, 12, 16, 24, 34])
        line = "".join(r.choice(LETTERS) for _ in range(int(width / size * 1.8)))
        draw.text((r.uniform(1, 12), y), line, fill=tuple(int(c) for c in ink), font=w.font(size))
        y += size * r.uniform(1.1, 1.6)
    return np.array(im)[..., ::-1].astype(np.float32)


def disc(w, out: np.ndarray, at: np.ndarray, dye: np.ndarray) -> None:
    size = int(w.rng.uniform(3, 0.25 * out.shape[0]))
    cv2.circle(out, tuple(at.astype(int).tolist()), size, dye.tolist(), -1, cv2.LINE_AA)


def rod(w, out: np.ndarray, at: np.ndarray, dye: np.ndarray) -> None:
    a, reach = w.rng.uniform(0, 6.3), w.rng.uniform(0.1, 0.6) * out.shape[0]
    half = np.array([np.cos(a), np.sin(a)]) * reach
    ends = [tuple(p.astype(int).tolist()) for p in (at - half, at + half)]
    cv2.line(out, *ends, dye.tolist(), w.rng.randint(2, 14), cv2.LINE_AA)


def blob(w, out: np.ndarray, at: np.ndarray, dye: np.ndarray) -> None:
    k, size = w.rng.randint(5, 9), w.rng.uniform(5, 0.25 * out.shape[0])
    a = np.arange(k) * 2 * np.pi / k
    reach = size * np.array([w.rng.uniform(0.4, 1) for _ in a])
    outline = at + np.column_stack([np.cos(a), np.sin(a)]) * reach[:, None]
    cv2.fillPoly(out, [outline.astype(np.int32)], dye.tolist(), cv2.LINE_AA)


def hand(w, out: np.ndarray, ids: np.ndarray, long: float) -> None:
    """A palm, fingers and an arm in a sleeve, over whatever lies there."""
    r, side = w.rng, out.shape[0]
    skin, sleeve = skin_tone(r), colour(r, 5, 230)
    a = r.uniform(0, 2 * np.pi)
    arm = np.array([np.cos(a), np.sin(a)])
    palm = np.array([r.uniform(0.1, 0.9) * side, r.uniform(0.1, 0.9) * side]) + arm * long * r.uniform(
        0.3, 0.7
    )
    bare, clothed = np.zeros((2, side, side), np.uint8)
    for _ in range(r.randint(1, 5)):
        b = a + np.pi + r.uniform(-0.8, 0.8)
        stroke(
            bare,
            palm,
            palm + np.array([np.cos(b), np.sin(b)]) * long * r.uniform(0.6, 1.1),
            long * r.uniform(0.13, 0.22),
        )
    cv2.circle(bare, tuple(palm.astype(int).tolist()), int(long * r.uniform(0.3, 0.48)), 255, -1, cv2.LINE_AA)
    wrist, wide = palm + arm * long * r.uniform(0.3, 1.2), long * r.uniform(0.4, 0.7)
    stroke(bare, palm, wrist, wide * 0.8)
    stroke(clothed, wrist, palm + arm * 3 * side, wide)
    both = np.maximum(bare, clothed)
    shade_under(r, out, both)
    for mask, dye in ((bare, skin), (clothed, sleeve)):
        m = mask.astype(np.float32)[..., None] / 255
        round_ = cv2.GaussianBlur(m[..., 0], (0, 0), long * 0.07)[..., None]
        out[:] = out * (1 - m) + m * dye * (0.55 + 0.45 * round_)
    ids[both > 127] = -1


def skin_tone(r) -> np.ndarray:
    if r.random() < 0.12:
        return colour(r, 5, 240)
    blue = r.uniform(40, 170)
    green = blue + r.uniform(15, 45)
    return np.array([blue, green, min(255, green + r.uniform(25, 65))], np.float32)


def stroke(mask: np.ndarray, start: np.ndarray, end: np.ndarray, width: float) -> None:
    ends = [tuple(p.astype(int).tolist()) for p in (start, end)]
    cv2.line(mask, *ends, 255, max(2, int(width)), cv2.LINE_AA)


def shade_under(r, out: np.ndarray, mask: np.ndarray) -> None:
    m = mask.astype(np.float32) / 255
    moved = np.roll(m, (r.randint(-9, 9), r.randint(-9, 9)), (0, 1))
    soft = cv2.GaussianBlur(moved, (0, 0), r.uniform(2, 6))
    out *= 1 - (r.uniform(0.1, 0.55) * soft * (1 - m))[..., None]


def die(w, out: np.ndarray, ids: np.ndarray, long: float) -> None:
    r, side = w.rng, out.shape[0]
    at, half, turn = (
        np.array([r.uniform(0, side), r.uniform(0, side)]),
        long * r.uniform(0.07, 0.13),
        r.uniform(0, 6.28),
    )
    a = turn + np.arange(4) * np.pi / 2
    outline = at + half * np.sqrt(2) * np.column_stack([np.cos(a), np.sin(a)])
    dye = colour(r, 5, 250)
    cast_shadow(out, outline, np.array([r.uniform(-3, 3), r.uniform(-3, 3)]), 2, 0.4)
    cv2.fillConvexPoly(out, outline.astype(np.int32), dye.tolist(), cv2.LINE_AA)
    pip = [250] * 3 if dye.mean() < 128 else [10] * 3
    for _ in range(r.randint(1, 6)):
        p = at + np.array([r.uniform(-0.6, 0.6), r.uniform(-0.6, 0.6)]) * half
        cv2.circle(out, tuple(p.astype(int).tolist()), max(1, int(half * 0.2)), pip, -1, cv2.LINE_AA)
    cover = np.zeros(out.shape[:2], np.uint8)
    cv2.fillConvexPoly(cover, outline.astype(np.int32), 1)
    ids[cover > 0] = -1
