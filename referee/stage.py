"""What is on show: the last word of each kind per audience, and who listens. Safe to use from any thread."""

import threading
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from referee.types import TABLE, Audience

Message = Mapping[str, Any]
Listener = Callable[[Message], None]
KEPT = 30
"""Rulings a newcomer is shown."""


class Stage:
    """Everything people see passes here, each message for its audience alone."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._latest: dict[tuple[str, Audience], Message] = {}
        self._rulings: deque[tuple[Audience, Message]] = deque(maxlen=KEPT)
        self._listeners: dict[Listener, Audience] = {}

    def show(self, message: Message, audience: Audience = TABLE) -> None:
        """Put a message on show; rulings pile up, anything else replaces the last of its kind."""
        with self._lock:
            if message["kind"] == "ruling":
                self._rulings.append((audience, message))
            else:
                self._latest[message["kind"], audience] = message
            hearers = [h for h, who in self._listeners.items() if self._hears(who, message["kind"], audience)]
        for hear in hearers:
            hear(message)

    def tell(self, message: Message, audience: Audience = TABLE) -> None:
        """Say something once: whoever comes later does not hear it."""
        with self._lock:
            hearers = [h for h, who in self._listeners.items() if audience in (TABLE, who)]
        for hear in hearers:
            hear(message)

    def listen(self, listener: Listener, audience: Audience) -> list[Message]:
        """Listen from now on; returns what is on show for this audience."""
        with self._lock:
            self._listeners[listener] = audience
            return self._snapshot(audience)

    def leave(self, listener: Listener) -> None:
        with self._lock:
            self._listeners.pop(listener, None)

    def snapshot(self, audience: Audience) -> list[Message]:
        """What this audience sees now."""
        with self._lock:
            return self._snapshot(audience)

    def clear(self) -> None:
        """A new match: nothing of the old one stays on show."""
        with self._lock:
            self._latest.clear()
            self._rulings.clear()

    @property
    def watchers(self) -> int:
        with self._lock:
            return len(self._listeners)

    def _snapshot(self, audience: Audience) -> list[Message]:
        kinds = dict.fromkeys(kind for kind, _ in self._latest)
        own = [self._latest.get((kind, audience)) or self._latest.get((kind, TABLE)) for kind in kinds]
        return [m for m in own if m is not None] + [m for a, m in self._rulings if a in (TABLE, audience)]

    def _hears(self, who: Audience, kind: str, audience: Audience) -> bool:
        """The table's word is for all, except for those who have their own of this kind."""
        if audience == who:
            return True
        return audience == TABLE and (kind == "ruling" or (kind, who) not in self._latest)
