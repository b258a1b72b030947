"""The voice speaks the table's language, in the same words as the page."""

import pytest

from referee.attachments import Speaker
from referee.games.rocca_monster.master import COUNT, EVENING_CALL, MORNING_CALL, NIGHT_CALL, PRAYER_END_CALL
from referee.sentences import Sentences

SAID = {
    "Foul: the shooter hit a gate piece. Nothing to hand out.": (
        "Foul: der Schussstein traf einen Torstein. Nichts zu verteilen.",
        "反則：打った駒が門の駒に当たりました。配るものなし。",
    ),
}


@pytest.mark.parametrize(("language", "column"), [("de", 0), ("ja", 1)])
def test_a_ruling_is_spoken_in_the_tables_language(language: str, column: int) -> None:
    heard: list[str] = []
    speaker = Speaker(heard.append, True, language)
    speaker({"kind": "match", "seats": ["Ann", "Ben"]})
    for english, others in SAID.items():
        speaker({"kind": "ruling", "code": "FOUL", "because": english})
        assert heard.pop() == others[column]


def test_names_and_what_nobody_has_written_stay_as_they_are() -> None:
    german = Sentences("de", ["Hide", "Ann"])
    assert german.said("Hide") == "Hide"
    assert german.said("Zxqv") == "Zxqv"
    assert Sentences("en").said("Foul: anything.") == "Foul: anything."


@pytest.mark.parametrize("language", ["de", "ja"])
def test_every_line_of_the_game_master_is_spoken_in_every_language(language: str) -> None:
    for line in (NIGHT_CALL, MORNING_CALL, EVENING_CALL, PRAYER_END_CALL, *(f"{word}." for word in COUNT)):
        assert Sentences(language).said(line) != line
