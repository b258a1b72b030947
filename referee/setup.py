"""How the players want a match, and how that is kept with it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from referee.authority import Way
from referee.codec import from_plain, to_plain
from referee.errors import TableError
from referee.house import Overturn
from referee.output import write_bytes

FILE = "setup.json"
_CARRIED = ("game", "seats", "camera", "profile", "deck", "zones", "overturn")
"""What the next match takes over from the last unless told otherwise."""


@dataclass(frozen=True, slots=True)
class Setup:
    """How the players want it."""

    game: str
    seats: tuple[str, ...]
    switches: Mapping[str, object] = field(default_factory=dict)
    camera: str | None = None
    """None: the players tell the referee everything."""
    profile: str | None = None
    """Path of the calibration."""
    deck: str | None = None
    authority: Mapping[str, Way] = field(default_factory=dict)
    record: bool = True
    overturn: Overturn = "unanimous"
    """Who may overrule the referee."""
    zones: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Zone -> where its middle was put, in mm; the others lie where the game puts them."""
    state: Mapping[str, object] = field(default_factory=dict)
    """Fields to begin with, for a game that begins in the middle."""
    footage: str | None = None
    """A footage folder that stands in for the table: camera, calibration, deck and what was declared."""


def write_setup(folder: Path, setup: Setup) -> None:
    write_bytes(folder / FILE, json.dumps(to_plain(setup), indent=1).encode())


def read_setup(folder: Path) -> Setup:
    """Of a match that was begun in this folder."""
    try:
        return from_plain(Setup, json.loads((folder / FILE).read_text(encoding="utf8")), FILE)
    except (OSError, ValueError) as error:
        raise TableError(f"{folder} holds no match that can be taken up ({error})") from error


def carried_over(folder: Path) -> dict[str, object]:
    """What the next match begins with."""
    return {k: v for k, v in to_plain(read_setup(folder)).items() if k in _CARRIED}
