"""Cut every piece that the referee finds in the rendered lessons out of them, with its outline and the true one.

python extract.py LESSONS            writes LESSONS/NUMBER/pieces.npz where it is missing
"""

import json
import sys
from pathlib import Path

import av
import numpy as np

from calibration.making import from_folder
from hardware.frames import Image
from referee.vision import pieces
from referee.vision.alignment import aligned
from referee.vision.board import board_from_folder
from referee.vision.look import Look
from referee.vision.steps import at_once

HALF_PX, MATCHED_PX, OTHERS = 48, 8.0, 4
"""Half the side of a cut; how far off an outline's middle may be; how many neighbours are kept."""
LAST = 6


class Recorded(Look):
    """A look that keeps the outlines that the network is to move, and leaves them as they are."""

    last: "Recorded"

    def __init__(self, *given):
        super().__init__(*given)
        self.told, Recorded.last = [], self

    def outlined(self, outlines, *_):
        yield
        self.told = list(outlines)
        return self.told


pieces.Look = Recorded


def mean_of(film: Path) -> tuple[Image, np.ndarray]:
    """The first of the last frames, and their mean."""
    with av.open(str(film)) as container:
        frames = [f.to_ndarray(format="bgr24") for f in container.decode(video=0)][-LAST:]
    return frames[0], np.mean(frames, axis=0, dtype=np.float32)


def cut(look: Look, k: int, truth: np.ndarray, corner: np.ndarray) -> dict[str, np.ndarray] | None:
    """One piece of a look as a lesson, if it is one."""
    one = look.told[k]
    middles = np.array([t.mean(axis=0) for t in truth], dtype=float)
    off = np.hypot(*(middles - corner - one.centre).T)
    if off.min() > MATCHED_PX:
        return None
    x, y = np.round(one.centre).astype(int) - HALF_PX
    side = 2 * HALF_PX
    if x < 0 or y < 0 or x + side > look._ratio.shape[1] or y + side > look._ratio.shape[0]:
        return None
    within = (slice(y, y + side), slice(x, x + side))
    look._focus(one.centre + np.array([[-HALF_PX, -HALF_PX], [HALF_PX, HALF_PX]]) * 0.5)
    others = sorted(
        (o for j, o in enumerate(look.told) if j != k), key=lambda o: np.hypot(*(o.centre - one.centre))
    )
    near = np.full((OTHERS, 64, 2), -999.0)
    for row, other in zip(near, others, strict=False):
        row[:] = other.points - [x, y]
    true = truth[int(off.argmin())] - corner - [x, y]
    filled = np.concatenate([true, np.repeat(true[-1:], 400 - len(true), axis=0)])
    return {
        "ratio": look._ratio[within].astype(np.float16), "log": look._log[within].astype(np.float16),
        "points": (one.points - [x, y]).astype(np.float32), "true": filled.astype(np.float32),
        "near": near.astype(np.float32),
    }  # fmt: skip


def extract(folder: Path) -> str:
    truth = json.loads((folder / "truth.json").read_text())
    profile = from_folder(folder)
    board = board_from_folder(folder, profile)
    found, count, layout_of = [], 0, []
    for n, layout in enumerate(truth["layouts"]):
        first, mean = mean_of(folder / f"film_{n}.mp4")
        seen = aligned(board, first)
        at_once(pieces.search(seen.window.of(mean), seen, profile))
        corner = np.array([seen.window.x, seen.window.y])
        outlines = [np.array(p["silhouette_px"]) for p in layout]
        cuts = [cut(Recorded.last, k, outlines, corner) for k in range(len(Recorded.last.told))]
        found += [c for c in cuts if c]
        layout_of += [n for c in cuts if c]
        count += len(layout)
    kept = {name: np.array([c[name] for c in found]) for name in found[0]}
    scale = pieces.piece_scale(profile)
    kinds = f"{truth['pieces']} on {truth['board_tex']} by {truth['light']}"
    np.savez(folder / "unready.npz", **kept, layout=np.array(layout_of), scale=scale, kinds=kinds)
    (folder / "unready.npz").rename(folder / "pieces.npz")
    return f"{folder.name} {kinds}: {len(found)} of {count}"


if __name__ == "__main__":
    for lesson in sorted(p.parent for p in Path(sys.argv[1]).glob("*/truth.json")):
        if not (lesson / "pieces.npz").exists():
            try:
                print(extract(lesson), flush=True)
            except Exception as error:
                print(f"{lesson.name} left out: {error!r}", flush=True)
