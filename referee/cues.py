"""What the referee says and does by the clock, each at its exact moment."""

from collections.abc import Sequence

from referee.types import Cue


class Cues:
    """Cues counted from one moment: a late look delays none of those behind it."""

    def __init__(self) -> None:
        self._waiting: list[Cue] = []
        self._began_ns = 0

    def restart(self, script: Sequence[Cue], now_ns: int) -> None:
        """Forget what was to come; count this script from now."""
        self._waiting, self._began_ns = sorted(script, key=lambda cue: cue.after_ms), now_ns

    def due(self, now_ns: int) -> list[Cue]:
        """What should have been said or done by now, and was not yet."""
        passed_ms = (now_ns - self._began_ns) / 1e6
        due = [cue for cue in self._waiting if cue.after_ms <= passed_ms]
        self._waiting = self._waiting[len(due) :]
        return due
