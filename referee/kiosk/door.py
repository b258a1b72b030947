"""Who may act. Anyone may watch; acting needs the table's PIN; the table's own screen is trusted.

A wrong PIN costs a try. Tries are few per address and few in all, so that guessing six figures takes years.
"""

import hmac
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from referee.types import TABLE, Audience

TRIES = 5
"""Wrong PINs an address may send before it waits."""
TRIES_IN_ALL = 30
WAIT_S = 300.0
SESSION_S = 12 * 3600.0
MOST_SESSIONS = 64
MOST_ADDRESSES = 256
OWN = ("127.0.0.1", "::1")
OWN_NAMES = ("127.0.0.1", "localhost", "[::1]")


@dataclass(frozen=True, slots=True)
class Guest:
    """Whoever asks: the right to act, and the seat they sit on if they said so."""

    acts: bool
    seat: str | None = None

    @property
    def audience(self) -> Audience:
        return Audience("seat", self.seat) if self.acts and self.seat is not None else TABLE


@dataclass(slots=True)
class _Tries:
    wrong: int = 0
    until: float = 0.0


@dataclass(slots=True)
class _Session:
    ends: float
    seat: str | None = None


@dataclass(slots=True)
class Door:
    clock: Callable[[], float] = time.monotonic
    pin: str = field(default_factory=lambda: f"{secrets.randbelow(10**6):06d}")
    _sessions: dict[str, _Session] = field(default_factory=dict)
    _tries: dict[str, _Tries] = field(default_factory=dict)
    _all: _Tries = field(default_factory=_Tries)

    def guest(self, address: str, host: str, token: str | None) -> Guest:
        """What this caller may do; `host` is the name it called us by."""
        session = self._session(token)
        if session is not None:
            return Guest(True, session.seat)
        return Guest(is_own_screen(address, host))

    def knock(self, address: str, pin: str) -> str | None:
        """A session's token for the right PIN; None for a wrong one."""
        self._forget()
        tries = self._tries.setdefault(address, _Tries())
        if not hmac.compare_digest(pin.encode(), self.pin.encode()):
            for one, most in ((tries, TRIES), (self._all, TRIES_IN_ALL)):
                one.wrong += 1
                if one.wrong >= most:
                    one.wrong, one.until = 0, self.clock() + WAIT_S
            return None
        self._tries.pop(address, None)
        return self._open()

    def _forget(self) -> None:
        """Keep no book of addresses without end: the longest known go first, and never one that waits."""
        idle = [address for address, tries in self._tries.items() if tries.until <= self.clock()]
        for address in idle[: max(0, len(self._tries) - MOST_ADDRESSES)]:
            del self._tries[address]

    def waits_s(self, address: str) -> int:
        """Seconds until this address may try again; 0 when it may now."""
        until = max(self._tries.get(address, _Tries()).until, self._all.until)
        return max(0, round(until - self.clock() + 0.5)) if until > self.clock() else 0

    def sit(self, token: str | None, seat: str | None) -> None:
        """Remember on which seat a session sits."""
        session = self._session(token)
        if session is not None:
            session.seat = seat

    def _session(self, token: str | None) -> _Session | None:
        session = self._sessions.get(token or "")
        return session if session is not None and session.ends > self.clock() else None

    def _open(self) -> str:
        while len(self._sessions) >= MOST_SESSIONS:
            del self._sessions[min(self._sessions, key=lambda t: self._sessions[t].ends)]
        token = secrets.token_urlsafe(32)
        self._sessions[token] = _Session(self.clock() + SESSION_S)
        return token


def is_own_screen(address: str, host: str) -> bool:
    """On this machine, and called by its own name: a foreign page that points its name here is not the screen."""
    name = host if host.endswith("]") else host.rpartition(":")[0] or host
    return address in OWN and name in OWN_NAMES
