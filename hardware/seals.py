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
    """Add a line for a segment; half a line that a power cut left goes first."""
    lines = _lines(folder / SEALS)
    before = lines[-1][2] if lines else FIRST
    with (folder / SEALS).open("ab") as seals:
        seals.truncate(_whole(folder / SEALS))
        seals.write(f"{segment} {seal} {_link(before, segment, seal)}\n".encode())


def sealed_names(folder: Path) -> frozenset[str]:
    """The segments that were finished in order."""
    return frozenset(name for name, _, _ in _lines(folder / SEALS))


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
    raw = path.read_bytes()[: _whole(path)] if path.is_file() else b""
    words = ([*line.split(" "), "", "", ""][:3] for line in raw.decode(errors="replace").splitlines())
    return [(name, seal, link) for name, seal, link in words]


def _whole(path: Path) -> int:
    """How many bytes of the file are whole lines."""
    return path.read_bytes().rfind(b"\n") + 1


def _link(before: str, name: str, seal: str) -> str:
    return hashlib.sha256(json.dumps([before, name, seal]).encode()).hexdigest()
