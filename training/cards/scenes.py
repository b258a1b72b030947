"""Draw tables with cards from flat faces: the only pictures the card networks learn from."""

import random
from dataclasses import dataclass
from pathlib import Path

import art
import cv2
import light
import numpy as np
import tables
import things
from PIL import ImageFont

LEVELS = (320, 160, 80, 48)
ART_DECKS = 120
"""Made-up decks kept to draw from; now and then one is replaced."""
rand_colour, noise_field, cast_shadow = tables.colour, tables.noise, light.cast_shadow


@dataclass
class Face:
    name: str
    deck: str
    levels: list  # BGRA at falling heights


def rounded(w: int, h: int, r: float) -> np.ndarray:
    """A mask of a card with round corners."""
    m = np.zeros((h, w), np.uint8)
    r = max(1, min(int(r), w // 2 - 1))
    cv2.rectangle(m, (r, 0), (w - r - 1, h - 1), 255, -1)
    cv2.rectangle(m, (0, r), (w - 1, h - r - 1), 255, -1)
    for x in (r, w - r - 1):
        for y in (r, h - r - 1):
            cv2.circle(m, (x, y), r, 255, -1, cv2.LINE_AA)
    return m


def pyramid(im: np.ndarray) -> list[np.ndarray]:
    """A picture at LEVELS no higher than it is itself."""
    sizes = [(round(im.shape[1] * h / im.shape[0]), h) for h in LEVELS if h <= im.shape[0]]
    return [
        im if h == im.shape[0] else cv2.resize(im, (w, h), interpolation=cv2.INTER_AREA) for w, h in sizes
    ]


def load_faces(root: Path) -> list[Face]:
    """Every face of every deck folder, cut to a rounded card on its own paper."""
    return [load_face(p) for folder in sorted(Path(root).iterdir()) for p in sorted(folder.glob("*.png"))]


def load_face(path: Path) -> Face:
    im = cv2.imread(str(path), -1)
    a = im[..., 3:] / 255.0
    bgr = (im[..., :3] * a + 250 * (1 - a)).astype(np.uint8)
    h, w = bgr.shape[:2]
    return Face(path.stem, path.parent.name, pyramid(np.dstack([bgr, rounded(w, h, w * 0.055)])))


def load_pictures(roots: tuple[str, ...], side: int = 700) -> list[np.ndarray]:
    """Wallpapers, to be tables, clutter and the art of made-up cards."""
    out = []
    for path in (p for root in roots for p in sorted(Path(root).rglob("*"))):
        if path.suffix not in (".jpg", ".png", ".webp"):
            continue
        im = cv2.imread(str(path), cv2.IMREAD_REDUCED_COLOR_4)
        if im is not None and min(im.shape[:2]) >= 150:
            k = side / max(im.shape[:2])
            out.append(cv2.resize(im, None, fx=k, fy=k, interpolation=cv2.INTER_AREA))
    return out


class World:
    """Faces, pictures and typefaces, and the dice that choose among them."""

    def __init__(self, faces: list[Face], pictures: list, fonts: list[str], seed: int) -> None:
        self.faces, self.pictures, self.fonts = faces, pictures, fonts
        self.rng, self.np = random.Random(seed), np.random.default_rng(seed)
        self.by_deck: dict[str, list[Face]] = {}
        for face in faces:
            self.by_deck.setdefault(face.deck, []).append(face)
        self.decks = sorted(self.by_deck)
        self.art: list[list[Face]] = []
        self.typefaces: dict[tuple[str, int], ImageFont.FreeTypeFont] = {}

    def background(self, side: int) -> np.ndarray:
        return tables.table(self.rng, self.pictures, side)

    def clutter(self, out: np.ndarray, count: int) -> None:
        things.clutter(self, out, count)

    def develop(self, im: np.ndarray, hard: float = 1.0) -> np.ndarray:
        return light.develop(self, im, hard)

    def font(self, size: int) -> ImageFont.FreeTypeFont:
        path = self.rng.choice(self.fonts)
        if (path, size) not in self.typefaces:
            self.typefaces[path, size] = ImageFont.truetype(path, size)
        return self.typefaces[path, size]

    def art_deck(self) -> list[Face]:
        """Some cards of no deck at all; the last is a back."""
        if len(self.art) < ART_DECKS or self.rng.random() < 0.02:
            if len(self.art) == ART_DECKS:
                self.art.pop(self.rng.randrange(ART_DECKS))
            flat, corner = art.faces(self.rng, self.pictures, 8)
            h, w = flat[0].shape[:2]
            self.art.append(
                [Face("art", "art", pyramid(np.dstack([f, rounded(w, h, corner)]))) for f in flat]
            )
            return self.art[-1]
        return self.rng.choice(self.art)

    def art_card(self) -> Face:
        return self.rng.choice(self.art_deck())


def paint(
    out: np.ndarray, ids: np.ndarray, face: Face, quad: np.ndarray, ident: int, shade: float = 1.0
) -> None:
    """Lay a face on the picture with its corners (tl, tr, br, bl) at `quad`."""
    h, w = out.shape[:2]
    x0, y0 = np.maximum(0, np.floor(quad.min(0)).astype(int) - 1)
    x1, y1 = np.minimum((w, h), np.ceil(quad.max(0)).astype(int) + 2)
    if x1 <= x0 or y1 <= y0:
        return
    long = max(np.linalg.norm(quad[3] - quad[0]), np.linalg.norm(quad[2] - quad[1]))
    img = next((i for i in reversed(face.levels) if i.shape[0] >= long * 0.9), face.levels[0])
    h, w = img.shape[:2]
    flat = np.float32([[0, 0], [w, 0], [w, h], [0, h]]) - 0.5
    m = cv2.getPerspectiveTransform(flat, (quad - (x0, y0)).astype(np.float32))
    patch = cv2.warpPerspective(img, m, (int(x1 - x0), int(y1 - y0)), flags=cv2.INTER_LINEAR)
    a = patch[..., 3:].astype(np.float32) / 255
    view = out[y0:y1, x0:x1]
    view[:] = view * (1 - a) + patch[..., :3].astype(np.float32) * a * shade
    ids[y0:y1, x0:x1][a[..., 0] > 0.5] = ident
