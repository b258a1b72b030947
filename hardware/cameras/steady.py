"""Times that never go back: a camera whose clock was set, or that was plugged in again, goes on where it stood."""


class SteadyClock:
    def __init__(self) -> None:
        self._shift = 0
        self._last: int | None = None

    def t_ns(self, told_ns: int) -> int:
        """The camera's time, moved as far as it takes to be later than the one before."""
        t_ns = told_ns + self._shift
        if self._last is not None and t_ns <= self._last:
            self._shift += self._last + 1 - t_ns
            t_ns = self._last + 1
        self._last = t_ns
        return t_ns
