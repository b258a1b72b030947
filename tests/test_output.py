"""What commands write: refused early, whole or not at all."""

from pathlib import Path

import pytest

from referee.errors import TableError
from referee.output import output_file, write_text, written


@pytest.mark.parametrize(
    ("word", "sentence"), [("", "is a folder"), ("none/x.json", "there is no folder .*none to write x.json")]
)
def test_a_place_that_cannot_be_written_is_refused_before_the_work(
    tmp_path: Path, word: str, sentence: str
) -> None:
    with pytest.raises(TableError, match=sentence):
        output_file(str(tmp_path / word))


def test_a_file_whose_writing_fails_stays_what_it_was(tmp_path: Path) -> None:
    kept = tmp_path / "rulings.json"
    kept.write_text("yesterday")
    with pytest.raises(TableError), written(kept) as out:
        out.write("half of to")
        raise TableError("the footage is torn")
    assert kept.read_text() == "yesterday"
    assert list(tmp_path.iterdir()) == [kept]


def test_a_file_appears_when_it_is_whole(tmp_path: Path) -> None:
    write_text(tmp_path / "rulings.json", "[]\n")
    assert (tmp_path / "rulings.json").read_text() == "[]\n"
