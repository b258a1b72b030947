"""Files that commands write: refused before the work begins, and whole or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from referee.errors import TableError


def output_file(word: str) -> Path:
    """An argument that names a file to write."""
    path = Path(word)
    if path.is_dir():
        raise TableError(f"{path} is a folder, not a file to write")
    if not path.parent.is_dir():
        raise TableError(f"there is no folder {path.parent} to write {path.name} to")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise TableError(f"{path} cannot be written")
    return path


@contextmanager
def written(path: Path) -> Iterator[TextIO]:
    """A text file that appears under its name when all of it is there."""
    if path.exists() and not path.is_file():  # a pipe or a device takes it as it comes
        with path.open("w", encoding="utf8") as out:
            yield out
        return
    fresh = path.with_name(f"{path.name}.part")
    try:
        with fresh.open("w", encoding="utf8") as out:
            yield out
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    with written(path) as out:
        out.write(text)


def write_bytes(path: Path, content: bytes) -> None:
    """The whole file or none, and a sentence when it cannot be."""
    part = path.with_name(f".{path.name}.part")
    try:
        part.write_bytes(content)
        part.replace(path)
    except OSError as error:
        raise TableError(f"{path} cannot be written ({error.strerror})") from error
