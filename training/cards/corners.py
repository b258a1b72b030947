"""Cutting corners of cards out of drawn pictures, as the product does."""

import cv2
import numpy as np
from finder_data import project

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = "CDHS"
JOKER, BACK = 52, 53
FACE_W, FACE_H, IDX_W, IDX_H = 72, 100, 32, 48
FACE_BOX = (-0.04, -0.03, 1.04, 1.03)
IDX_BOX = (-0.05, -0.03, 0.30, 0.36)


def label(name):
    if name.startswith("joker"):
        return JOKER
    if name.startswith("back"):
        return BACK
    if name[-1] in SUITS and name[:-1] in RANKS:
        return SUITS.index(name[-1]) * 13 + RANKS.index(name[:-1])
    return BACK


def cut(im, quad, box, size, flags=cv2.INTER_LINEAR):
    """The part `box` (in card units) of the card with corners `quad`, as a picture of `size` (w, h)."""
    x0, y0, x1, y1 = box
    w, h = size
    m = cv2.getPerspectiveTransform(np.float32([[0, 0], [1, 0], [1, 1], [0, 1]]), quad.astype(np.float32))
    p = project(m, np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]))
    long = np.linalg.norm(p[3] - p[0])
    if long > 1.6 * h:  # shrink without aliasing
        k = 1.0 / (long / h)
        im, p = cv2.resize(im, None, fx=k, fy=k, interpolation=cv2.INTER_AREA), (p + 0.5) * k - 0.5
    t = cv2.getPerspectiveTransform(p.astype(np.float32), np.float32([[0, 0], [w, 0], [w, h], [0, h]]) - 0.5)
    return cv2.warpPerspective(im, t, (w, h), flags=flags, borderMode=cv2.BORDER_REPLICATE)
