"""referee calibrate FOLDER [--out profile.json] [--json OUT.json]"""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import cv2

from calibration import Profile
from calibration.making import from_flat_sheet, from_folder, from_frames
from calibration.sheet import ruler_scale
from calibration.stills import read_flat
from calibration.taps import outline_from_taps
from calibration.wizard import Advice
from hardware.cameras import open_camera
from hardware.frames import Image
from referee.errors import TableError
from referee.folder import read_match_sheet
from referee.output import output_file


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folder", type=Path, nargs="?", default=Path(), help="footage folder, or folder of stills"
    )
    parser.add_argument("--out", type=output_file, metavar="profile.json", help="keep the profile here")
    parser.add_argument("--json", type=output_file, metavar="OUT.json", help="the same for a script to read")
    parser.add_argument("--camera", help="calibrate with guidance: webcam:0, picamera:0, footage:FILE, ...")
    parser.add_argument(
        "--quick", action="store_true", help="the flat sheet alone, no lens step (costs accuracy)"
    )
    parser.add_argument(
        "--ruler-mm", type=float, metavar="MM", help="what the 100 mm ruler on your print measures"
    )
    parser.add_argument(
        "--tap", nargs=2, type=float, action="append", metavar=("X", "Y"), help="a corner, in pixels"
    )


def run(args: argparse.Namespace) -> int:
    if args.camera is None and not args.folder.is_dir():
        raise TableError(f"there is no folder {args.folder}")
    match = read_match_sheet(args.folder / "match.toml")
    where = args.folder / match.calibration if match.calibration else args.folder
    board = match.game == "rocca"
    scale = 1.0 if args.ruler_mm is None else ruler_scale(args.ruler_mm)
    profile = _made(args, where, board)
    if args.tap:
        image = None if args.camera else read_flat(where)[0]
        profile = replace(
            profile, board_outline_mm=outline_from_taps([(x, y) for x, y in args.tap], profile, image)
        )
    if board and (args.folder / "match.toml").exists() and profile.board_outline_mm is None:
        raise TableError(
            "no board is to be seen around the sheet: tell its corners with --tap X Y, four times or more"
        )
    profile = profile.scaled(scale)
    for path in (args.out, args.json):
        if path is not None:
            profile.save(path)
    if args.camera and args.folder != Path():
        profile.save(args.folder / "profile.json")
    print(_summary(profile, args.quick))
    return 0


def _made(args: argparse.Namespace, where: Path, board: bool) -> Profile:
    footage = next((v for v in (where / "footage.mp4", where / "footage") if v.exists()), None)
    stills = any(where.glob("board_sheet.*")) or (where / "profile.json").exists()
    if args.camera is None and (stills or footage is None):
        return from_flat_sheet(where, board=board) if args.quick else from_folder(where, board=board)
    with open_camera(args.camera or f"footage:{footage}") as camera:
        keep = partial(_keep_stills, where) if args.camera and where != Path() else None
        return from_frames(camera.frames(), camera.size, _Teller(), board=board, keep=keep)


def _keep_stills(where: Path, pictures: Sequence[Image]) -> None:
    """Leave the stills in the folder: the eyes learn the empty board from them."""
    where.mkdir(parents=True, exist_ok=True)
    for number, picture in enumerate(pictures[:-1]):
        cv2.imwrite(str(where / f"calib_{number:02d}.png"), picture)
    cv2.imwrite(str(where / "board_sheet.png"), pictures[-1])


class _Teller:
    """Prints advice when it changes."""

    def __init__(self) -> None:
        self._said = ""

    def __call__(self, advice: Advice) -> None:
        if advice.say != self._said:
            print(f"[{advice.views} views, {advice.coverage:.0%} of the picture] {advice.say}", flush=True)
            self._said = advice.say


def _summary(profile: Profile, quick: bool) -> str:
    outline = profile.board_outline_mm
    shape = "round board" if outline and len(outline) > 20 else f"board with {len(outline or ())} corners"
    board = shape if outline else "no board"
    lens = f"lens {profile.reprojection_px:.2f} px" if not quick else "usual lens assumed"
    return (
        f"{lens}, table plane {profile.plane_error_mm:.2f} mm, {board}; "
        f"margins from {profile.smallest_margin_mm:.2f} mm can be decided"
    )
