"""The terminal as a display: one line for each change."""

import sys
from typing import TextIO

from hardware.plates import Plate

MARKS = {"plain": " ", "good": "+", "bad": "!", "ask": "?"}


class TerminalDisplay:
    def __init__(self, _address: str = "", out: TextIO | None = None) -> None:
        self._out = out or sys.stdout
        self._last: Plate | None = None

    def show(self, plate: Plate) -> None:
        if plate == self._last:
            return
        self._last = plate
        scores = "  ".join(f"{name} {score}" for name, score in plate.scores)
        parts = [plate.headline, scores, plate.ruling and f"{plate.ruling} [{plate.clause}]", plate.trouble]
        print(MARKS[plate.tone], " | ".join(part for part in parts if part), file=self._out, flush=True)

    def close(self) -> None:
        pass
