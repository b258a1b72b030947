"""A footage folder: the video, what the players entered, and where its calibration lies."""

import tomllib
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from referee.codec import from_plain
from referee.errors import BadEvent, BadFolder
from referee.types import Point, Seat


@dataclass(frozen=True, slots=True)
class DeckChoice:
    name: str | None = None
    folder: str | None = None
    """Pictures to learn from on the fly, relative to match.toml."""


@dataclass(frozen=True, slots=True)
class MatchSheet:
    """match.toml: what the players told the referee."""

    game: str = "rocca"
    seats: tuple[Seat, ...] = ()
    turn: Seat | None = None
    calibration: str | None = None
    """Folder with the stills or the profile, relative to match.toml."""
    switches: Mapping[str, object] = field(default_factory=dict)
    deck: DeckChoice = DeckChoice()
    zones: Mapping[str, Point] = field(default_factory=dict)
    """Zone -> where its middle was put, in millimetres; the others lie where the game puts them."""
    state: Mapping[str, object] = field(default_factory=dict)
    declared: tuple[Mapping[str, object], ...] = ()
    """In order of their `frame`; each has `event` and the event's fields."""


@dataclass(frozen=True, slots=True)
class FootageFolder:
    path: Path
    video: Path
    """One file, or a folder of segments."""
    match: MatchSheet
    calibration: Path
    """Folder that holds profile.json or the stills."""

    @property
    def camera_name(self) -> str:
        return f"footage:{self.video}"


def open_folder(path: Path) -> FootageFolder:
    """Look into a footage folder; refuses one without footage or with a match.toml nobody can read."""
    if path.is_file():
        raise BadFolder(
            f"{path} is a file, not a footage folder: put the video into a folder of its own as footage.mp4, with its "
            "calibration, or look at it with 'referee replay'"
        )
    if not path.is_dir():
        raise BadFolder(f"there is no folder {path}")
    video = next((v for v in (path / "footage.mp4", path / "footage") if v.exists()), None)
    if video is None:
        raise BadFolder(f"{path} has no footage.mp4 and no footage folder")
    match = _placed(read_match_sheet(path / "match.toml"), video)
    calibration = path / match.calibration if match.calibration else path
    return FootageFolder(path, video, match, calibration)


def _placed(sheet: MatchSheet, video: Path) -> MatchSheet:
    """What was told by the number of a frame as the referee counted them, by its place in what was recorded."""
    if not sheet.declared or not any(video.glob("*.frames")):
        return sheet
    from hardware.recorder import numbers_of

    seen = [n for segment in sorted(video.glob("*.mp4")) for n in numbers_of(segment)]
    told = ({**d, "frame": bisect_left(seen, int(str(d["frame"])))} for d in sheet.declared)
    return replace(sheet, declared=tuple(told))


def read_match_sheet(path: Path) -> MatchSheet:
    """What the players entered; an absent file means nothing was entered."""
    if not path.exists():
        return MatchSheet()
    try:
        raw = tomllib.loads(path.read_text(encoding="utf8"))
        sheet = from_plain(MatchSheet, raw, "match.toml")
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, BadEvent) as error:
        raise BadFolder(f"match.toml cannot be used: {error}") from error
    if not all(map(_is_declaration, sheet.declared)):
        raise BadFolder("match.toml: every [[declared]] entry needs a frame number and an event")
    return replace(sheet, declared=tuple(sorted(sheet.declared, key=lambda entry: int(str(entry["frame"])))))


def _is_declaration(entry: Mapping[str, object]) -> bool:
    return isinstance(entry.get("frame"), int) and isinstance(entry.get("event"), str)
