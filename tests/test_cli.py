"""Promises of the command line."""

import pytest

from referee.cli import main


def test_wrong_input_is_one_sentence_and_exit_code_two(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["observe", "no-such-folder", "--json", "x"]) == 2
    said = capsys.readouterr().err
    assert said == "referee: there is no folder no-such-folder\n"


def test_unknown_command_names_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["jugde"])
    assert stop.value.code == 2
    assert "observe" in capsys.readouterr().err
