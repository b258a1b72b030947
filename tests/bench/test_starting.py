"""How soon a command answers, beside an empty Python in the same run. The best of several: neighbours do not count."""

import json
import os
import resource
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.bench.figures import Figures

pytestmark = pytest.mark.bench
ROCCA = Path(__file__).parents[2] / "sample_footage" / "rocca"
REFEREE = [str(Path(sys.executable).with_name("referee"))]
RUNS = 7


def best_s(command: Sequence[str], given: bytes = b"") -> tuple[float, float]:
    """Wall and processor time of the quickest run."""
    walls, processors = [], []
    for _ in range(RUNS):
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run(command, input=given, stdout=subprocess.DEVNULL, check=True)
        walls.append(time.perf_counter() - began)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        processors.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(walls), min(processors)


@pytest.mark.parametrize(
    ("words", "given", "bar_s"),
    [
        (["--help"], b"", 0.25),
        (["fold", "rocca", "--json"], json.dumps({"given": {}, "when": []}).encode(), 0.35),
        (["fold", "rise-against-monsters", "--json"], json.dumps({"given": {}, "when": []}).encode(), 0.35),
    ],
)
def test_a_command_answers_at_once(figure: Figures, words: list[str], given: bytes, bar_s: float) -> None:
    bare, _ = best_s([sys.executable, "-c", "pass"])
    wall, processor = best_s([*REFEREE, *words], given)
    figure(
        f"`referee {' '.join(words)}`",
        f"{wall:.2f} s ({processor:.2f} s of processor), {wall / bare:.1f} x an empty Python",
        f"{bar_s} s",
        "make bench",
    )
    assert min(wall, processor) < bar_s


def test_live_shows_the_first_picture_in_two_seconds(figure: Figures, tmp_path: Path) -> None:
    import calibration

    stills = ROCCA / "cameras" / "camera_5_60"
    profile = tmp_path / "table"
    profile.mkdir()
    calibration.from_folder(stills, size=(1280, 720)).save(profile / "profile.json")
    for still in stills.glob("*.*"):
        (profile / still.name).write_bytes(still.read_bytes())
    clip = ROCCA / "not-through" / "footage.mp4"
    taken = [_first_picture_s(tmp_path / str(k), clip, profile) for k in range(3)]
    wall, processor = min(w for w, _ in taken), min(p for _, p in taken)
    bare, _ = best_s([sys.executable, "-c", "import cv2, av, shapely"])
    figure(
        "`referee live`: from the command to the first picture on the page",
        f"{wall:.2f} s ({processor:.2f} s of processor), {wall / bare:.1f} x importing its libraries",
        "2 s",
        "make bench",
    )
    assert min(wall, processor) < 2.0


def _first_picture_s(folder: Path, clip: Path, profile: Path) -> tuple[float, float]:
    words = ["live", "rocca", "--seats", "A,B,C", "--camera", f"footage:{clip}", "--profile", str(profile)]
    place = ["--folder", str(folder), "--host", "127.0.0.1", "--port", "0"]
    began = time.perf_counter()
    with subprocess.Popen([*REFEREE, *words, *place], stdout=subprocess.PIPE, text=True) as live:
        assert live.stdout is not None
        url = live.stdout.readline().split()[-1]
        while not _picture(url):
            time.sleep(0.01)
        wall = time.perf_counter() - began
        used = Path(f"/proc/{live.pid}/stat").read_text().rpartition(")")[2].split()
        live.terminate()
    return wall, (int(used[11]) + int(used[12])) / os.sysconf("SC_CLK_TCK")


def _picture(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}still.jpg", timeout=30) as answer:
            return bool(answer.status == 200)
    except urllib.error.URLError:
        return False
