"""Cut dice out of rendered pictures for train_cocked.py: the referee's Python runs it, with its packages on the path.

python table_lessons.py OUT.pkl RENDERED... [BARE...]    (RENDERED: folders, BARE: pictures without dice)

Each picture is looked at in several sizes and qualities. Of what render_table.py left dice are cut out where the
referee itself supposes them, and those that it overlooks misplaced and missized as much; what it takes for dice and is
none is kept, too. Of what render.py left, taken from anywhere, all dice that are seen well are cut out.
"""

import json
import pickle
import sys
from collections.abc import Iterator
from dataclasses import astuple, dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from scenes import sensor

from calibration.profile import Profile
from referee.vision.dice_on_table import _look, scale_on
from referee.vision.die_reading import Sighting, _close, _told
from referee.vision.leaning import STEP_MM, sized, view_on_table

Array = NDArray[np.float64]
Picture = NDArray[np.uint8]
Truth = dict[str, Any]
EDGES_PX, TIMES, TIMES_BY_HAND = (13.0, 36.0), 5, 3
"""Of a usual die, and how often each picture is looked at."""
AROUND = 2.2
SUPPOSED = 0.3
WITHIN, APART = 0.3, 0.9
"""Edges from the middle of a die at which it is still seen, and from which on there is none."""
MISPLACED, MISSIZED = 0.09, 0.14
"""As the referee does, in edges and in doublings: standard deviations."""
SEEN, SEEN_BY_HAND = 0.6, 0.8


@dataclass(frozen=True, slots=True)
class Cut:
    """The surroundings of a place where a die is supposed."""

    number: int
    """Of the picture."""
    picture: Picture
    px: Array
    view: Array
    """2 x 3: pixels for one edge along each of three axes."""
    value: int
    """0 where no die is."""
    normal: Array
    """Of the die's upper face, in these axes."""
    tabled: bool
    """Whether the third axis is upright on the true table: else the die's own axes are told."""


def profile_of(truth: Truth) -> Profile:
    lens, turn = (tuple(tuple(map(float, row)) for row in truth[k]) for k in ("K", "R"))
    size = tuple(truth["size"])
    return Profile(size, lens, (0.0,) * 5, turn, tuple(truth["t_mm"]), None, 0.2, 0.3, 0.5)


def supposed(picture: Picture, profile: Profile) -> list[Sighting]:
    """Where the referee looks twice: any of its readers takes the place for a die."""
    spots = _look(picture, scale_on(profile), None)
    if not spots:
        return []
    close = cv2.dnn.blobFromImages([_close(picture, spot) for spot in spots], 1 / 255)
    none = np.minimum(*(_told(name, close)[:, 0] for name in ("dice_values.onnx", "dice_doubts.onnx")))
    return [spot for spot, doubt in zip(spots, none, strict=True) if 1 - doubt > SUPPOSED]


def some_edge_px(rng: np.random.Generator) -> float:
    return float(2 ** rng.uniform(*np.log2(EDGES_PX)))


def resized(picture: Picture, scale: float, rng: np.random.Generator) -> tuple[Picture, Array]:
    """The picture with fewer or more pixels, in another quality, and how much smaller it really is."""
    size = [round(side * scale) for side in picture.shape[1::-1]]
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
    return sensor(small.astype(np.float32) / 255, rng), np.array(size) / picture.shape[1::-1]


def surroundings(picture: Picture, px: Array, edge: float) -> tuple[Picture, Array]:
    reach = round(AROUND * edge) + 2
    left, top = (max(0, round(float(at)) - reach) for at in px)
    part = picture[top : round(float(px[1])) + reach, left : round(float(px[0])) + reach].copy()
    return part, px - (left, top)


def edge_of(profile: Profile, die: Truth, px: Array) -> float:
    """How many pixels its edge has on average, as sightings tell it."""
    x, y = profile.to_board(px[None], die["high_mm"])[0]
    step = profile.to_pixels(np.array([[x - STEP_MM, y], [x + STEP_MM, y]]), die["high_mm"])
    along = np.linalg.norm(sized(view_on_table(profile, (px[0], px[1]), 1.0), 1.0)[:, 0])
    return float(np.linalg.norm(step[1] - step[0]) / (2 * STEP_MM) * die["edge_mm"] / along)


def on_table(number: int, picture: Picture, truth: Truth, rng: np.random.Generator) -> Iterator[Cut]:
    """All that is supposed to be dice in one picture of a table, and the dice besides."""
    lens = np.array(truth["K"], float)
    high = float((-np.array(truth["R"]).T @ np.array(truth["t_mm"]))[2])
    seen, ratio = resized(picture, min(1.15, some_edge_px(rng) * high / (16.0 * lens[0, 0])), rng)
    lens[:2] = np.c_[lens[:2, :2] * ratio[:, None], (lens[:2, 2] + 0.5) * ratio - 0.5]
    profile = replace(profile_of(truth), image_size=seen.shape[1::-1], K=tuple(map(tuple, lens.tolist())))

    def cut(px: Array, edge: float, die: Truth | None) -> Cut:
        normal, part = np.zeros(3), surroundings(seen, px, edge)
        if die is not None:
            turn = np.array(die["turn"])
            axis = int(np.abs(turn[2]).argmax())
            normal = turn[:, axis] * np.sign(turn[2, axis])
        view = view_on_table(profile, (float(px[0]), float(px[1])), edge)
        return Cut(number, *part, view, die["value"] if die else 0, normal, True)

    dice = [(die, (np.array(die["centre_px"]) + 0.5) * ratio - 0.5) for die in truth["dice"]]
    found = set()
    for spot in supposed(seen, profile):
        px = np.array(spot.px)
        away = [float(np.hypot(*(at - px))) / spot.edge_px for _, at in dice] or [np.inf]
        nearest = int(np.argmin(away))
        if away[nearest] > APART:
            yield cut(px, spot.edge_px, None)
        elif away[nearest] < WITHIN and _is_seen(dice[nearest][0]):
            found.add(nearest)
            yield cut(px, spot.edge_px, dice[nearest][0])
    for k, (die, at) in enumerate(dice):
        if k not in found and _is_seen(die):
            edge = edge_of(profile, die, at) * 2 ** rng.normal(0, MISSIZED)
            yield cut(at + rng.normal(0, MISPLACED, 2) * edge, edge, die)


def _is_seen(die: Truth) -> bool:
    return bool(die["seen"] > SEEN and die["inside"] > 0.8)


def by_hand(number: int, picture: Picture, truth: Truth, rng: np.random.Generator) -> Iterator[Cut]:
    """The dice of a picture taken from anywhere, each in its own axes."""
    dice = [d for d in truth["dice"] if d["upper_seen"] > SEEN_BY_HAND and d["inside"] > 0.9]
    for die in dice:
        upper, lower = np.array(die["corners_px"][:4]), np.array(die["corners_px"][4:])
        a, b, c, d = (upper + lower) / 2
        view = np.stack([(b - a + c - d) / 2, (d - a + c - b) / 2, (upper - lower).mean(axis=0)], 1)
        edge = float(np.linalg.svd(view)[1].mean())
        near, at = surroundings(picture, (upper + lower).mean(axis=0) / 2, edge)
        seen, ratio = resized(near, min(1.15, some_edge_px(rng) / edge), rng)
        at, view = (at + 0.5) * ratio - 0.5, view * ratio[:, None] * 2 ** rng.normal(0, MISSIZED)
        off = rng.normal(0, MISPLACED, 2) * edge * ratio
        yield Cut(number, seen, at + off, view, die["value"], np.array([0.0, 0.0, 1.0]), False)


def _part(picture: Picture, size: tuple[int, int], rng: np.random.Generator) -> Picture:
    """Some part of a picture in some size."""
    w, h = size
    scale = max(w / picture.shape[1], h / picture.shape[0], float(rng.uniform(0.3, 1)))
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    x, y = (int(rng.integers(max(1, a - b))) for a, b in zip(small.shape[1::-1], size, strict=True))
    return np.asarray(cv2.resize(small[y : y + h, x : x + w], (w, h)))


def main() -> None:
    out, paths = Path(sys.argv[1]), [Path(p) for p in sys.argv[2:]]
    rng, kept, tables = np.random.default_rng(5), list[Cut](), list[Truth]()
    cv2.setNumThreads(1)
    for path in sorted(p for folder in paths if folder.is_dir() for p in folder.glob("*.json")):
        truth, picture = json.loads(path.read_text()), cv2.imread(str(path.with_suffix(".jpg")))
        if "K" in truth:
            tables.append(truth)
        cuts, times = (on_table, TIMES) if "K" in truth else (by_hand, TIMES_BY_HAND)
        kept += [cut for _ in range(times) for cut in cuts(int(path.stem), picture, truth, rng)]
    for number, path in enumerate(p for p in paths if p.is_file()):
        picture = cv2.imread(str(path))
        for _ in range(TIMES):
            truth = tables[rng.integers(len(tables))] | {"dice": []}
            kept += on_table(-number - 1, _part(picture, truth["size"], rng), truth, rng)
    dice = [cut for cut in kept if cut.value]
    print(len(dice), "dice,", sum(cut.tabled for cut in dice), "on tables,", len(kept) - len(dice), "none")
    out.write_bytes(pickle.dumps([astuple(cut) for cut in kept]))


if __name__ == "__main__":
    main()
