"""What can go wrong at a table: how it is done, what the screen says meanwhile, how it is undone."""

import base64
import contextlib
import errno
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass

from tests.soak.camera import FaultyCamera
from tests.soak.live import Live, System

WATCHERS = 50


@dataclass(frozen=True)
class Scene:
    live: Live
    camera: FaultyCamera
    system: System


@dataclass(frozen=True)
class Fault:
    during: Callable[[Scene], AbstractContextManager[object]]
    says: tuple[str, ...] = ()
    """One of these troubles must be on the screen while it lasts."""
    lasts_s: float = 1.0
    """At least; it lasts until the screen has said so."""
    ruled: str | None = None
    """A clause by which the screen must say so."""
    acts_refused: bool = False
    """Nothing can be acknowledged while it lasts."""
    may_stop_recording: bool = False


@contextmanager
def _look(scene: Scene, look: str) -> Iterator[None]:
    scene.camera.look = look
    try:
        yield
    finally:
        scene.camera.look = "live"


@contextmanager
def _way(scene: Scene, way: str) -> Iterator[None]:
    scene.camera.way = way
    try:
        yield
    finally:
        scene.camera.way = "steady"


@contextmanager
def _unplugged(scene: Scene) -> Iterator[None]:
    scene.camera.unplug()
    try:
        yield
    finally:
        scene.camera.plug()


@contextmanager
def _disk(scene: Scene, number: int) -> Iterator[None]:
    scene.system.disk(number)
    try:
        yield
    finally:
        scene.system.disk(0)


@contextmanager
def _clock(scene: Scene, seconds: int) -> Iterator[None]:
    scene.system.step_clock(seconds)
    try:
        yield
    finally:
        scene.system.step_clock(0)


@contextmanager
def _locked(scene: Scene) -> Iterator[None]:
    db = sqlite3.connect(scene.live.match_folder / "journal.db", isolation_level=None, timeout=30)
    try:
        db.execute("BEGIN IMMEDIATE")
        yield
        db.execute("ROLLBACK")
    finally:
        db.close()


def _killed(scene: Scene) -> AbstractContextManager[object]:
    scene.live.kill()
    return nullcontext()


def _recorder_killed(scene: Scene) -> AbstractContextManager[object]:
    scene.live.kill_recorder()
    return nullcontext()


def _slow_watcher(port: int) -> socket.socket:
    """Asks for everything and reads nothing."""
    line = socket.create_connection(("127.0.0.1", port), timeout=30)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    key = base64.b64encode(os.urandom(16)).decode()
    line.sendall(
        f"GET /ws HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    return line


@contextmanager
def _slow_watchers(scene: Scene) -> Iterator[None]:
    port = int(scene.live.url.rstrip("/").rpartition(":")[2])
    lines = [_slow_watcher(port) for _ in range(WATCHERS)]
    try:
        yield
    finally:
        for line in lines:
            line.close()


@contextmanager
def _browser_killed(scene: Scene) -> Iterator[None]:
    """A real browser with the page open, killed without a word; a bare line where there is none."""
    browser = shutil.which("chromium")
    if browser is None:
        port = int(scene.live.url.rstrip("/").rpartition(":")[2])
        _slow_watcher(port).close()
        yield
        return
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        words = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            f"--user-data-dir={home}",
            "--remote-debugging-port=0",
        ]
        page = subprocess.Popen(
            [browser, *words, scene.live.url],
            start_new_session=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(2)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(page.pid, signal.SIGKILL)
        page.wait()
        yield


FAULTS: dict[str, Fault] = {
    "table killed": Fault(_killed, lasts_s=0),
    "recorder killed": Fault(_recorder_killed, ("referee",), lasts_s=0),
    "camera unplugged": Fault(_unplugged, ("camera", "picture")),
    "camera silent": Fault(lambda s: _way(s, "silent"), ("camera", "picture")),
    "camera frozen": Fault(lambda s: _way(s, "frozen"), ("picture",)),
    "frames dropped": Fault(lambda s: _way(s, "dropping"), lasts_s=2),
    "frames doubled": Fault(lambda s: _way(s, "doubled"), lasts_s=2),
    "clock set back": Fault(lambda s: _clock(s, -7200)),
    "clock set forward": Fault(lambda s: _clock(s, 86_400)),
    "disk full": Fault(
        lambda s: _disk(s, errno.ENOSPC), ("recording", "journal"), acts_refused=True, may_stop_recording=True
    ),
    "disk read-only": Fault(
        lambda s: _disk(s, errno.EROFS), ("recording", "journal"), acts_refused=True, may_stop_recording=True
    ),
    "journal locked": Fault(_locked, ("journal",), acts_refused=True),
    "browser killed": Fault(_browser_killed, lasts_s=0),
    "slow watchers": Fault(_slow_watchers, lasts_s=2),
    "light switched off": Fault(lambda s: _look(s, "dark"), ("picture",), ruled="HO-05", lasts_s=2),
    "camera bumped": Fault(lambda s: _look(s, "bumped"), ruled="HO-05", lasts_s=3),
    "hand on the board": Fault(lambda s: _look(s, "hand"), lasts_s=4),
}
NEEDS_SHIM = ("clock set back", "clock set forward", "disk full", "disk read-only")
