"""The pieces of a board that nobody saw for a while: which lie where they lay, and how the others changed."""

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np

from referee.types import Outline, Piece
from referee.watch.changes import SAME_MM

OVER_PIECES = "something lies over the pieces"


@dataclass(frozen=True, slots=True)
class Again:
    """The pieces found."""

    same: tuple[Piece, ...]
    """With the names they had."""
    others: tuple[Piece, ...]
    gone: int
    """Pieces of which none was found in its place."""

    @property
    def changed(self) -> str:
        """In words; empty when all is as it was."""
        moved = min(self.gone, len(self.others))
        counts = (
            (moved, "lies elsewhere", "lie elsewhere"),
            (self.gone - moved, "is gone", "are gone"),
            (len(self.others) - moved, "is new", "are new"),
        )
        return ", ".join(_counted(n, one, many) for n, one, many in counts if n)


def hides(things: tuple[Outline, ...], known: tuple[Piece, ...], found: tuple[Piece, ...]) -> bool:
    """Whether large things came to lie over pieces; where pieces are found it is these that came to lie there."""
    outlines = [np.array(thing, np.float32) for thing in things]

    def under(pieces: tuple[Piece, ...]) -> bool:
        return any(cv2.pointPolygonTest(o, piece.px, False) >= 0 for o in outlines for piece in pieces)

    return under(known) and not under(found)


def found_again(known: tuple[Piece, ...], found: tuple[Piece, ...]) -> Again:
    """Hold what is found against what was known; the nearest belong together."""
    near = sorted(
        (math.dist(old.mm, new.mm), k, j) for k, old in enumerate(known) for j, new in enumerate(found)
    )
    names: dict[int, int] = {}
    for mm, k, j in near:
        if mm <= SAME_MM and j not in names and known[k].id not in names.values():
            names[j] = known[k].id
    same = tuple(replace(piece, id=names[j]) for j, piece in enumerate(found) if j in names)
    others = tuple(piece for j, piece in enumerate(found) if j not in names)
    return Again(same, others, len(known) - len(same))


def _counted(n: int, one: str, many: str) -> str:
    return f"1 piece {one}" if n == 1 else f"{n} pieces {many}"
