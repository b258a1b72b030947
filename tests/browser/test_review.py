"""The review in a real browser: the frame shown is the frame asked for, by number and by time."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe

from referee.folder import FootageFolder, MatchSheet
from referee.footage import Recording
from referee.kiosk.review import review_app
from referee.kiosk.server import PageServer
from referee.screening import Screening
from tests.browser.conftest import Open
from tests.hardware.videos import BITS, SIZE, write_video

FRAMES = 240
TIMES = {
    "constant": [k * 33 for k in range(FRAMES)],
    "variable": [k * 40 + random.Random(k).randrange(30) for k in range(FRAMES)],
}
READ = """async ([wanted, bits, width, height]) => {
  const seen = [];
  for (const index of wanted) {
    await review.show(index);
    const canvas = document.querySelector("canvas"), pen = canvas.getContext("2d");
    const bar = (bit) => pen.getImageData(bit * width / bits + width / bits / 2, height / 2, 1, 1).data[0] > 128;
    seen.push([Number(canvas.dataset.frame), [...Array(bits).keys()].reduce((sum, bit) => sum + (bar(bit) << bit), 0)]);
  }
  return seen;
}"""


@pytest.fixture(params=list(TIMES))
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    write_video(tmp_path / "footage.mp4", TIMES[request.param])
    recording = Recording(FootageFolder(tmp_path, tmp_path / "footage.mp4", MatchSheet(), tmp_path))
    screening = Screening(recording)
    with PageServer(review_app(screening)) as server:
        yield server.url
    screening.close()


def test_a_hundred_random_frames_are_shown_exactly(url: str, look: Open) -> None:
    page = look(url)
    page.wait_for_selector("canvas[data-frame]")
    wanted = random.Random(3).sample(range(FRAMES), 100)
    assert page.evaluate(READ, [wanted, BITS, *SIZE]) == [[k, k] for k in wanted]


def test_stepping_and_playing_name_the_frame_they_show(url: str, look: Open) -> None:
    page = look(url, 800, 480)
    page.wait_for_selector("canvas[data-frame]")
    page.evaluate("review.show(100)")
    for name, frame in (("One frame on", 101), ("One frame back", 100), ("One frame back", 99)):
        page.get_by_role("button", name=name).click()
        page.wait_for_selector(f"canvas[data-frame='{frame}']")
    page.get_by_label("Speed").select_option("0.25")
    page.get_by_role("button", name="Play or pause").click()
    page.wait_for_function("() => Number(document.querySelector('canvas').dataset.frame) > 101")
    page.get_by_role("button", name="Play or pause").click()
    ((named, shown),) = page.evaluate(
        READ, [[int(page.get_attribute("canvas", "data-frame") or 0)], BITS, *SIZE]
    )
    assert named == shown


def test_a_video_without_a_calibration_asks_for_four_points(url: str, look: Open) -> None:
    page = look(url)
    page.wait_for_selector("text=Tap the four corners of the board")
    box = page.locator(".view").bounding_box()
    assert box is not None
    for x, y in ((0.3, 0.2), (0.7, 0.2), (0.7, 0.8), (0.3, 0.8)):
        page.mouse.click(box["x"] + x * box["width"], box["y"] + y * box["height"])
    page.wait_for_selector("text=(4 of 4)")
    page.get_by_label("Width (mm)").fill("400")
    page.get_by_label("Height (mm)").fill("400")
    page.get_by_role("button", name="OK").click()
    page.wait_for_selector("progress, .result .error, .rulings .hint")


def test_nobody_is_shut_out_of_the_review(url: str, look: Open) -> None:
    page = look(url, 390, 844)
    page.wait_for_selector("canvas[data-frame]")
    found = Axe().run(page).response["violations"]
    assert [v["id"] for v in found if v["impact"] in ("serious", "critical")] == []
