"""The house's settings."""

from pathlib import Path

import pytest

from referee.config import Config, read_config
from referee.errors import TableError


def test_settings_are_read_and_checked(tmp_path: Path) -> None:
    page = tmp_path / "referee.toml"
    page.write_text('camera = "webcam:1"\ndisplays = ["terminal"]\nmatches = "/srv/matches"\n')
    config = read_config(page)
    assert (config.camera, config.displays) == ("webcam:1", ("terminal",))
    assert config.matches_path() == Path("/srv/matches")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("camera = 3", "camera is 3, not a word"),
        ("colour = 'red'", "no field 'colour'"),
        ("camera =", "Invalid value"),
    ],
)
def test_a_wrong_setting_is_named_with_its_value(tmp_path: Path, text: str, sentence: str) -> None:
    page = tmp_path / "referee.toml"
    page.write_text(text)
    with pytest.raises(TableError, match=sentence):
        read_config(page)


def test_settings_that_were_asked_for_must_exist(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="there are no settings"):
        read_config(tmp_path / "none.toml")


def test_without_settings_the_defaults_hold(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("referee.config.config_path", lambda: tmp_path / "none.toml")
    assert read_config() == Config()


@pytest.mark.parametrize("setting", ["matches", "profile"])
def test_the_home_of_nobody_is_refused_in_one_sentence(tmp_path: Path, setting: str) -> None:
    place = tmp_path / "referee.toml"
    place.write_text(f'{setting} = "~no such user/x"\n', encoding="utf8")
    config = read_config(place)
    with pytest.raises(TableError, match="nobody here has that home"):
        config.matches_path() if setting == "matches" else config.profile_path()
