"""What can be reviewed: a footage folder, a match as it was played here, or any video with a calibration."""

import json
import shutil
from bisect import bisect_left
from dataclasses import dataclass, replace
from pathlib import Path

from hardware.cameras.footage import FootageCamera
from hardware.recorder import NUMBERS, frames_recorded
from referee.errors import BadFolder
from referee.folder import DeckChoice, FootageFolder, MatchSheet, open_folder


@dataclass(frozen=True, slots=True)
class Told:
    """What a plain video does not say itself."""

    calibration: Path | None = None
    """A profile, or a folder with one or with stills."""
    game: str = "rocca"
    seats: tuple[str, ...] = ()
    turn: str | None = None


@dataclass(frozen=True, slots=True)
class Recording:
    """Footage with what belongs to it."""

    footage: FootageFolder
    journal: Path | None = None
    """Of a match that was played here."""

    @property
    def name(self) -> str:
        return self.footage.path.resolve().name

    def files(self) -> list[Path]:
        """Every file that decides what is ruled."""
        video = self.footage.video
        films = (
            sorted(f for f in video.glob("*") if f.suffix in (".mp4", ".png")) if video.is_dir() else [video]
        )
        where = self.footage.calibration
        stills = (
            [where]
            if where.is_file()
            else sorted(f for f in where.glob("*") if f.suffix in (".json", ".png", ".jpg"))
        )
        sheets = [f for n in ("match.toml", "setup.json") if (f := self.footage.path / n).is_file()]
        return [*films, *stills, *sheets]


HIDDEN_HANDS = ("monster-my-neighbour", "shisogari")
"""What we record of these has a curtain over the hands."""


def covered_words(recording: Recording) -> str | None:
    """Why eyes that look again would see less than they saw at the table; None when they see the same."""
    if recording.journal is None or recording.footage.match.game not in HIDDEN_HANDS:
        return None
    return "hands are covered in this recording, so eyes that look again see less: its journal holds what was ruled"


def open_recording(path: Path, told: Told | None = None) -> Recording:
    """A folder or a video file, refused when it is neither."""
    told = told or Told()
    if path.is_file():
        return Recording(_plain_video(path, told))
    folder = open_folder(path)
    if told.calibration is not None:
        folder = replace(folder, calibration=told.calibration)
    setup = path / "setup.json"
    if setup.is_file() and not (path / "match.toml").is_file():
        folder = replace(folder, match=_played_sheet(setup))
    journal = path / "journal.db"
    return Recording(folder, journal if journal.is_file() else None)


def _plain_video(path: Path, told: Told) -> FootageFolder:
    beside = path.parent
    calibration = told.calibration or (beside if is_calibrated(beside) else None)
    if calibration is None:
        raise BadFolder(
            f"{path.name} has no calibration: give --profile, --calibration with the stills of the sheet, "
            "or --points with four known points"
        )
    return FootageFolder(beside, path, MatchSheet(told.game, told.seats, told.turn), calibration)


def is_calibrated(folder: Path) -> bool:
    """Whether a profile or stills lie here."""
    return (folder / "profile.json").is_file() or any(folder.glob("calib_*"))


def _played_sheet(setup: Path) -> MatchSheet:
    """The sheet of a match that was set up on the page."""
    try:
        said = json.loads(setup.read_text(encoding="utf8"))
        return MatchSheet(
            game=str(said["game"]),
            seats=tuple(map(str, said["seats"])),
            switches=dict(said.get("switches") or {}),
            state=dict(said.get("state") or {}),
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadFolder(f"setup.json cannot be used: {error}") from error


def keep_calibration(folder: Path, profile: str | None, footage: str | None) -> None:
    """Put the calibration of a match beside its recording, so that it can be judged again anywhere."""
    source = Path(profile) if profile else open_folder(Path(footage)).calibration if footage else None
    if source is None or is_calibrated(folder):
        return
    if source.is_file():
        shutil.copy(source, folder / "profile.json")
        source = source.parent
    for pattern in ("profile.json", "calib_*", "board_sheet.*"):
        for file in source.glob(pattern):
            if not (folder / file.name).exists():
                shutil.copy(file, folder / file.name)


def keep_deck(folder: Path, deck: str | None) -> DeckChoice:
    """Put the pictures of a deck beside the recording, too; a name stays a name."""
    if deck is None or not Path(deck).is_dir():
        return DeckChoice(name=deck)
    if not (folder / "deck").exists():
        shutil.copytree(deck, folder / "deck")
    return DeckChoice(folder="deck")


@dataclass(frozen=True, slots=True)
class FrameNumbers:
    """From the numbers of the frames as they were seen to their places in the footage."""

    seen: tuple[int, ...]
    """In order of the footage; empty when both are the same."""

    def place(self, number: int) -> int:
        """Where the frame is, or the first one after it when it was not recorded."""
        if not self.seen:
            return number
        return min(bisect_left(self.seen, number), len(self.seen) - 1)

    def span(self, frames: tuple[int, int] | None) -> tuple[int, int] | None:
        return None if frames is None else (self.place(frames[0]), self.place(frames[1]))


def is_recorded(video: Path) -> bool:
    """Whether our own recorder wrote it."""
    return video.is_dir() and any(video.glob(f"*{NUMBERS}"))


def frame_numbers(video: Path, camera: FootageCamera) -> FrameNumbers:
    """How the frames of a recording were counted when they were seen."""
    return FrameNumbers(frames_recorded(video, camera.counted()) if video.is_dir() else ())
