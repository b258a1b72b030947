"""What was seen and cannot be written down yet: it waits in its order, and nothing of it is lost."""

from collections import deque
from collections.abc import Callable

from referee.errors import JournalError

Deed = Callable[[], object]
RETRY_NS = 300_000_000
TROUBLE = "Nothing can be written down ({why}). What the camera sees is kept; acts must wait."


class Backlog:
    """Deeds that write into the journal; `say` hears what is wrong, and None when it is over."""

    def __init__(self, say: Callable[[str | None], None]) -> None:
        self._say = say
        self._waiting: deque[Deed] = deque()
        self._retry_ns = 0

    def do(self, deed: Deed, now_ns: int) -> None:
        """Now, or as soon as what waits before it is written."""
        self._waiting.append(deed)
        if len(self._waiting) == 1:
            self._work(now_ns)

    def retry(self, now_ns: int) -> None:
        if self._waiting and now_ns >= self._retry_ns:
            self._work(now_ns)

    def clear_first(self) -> None:
        """Write what waits before anything else may happen; raises when it still cannot be."""
        while self._waiting:
            deed = self._waiting.popleft()
            try:
                deed()
            except JournalError:
                self._waiting.appendleft(deed)
                raise
            if not self._waiting:
                self._say(None)

    def _work(self, now_ns: int) -> None:
        try:
            self.clear_first()
        except JournalError as error:
            self._retry_ns = now_ns + RETRY_NS
            self._say(TROUBLE.format(why=error.__cause__ or error))
