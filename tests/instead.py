"""Stand-ins for functions, held to the signature of the function."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar

import pytest

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
