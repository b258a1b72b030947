"""Cards of rendered stills (render.py) for who reads them: whole faces, and corners with their indices."""

import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import face_data
import index_data
import light
import numpy as np
from corners import BACK, IDX_BOX, IDX_H, IDX_W, JOKER, cut, label
from rendered import APART, fill
from scenes import World

LEAST_SEEN = 0.2
"""Cards of which less is open are no lessons."""
FEW = 3
"""Backs of one still that are lessons, about: they are all alike."""
SMALLER = (0.62, 1.08)
"""How much smaller or larger than it was rendered a card is shown."""
AROUND = 0.25
"""What is kept of a still round a card, in its lengths."""


@dataclass(frozen=True)
class Card:
    """A card as it lies on a still: the picture round it, its corners there, and what of it is open."""

    picture: np.ndarray
    open: np.ndarray
    quad: np.ndarray
    name: str

    def nearer(self, r) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Picture, what is open and corners at another size."""
        k = np.exp(r.uniform(*np.log(SMALLER)))
        size = tuple(max(8, round(k * n)) for n in self.picture.shape[1::-1])
        scale = np.array(size) / self.picture.shape[1::-1]
        way = cv2.INTER_AREA if k < 1 else cv2.INTER_LINEAR
        picture, open_ = (cv2.resize(im, size, interpolation=way) for im in (self.picture, self.open))
        return picture, open_, (self.quad + 0.5) * scale - 0.5

    def face(self, w: World):
        """A lesson as face_data gives it."""
        r = w.rng
        picture, open_, quad = self.nearer(r)
        seen = cut(open_, quad, (0, 0, 1, 1), face_data.GRID) > 127
        img = developed(w, picture)
        long = np.linalg.norm(quad[3] - quad[0])
        q = face_data.misjudged(w, quad, long, seen.mean())
        turn = r.choice([0, 2])
        shot = cut(img, np.roll(q, -turn, axis=0), face_data.BOX, face_data.SIZE)
        grid = face_data.doubted(w, seen if turn == 0 else seen[::-1, ::-1])
        number = label(self.name)
        kind = {JOKER: face_data.JOKER, BACK: face_data.BACK}.get(number, number % 13)
        return np.dstack([shot, face_data.open_layer(grid)]), kind, number // 13 if number < 52 else -1

    def index(self, w: World):
        """A lesson as index_data gives it, of one end or the other."""
        r = w.rng
        picture, open_, quad = self.nearer(r)
        quad = np.roll(quad, -r.choice([0, 2]), axis=0)
        right, down = quad[1] - quad[0], quad[3] - quad[0]
        about = quad[0] + index_data.MIDDLE[0] * right + index_data.MIDDLE[1] * down
        q = index_data.misjudged(w, quad, about, np.linalg.norm(down))
        shot = cut(developed(w, picture), q, IDX_BOX, (IDX_W, IDX_H))
        seen = (cut(open_, quad, (0.02, 0.02, 0.2, 0.28), (12, 18)) > 127).mean()
        number = label(self.name)
        if number >= 52 or seen <= 0.5:
            return shot, *index_data.NONE
        return shot, *((number % 13, number // 13) if seen > 0.85 else index_data.UNSURE)


def developed(w: World, picture: np.ndarray) -> np.ndarray:
    """Other light and grain: the still was a camera's picture before."""
    r = w.rng
    im = picture.astype(np.float32) * light.washed(r)
    return light.exposed(r, light.develop(w, im, r.choice([0.3, 0.8])))


def load(folder: Path) -> tuple[list[Card], list[Card]]:
    """Cards to learn from, and those of stills from which nothing learns."""
    learned: list[Card] = []
    apart: list[Card] = []
    for path in sorted(folder.glob("*/truth.json")):
        (apart if path.parent.name.endswith(APART) else learned).extend(cards(path))
    return learned, apart


def cards(path: Path) -> list[Card]:
    told = json.loads(path.read_text())
    image = cv2.imread(str(path.parent / told["image"]))
    ids = np.full(image.shape[:2], -1, np.int32)
    for number, card in enumerate(told["cards"]):
        fill(ids, np.array(card["outline_px"]), number)
    for die in told["dice"]:
        fill(ids, np.array(die["silhouette_px"]), -1)
    shown = [(k, c) for k, c in enumerate(told["cards"]) if c["visible_fraction"] >= LEAST_SEEN]
    faces, backs = (
        [one for one in shown if (label(one[1]["shows"]) == BACK) == back] for back in (False, True)
    )
    return [around(image, ids == k, card) for k, card in faces + backs[:: max(1, len(backs) // FEW)]]


def around(image: np.ndarray, mine: np.ndarray, card: dict) -> Card:
    quad = np.array(card["corners_px"], float)
    reach = AROUND * np.linalg.norm(quad[3] - quad[0])
    low = np.maximum(0, np.floor(quad.min(0) - reach).astype(int))
    high = np.minimum(image.shape[1::-1], np.ceil(quad.max(0) + reach).astype(int) + 1)
    part = np.s_[low[1] : high[1], low[0] : high[0]]
    return Card(image[part].copy(), (mine[part] * 255).astype(np.uint8), quad - low, card["shows"])
