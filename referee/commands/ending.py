"""Serve until told to stop: Ctrl-C, or the system ending the program."""

import signal
import socket
from types import TracebackType
from typing import Self

SIGNS = (signal.SIGINT, signal.SIGTERM)


class Ending:
    """Notes the signals that end a program from `with` on; `wait` returns once one has come, before or after.

    The system writes the number of each as a byte. A handler that sets an event would come too late
    for a program that is just going to sleep over it, and would stop for ever over the event's own lock.
    """

    def __enter__(self) -> Self:
        self._heard, self._said = socket.socketpair()
        self._said.setblocking(False)
        signal.set_wakeup_fd(self._said.fileno(), warn_on_full_buffer=False)
        self._before = {sign: signal.signal(sign, lambda *_: None) for sign in SIGNS}
        return self

    def wait(self) -> None:
        while self._heard.recv(1)[0] not in SIGNS:
            pass  # another signal that somebody listens to

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for sign, handler in self._before.items():
            signal.signal(sign, handler)
        signal.set_wakeup_fd(-1)
        self._heard.close()
        self._said.close()
