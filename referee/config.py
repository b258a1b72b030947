"""The house's settings, read once from `referee.toml` and checked at once."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import platformdirs

from referee.codec import from_plain
from referee.errors import BadEvent, TableError

NAME = "table-referee"


@dataclass(frozen=True, slots=True)
class Config:
    """What `referee live` takes when its options do not say otherwise."""

    camera: str | None = None
    """`driver:address` as in CAMERAS."""
    displays: tuple[str, ...] = ()
    """Names as in DISPLAYS."""
    profile: str | None = None
    """Calibration of the camera over this table."""
    language: Literal["en", "de", "ja"] = "en"
    """That the voice speaks."""
    matches: str | None = None
    """Folder for journals and recordings; the user's data folder unless told."""

    def matches_path(self) -> Path:
        return _at_home(self.matches) if self.matches else platformdirs.user_data_path(NAME) / "matches"

    def profile_path(self) -> Path | None:
        return _at_home(self.profile) if self.profile else None


def _at_home(words: str) -> Path:
    """A path as people write it, with ~ for somebody's home."""
    try:
        return Path(words).expanduser()
    except RuntimeError:
        raise TableError(f"the settings name {words!r}, but nobody here has that home") from None


def config_path() -> Path:
    """Where the settings are unless a command is told another place."""
    return platformdirs.user_config_path(NAME) / "referee.toml"


def read_config(path: Path | None = None) -> Config:
    """The settings in `path`; without one the user's own, or the defaults when there are none."""
    place = path or config_path()
    if not place.exists():
        if path is not None:
            raise TableError(f"there are no settings at {path}")
        return Config()
    try:
        return from_plain(Config, tomllib.loads(place.read_text(encoding="utf8")), place.name)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, BadEvent) as error:
        raise TableError(f"the settings {place} cannot be used: {error}") from error
