"""Eyes for a table, by its game; for a recording also what it begins with and what was declared in it.

What only cards need is loaded for cards alone: a board is on show half a second sooner.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import calibration
from hardware.cameras import open_camera
from hardware.frames import Image
from referee.board_eyes import BoardEyes, open_board_eyes
from referee.errors import TableError
from referee.eyes import Eyes, Plain, Sighting
from referee.folder import DeckChoice, FootageFolder, MatchSheet, open_folder
from referee.games import find_game, find_reader, rolls_dice
from referee.types import Point
from referee.vision.board import board_from_folder, must_be_plain

PATIENCE_FRAMES = 240
"""Frames of a recording looked at for its first settled picture."""


@dataclass(frozen=True, slots=True)
class OpenEyes:
    eyes: Eyes
    given: Plain = field(default_factory=dict)
    """What the first picture of a recording shows, as fields of the game's state."""
    declared: tuple[tuple[int, Plain], ...] = ()
    """What the players told in a recording, by frame."""


def open_eyes(
    game: str,
    seats: tuple[str, ...],
    profile: Path,
    deck: str | None,
    size: tuple[int, int],
    placed: Mapping[str, Point],
    first: Callable[[], Image] | None = None,
) -> OpenEyes:
    """Eyes for a live table; `first` shows it before the play begins."""
    where = profile.parent if profile.is_file() else profile
    if game == "rocca":
        return OpenEyes(open_board_eyes(where, size, first))
    from referee.card_eyes import deck_eyes
    from referee.deck_table_eyes import DeckTableEyes
    from referee.table_eyes import eyes_over

    choice = DeckChoice(folder=deck) if deck and Path(deck).is_dir() else DeckChoice(name=deck or "standard")
    folder = FootageFolder(Path.cwd(), Path(), MatchSheet(game, seats, deck=choice), where)
    over = calibration.from_folder(where, size=size, board=False)
    seen = eyes_over(over, seats, deck_eyes(folder, over), rolls_dice(game))
    return OpenEyes(DeckTableEyes(seen, find_reader(game), placed=placed))


def open_recorded_eyes(path: Path, size: tuple[int, int], first: Callable[[], Image]) -> OpenEyes:
    """Eyes for a footage folder that stands in for a table."""
    folder = open_folder(path)
    sheet = folder.match
    declared = tuple((_frame(d), _event(d, sheet)) for d in sorted(sheet.declared, key=_frame))
    if sheet.game == "rocca":
        profile = calibration.from_folder(folder.calibration, size=size, board=True)
        board = board_from_folder(folder.calibration, profile)
        if board is None:
            must_be_plain(first(), profile)
        begins = _rocca_begins(folder, BoardEyes(profile, board))
        return OpenEyes(BoardEyes(profile, board), begins, declared)
    from referee.card_eyes import deck_eyes
    from referee.deck_table_eyes import DeckTableEyes
    from referee.table_eyes import eyes_over

    profile = calibration.from_folder(folder.calibration, size=size, board=False)
    cards = deck_eyes(folder, profile)
    reader = find_reader(sheet.game)
    fresh = partial(eyes_over, profile, sheet.seats, cards, rolls_dice(sheet.game))
    given = _cards_begin(folder, fresh(), reader)
    return OpenEyes(DeckTableEyes(fresh(), reader, begun=True), given, declared)


def _rocca_begins(folder: FootageFolder, eyes: BoardEyes) -> dict[str, object]:
    """How many pieces lie there, and what the sheet says; an empty board waits for a drop."""
    count, dropped = _count(folder, eyes)
    given: dict[str, object] = {"board": count, "phase": "AIM" if count else "DROP", "hand": dropped}
    if folder.match.turn:
        given["turn"] = folder.match.turn
    return {**given, **folder.match.state}


def _count(folder: FootageFolder, eyes: BoardEyes) -> tuple[int, int]:
    """Pieces on the board at first; where there is none, how many the recording will show being dropped."""
    with open_camera(folder.camera_name) as camera:
        for frame in camera.frames():
            dropped = _dropped(eyes.feed(frame, lambda: None))
            if dropped or eyes.count or (eyes.count is None and frame.index > PATIENCE_FRAMES):
                return (0, dropped) if dropped else (eyes.count or 0, 0)
    return eyes.count or 0, _dropped(eyes.finish(lambda: None))


def _dropped(sightings: Iterable[Sighting]) -> int:
    drops = [s.event for s in sightings if s.event["ev"] == "drop"]
    return sum(int(d["on_board_after"]) + int(d.get("off", 0)) for d in drops)


def _cards_begin(folder: FootageFolder, eyes: Any, reader: Any) -> Mapping[str, object]:
    """The state that the first settled picture and the sheet tell together."""
    from referee.judge_cards import first_state

    with open_camera(folder.camera_name) as camera:
        for frame in camera.frames():
            eyes.feed(frame)
            if eyes.settled:
                break
    if not eyes.settled:
        raise TableError(f"{folder.path} shows no settled table to begin with")
    begun = first_state(folder.match, lambda given: reader.begin(eyes.table, given))
    return find_game(folder.match.game).dump(begun)


def _event(declared: Mapping[str, object], sheet: MatchSheet) -> Plain:
    event = {"ev": declared["event"], **{k: v for k, v in declared.items() if k not in ("event", "frame")}}
    if event["ev"] == "gate_called" and sheet.turn:
        event.setdefault("seat", sheet.turn)
    return event


def _frame(declared: Mapping[str, object]) -> int:
    return int(str(declared["frame"]))
