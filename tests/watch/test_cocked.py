"""A die that comes to rest leaning is told as cocked, and no value is announced."""

import numpy as np
import pytest

from hardware.frames import Frame, Image
from referee.card_happenings import DieCocked, DieSettled, Happening
from referee.vision.dice import find_dice
from referee.watch.report import happening_plain
from referee.watch.table import TableWatch
from tests.vision.dice_drawn import put_die, turned
from tests.vision.test_leaning import cloth, over_a_table
from tests.watch.stage import Eyes


def watched(die: Image) -> list[Happening]:
    """The bare table for half a second, then the table with the die."""
    above = over_a_table()
    watch = TableWatch(Eyes(), lambda image, where: find_dice(image, above, where=where), die_px=29.0)
    found: list[Happening] = []
    for k in range(34):
        noise = np.random.default_rng(k).normal(0, 1.5, die.shape)
        seen = np.clip((cloth() if k < 14 else die) + noise, 0, 255).astype(np.uint8)
        found += watch.feed(Frame(k, k * 33_000_000, seen))
    return found


@pytest.mark.parametrize("lean_deg", [0, 36])
def test_a_die_that_leans_is_told_without_a_value_and_a_flat_one_with_it(lean_deg: float) -> None:
    (told,) = watched(put_die(cloth(), over_a_table(), (-160.0, 60.0), turned(5, 23.0, lean_deg)))
    said = happening_plain(told)
    assert said is not None
    if lean_deg:
        assert isinstance(told, DieCocked)
        assert said["kind"] == "die_cocked"
        assert said["value"] is None
    else:
        assert isinstance(told, DieSettled)
        assert said["value"] == 5
