"""Standard decks that nobody prints: ranks in any typeface, our own suit shapes, usual pip places."""

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont
from scenes import Face, pyramid, rounded

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = "CDHS"
LETTERS = ({}, {}, {}, {}, {}, {"J": "B", "Q": "D"}, {"J": "V", "Q": "D", "K": "R"})
L, C, R = 0.0, 0.5, 1.0
PIPS = {
    "A": [(C, 0.5)],
    "2": [(C, 0), (C, 1)],
    "3": [(C, 0), (C, 0.5), (C, 1)],
    "4": [(L, 0), (R, 0), (L, 1), (R, 1)],
    "5": [(L, 0), (R, 0), (C, 0.5), (L, 1), (R, 1)],
    "6": [(L, 0), (R, 0), (L, 0.5), (R, 0.5), (L, 1), (R, 1)],
    "7": [(L, 0), (R, 0), (C, 0.25), (L, 0.5), (R, 0.5), (L, 1), (R, 1)],
    "8": [(L, 0), (R, 0), (C, 0.25), (L, 0.5), (R, 0.5), (C, 0.75), (L, 1), (R, 1)],
    "9": [(L, 0), (R, 0), (L, 1 / 3), (R, 1 / 3), (C, 0.5), (L, 2 / 3), (R, 2 / 3), (L, 1), (R, 1)],
    "10": [
        (L, 0),
        (R, 0),
        (C, 1 / 6),
        (L, 1 / 3),
        (R, 1 / 3),
        (L, 2 / 3),
        (R, 2 / 3),
        (C, 5 / 6),
        (L, 1),
        (R, 1),
    ],
}


EIGHT = [(x, y) for x in (L, R) for y in (0, 1 / 3, 2 / 3, 1)]
"""An eight as some decks lay it out."""


def suit_mask(suit, n, r):
    """A suit's shape on an n x n mask, a little different every time."""
    m = np.zeros((n, n), np.uint8)

    def P(pts):
        cv2.fillPoly(m, [np.round(np.array(pts) * n * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)

    def ball(x, y, q):
        middle = (round(x * n * 16), round(y * n * 16))
        cv2.circle(m, middle, round(q * n * 16), 255, -1, cv2.LINE_AA, 4)

    t = np.linspace(0, 2 * np.pi, 60)
    if suit == "D":
        w, bow = r.uniform(0.3, 0.44), r.uniform(0, 0.12)
        pts = []
        for a, b in (
            ((0.5, 0.02), (0.5 + w, 0.5)),
            ((0.5 + w, 0.5), (0.5, 0.98)),
            ((0.5, 0.98), (0.5 - w, 0.5)),
            ((0.5 - w, 0.5), (0.5, 0.02)),
        ):
            a, b = np.array(a), np.array(b)
            for k in np.linspace(0, 1, 8, endpoint=False):
                p = a + (b - a) * k
                pts.append(p + (np.array([0.5, 0.5]) - p) * bow * np.sin(k * np.pi))
        P(pts)
    elif suit in "HS":
        x = 16 * np.sin(t) ** 3
        y = 13 * np.cos(t) - 5 * np.cos(2 * t) - r.uniform(1.2, 2.6) * np.cos(3 * t) - np.cos(4 * t)
        x, y = x / 34 * r.uniform(0.85, 1.02), (y + 2.5) / 30
        if suit == "H":
            P(np.column_stack([0.5 + x, 0.5 - y * r.uniform(0.9, 1.02)]))
        else:
            P(np.column_stack([0.5 + x * 0.97, 0.44 + y * 0.85]))
            stem(P, r)
    else:
        q = r.uniform(0.19, 0.235)
        (
            ball(0.5, 0.25, q),
            ball(0.5 - r.uniform(0.23, 0.27), 0.57, q),
            ball(0.5 + r.uniform(0.23, 0.27), 0.57, q),
        )
        P([(0.42, 0.3), (0.58, 0.3), (0.6, 0.62), (0.4, 0.62)])
        stem(P, r)
    return m


def stem(P, r):
    w = r.uniform(0.12, 0.24)
    P([(0.47, 0.5), (0.53, 0.5), (0.545, 0.8), (0.5 + w, 0.97), (0.5 - w, 0.97), (0.455, 0.8)])


def stamp(im, mask, colour, x, y, w, h, turn=False):
    """Blend a mask in a colour with its middle at (x, y), w x h pixels."""
    w, h = max(2, round(w)), max(2, round(h))
    m = cv2.resize(mask, (w, h), interpolation=cv2.INTER_AREA)
    if turn:
        m = m[::-1, ::-1]
    x0, y0 = round(x - w / 2), round(y - h / 2)
    a0, b0, a1, b1 = max(0, x0), max(0, y0), min(im.shape[1], x0 + w), min(im.shape[0], y0 + h)
    if a1 <= a0 or b1 <= b0:
        return
    k = m[b0 - y0 : b1 - y0, a0 - x0 : a1 - x0, None].astype(np.float32) / 255
    v = im[b0:b1, a0:a1]
    v[:] = v * (1 - k) + colour * k


def glyph_mask(text, path):
    f = ImageFont.truetype(path, 90)
    x0, y0, x1, y1 = f.getbbox(text)
    im = Image.new("L", (max(4, x1 - x0), max(4, y1 - y0)), 0)
    ImageDraw.Draw(im).text((-x0, -y0), text, fill=255, font=f)
    return np.array(im)


def plain_court(im, r, mask, glyph, colour):
    """A court without a person: a frame, and a large sign or letter in it."""
    h, w = im.shape[:2]
    x, y = w * r.uniform(0.2, 0.3), h * r.uniform(0.12, 0.2)
    if r.random() < 0.7:
        cv2.rectangle(im, (int(x), int(y)), (int(w - x), int(h - y)), colour.tolist(), r.randint(1, 4))
    big = w * r.uniform(0.25, 0.5)
    if r.random() < 0.6:
        stamp(im, mask, colour, w / 2, h / 2, big, big * 1.1)
    else:
        stamp(im, glyph, colour, w / 2, h / 2, big * 0.9, big * 1.3)
    if r.random() < 0.5:
        stamp(im, glyph, colour, w / 2, h * r.uniform(0.22, 0.3), w * 0.12, w * 0.12)


def ornate_ace(im, r, mask, colour):
    """A large ace with rings round it, a lighter middle and some small print."""
    h, w = im.shape[:2]
    big = w * r.uniform(0.35, 0.6)
    for k in range(r.randint(1, 3), 0, -1):
        stamp(im, mask, colour, w / 2, h / 2, big * (1 + 0.13 * k), big * (1.1 + 0.14 * k))
        stamp(
            im,
            mask,
            np.full(3, 250, np.float32),
            w / 2,
            h / 2,
            big * (0.94 + 0.13 * k),
            big * (1.03 + 0.14 * k),
        )
    stamp(im, mask, colour, w / 2, h / 2, big, big * 1.1)
    if r.random() < 0.6:
        pale = np.full(3, r.uniform(120, 250), np.float32)
        cv2.circle(
            im, (w // 2, int(h * 0.47)), int(big * r.uniform(0.1, 0.2)), pale.tolist(), -1, cv2.LINE_AA
        )
    if r.random() < 0.6:
        for y in (0.72, 0.76):
            for x in np.arange(0.28, 0.72, 0.035):
                stamp(im, mask, colour, w * x, h * y, w * 0.022, w * 0.03)


def deck(w, n):
    """One whole made-up deck of 52 faces; courts borrow the middle of a drawn deck."""
    r = w.rng
    path = r.choice(w.fonts)
    letters = r.choice(LETTERS)
    H, W = 320, r.choice([229, 229, 229, 208, 220])
    red = np.array([r.uniform(0, 70), r.uniform(0, 60), r.uniform(170, 245)], np.float32)
    black = np.array([r.uniform(0, 60)] * 3, np.float32)
    colours = {"C": black, "S": black, "D": red, "H": red}
    if r.random() < 0.08:
        colours["C"], colours["D"] = np.array([30, 130, 20], np.float32), np.array([200, 60, 10], np.float32)
    rank_h = H * r.choice([r.uniform(0.085, 0.14), r.uniform(0.1, 0.2)])
    squeeze = r.uniform(0.42, 0.85)
    suit_h = rank_h * r.uniform(0.5, 1.0)
    cx = W * r.uniform(0.085, 0.125) + max(0, rank_h / H - 0.13) * W * 0.5
    top = H * r.uniform(0.03, 0.055)
    gap = rank_h * r.uniform(0.05, 0.3)
    x0, y0, pip = r.uniform(0.26, 0.33), r.uniform(0.13, 0.19), W * r.uniform(0.14, 0.21)
    shapes = {s: suit_mask(s, 120, r) for s in SUITS}
    fat = r.choice([0, 0, 1, 2, 3])
    donors = [d for d in w.decks if d in DONORS]
    donor = {f.name: f for f in w.by_deck[r.choice(donors)]}
    four = r.random() < 0.06
    plain, ornate, eight = r.random() < 0.3, r.random() < 0.5, r.random() < 0.3
    out = []
    for s in SUITS:
        for k in RANKS:
            im = np.full((H, W, 3), r.uniform(248, 255), np.float32)
            col = colours[s]
            g = glyph_mask(letters.get(k, k), path)
            if k == "A" and ornate and (s == "S" or r.random() < 0.1):
                ornate_ace(im, r, shapes[s], col)
            elif k in PIPS:
                big = r.uniform(1.2, 3.2) if k == "A" else 1
                for px, py in EIGHT if eight and k == "8" else PIPS[k]:
                    stamp(
                        im,
                        shapes[s],
                        col,
                        W * (x0 + px * (1 - 2 * x0)),
                        H * (y0 + py * (1 - 2 * y0)),
                        pip * big,
                        pip * big * 1.08,
                        py > 0.5,
                    )
            elif plain:
                plain_court(im, r, shapes[s], g, col)
            elif k + s in donor:
                src = donor[k + s].levels[0][..., :3]
                sh, sw = src.shape[:2]
                a, b = r.uniform(0.17, 0.22), r.uniform(0.03, 0.08)
                art = src[int(sh * b) : int(sh * (1 - b)), int(sw * a) : int(sw * (1 - a))]
                ax, ay = int(W * r.uniform(0.17, 0.22)), int(H * r.uniform(0.05, 0.11))
                im[ay : H - ay, ax : W - ax] = cv2.resize(
                    art, (W - 2 * ax, H - 2 * ay), interpolation=cv2.INTER_AREA
                )
                if r.random() < 0.6:
                    cv2.rectangle(im, (ax, ay), (W - ax, H - ay), r.choice([(150, 60, 20), (20, 20, 20)]), 2)
            if fat:
                g = cv2.dilate(
                    cv2.copyMakeBorder(g, 3, 3, 3, 3, cv2.BORDER_CONSTANT),
                    np.ones((fat * 2 - 1,) * 2, np.uint8),
                )
            gw = min(g.shape[1] / g.shape[0] * rank_h * squeeze * 1.25, cx * 1.85)
            for flip in (False, True):
                for side in (False, True) if four else (False,):
                    X = W - cx if side else cx
                    X = W - X if flip else X
                    rank_y, suit_y = top + rank_h / 2, top + rank_h + gap + suit_h / 2
                    rank_y, suit_y = (H - rank_y, H - suit_y) if flip else (rank_y, suit_y)
                    stamp(im, g, col, X, rank_y, gw, rank_h, flip)
                    stamp(
                        im,
                        shapes[s],
                        col,
                        X,
                        suit_y,
                        suit_h * 0.92,
                        suit_h,
                        flip,
                    )
            out.append(
                Face(
                    k + s,
                    f"synth{n}",
                    pyramid(np.dstack([im.clip(0, 255).astype(np.uint8), rounded(W, H, W * 0.055)])),
                )
            )
    return out


DONORS = {
    "anglo",
    "anglo_bitmap",
    "anglo_modern",
    "anglo_poker",
    "bellot",
    "cardsjs",
    "deckofcards",
    "dondorf",
    "gnomangelo_bitmap",
    "heruka_2color",
    "kde_standard",
    "letele",
    "neoclassical",
    "paris",
    "plastic",
    "tigullio",
    "younes",
    "svgcards",
    "berlin",
    "rheinland",
}
