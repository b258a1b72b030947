"""The seals of a recording: a hash of every finished segment, each line chained to the one before."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

SEALS = "seals.txt"
DROPPED = "dropped"
"""Stands for the hash of a segment that made room for newer ones."""
FIRST = "0" * 64


def seal_of_file(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def seal_segment(folder: Path, segment: str, seal: str) -> None:
    """Add a line for a segment."""
    lines = _lines(folder / SEALS)
    before = lines[-1][2] if lines else FIRST
    with (folder / SEALS).open("a", encoding="utf8") as seals:
        seals.write(f"{segment} {seal} {_link(before, segment, seal)}\n")


def faults(folder: Path) -> Iterator[str]:
    """What is not as it was sealed, a sentence each."""
    before, lines = FIRST, _lines(folder / SEALS)
    dropped = {name for name, seal, _ in lines if seal == DROPPED}
    for name, seal, link in lines:
        if _link(before, name, seal) != link:
            yield f"the footage's seals were changed at {name or 'an empty line'}"
            return
        before, segment = link, folder / name
        if name in dropped:
            continue
        if not segment.is_file():
            yield f"the footage lacks {name}"
        elif seal_of_file(segment) != seal:
            yield f"the footage was changed in {name}"


def _lines(path: Path) -> list[tuple[str, str, str]]:
    text = path.read_text(encoding="utf8", errors="replace") if path.is_file() else ""
    words = ([*line.split(" "), "", "", ""][:3] for line in text.splitlines())
    return [(name, seal, link) for name, seal, link in words]


def _link(before: str, name: str, seal: str) -> str:
    return hashlib.sha256(json.dumps([before, name, seal]).encode()).hexdigest()
