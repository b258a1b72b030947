"""Looking begun early: a still picture is read beside the frames that are to prove it still."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Generic, TypeVar

T = TypeVar("T")


class Ahead(Generic[T]):
    """One look at a time, in a thread of its own; a stillness is looked at once."""

    def __init__(self) -> None:
        self._thread: ThreadPoolExecutor | None = None
        self._since = -1
        self._found: Future[T] | None = None

    def begin(self, since: int, look: Callable[[], T]) -> Future[T]:
        """Look at the stillness that began with this frame, unless that has been begun already."""
        if self._found is None or self._since != since:
            self.forget()
            self._thread = self._thread or ThreadPoolExecutor(1, "look ahead")
            self._since, self._found = since, self._thread.submit(look)
        return self._found

    def forget(self) -> None:
        """What was begun must not count any more."""
        if self._found is not None:
            self._found.cancel()
            self._found = None
