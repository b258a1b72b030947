"""The referee's voice: espeak-ng, one sentence after the other, never holding anybody up."""

import shutil
import subprocess
import threading
from collections.abc import Callable
from queue import Full, Queue

from hardware.errors import TableError

BACKLOG = 6
"""Sentences that may wait; older news than that is not worth hearing."""
RATE = 150


class Voice:
    """Speaks in a thread of its own; closing it twice is harmless."""

    def __init__(self, language: str = "en", speak: Callable[[str], None] | None = None) -> None:
        self._speak = speak or espeak(language)
        self._waiting: Queue[str | None] = Queue(BACKLOG)
        self._thread = threading.Thread(target=self._run, name="voice", daemon=True)
        self._thread.start()

    def say(self, text: str) -> bool:
        """Speak as soon as the sentence before is over; False when too much waits already."""
        try:
            self._waiting.put_nowait(text)
        except Full:
            return False
        return True

    def close(self) -> None:
        if self._thread.is_alive():
            self._waiting.put(None)
            self._thread.join(10)

    def _run(self) -> None:
        while (text := self._waiting.get()) is not None:
            self._speak(text)


def espeak(language: str) -> Callable[[str], None]:
    """A function that speaks through espeak-ng and returns when it is done."""
    program = shutil.which("espeak-ng")
    if program is None:
        raise TableError("no voice here: sudo apt install espeak-ng, or let the browser speak")

    def speak(text: str) -> None:
        command = [program, "-v", language, "-s", str(RATE), "--stdin"]
        subprocess.run(command, input=text.encode(), capture_output=True, check=False, timeout=60)

    return speak
