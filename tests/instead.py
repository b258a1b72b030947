"""Stand-ins for functions and cameras, held to the types of what they stand for."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar

import pytest

import hardware.cameras
from hardware.frames import Camera

P = ParamSpec("P")
R = TypeVar("R")


def instead(
    monkeypatch: pytest.MonkeyPatch, place: object, real: Callable[P, R]
) -> Callable[[Callable[P, R]], None]:
    """Give the answer a stand-in: whoever asks `place` for `real` gets it, and `make check` compares the two.

    Not those that take `*anything`: mypy lets them pass.
    """

    def put(stand_in: Callable[P, R]) -> None:
        monkeypatch.setattr(place, real.__name__, stand_in)

    return put


def never(monkeypatch: pytest.MonkeyPatch, place: object, real: Callable[P, R], because: str) -> None:
    """Whoever asks `place` for `real` fails the test from now on."""

    def refused(*args: P.args, **kwargs: P.kwargs) -> R:
        raise AssertionError(because)

    instead(monkeypatch, place, real)(refused)


def plug_in(monkeypatch: pytest.MonkeyPatch, name: str, driver: Callable[[str], Camera]) -> None:
    """Cameras called `name:...` are opened with this driver from now on."""
    monkeypatch.setitem(hardware.cameras.CAMERAS, name, f"{driver.__module__}:{driver.__qualname__}")
