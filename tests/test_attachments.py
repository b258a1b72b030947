"""Displays, lamp and voice say what the stage says, and at night nothing."""

from typing import Any

from hardware.plates import Plate
from referee.attachments import PlateMaker, Speaker, shown_on

VIEW = {
    "kind": "view",
    "view": {"headline": "A: aim", "scores": [["A", "6"]]},
    "paused": False,
    "night": False,
}
FOUL = {"kind": "ruling", "code": "FOUL", "because": "Touched.", "clauses": ["RO-50"]}


def test_a_display_and_a_lamp_follow_the_stage() -> None:
    shown: list[Any] = []

    class Display:
        def show(self, plate: Plate) -> None:
            shown.append(plate)

        def close(self) -> None:
            pass

    listener = shown_on(Display(), shown.append)
    listener(VIEW)
    listener(FOUL)
    listener({"kind": "ruling", "code": "INFO", "because": "small talk", "clauses": []})
    listener({"kind": "scene"})
    assert shown[-2:] == [Plate("A: aim", (("A", "6"),), "Touched.", "RO-50", "bad"), "bad"]
    assert len(shown) == 4


def test_at_night_the_plate_is_the_same_whatever_happens() -> None:
    plates: list[Plate] = []
    maker = PlateMaker(plates.append)
    maker(VIEW | {"night": True})
    maker(FOUL)
    maker(VIEW | {"night": True, "view": {"headline": "something else", "scores": [["A", "1"]]}})
    assert set(plates) == {Plate("Night. Eyes closed.")}


def test_the_game_master_is_always_heard_and_rulings_only_when_wanted() -> None:
    heard: list[str] = []
    for rulings in (False, True):
        speaker = Speaker(heard.append, rulings)
        speaker({"kind": "say", "text": "Close your eyes."})
        speaker(FOUL)
    assert heard == ["Close your eyes.", "Close your eyes.", "Touched."]
