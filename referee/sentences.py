"""What the bench says in another language, for a voice; the page does the same in `sentences.js`.

Every sentence of the bench is a template in one book with its translations; values are put in again.
"""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

COLUMN = {"de": 0, "ja": 1}
LANGUAGES = ("en", *COLUMN)
TELLING = 12
"""Letters, and two for each value, that make a template more than a joint."""
JOINTS = tuple(
    map(re.compile, (r"(?<=[.!?]) ", r": (?![^(]*\))", r"; ", r", and (?![^(]*\))", r", (?![^(]*\))"))
)
JOINED = {"de": (" ", ": ", "; ", ", und ", ", "), "ja": ("", "：", "；", "、また", "、")}
"""How each language joins again what was parted there."""
_SIGN = re.compile(r"\{(\d)\}")
_WORDS = re.compile(r"\b[a-z]{2,} [a-z]{2,}\b")
_STOPS = re.compile(r"[.。]$")


@dataclass(frozen=True, slots=True)
class _Template:
    strict: re.Pattern[str]
    free: re.Pattern[str]
    words: str
    weight: int
    tells: bool


class Sentences:
    """Speaks one language; `names` are players' and nobody's to translate."""

    def __init__(self, language: str, names: Iterable[str] = ()) -> None:
        self._templates = _book(COLUMN[language]) if language in COLUMN else ()
        self._stop = "。" if language == "ja" else "."
        self._joints = tuple(zip(JOINTS, JOINED.get(language, ()), strict=False))
        self.names = frozenset(names)

    def said(self, text: str) -> str:
        """The sentence in this language; as it is where nobody has written one."""
        if not self._templates or text in self.names or not re.search("[A-Za-z]", text):
            return text
        bare = text.removesuffix(".")
        other = self._other(bare)
        if other is None:
            return text
        return other + (self._stop if bare != text else "")

    def _other(self, bare: str) -> str | None:
        for telling, kind in ((True, "strict"), (False, "parted"), (False, "strict"), (False, "free")):
            other = self._parted(bare) if kind == "parted" else self._filled(bare, kind, telling)
            if other is not None:
                return other
        return None

    def _filled(self, text: str, kind: str, telling: bool = False) -> str | None:
        for template in self._templates:
            if telling and not template.tells:
                continue
            match = getattr(template, kind).search(text)
            if match and all(len(value) < len(text) for value in match.groups()):
                values = [self.said(value) for value in match.groups()]
                if not telling and any(map(self._is_foreign, match.groups(), values)):
                    continue
                return _SIGN.sub(lambda sign: values[int(sign[1])], template.words)  # noqa: B023
        return None

    def _is_foreign(self, english: str, said: str) -> bool:
        """English words that would stand in the middle of another language: then rather all of it in English."""
        return english == said and english not in self.names and bool(_WORDS.search(english))

    def _parted(self, text: str) -> str | None:
        for at, joint in self._joints:
            parts = at.split(text)
            if len(parts) > 1 and (turned := [self.said(part) for part in parts]) != parts:
                return joint.join(turned)
        inside = re.match(r"^(.+) \((.+)\)$", text)
        return f"{self.said(inside[1])} ({self.said(inside[2])})" if inside else None


@cache
def _book(column: int) -> tuple[_Template, ...]:
    words = files("referee.kiosk") / "static" / "words" / "bench.json"
    book = json.loads(words.read_text(encoding="utf8"))
    made = [_template(english, others[column]) for english, others in book.items()]
    return tuple(sorted(made, key=lambda template: -template.weight))


def _template(english: str, words: str) -> _Template:
    parts = re.split(r"\{\d\}", english.removesuffix("."))

    def pattern(part: str) -> re.Pattern[str]:
        gaps = [_gap(parts, k, part) for k in range(len(parts) - 1)] + [""]
        return re.compile("^" + "".join(re.escape(p) + g for p, g in zip(parts, gaps, strict=True)) + "$")

    weight = len("".join(parts))
    tells = weight + 2 * len(parts) > TELLING
    return _Template(pattern("(?:(?![.:] ).)"), pattern("."), _STOPS.sub("", words), weight, tells)


def _gap(parts: list[str], k: int, part: str) -> str:
    """A value that stands alone is never empty; one that is stuck to a word or to another value may be."""
    before, after = parts[k], parts[k + 1]
    opened = re.search(r"[ (:]$", before)
    stuck = not opened if k > 0 else (bool(before) and not opened) or bool(re.match("[a-z]", after, re.I))
    if stuck:
        return f"({part}*?)"
    return f"({part}+)" if after == "" and k + 2 < len(parts) else f"({part}+?)"
