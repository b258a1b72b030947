"""The printed sheet is exact to size; the guidance asks for what is missing."""

import re
from pathlib import Path

import numpy as np
import pytest

from calibration.charuco import SheetSeen, sheet_corners_mm
from calibration.sheet import ruler_scale, write_sheet
from calibration.wizard import Wizard
from hardware.errors import TableError
from referee.cli import main
from tests.calibration import scenes

IDS = np.arange(24)


@pytest.mark.parametrize(("paper", "points"), [("a4", (841.89, 595.276)), ("letter", (792.0, 612.0))])
def test_the_page_has_the_size_of_the_paper_and_a_100_mm_ruler(
    tmp_path: Path, paper: str, points: tuple[float, float]
) -> None:
    write_sheet(tmp_path / "s.pdf", paper)
    text = (tmp_path / "s.pdf").read_bytes().decode("latin1")
    box = re.search(r"MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", text)
    assert box and [float(v) for v in box.groups()] == pytest.approx(points, abs=0.01)
    ruler = re.search(r"0.2 w ([\d.]+) [\d.]+ m ([\d.]+) [\d.]+ l", text)
    assert ruler and float(ruler[2]) - float(ruler[1]) == pytest.approx(100)


def test_the_black_squares_are_35_mm(tmp_path: Path) -> None:
    write_sheet(tmp_path / "s.pdf")
    sizes = re.findall(
        r"[\d.]+ [\d.]+ ([\d.]+) ([\d.]+) re", (tmp_path / "s.pdf").read_bytes().decode("latin1")
    )
    assert max(float(w) for w, _ in sizes) == pytest.approx(35)
    area = sum(float(w) * float(h) for w, h in sizes)
    assert 18 * 35**2 < area < 18 * 35**2 + 17 * 26**2


def test_a_wrong_scale_is_corrected_or_refused() -> None:
    assert ruler_scale(97.5) == pytest.approx(0.975)
    with pytest.raises(TableError, match="50 mm"):
        ruler_scale(50)


def test_print_sheet_writes_where_it_is_told(tmp_path: Path) -> None:
    out = tmp_path / "sheet.pdf"
    assert main(["print", "sheet", "--paper", "letter", "--out", str(out)]) == 0
    assert out.read_bytes().startswith(b"%PDF")


def shown(tilt: tuple[float, float, float], at: tuple[float, float, float]) -> SheetSeen:
    camera = scenes.posed(tilt, at)
    return SheetSeen(IDS, camera.to_pixels(sheet_corners_mm()[IDS][:, :2]))


def held(wizard: Wizard, seen: SheetSeen, start_ns: int, looks: int = 6) -> list[str]:
    return [wizard.show(seen, start_ns + i * 100_000_000).say for i in range(looks)]


def test_without_a_sheet_it_asks_for_one() -> None:
    assert "hold the sheet" in Wizard((960, 720)).show(None, 0).say


def test_the_same_flat_view_again_is_not_taken_and_a_tilt_is_asked_for() -> None:
    wizard = Wizard((960, 720))
    said = held(wizard, shown((0, 0, 0), (0, 0, 700)), 0, 12)
    assert said[0] == "hold it still"
    assert "tilt" in said[-1]
    assert wizard.show(shown((0, 0, 0), (0, 0, 700)), 2 * 10**9).views == 1


def test_it_asks_for_the_corners_of_the_picture_and_then_for_the_flat_sheet() -> None:
    wizard = Wizard((960, 720))
    said: list[str] = []
    places = [(x, y) for x in (-190, 0, 190) for y in (-130, 0, 130)]
    for i, (x, y) in enumerate(places):
        tilt = (20.0 if i % 2 else -20.0, 18.0 if i % 3 else -18.0, 0.0)
        said += held(wizard, shown(tilt, (x, y, 640)), i * 10**9)
    assert any("corner" in s or "upper" in s or "lower" in s for s in said)
    flat = held(wizard, shown((0, 0, 0), (0, 0, 790)), 20 * 10**9, 40)
    assert any("lay the sheet flat" in s for s in flat)
    assert "done" in flat
