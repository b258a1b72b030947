"""Dice that lean on a calibrated table are told, whatever they lean on, and flat ones beside the same things are read.

The pictures are parts of rendered tables (training/dice/render_table.py) on which nothing was learned.
"""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.profile import Profile
from hardware.frames import Image
from referee.types import Die
from referee.vision.dice import find_dice
from tests.vision.table import profile

FOLDER = Path(__file__).parent / "cocked"
TOLD = json.loads((FOLDER / "dice.json").read_text())
LEANING = sorted(name for name, die in TOLD.items() if die["lean_deg"])
FLAT = sorted(name for name, die in TOLD.items() if not die["lean_deg"])


def seen(name: str) -> tuple[Image, Profile]:
    picture = cv2.imread(str(FOLDER / f"{name}.jpg"))
    assert picture is not None
    lens, turn = (tuple(map(tuple, TOLD[name][k])) for k in ("K", "R"))
    size, t_mm = (picture.shape[1], picture.shape[0]), tuple(TOLD[name]["t_mm"])
    over = replace(profile(), image_size=size, K=lens, R=turn, dist=(0.0,) * 5, t_mm=t_mm)
    return np.asarray(picture, np.uint8), over


def the_die(name: str) -> Die:
    (die,) = find_dice(*seen(name))
    return die


@pytest.mark.parametrize("name", LEANING)
def test_a_die_that_leans_on_something_is_cocked_and_shows_nothing(name: str) -> None:
    die = the_die(name)
    assert die.cocked
    assert die.value is None


@pytest.mark.parametrize("name", FLAT)
def test_a_flat_die_beside_such_things_does_not_lean(name: str) -> None:
    die = the_die(name)
    assert not die.cocked
    assert die.value == TOLD[name]["value"]
