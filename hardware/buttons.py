"""Buttons and a lamp on the Pi's pins through gpiozero."""

from collections.abc import Callable, Mapping
from typing import Any

from hardware.errors import TableError
from hardware.plates import Tone

BOUNCE_S = 0.05
COLOURS: Mapping[Tone, tuple[float, float, float]] = {
    "plain": (0.15, 0.15, 0.15),
    "good": (0.0, 1.0, 0.0),
    "bad": (1.0, 0.0, 0.0),
    "ask": (1.0, 0.5, 0.0),
}


class Buttons:
    """`pins` says which button means what: {17: "undo", 27: "end_turn"}; presses call `on_press(meaning)`."""

    def __init__(self, pins: Mapping[int, str], on_press: Callable[[str], None]) -> None:
        gpiozero = _gpiozero()
        self._buttons = []
        try:
            for pin, meaning in pins.items():
                button = gpiozero.Button(pin, bounce_time=BOUNCE_S)
                button.when_pressed = _pressed(on_press, meaning)
                self._buttons.append(button)
        except Exception as error:
            self.close()
            raise TableError(f"the buttons on pins {sorted(pins)} cannot be used ({error})") from error

    def close(self) -> None:
        while self._buttons:
            self._buttons.pop().close()


class Lamp:
    """A lamp in the tone of the last ruling; three pins for red, green and blue."""

    def __init__(self, red: int, green: int, blue: int) -> None:
        try:
            self._led = _gpiozero().RGBLED(red, green, blue)
        except TableError:
            raise
        except Exception as error:
            raise TableError(f"the lamp on pins {red}, {green}, {blue} cannot be used ({error})") from error

    def show(self, tone: Tone) -> None:
        if self._led is not None:
            self._led.color = COLOURS[tone]

    def close(self) -> None:
        led, self._led = self._led, None
        if led is not None:
            led.close()


def read_pins(words: str) -> dict[int, str]:
    """`17=undo,27=end_turn` as a mapping."""
    pins: dict[int, str] = {}
    for word in filter(None, (w.strip() for w in words.split(","))):
        pin, _, meaning = word.partition("=")
        if not pin.strip().isdigit() or not meaning:
            raise TableError(f"buttons are written like 17=undo,27=end_turn, not {word!r}")
        pins[int(pin)] = meaning.strip()
    return pins


def _pressed(on_press: Callable[[str], None], meaning: str) -> Callable[[], None]:
    return lambda: on_press(meaning)


def _gpiozero() -> Any:
    try:
        import gpiozero
    except ImportError as error:
        raise TableError("buttons and lamp need gpiozero: pip install 'table-referee[pi]'") from error
    return gpiozero
