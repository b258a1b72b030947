"""Crops of rendered stills (render.py) for the finder: turned, scaled and coloured anew each time."""

import json
from pathlib import Path

import cv2
import light
import numpy as np
from finder_data import LONG_PX, SIDE, target
from scenes import World

APART = "0"
"""Nothing learns from stills whose numbers end with this."""


class Stills:
    """Rendered stills with the outlines of their cards, the lowest first; those rendered meanwhile are taken up."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.known: dict[str, tuple] = {}
        self.names: list[str] = []
        self.refresh()

    def refresh(self) -> None:
        """Look for stills that were rendered since."""
        there = sorted(p.parent.name for p in self.folder.glob("*/truth.json"))
        self.names = [name for name in there if not name.endswith(APART)]
        for name in self.names:
            if name not in self.known:
                self.known[name] = load(self.folder / name)

    def sample(self, w: World) -> tuple[np.ndarray, np.ndarray]:
        """One crop and its target, as finder_data.sample."""
        r = w.rng
        image, corners, outlines, dice = self.known[r.choice(self.names)]
        move = crop(r, image.shape, corners)
        beyond = np.median(image[:: image.shape[0] - 1], axis=(0, 1)).tolist()
        out = cv2.warpAffine(image, move, (SIDE, SIDE), flags=cv2.INTER_AREA, borderValue=beyond)
        ids = np.full((SIDE, SIDE), -1, np.int32)
        laid = [apply(move, quad) for quad in corners]
        for number, outline in enumerate(outlines):
            fill(ids, apply(move, outline), number)
        for die in dice:
            fill(ids, apply(move, die), -1)
        ids[outside(move, image.shape)] = -1
        here = [k for k, quad in enumerate(laid) if (quad.max(0) > 0).all() and (quad.min(0) < SIDE).all()]
        number = np.full(len(laid) + 1, -1, np.int32)
        number[here] = np.arange(len(here))
        return develop(w, out), target(number[ids], [laid[k] for k in here])


def load(folder: Path) -> tuple[np.ndarray, list[np.ndarray], list[np.ndarray], list[np.ndarray]]:
    told = json.loads((folder / "truth.json").read_text())
    corners, outlines = ([np.array(c[part]) for c in told["cards"]] for part in ("corners_px", "outline_px"))
    dice = [np.array(die["silhouette_px"]) for die in told["dice"]]
    return cv2.imread(str(folder / told["image"])), corners, outlines, dice


def crop(r, shape: tuple[int, ...], corners: list[np.ndarray]) -> np.ndarray:
    """Where a crop of a good size lies: mostly near a card, turned anyhow."""
    long = float(np.median([np.linalg.norm(q[3] - q[0]) for q in corners])) if corners else 85.0
    at = np.array([r.uniform(0, shape[1]), r.uniform(0, shape[0])])
    if corners and r.random() < 0.85:
        at = r.choice(corners).mean(0)
    scale = np.exp(r.uniform(*np.log(LONG_PX))) / long
    turn = r.uniform(0, 2 * np.pi) if r.random() < 0.6 else r.choice([0, 1, 2, 3]) * np.pi / 2
    axes = scale * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    to = np.array([r.uniform(0.25, 0.75), r.uniform(0.25, 0.75)]) * SIDE
    return np.column_stack([axes, to - axes @ at])


def apply(move: np.ndarray, points: np.ndarray) -> np.ndarray:
    return points @ move[:, :2].T + move[:, 2]


def fill(ids: np.ndarray, outline: np.ndarray, number: int) -> None:
    cv2.fillPoly(ids, [np.round(outline * 16).astype(np.int32)], number, cv2.LINE_8, 4)


def outside(move: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Where a crop shows what the camera did not."""
    seen = cv2.warpAffine(np.ones(shape[:2], np.uint8), move, (SIDE, SIDE), flags=cv2.INTER_NEAREST)
    return seen == 0


def develop(w: World, im: np.ndarray) -> np.ndarray:
    """Other light, colours, focus and grain: the still was a camera's picture before."""
    r = w.rng
    if r.random() < 0.25:
        im = im[..., r.sample(range(3), 3)]
    if r.random() < 0.15:
        im = cv2.cvtColor(cv2.cvtColor(im, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    return light.develop(w, im.astype(np.float32), r.choice([0.5, 1.0]))
