"""Every bundled passage of a card game, and the clip in the wheel, through the real pipeline; a missing one fails."""

from pathlib import Path

import pytest

from referee.commands.demo import BUNDLED
from referee.games import GAMES
from referee.samples import find_samples, referee_sample

SAMPLES = Path(__file__).parents[2] / "sample_footage"
MOST_BYTES = 60_000_000


def passages() -> list[Path]:
    return [p for p in find_samples(SAMPLES) if p.parent.name != "rocca"]


@pytest.mark.parametrize("sample", passages(), ids=lambda p: p.parent.name)
def test_a_passage_is_read_and_ruled_as_expected(sample: Path) -> None:
    refereed = referee_sample(sample)
    assert refereed.as_expected, refereed.missing


def test_the_clip_in_the_wheel_is_ruled_as_expected() -> None:
    (clip,) = find_samples(BUNDLED)
    assert referee_sample(clip).as_expected


@pytest.mark.parametrize("game", list(GAMES))
def test_every_game_has_footage_of_real_play(game: str) -> None:
    assert [p for p in find_samples(SAMPLES, game) if (p / "footage.mp4").is_file()]


def test_the_samples_stay_small() -> None:
    assert sum(f.stat().st_size for f in SAMPLES.rglob("*") if f.is_file()) < MOST_BYTES


def test_no_footage_lies_there_without_being_tested() -> None:
    assert {p.parent for p in SAMPLES.rglob("footage.mp4")} <= set(find_samples(SAMPLES))
