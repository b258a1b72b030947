"""What was ruled at the table, from its journal alone: no eyes are needed, so it is there at once."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from referee.footage import FrameNumbers
from referee.games import find_game
from referee.journal import read_entries, rulings_among
from referee.ledger import Entry
from referee.log import read_log
from referee.marks import frame_of, marks
from referee.match import Match, open_match
from referee.types import TABLE


def review_of_journal(journal: Path, numbers: FrameNumbers, size: tuple[int, int]) -> dict[str, Any]:
    """Rulings and scores, and no evidence: that is there when eyes have looked again."""
    entries = read_entries(journal, None)
    match, curve = _folded(entries, numbers)
    head = frame_of(match.game.name, (), size, match.game.dump(match.state))
    return head | _marked(entries, numbers, []) | {"curve": curve, "calibration": None, "shots": []}


def told_then(journal: Path, numbers: FrameNumbers, shots: list[dict[str, Any]]) -> dict[str, Any]:
    """Rulings and scores by the places of their frames in the footage."""
    entries = read_entries(journal, None)
    return _marked(entries, numbers, shots) | {"curve": _folded(entries, numbers)[1]}


def _marked(entries: Sequence[Entry], numbers: FrameNumbers, shots: list[dict[str, Any]]) -> dict[str, Any]:
    begun: Any = entries[0].note.body
    said = rulings_among(entries)
    ruled = [replace(ruling, frames=numbers.span(ruling.frames)) for _, ruling in said]
    told = marks(begun["game"], ruled, [number for number, _ in said])
    return {
        "seats": begun["seats"],
        "marks": [mark | {"shot": _shot_of(mark, shots)} for mark in told],
        "journal": {"entries": len(entries), "head": entries[-1].hash},
    }


def _folded(entries: Sequence[Entry], numbers: FrameNumbers) -> tuple[Match[Any, Any], list[dict[str, Any]]]:
    """The match as it ended, and what everybody had after each event that counts, by folding the journal again."""
    begun: Any = entries[0].note.body
    game, seats = find_game(begun["game"]), tuple(begun["seats"])
    match, curve = open_match(game, seats, begun["switches"], given=begun["given"]), list[dict[str, Any]]()
    for told in read_log(entries).told():
        match.feed(match.read(told.plain), told.cause)
        if told.frames is not None:
            scores = [list(score) for score in match.view(TABLE).scores]
            curve.append({"frame": numbers.place(told.frames[1]), "scores": scores})
    return match, curve


def _shot_of(mark: dict[str, Any], shots: list[dict[str, Any]]) -> int | None:
    """The shot seen now that shares most frames with what was ruled then."""
    if mark["frames"] is None:
        return None
    first, last = mark["frames"]
    shared = [min(last, s["frames"][1]) - max(first, s["frames"][0]) for s in shots]
    best = max(range(len(shots)), key=lambda k: shared[k], default=None)
    return best if best is not None and shared[best] > 0 else None
