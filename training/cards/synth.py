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


class Print:
    """How one made-up deck is printed: its typeface, colours, sizes and places."""

    def __init__(self, w):
        r = w.rng
        self.typeface, self.letters = r.choice(w.fonts), r.choice(LETTERS)
        self.height, self.width = 320, r.choice([229, 229, 229, 208, 220])
        red = np.array([r.uniform(0, 70), r.uniform(0, 60), r.uniform(170, 245)], np.float32)
        black = np.array([r.uniform(0, 60)] * 3, np.float32)
        self.colours = {"C": black, "S": black, "D": red, "H": red}
        if r.random() < 0.08:
            self.colours["C"] = np.array([30, 130, 20], np.float32)
            self.colours["D"] = np.array([200, 60, 10], np.float32)
        self.rank_h = self.height * r.choice([r.uniform(0.085, 0.14), r.uniform(0.1, 0.2)])
        self.squeeze = r.uniform(0.42, 0.85)
        self.suit_h = self.rank_h * r.uniform(0.5, 1.0)
        wide = max(0, self.rank_h / self.height - 0.13) * self.width * 0.5
        self.index_x = self.width * r.uniform(0.085, 0.125) + wide
        self.top = self.height * r.uniform(0.03, 0.055)
        self.gap = self.rank_h * r.uniform(0.05, 0.3)
        self.pips_x, self.pips_y = r.uniform(0.26, 0.33), r.uniform(0.13, 0.19)
        self.pip = self.width * r.uniform(0.14, 0.21)
        self.shapes = {s: suit_mask(s, 120, r) for s in SUITS}
        self.fat = r.choice([0, 0, 1, 2, 3])
        self.donor = {f.name: f for f in w.by_deck[r.choice([d for d in w.decks if d in DONORS])]}
        self.four = r.random() < 0.06
        self.plain, self.ornate, self.eight = r.random() < 0.3, r.random() < 0.5, r.random() < 0.3


def deck(w, n):
    """One whole made-up deck of 52 faces; courts borrow the middle of a drawn deck."""
    how = Print(w)
    return [Face(k + s, f"synth{n}", printed(w.rng, how, k, s)) for s in SUITS for k in RANKS]


def printed(r, how, rank, suit):
    """One card at all sizes."""
    im = np.full((how.height, how.width, 3), r.uniform(248, 255), np.float32)
    glyph = glyph_mask(how.letters.get(rank, rank), how.typeface)
    middle(im, r, how, rank, suit, glyph)
    indices(im, how, suit, glyph)
    mask = rounded(how.width, how.height, how.width * 0.055)
    return pyramid(np.dstack([im.clip(0, 255).astype(np.uint8), mask]))


def middle(im, r, how, rank, suit, glyph):
    colour, shape = how.colours[suit], how.shapes[suit]
    if rank == "A" and how.ornate and (suit == "S" or r.random() < 0.1):
        ornate_ace(im, r, shape, colour)
    elif rank in PIPS:
        size = how.pip * (r.uniform(1.2, 3.2) if rank == "A" else 1)
        for px, py in EIGHT if how.eight and rank == "8" else PIPS[rank]:
            x = how.width * (how.pips_x + px * (1 - 2 * how.pips_x))
            y = how.height * (how.pips_y + py * (1 - 2 * how.pips_y))
            stamp(im, shape, colour, x, y, size, size * 1.08, py > 0.5)
    elif how.plain:
        plain_court(im, r, shape, glyph, colour)
    elif rank + suit in how.donor:
        borrowed_court(im, r, how.donor[rank + suit].levels[0][..., :3])


def borrowed_court(im, r, source):
    """The person of a drawn deck, in another frame."""
    h, w = im.shape[:2]
    sh, sw = source.shape[:2]
    a, b = r.uniform(0.17, 0.22), r.uniform(0.03, 0.08)
    person = source[int(sh * b) : int(sh * (1 - b)), int(sw * a) : int(sw * (1 - a))]
    x, y = int(w * r.uniform(0.17, 0.22)), int(h * r.uniform(0.05, 0.11))
    im[y : h - y, x : w - x] = cv2.resize(person, (w - 2 * x, h - 2 * y), interpolation=cv2.INTER_AREA)
    if r.random() < 0.6:
        cv2.rectangle(im, (x, y), (w - x, h - y), r.choice([(150, 60, 20), (20, 20, 20)]), 2)


def indices(im, how, suit, glyph):
    """Rank and suit in two corners, or in all four."""
    h, w = im.shape[:2]
    if how.fat:
        framed = cv2.copyMakeBorder(glyph, 3, 3, 3, 3, cv2.BORDER_CONSTANT)
        glyph = cv2.dilate(framed, np.ones((how.fat * 2 - 1,) * 2, np.uint8))
    wide = min(glyph.shape[1] / glyph.shape[0] * how.rank_h * how.squeeze * 1.25, how.index_x * 1.85)
    rank_y, suit_y = how.top + how.rank_h / 2, how.top + how.rank_h + how.gap + how.suit_h / 2
    colour = how.colours[suit]
    for flip in (False, True):
        for side in (False, True) if how.four else (False,):
            x = w - how.index_x if side != flip else how.index_x
            at_rank, at_suit = (h - rank_y, h - suit_y) if flip else (rank_y, suit_y)
            stamp(im, glyph, colour, x, at_rank, wide, how.rank_h, flip)
            stamp(im, how.shapes[suit], colour, x, at_suit, how.suit_h * 0.92, how.suit_h, flip)


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
