"""What hangs on a table beside the page: small displays, lamp, voice, buttons. All fed from the stage."""

from collections.abc import Callable, Mapping
from typing import Any

from hardware.displays import Display
from hardware.plates import Plate, Tone
from referee.sentences import Sentences
from referee.stage import Message

TONES: Mapping[str, Tone] = {
    "OK": "good",
    "SCORE": "good",
    "WIN": "good",
    "FOUL": "bad",
    "ILLEGAL": "bad",
    "CORRECT": "bad",
    "ELIMINATED": "bad",
    "LOSS": "bad",
    "REVIEW": "ask",
    "PROMPT": "ask",
    "UNSEEN": "ask",
}
QUIET = ("INFO", "ASSUME")
"""Rulings too small for a panel or a voice."""


class PlateMaker:
    """Turns the stage's messages into plates; a listener of the stage."""

    def __init__(self, show: Callable[[Plate], None]) -> None:
        self._show = show
        self._view: Mapping[str, Any] = {}
        self._ruling: Mapping[str, Any] = {}
        self._trouble = ""
        self._night = False

    def __call__(self, message: Message) -> None:
        match message["kind"]:
            case "view":
                self._view, self._night = message["view"], message["night"]
            case "ruling" if message["code"] not in QUIET:
                self._ruling = message
            case "status":
                self._trouble = "; ".join(message["troubles"].values())
            case _:
                return
        self._show(self.plate())

    def plate(self) -> Plate:
        """What to show now; at night the same for everything that may happen."""
        if self._night:
            return Plate("Night. Eyes closed.")
        return Plate(
            str(self._view.get("headline", "")),
            tuple((name, score) for name, score in self._view.get("scores", ())),
            str(self._ruling.get("because", "")),
            ", ".join(self._ruling.get("clauses", ())),
            TONES.get(self._ruling.get("code", ""), "plain"),
            self._trouble,
        )


class Speaker:
    """Speaks the Game Master's lines always, and rulings when the table wants them."""

    def __init__(self, say: Callable[[str], object], rulings: bool, language: str = "en") -> None:
        self._say, self._rulings = say, rulings
        self._sentences = Sentences(language)

    def __call__(self, message: Message) -> None:
        if message["kind"] == "match":
            self._sentences.names = frozenset(message["seats"])
        elif message["kind"] == "say":
            self._say(self._sentences.said(message["text"]))
        elif self._rulings and message["kind"] == "ruling" and message["code"] not in QUIET:
            self._say(self._sentences.said(message["because"]))


def shown_on(display: Display, lamp: Callable[[Tone], None] | None = None) -> PlateMaker:
    """A listener that shows plates on a display, and their tone on a lamp."""

    def show(plate: Plate) -> None:
        display.show(plate)
        if lamp is not None:
            lamp(plate.tone)

    return PlateMaker(show)
