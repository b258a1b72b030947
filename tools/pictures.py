"""Draw the pictures of the documentation from sample footage, so that they never go stale: make pictures."""

import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.charuco import find_sheet
from calibration.making import from_folder
from referee.cli import main

TOP = Path(__file__).parents[1]
SAMPLES = TOP / "sample_footage"
CAMERA = SAMPLES / "rocca" / "cameras" / "camera_14_60"
QUALITY = 88
CHROMIUM = "/usr/bin/chromium"
PATIENCE_MS = 120_000
AMBER, GREEN = (40, 170, 250), (90, 220, 90)

Picture = NDArray[np.uint8]


def ruling(sample: str) -> Picture:
    """The referee's own drawing of its ruling."""
    with tempfile.TemporaryDirectory() as work:
        drawn = Path(work) / "drawn.png"
        if main(["judge", str(SAMPLES / sample), "--draw", str(drawn)]) != 0:
            raise SystemExit(f"{sample} could not be drawn")
        return read(drawn)


def stills() -> Picture:
    """Eight good views of the sheet, with the corners that were found."""
    views = [with_corners(read(file)) for file in sorted(CAMERA.glob("calib_*.jpg"))[:8]]
    small = [
        np.asarray(cv2.resize(view, (480, 270), interpolation=cv2.INTER_AREA), np.uint8) for view in views
    ]
    return np.vstack([np.hstack(small[:4]), np.hstack(small[4:])])


def outline() -> Picture:
    """The sheet flat on the board, and the outline of the board that was found."""
    picture = with_corners(read(CAMERA / "board_sheet.jpg"))
    profile = from_folder(CAMERA)
    if profile.board_outline_mm is None:
        raise SystemExit("the outline of the board was not found")
    rim = profile.to_pixels(np.array(profile.board_outline_mm))
    cv2.polylines(picture, [np.rint(rim * 16).astype(np.int32)], True, GREEN, 3, cv2.LINE_AA, 4)
    return picture


def page(width: int, height: int) -> Picture:
    """The page of a table after a foul, as the browser shows it."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as work, sync_playwright() as playwright:
        shot = Path(work) / "page.png"
        live = [
            sys.executable,
            "-m",
            "referee",
            "live",
            "--footage",
            str(SAMPLES / "rocca/touches-a-gate-piece"),
        ]
        where = ["--folder", work, "--host", "127.0.0.1", "--port", "0"]
        table = subprocess.Popen([*live, *where], stdout=subprocess.PIPE, text=True)
        try:
            browser = playwright.chromium.launch(
                executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
            )
            leaf = browser.new_page(viewport={"width": width, "height": height}, locale="en-GB")
            assert table.stdout is not None
            leaf.goto(table.stdout.readline().split()[-1])  # "Table Referee is at http://..."
            leaf.wait_for_selector("text=RO-50", timeout=PATIENCE_MS)
            leaf.wait_for_timeout(1500)
            leaf.screenshot(path=shot)
        finally:
            table.terminate()
            table.wait()
        return read(shot)


def with_corners(picture: Picture) -> Picture:
    seen = find_sheet(picture)
    if seen is None:
        raise SystemExit("the sheet was not found")
    for x, y in seen.px:
        cv2.circle(picture, (round(x), round(y)), 6, AMBER, 2, cv2.LINE_AA)
    return picture


def read(file: Path) -> Picture:
    picture = cv2.imread(str(file))
    if picture is None:
        raise SystemExit(f"{file} is no picture")
    return np.asarray(picture, np.uint8)


PICTURES: dict[str, Callable[[], Picture]] = {
    "touches-a-gate-piece": partial(ruling, "rocca/touches-a-gate-piece"),
    "not-through": partial(ruling, "rocca/not-through"),
    "stills-of-the-sheet": stills,
    "outline-of-the-board": outline,
    "the-page": partial(page, 1280, 720),
    "the-page-on-a-phone": partial(page, 390, 780),
}


def draw(names: list[str]) -> None:
    """Draw the named pictures, or all of them."""
    for name in names or PICTURES:
        target = TOP / "docs" / "pictures" / f"{name}.jpg"
        cv2.imwrite(str(target), PICTURES[name](), [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        print(target.relative_to(TOP))


if __name__ == "__main__":
    draw(sys.argv[1:])
