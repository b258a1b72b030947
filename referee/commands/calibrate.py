"""referee calibrate FOLDER [--out profile.json] [--json OUT.json]"""

import argparse
from pathlib import Path

import calibration
from referee.folder import read_match_sheet


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, metavar="profile.json", help="keep the profile here")
    parser.add_argument("--json", type=Path, metavar="OUT.json", help="the same for a script to read")


def run(args: argparse.Namespace) -> int:
    match = read_match_sheet(args.folder / "match.toml")
    where = args.folder / match.calibration if match.calibration else args.folder
    profile = calibration.from_folder(where, board=match.game == "rocca")
    for path in (args.out, args.json):
        if path is not None:
            profile.save(path)
    print(
        f"lens {profile.reprojection_px:.2f} px, table plane {profile.plane_error_mm:.2f} mm; "
        f"margins from {profile.smallest_margin_mm:.2f} mm can be decided"
    )
    return 0
