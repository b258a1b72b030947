"""`referee live` in a process of its own, with what the long tests ask of it from outside."""

import ctypes
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from mmap import mmap
from pathlib import Path
from typing import Any

from referee.codec import to_plain
from referee.games import find_game
from referee.journal import read_entries, verify
from referee.ledger import Scroll
from referee.match import resume_match
from referee.types import TABLE

HERE = Path(__file__).parent
PATIENCE_S = float(os.environ.get("SOAK_PATIENCE_S", "60"))


def build_shim(folder: Path) -> Path | None:
    """The library of system faults; None where there is no compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None or not sys.platform.startswith("linux"):
        return None
    made = folder / "faults.so"
    words = [compiler, "-O2", "-shared", "-fPIC", "-o", str(made), str(HERE / "faults.c"), "-ldl"]
    return made if subprocess.run(words, check=False).returncode == 0 else None


class System:
    """The switches of the shim."""

    def __init__(self, folder: Path, matches: Path) -> None:
        self.shim = build_shim(folder)
        control = folder / "control"
        control.write_bytes(bytes(16))
        with control.open("r+b") as file:
            self._map = mmap(file.fileno(), 16)
        self.environment = os.environ | {"FAULTS_CONTROL": str(control), "FAULTS_FOLDER": str(matches)}
        if self.shim is not None:
            self.environment["LD_PRELOAD"] = str(self.shim)

    def disk(self, errno: int) -> None:
        self._map[0:8] = errno.to_bytes(8, "little")

    def step_clock(self, seconds: int) -> None:
        self._map[8:16] = seconds.to_bytes(8, "little", signed=True)


class Live:
    """One running table; `start` again after a kill takes the match up."""

    def __init__(self, folder: Path, system: System, *words: str) -> None:
        self.folder, self._system, self._words = folder, system, words
        self.errors = folder.parent / "stderr.txt"
        self.started_s = 0.0
        self.start()

    def start(self, *words: str) -> None:
        began = time.monotonic()
        command = [sys.executable, "-m", "tests.soak.live", "live", "--folder", str(self.folder)]
        command += ["--host", "127.0.0.1", "--port", "0", *(words or self._words)]
        with self.errors.open("ab") as errors:
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=errors, text=True, env=self._system.environment
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert "http" in line, self.errors.read_text()[-2000:]
        self.url = line.split()[-1]
        self.wait_for(lambda: self.message("view"), "a view")
        self.started_s = time.monotonic() - began

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate(timeout=30)

    def stop(self) -> int:
        self.process.terminate()
        self.process.communicate(timeout=60)
        return self.process.returncode

    def kill_recorder(self) -> None:
        self.process.send_signal(signal.SIGUSR1)

    # --- Asking ----------------------------------------------------------------------------------------

    def message(self, kind: str) -> Any:
        return next((m for m in self._messages() if m["kind"] == kind), None)

    def _messages(self) -> list[Any]:
        with urllib.request.urlopen(f"{self.url}api/state", timeout=PATIENCE_S) as answer:
            return list(json.load(answer)["messages"])

    def troubles(self) -> dict[str, str]:
        status = self.message("status")
        return dict(status["troubles"]) if status else {}

    def rulings(self) -> list[Any]:
        """Those on the screen, the latest last."""
        return [m for m in self._messages() if m["kind"] == "ruling"]

    def act(self, event: dict[str, Any]) -> bool:
        """Whether the act was acknowledged."""
        request = urllib.request.Request(f"{self.url}api/act", json.dumps(event).encode())
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
                return bool(answer.status == 200)
        except urllib.error.HTTPError as refused:
            with refused:
                assert refused.code == 400, refused.read()
                return False
        except (OSError, urllib.error.URLError):
            return False

    def wait_for(self, what: Callable[[], object], why: str) -> None:
        until = time.monotonic() + PATIENCE_S
        while not what():
            assert time.monotonic() < until, f"waited in vain for {why}; troubles: {self.troubles()}"
            assert self.process.poll() is None, f"the table ended: {self.errors.read_text()[-2000:]}"
            time.sleep(0.05)

    # --- What it leaves --------------------------------------------------------------------------------

    @property
    def match_folder(self) -> Path:
        return sorted(p.parent for p in self.folder.glob("*/journal.db"))[-1]

    def entries(self) -> list[Any]:
        path = self.match_folder / "journal.db"
        assert verify(path).broken is None
        return list(read_entries(path, None))

    def folded_view(self) -> Any:
        """What the journal on the disk says the table must show."""
        scroll = Scroll()
        scroll._entries.extend(self.entries())
        return to_plain(resume_match(find_game("rocca"), scroll).view(TABLE))

    def shows_the_fold(self) -> bool:
        return bool(self.message("view")["view"] == json.loads(json.dumps(self.folded_view())))

    def memory_mb(self) -> float:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1024

    def open_files(self) -> int:
        return len(list(Path(f"/proc/{self.process.pid}/fd").iterdir()))


def _raise_in_recorder(_sign: int, _frame: object) -> None:
    for thread in threading.enumerate():
        if thread.name == "recorder" and thread.ident is not None:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(
                ctypes.c_ulong(thread.ident), ctypes.py_object(RuntimeError)
            )


if __name__ == "__main__":
    from referee.cli import main

    signal.signal(signal.SIGUSR1, _raise_in_recorder)
    sys.exit(main())
