"""What commands about recordings share: a folder, or a video with its calibration told."""

import argparse
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from hardware.cameras.footage import FootageCamera
from referee.errors import TableError
from referee.footage import Recording, Told, is_calibrated, open_recording
from referee.sheet import check_sheet


def recording_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", type=Path, metavar="FOLDER|VIDEO", help="a footage folder, or any video")
    parser.add_argument("--profile", type=Path, help="calibration of the camera that took the video")
    parser.add_argument("--calibration", type=Path, metavar="FOLDER", help="stills of the printed sheet")
    parser.add_argument(
        "--points",
        nargs=4,
        metavar="PX,PY=MM,MM",
        help="four known points, clockwise: where they are in the picture and on the table in millimetres",
    )
    parser.add_argument("--game", default="rocca", help="of a plain video")
    parser.add_argument("--seats", default="", help="of a plain video: A,B,C")
    parser.add_argument("--turn", help="of a plain video: who acts when it begins")


@contextmanager
def recorded_from(args: argparse.Namespace) -> Iterator[Recording]:
    """The recording that the arguments name; what was made for it goes away afterwards."""
    with tempfile.TemporaryDirectory(prefix="referee-") as made:
        seats = tuple(s.strip() for s in args.seats.split(",") if s.strip())
        told = Told(_calibration(args, Path(made)), args.game, seats, args.turn)
        if args.path.is_file() and told.calibration is None and not is_calibrated(args.path.parent):
            told = replace(told, calibration=Path(made))  # the page asks for four known points
        yield _checked(open_recording(args.path, told))


def _checked(recording: Recording) -> Recording:
    """Refused at once, before any eyes are opened, when it is no film or the sheet cannot be."""
    FootageCamera(str(recording.footage.video)).close()
    check_sheet(recording.footage.match)
    return recording


def _calibration(args: argparse.Namespace, made: Path) -> Path | None:
    given = [name for name in ("profile", "calibration", "points") if getattr(args, name)]
    if len(given) > 1:
        raise TableError(f"one calibration is enough: --{given[0]} or --{given[1]}")
    if args.points:
        from calibration.points import from_points

        with FootageCamera(str(args.path)) as camera:
            from_points(read_points(args.points), camera.size).save(made / "profile.json")
        return made
    if args.profile:
        if not args.profile.is_file():
            raise TableError(f"there is no profile {args.profile}")
        shutil.copy(args.profile, made / "profile.json")
        return made
    return args.calibration if args.calibration else None


def read_points(words: list[str]) -> tuple[tuple[tuple[float, float], tuple[float, float]], ...]:
    """Four `px,py=mm,mm` as pairs of places."""
    return tuple(_pair(word) for word in words)


def _pair(word: str) -> tuple[tuple[float, float], tuple[float, float]]:
    try:
        (px, py), (x, y) = (tuple(float(v) for v in half.split(",")) for half in word.split("="))
    except ValueError:
        raise TableError(
            f"a known point is written like 412,230=0,0 (pixels=millimetres), not {word!r}"
        ) from None
    return (px, py), (x, y)
