"""The page and the voice say the same: two translators, one book, one set of sentences."""

import json
import re
from pathlib import Path

import pytest

import referee
from referee.sentences import Sentences
from tests.browser.conftest import House, Open

BOOK = Path(referee.__file__).parent / "kiosk" / "static" / "words" / "bench.json"
NAMES = ["Ann", "Ben Ali"]
VALUES = ("Ann", "3", "Ben Ali", "7H", "12.5 mm", "zxqv")
JOINED = (
    "Foul: the shooter did not come through the gate (-6.0 mm), and the shooter hit a gate piece. B +1.",
    "Through by 39.3 mm. 1 won, 7 on the board.",
    "the shooter glowed beside a gate piece",
    "Ann: settle the bowls",
    "",
)
SAY = """async ([language, names, sentences]) => {
  const { keepNames, said, speakSentences } = await import("/sentences.js");
  await speakSentences(language);
  keepNames(names);
  return sentences.map(said);
}"""


def filled_in(template: str, k: int) -> str:
    return re.sub(r"\{(\d)\}", lambda sign: VALUES[(k + int(sign[1])) % len(VALUES)], template)


def sentences() -> list[str]:
    """Every template with values put in, by themselves and two together."""
    book = json.loads(BOOK.read_text(encoding="utf8"))
    filled = [filled_in(english, k) for k, english in enumerate(book)]
    return [*filled, *(f"{a} {b}" for a, b in zip(filled[::7], filled[3::7], strict=False)), *JOINED]


@pytest.mark.parametrize("language", ["en", "de", "ja"])
def test_the_page_says_what_the_voice_says(house: House, look: Open, language: str) -> None:
    asked = sentences()
    voice = Sentences(language, NAMES)
    assert look(house.own).evaluate(SAY, [language, NAMES, asked]) == [voice.said(text) for text in asked]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "de",
            "Foul: der Schussstein kam nicht durch das Tor, und der Schussstein traf einen Torstein. B +1.",
        ),
        ("ja", "反則：打った駒が門を通過しませんでした、また打った駒が門の駒に当たりました。B +1。"),
    ],
)
def test_a_foul_for_two_reasons_is_all_in_one_language(language: str, said: str) -> None:
    english = "Foul: the shooter did not come through the gate, and the shooter hit a gate piece. B +1."
    assert Sentences(language).said(english) == said


def test_what_nobody_has_written_stays_english_altogether() -> None:
    english = "the shooter glowed beside a gate piece"
    assert Sentences("ja").said(english) == english
