"""Displays by name: `terminal`, `panel:ili9341`, `kiosk:URL`."""

from importlib import import_module
from typing import Protocol

from hardware.errors import TableError
from hardware.plates import Plate

DISPLAYS = {
    "terminal": "hardware.displays.terminal:TerminalDisplay",
    "panel": "hardware.displays.panel:PanelDisplay",
    "kiosk": "hardware.displays.kiosk:KioskDisplay",
}
"""Driver name -> "module:Class"; a driver's vendor library is imported only when it is named."""


class Display(Protocol):
    """Anything that shows a plate; closing it twice is harmless."""

    def show(self, plate: Plate) -> None: ...

    def close(self) -> None: ...


def open_display(name: str) -> Display:
    """Open the display called `driver` or `driver:address`, or say why not; never another one instead."""
    driver, _, address = name.partition(":")
    if driver not in DISPLAYS:
        raise TableError(f"no display called {name!r}; displays: {', '.join(DISPLAYS)}")
    module, _, cls = DISPLAYS[driver].partition(":")
    display: Display = getattr(import_module(module), cls)(address)
    return display
