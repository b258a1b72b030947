"""Draw the pictures of the documentation from sample footage, so that they never go stale: make pictures."""

import tempfile
from pathlib import Path

import cv2

from referee.cli import main

TOP = Path(__file__).parents[1]
PICTURES = {
    "touches-a-gate-piece": "sample_footage/rocca/touches-a-gate-piece",
    "not-through": "sample_footage/rocca/not-through",
}
QUALITY = 88


def draw(name: str, sample: str) -> None:
    """The referee's own drawing of its ruling, as a JPEG."""
    with tempfile.TemporaryDirectory() as work:
        drawn = Path(work) / "drawn.png"
        if main(["judge", str(TOP / sample), "--draw", str(drawn)]) != 0:
            raise SystemExit(f"{sample} could not be drawn")
        target = TOP / "docs" / "pictures" / f"{name}.jpg"
        target.parent.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(target), cv2.imread(str(drawn)), [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        print(target.relative_to(TOP))


for name, sample in PICTURES.items():
    draw(name, sample)
