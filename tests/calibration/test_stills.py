"""A rendered sheet under a known camera gives that camera back; what cannot work is refused in one sentence."""

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

import calibration
from calibration.making import from_flat_sheet
from calibration.profile import Profile
from hardware.errors import TableError
from tests.calibration import scenes

CAMERA = scenes.posed((4, -3, 5), (6, -4, 790))
SQUARE = np.array([[-170.0, -165], [172, -165], [172, 168], [-170, 168]])


def write(folder: Path, flat: scenes.Picture | None, tilted: Sequence[scenes.Picture]) -> None:
    if flat is not None:
        cv2.imwrite(str(folder / "board_sheet.png"), flat)
    for i, image in enumerate(tilted):
        cv2.imwrite(str(folder / f"calib_{i:02d}.png"), image)


@pytest.fixture(scope="module")
def rendered() -> tuple[scenes.Picture, list[scenes.Picture]]:
    table = scenes.grain(scenes.canvas((90, 120, 150)), 3, 6, (40, 2))
    scenes.fill(table, SQUARE, (180, 205, 215))
    return scenes.stills(table, CAMERA)


@pytest.fixture(scope="module")
def folder(
    tmp_path_factory: pytest.TempPathFactory, rendered: tuple[scenes.Picture, list[scenes.Picture]]
) -> Path:
    path = tmp_path_factory.mktemp("stills")
    write(path, *rendered)
    return path


@pytest.fixture(scope="module")
def profile(folder: Path) -> Profile:
    return calibration.from_folder(folder)


def plane_errors_mm(profile: Profile) -> np.ndarray:
    x, y = np.meshgrid(np.linspace(-170, 170, 9), np.linspace(-165, 165, 9))
    true_mm = np.c_[x.ravel(), y.ravel()]
    found = profile.to_board(CAMERA.to_pixels(true_mm))
    a, b = found - found.mean(0), true_mm - true_mm.mean(0)
    u, _, vt = np.linalg.svd(a.T @ b)
    return np.asarray(np.linalg.norm(a @ u @ vt - b, axis=1))


def test_the_board_plane_is_right_to_a_tenth_of_a_millimetre(profile: Profile) -> None:
    errors = plane_errors_mm(profile)
    assert np.median(errors) < 0.06
    assert errors.max() < 0.2


def test_the_outline_of_the_board_is_found_without_help(profile: Profile) -> None:
    assert profile.board_outline_mm is not None
    corners = np.array(profile.board_outline_mm)
    assert len(corners) == 4
    nearest = np.linalg.norm(corners[:, None] - SQUARE[None], axis=2).min(0)
    assert nearest.max() < 2.0


def test_a_profile_states_its_own_quality(profile: Profile) -> None:
    assert 0 < profile.reprojection_px < 0.2
    assert 0 < profile.plane_error_mm < profile.smallest_margin_mm < 1.0


def test_nothing_is_written_into_the_folder_unasked(folder: Path, profile: Profile) -> None:
    assert profile.image_size == (960, 720)
    assert {f.suffix for f in folder.iterdir()} == {".png"}


def test_a_stored_profile_is_used_and_comes_back_the_same(tmp_path: Path, profile: Profile) -> None:
    profile.save(tmp_path / "profile.json")
    assert calibration.from_folder(tmp_path) == profile


def test_pictures_of_another_size_are_refused(tmp_path: Path, profile: Profile) -> None:
    profile.save(tmp_path / "profile.json")
    with pytest.raises(TableError, match=r"960 x 720.*1280 x 720"):
        calibration.from_folder(tmp_path, size=(1280, 720))


def test_the_flat_sheet_alone_works_and_says_what_it_costs(folder: Path, profile: Profile) -> None:
    quick = from_flat_sheet(folder)
    assert quick.plane_error_mm > 5 * profile.plane_error_mm
    assert plane_errors_mm(quick).max() < 4 * quick.plane_error_mm
    assert quick.board_outline_mm is not None


def test_stills_without_a_sheet_are_refused(tmp_path: Path) -> None:
    write(tmp_path, scenes.shoot(scenes.canvas((80, 90, 100)), CAMERA), [])
    with pytest.raises(TableError, match=r"no printed sheet found in board_sheet\.png"):
        calibration.from_folder(tmp_path)


def test_too_few_poses_are_refused_with_their_number(
    tmp_path: Path, rendered: tuple[scenes.Picture, list[scenes.Picture]]
) -> None:
    flat, tilted = rendered
    write(tmp_path, flat, tilted[:2])
    with pytest.raises(TableError, match="2 of 2 stills"):
        calibration.from_folder(tmp_path)


def test_the_same_pose_again_and_again_is_no_calibration(
    tmp_path: Path, rendered: tuple[scenes.Picture, list[scenes.Picture]]
) -> None:
    flat, tilted = rendered
    write(tmp_path, flat, [flat, *tilted[:2], *tilted[:2]])
    with pytest.raises(TableError, match="show 2 poses besides the flat sheet; 4 different"):
        calibration.from_folder(tmp_path)


def test_blurred_stills_are_refused(
    tmp_path: Path, rendered: tuple[scenes.Picture, list[scenes.Picture]]
) -> None:
    flat, tilted = rendered
    write(tmp_path, flat, [np.asarray(cv2.GaussianBlur(t, (0, 0), 14), np.uint8) for t in tilted])
    with pytest.raises(TableError, match="no printed sheet found in any of the 6 stills"):
        calibration.from_folder(tmp_path)


def test_stills_of_mixed_sizes_are_refused(
    tmp_path: Path, rendered: tuple[scenes.Picture, list[scenes.Picture]]
) -> None:
    flat, tilted = rendered
    write(tmp_path, flat, [*tilted[:3], np.asarray(cv2.resize(tilted[3], (640, 480)), np.uint8)])
    with pytest.raises(TableError, match=r"calib_03\.png is 640 x 480, board_sheet is 960 x 720"):
        calibration.from_folder(tmp_path)


def test_a_picture_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "board_sheet.png").write_bytes(b"not a picture")
    with pytest.raises(TableError, match=r"board_sheet\.png is not a picture"):
        calibration.from_folder(tmp_path)


def test_a_sheet_printed_too_small_shrinks_every_millimetre(profile: Profile) -> None:
    small = profile.scaled(0.975)
    px = np.array([[300.0, 200.0], [600.0, 500.0]])
    assert np.allclose(small.to_board(px), profile.to_board(px) * 0.975, atol=1e-6)
