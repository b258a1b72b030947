"""Writing files for people: the whole file or none, and a sentence when it cannot be."""

from pathlib import Path

from referee.errors import TableError


def write_text(path: Path, text: str) -> None:
    """Write `text` to `path`, whatever was there before."""
    write_bytes(path, text.encode("utf8"))


def write_bytes(path: Path, content: bytes) -> None:
    part = path.with_name(f".{path.name}.part")
    try:
        part.write_bytes(content)
        part.replace(path)
    except OSError as error:
        raise TableError(f"{path} cannot be written ({error.strerror})") from error
