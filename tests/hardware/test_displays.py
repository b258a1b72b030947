"""Displays, voice, buttons and lamp, each against a stand-in that its maker ships."""

import io
import shutil
import threading
from pathlib import Path
from typing import Any

import pytest

from hardware import voice
from hardware.buttons import COLOURS, Buttons, Lamp, read_pins
from hardware.displays import DISPLAYS, open_display
from hardware.displays.kiosk import kiosk_command
from hardware.displays.panel import PanelDisplay, draw_plate
from hardware.displays.terminal import TerminalDisplay
from hardware.errors import TableError
from hardware.plates import Plate

FOUL = Plate(
    "B to shoot", (("A", "6"), ("B", "8")), "Foul: the shooter touched a gate piece.", "RO-50", "bad"
)


def test_an_unknown_display_names_the_known_ones() -> None:
    with pytest.raises(TableError, match="no display called 'cinema'; displays: terminal, panel, kiosk"):
        open_display("cinema")
    assert set(DISPLAYS) == {"terminal", "panel", "kiosk"}


def test_the_terminal_says_each_change_once() -> None:
    out = io.StringIO()
    display = TerminalDisplay(out=out)
    display.show(FOUL)
    display.show(FOUL)
    display.close()
    assert out.getvalue() == "! B to shoot | A 6  B 8 | Foul: the shooter touched a gate piece. [RO-50]\n"


class Panel:
    size, mode = (320, 240), "RGB"

    def __init__(self) -> None:
        self.pictures: list[Any] = []
        self.cleaned = 0

    def display(self, picture: Any) -> None:
        self.pictures.append(picture)

    def cleanup(self) -> None:
        self.cleaned += 1


def test_the_panel_is_drawn_only_when_something_changed() -> None:
    device = Panel()
    display = PanelDisplay("", lambda name: device)
    display.show(FOUL)
    display.show(FOUL)
    display.show(Plate("A wins"))
    display.close()
    display.close()
    assert len(device.pictures) == 2
    assert device.pictures[0].size == (320, 240)
    assert device.cleaned == 1


@pytest.mark.parametrize("size", [(320, 240), (240, 240), (160, 128), (128, 64)])
def test_a_foul_is_drawn_in_its_colour_on_every_common_panel(size: tuple[int, int]) -> None:
    picture = draw_plate(FOUL, size)
    assert picture.size == size
    assert picture.convert("RGB").getcolors(1 << 20)
    assert any(red > 200 and blue < 160 for _, (red, _, blue) in picture.getcolors(1 << 20))


def test_the_kiosk_starts_chromium_fresh_and_full_screen(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    command = kiosk_command("http://127.0.0.1:8642/", tmp_path)
    assert command[0] == "/usr/bin/chromium"
    assert {"--kiosk", f"--user-data-dir={tmp_path}", "--app=http://127.0.0.1:8642/"} <= set(command)


def test_no_chromium_is_one_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(TableError, match="sudo apt install chromium"):
        kiosk_command("http://127.0.0.1:8642/", tmp_path)


def test_the_voice_speaks_in_order_and_never_holds_anybody_up() -> None:
    spoken: list[str] = []
    gate = threading.Event()

    def slow(text: str) -> None:
        gate.wait(5)
        spoken.append(text)

    speaker = voice.Voice(speak=slow)
    taken = [speaker.say(f"sentence {k}") for k in range(20)]
    assert taken[:6] == [True] * 6
    assert not taken[-1]
    gate.set()
    speaker.close()
    speaker.close()
    assert spoken == [f"sentence {k}" for k in range(sum(taken))]


def test_no_voice_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(TableError, match="espeak-ng"):
        voice.Voice()


@pytest.fixture
def pins(monkeypatch: pytest.MonkeyPatch) -> Any:
    from gpiozero import Device
    from gpiozero.pins.mock import MockFactory, MockPWMPin

    factory = MockFactory(pin_class=MockPWMPin)
    monkeypatch.setattr(Device, "pin_factory", factory)
    yield factory
    factory.reset()


def test_a_pressed_button_says_what_it_means(pins: Any) -> None:
    heard: list[str] = []
    done = threading.Event()

    def hear(meaning: str) -> None:
        heard.append(meaning)
        done.set()

    buttons = Buttons({17: "undo", 27: "end_turn"}, hear)
    pins.pin(27).drive_low()
    assert done.wait(2)
    buttons.close()
    buttons.close()
    assert heard == ["end_turn"]


def test_the_lamp_takes_the_tone_of_the_ruling(pins: Any) -> None:
    lamp = Lamp(5, 6, 13)
    lamp.show("bad")
    assert tuple(pins.pin(p).state for p in (5, 6, 13)) == COLOURS["bad"]
    lamp.close()
    lamp.close()


def test_pins_are_read_or_refused() -> None:
    assert read_pins("17=undo, 27=end_turn") == {17: "undo", 27: "end_turn"}
    with pytest.raises(TableError, match="17=undo"):
        read_pins("left=undo")


def test_two_buttons_on_one_pin_are_refused_in_one_sentence(pins: Any) -> None:
    first = Buttons({17: "undo"}, print)
    with pytest.raises(TableError, match="cannot be used"):
        Buttons({17: "pause"}, print)
    first.close()


def test_a_name_in_kana_is_drawn_or_boxed_but_never_stops_the_panel() -> None:
    plates = [Plate("さくら: 打つ", (("さくら", "7"), ("Ann", "6")), "Gate called."), Plate("x: y", (), "z")]
    pictures = [draw_plate(plate, (320, 240)) for plate in plates]
    assert pictures[0].tobytes() != pictures[1].tobytes()
