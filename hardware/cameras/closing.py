"""What every driver shares: use as a context manager, close twice without harm."""

from types import TracebackType
from typing import Self


class Closing:
    """Gives `with` to a class that has `close()`."""

    def close(self) -> None:
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
