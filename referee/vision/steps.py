"""Work in small steps: a generator that stops for breath, so that no frame of the live picture waits for all of it."""

from collections.abc import Generator
from typing import TypeVar, cast

T = TypeVar("T")
Steps = Generator[None, None, T]


def at_once(work: Steps[T]) -> T:
    """All steps of some work, and its result."""
    while True:
        try:
            next(work)
        except StopIteration as done:
            return cast(T, done.value)
