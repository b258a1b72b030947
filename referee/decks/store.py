"""Where learned decks are kept between matches."""

import re
import zlib
from pathlib import Path
from typing import BinaryIO
from zipfile import BadZipFile, ZipFile

import numpy as np
import platformdirs

from referee.decks.learning import learn
from referee.decks.printed import PRINTED
from referee.errors import TableError
from referee.vision.cards.learned import SIZE, LearnedDeck, small
from referee.vision.cards.reading import Reader
from referee.vision.cards.standard import StandardDeck

STANDARD = "standard"
MOST_BYTES = 60_000_000
"""Unpacked: two thousand cards."""
_UNREADABLE = (
    OSError, ValueError, KeyError, EOFError, BadZipFile, MemoryError, NotImplementedError, zlib.error, RuntimeError,
)  # fmt: skip
"""What unpacking a spoilt file may raise."""


def shelf() -> Path:
    """The folder of learned decks."""
    return Path(platformdirs.user_data_dir("table-referee")) / "decks"


def find_deck(name: str) -> Reader:
    """The built-in deck, a learned one by its name, or a folder of pictures to learn on the fly."""
    if name == STANDARD:
        return StandardDeck()
    if _path(name) is not None and _shelved(name).is_file():
        return load(name)
    if name in PRINTED:
        return printed_deck(name)
    if Path(name).is_dir():
        return learn(Path(name))
    known = ", ".join(dict.fromkeys([*PRINTED, *learned_names()]))
    raise TableError(f"no deck called {name!r}; decks: {known}; or name a folder with a picture of each card")


def printed_deck(game: str) -> LearnedDeck:
    """A deck of our own drawing, known from the drawing."""
    sides = PRINTED[game].draw()
    return LearnedDeck(tuple(sides), tuple(small(side) for side in sides.values()))


def learned_names() -> tuple[str, ...]:
    return tuple(sorted(p.stem for p in shelf().glob("*.npz")))


def save(name: str, deck: LearnedDeck) -> Path:
    """Keep the deck under `name`; nothing is left half written."""
    check_name(name)
    path = _shelved(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new.npz")
    np.savez_compressed(fresh, names=np.array(deck.names), pictures=np.stack(deck.pictures))
    fresh.replace(path)
    return path


def check_name(name: str) -> None:
    """Refuse a name that is taken or a path."""
    if _path(name) is None or name == STANDARD:
        raise TableError(f"a deck cannot be called {name!r}; letters, digits, - and _ make a name")


def load(name: str) -> LearnedDeck:
    try:
        with _shelved(name).open("rb") as file:
            _check_unpacked(file)
            with np.load(file, allow_pickle=False) as kept:
                names, pictures = tuple(map(str, kept["names"])), kept["pictures"]
    except _UNREADABLE as error:
        raise TableError(f"the deck {name!r} cannot be read ({error}); learn it again") from error
    if pictures.shape[1:] != (SIZE[1], SIZE[0], 3) or len(names) != len(pictures):
        raise TableError(f"the deck {name!r} was learned by another version; learn it again")
    return LearnedDeck(names, tuple(np.asarray(p, np.uint8) for p in pictures))


def _check_unpacked(file: BinaryIO) -> None:
    """A small file may unpack to all of the memory: it says itself to how much."""
    with ZipFile(file) as packed:
        if sum(part.file_size for part in packed.infolist()) > MOST_BYTES:
            raise ValueError("it is larger than any deck")
    file.seek(0)


def _shelved(name: str) -> Path:
    return shelf() / f"{name}.npz"


def _path(name: str) -> str | None:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else None
