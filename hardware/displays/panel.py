"""A small SPI panel through luma.lcd: turn, scores and the last ruling, readable at arm's length."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from hardware.errors import TableError
from hardware.plates import Plate

COLOURS = {"plain": "#d8d2c4", "good": "#7fd6a4", "bad": "#ff8d86", "ask": "#f7c566"}
PAPER, INK = "#14181a", "#f0ede6"
MARGIN = 6
LATIN, JAPANESE = "\u024f", "ipagp.ttf"
"""The last Latin letter, and the file of a font that goes on behind it (Debian's fonts-ipafont-gothic)."""


class PanelDisplay:
    """`address` is luma's name of the controller, ili9341 unless told."""

    def __init__(self, address: str = "", open_device: Callable[[str], Any] | None = None) -> None:
        self._device = (open_device or _open_device)(address or "ili9341")
        self._last: Plate | None = None

    def show(self, plate: Plate) -> None:
        if plate != self._last and self._device is not None:
            self._last = plate
            self._device.display(draw_plate(plate, self._device.size, self._device.mode))

    def close(self) -> None:
        device, self._device = self._device, None
        if device is not None:
            device.cleanup()


def draw_plate(plate: Plate, size: tuple[int, int], mode: str = "RGB") -> Any:
    """The plate as a picture: headline, scores in boxes, then the ruling in its colour."""
    from PIL import Image, ImageDraw

    image = Image.new("RGB", size, PAPER)
    pen = ImageDraw.Draw(image)
    width, height = size
    y = MARGIN + _words(pen, plate.headline, (MARGIN, MARGIN), width, height // 7, INK, lines=1)
    y += _scores(pen, plate, y, width, height // 6) + MARGIN
    pen.rectangle((0, y, width, height), outline=COLOURS[plate.tone], width=2)
    y += MARGIN
    y += _words(
        pen, plate.ruling, (MARGIN * 2, y), width - MARGIN * 2, height // 11, COLOURS[plate.tone], lines=4
    )
    _words(
        pen, plate.trouble or plate.clause, (MARGIN * 2, y), width - MARGIN * 2, height // 13, INK, lines=1
    )
    return image.convert(mode)


def _scores(pen: Any, plate: Plate, y: int, width: int, height: int) -> int:
    if not plate.scores:
        return 0
    each = (width - MARGIN) // len(plate.scores)
    for k, (name, score) in enumerate(plate.scores):
        x = MARGIN + k * each
        pen.rectangle((x, y, x + each - MARGIN, y + height), outline=COLOURS["plain"])
        _words(pen, f"{name} {score}", (x + 4, y + 2), x + each - MARGIN, height * 2 // 3, INK, lines=1)
    return height


def _words(pen: Any, text: str, at: tuple[int, int], right: int, size: int, colour: str, lines: int) -> int:
    """Write `text` wrapped before `right`, cut after `lines`; the height it took."""
    font = _font(text, size)
    rows = _wrapped(text, lambda words: float(pen.textlength(words, font=font)) <= right - at[0])
    step = size * 5 // 4
    for k, row in enumerate(rows[:lines]):
        pen.text((at[0], at[1] + k * step), row, font=font, fill=colour)
    return step * min(len(rows), lines)


def _font(text: str, size: int) -> Any:
    """Pillow's own knows Latin letters; names and words beyond them need a larger font, where there is one."""
    from PIL import ImageFont

    if any(letter > LATIN for letter in text):
        with suppress(OSError):
            return ImageFont.truetype(JAPANESE, size)
    return ImageFont.load_default(size)


def _wrapped(text: str, fits: Callable[[str], bool]) -> list[str]:
    rows: list[str] = []
    for word in text.split():
        if rows and fits(f"{rows[-1]} {word}"):
            rows[-1] += f" {word}"
        else:
            rows.append(word)
    return rows


def _open_device(name: str) -> Any:
    try:
        from luma.core.interface.serial import spi
        from luma.lcd import device
    except ImportError as error:
        raise TableError("the panel needs luma.lcd: pip install 'table-referee[panel]'") from error
    if not hasattr(device, name):
        raise TableError(f"luma.lcd knows no panel called {name!r}")
    try:
        return getattr(device, name)(spi(port=0, device=0, gpio_DC=24, gpio_RST=25), rotate=0)
    except Exception as error:
        raise TableError(f"the panel {name} does not answer ({error}): is SPI on in raspi-config?") from error
