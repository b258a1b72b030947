"""What a small display shows: a few words and a tone. Knows no game."""

from dataclasses import dataclass
from typing import Literal

Tone = Literal["plain", "good", "bad", "ask"]


@dataclass(frozen=True, slots=True)
class Plate:
    headline: str
    """Whose turn, or what is going on."""
    scores: tuple[tuple[str, str], ...] = ()
    ruling: str = ""
    """The last ruling in one sentence."""
    clause: str = ""
    tone: Tone = "plain"
    trouble: str = ""
    """What is wrong with camera or recording, if anything is."""
