"""The words of pages that stand alone, in the reader's language: their own, the bench's sentences, and the clauses."""

import json
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any

from referee.sentences import COLUMN, Sentences


class Words:
    """Speaks one language about one game; `names` are players' and nobody's to translate."""

    def __init__(self, language: str = "en", game: str = "", names: Iterable[str] = ()) -> None:
        self.language = language
        self._column = COLUMN.get(language)
        self._sentences = Sentences(language, names)
        self._game = game

    def __call__(self, words: str) -> str:
        """Words of the page itself."""
        return words if self._column is None else str(_read("pages/words.json")[words][self._column])

    def said(self, sentence: str) -> str:
        """What the referee said."""
        return self._sentences.said(sentence)

    def code(self, code: str) -> str:
        """The kind of a ruling, as the table's page calls it."""
        return str(_read(f"kiosk/static/words/{self.language}.json").get(f"code.{code}", code))

    def clause(self, clause: str, text: str) -> str:
        """A clause in our words; `text` are the English ones."""
        if self._column is None:
            return text
        for book in (self._game, "house"):
            known = _read(f"kiosk/static/words/clauses/{book}.json").get(clause)
            if known:
                return str(known[self._column])
        return text


@cache
def _read(place: str) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((files("referee") / place).read_text(encoding="utf8"))
    return read
