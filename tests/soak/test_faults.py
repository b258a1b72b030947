"""Faults against a running table. After each: nothing acknowledged is lost, the journal holds, the footage plays,
the screen said what was wrong, and the table went on by itself."""

import json
import os
import random
import threading
import time
import urllib.request
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

import calibration
from hardware.cameras.footage import FootageCamera
from hardware.frames import Image
from tests.soak.camera import FaultyCamera, read_stamp
from tests.soak.faults import FAULTS, NEEDS_SHIM, Scene
from tests.soak.live import Live, System

CLIP = Path(__file__).parents[2] / "sample_footage" / "rocca" / "not-through"
STILLS = CLIP.parent / "cameras" / "camera_5_60"
LOST_S = 2.0
"""Footage older than this at the moment of a fault must be there."""
MINUTE_S = 60.0


class Ordeal:
    """One table, one fault after the other."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.rng, self.folder = random.Random(seed), folder
        profile = folder / "calibration"
        profile.mkdir()
        calibration.from_folder(STILLS, size=(1280, 720)).save(profile / "profile.json")
        for still in STILLS.glob("*.*"):
            (profile / still.name).write_bytes(still.read_bytes())
        matches = folder / "matches"
        matches.mkdir()
        self.system = System(folder, matches)
        self.camera = FaultyCamera(CLIP / "footage.mp4", seed)
        words = (
            "rocca",
            "--seats",
            "A,B,C",
            "--camera",
            f"stream:{self.camera.url}",
            "--profile",
            str(profile),
        )
        self.live = Live(matches, self.system, *words)
        self.acknowledged: list[str] = []
        self._count = 0
        self._shown: deque[tuple[float, int]] = deque(maxlen=200)
        self._closed = threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()
        assert self.declare()
        self.live.wait_for(lambda: self.recorded() > 0, "footage")

    def _watch(self) -> None:
        """Which picture the table shows, and when: what it has shown it has received."""
        while not self._closed.wait(0.2):
            with suppress(OSError), urllib.request.urlopen(f"{self.live.url}still.jpg", timeout=5) as answer:
                raw = np.frombuffer(answer.read(), np.uint8)
                if len(raw):
                    self._shown.append((time.monotonic(), read_stamp(_full(raw))))

    def shown_before(self, moment: float) -> int:
        return max((stamp for at, stamp in list(self._shown) if at < moment), default=0)

    def close(self) -> None:
        self._closed.set()
        self.camera.close()
        self.live.stop()

    def kinds(self) -> list[str]:
        return [k for k in FAULTS if self.system.shim is not None or k not in NEEDS_SHIM]

    def declare(self) -> bool:
        """Something with a name of its own is told; whether it was acknowledged."""
        self._count += 1
        name = f"X-{self._count}"
        done = self.live.act({"ev": "dispute", "seat": "A", "clause": name})
        if done:
            self.acknowledged.append(name)
        return done

    def suffer(self, kind: str, lasts_s: float | None = None) -> None:
        fault, began = FAULTS[kind], time.monotonic()
        print(f"{began:.1f} {kind}", flush=True)
        wait_s = fault.lasts_s if lasts_s is None else lasts_s
        due = self.shown_before(began - LOST_S)
        last = max((r["number"] for r in self.live.rulings()), default=0)
        with fault.during(Scene(self.live, self.camera, self.system)):
            if kind == "table killed":
                assert self.recorded() >= due, "footage is missing"
                self.live.start("--resume")
            if fault.acts_refused:
                assert not self.declare(), f"{kind}: acknowledged, and yet it cannot have been written"
            elif kind != "table killed":
                assert self.declare(), f"{kind}: an act was refused"
            if fault.says:
                self.live.wait_for(
                    lambda: set(fault.says) & set(self.live.troubles()), f"a word about: {kind}"
                )
            if fault.ruled is not None:
                self.live.wait_for(lambda: self._ruled(fault.ruled, last), f"a ruling about: {kind}")
            time.sleep(max(0.0, began + wait_s - time.monotonic()))
        self.recover(kind)
        assert self.recorded() >= due, f"{kind}: footage is missing"

    def _ruled(self, clause: str | None, after: int) -> bool:
        return any(r["number"] > after and clause in r["clauses"] for r in self.live.rulings())

    def recover(self, kind: str) -> None:
        self.live.wait_for(lambda: not self.live.troubles(), f"the end of: {kind}")
        self.live.wait_for(self.declare, f"an act after: {kind}")
        self.live.wait_for(self.live.shows_the_fold, f"the fold after: {kind}")
        told = [e.note.body.get("clause") for e in self.live.entries() if e.note.kind == "event"]
        assert [told.count(name) for name in self.acknowledged] == [1] * len(self.acknowledged)
        due = self.camera.serial
        self.live.wait_for(lambda: self.recorded() >= due, f"footage after: {kind}")

    def recorded(self) -> int:
        """The number of the last picture that can be played."""
        for segment in sorted(self.live.match_folder.glob("footage/*.mp4"), reverse=True):
            try:
                camera = FootageCamera(str(segment))
                return read_stamp(camera.frame_at(len(camera.places()) - 1).image)
            except Exception as error:
                if "frames 0 to -1" not in str(error) and "cannot be read" not in str(error):
                    raise
        return 0


def _full(raw: NDArray[np.uint8]) -> Image:
    """The preview at the size of the camera's picture."""
    small = cv2.imdecode(raw, cv2.IMREAD_COLOR)
    assert small is not None
    return np.asarray(cv2.resize(small, (1280, 720)), np.uint8)


@pytest.fixture
def ordeal(tmp_path: Path) -> Iterator[Ordeal]:
    ordeal = Ordeal(tmp_path, seed=int(os.environ.get("SOAK_SEED", "8")))
    yield ordeal
    ordeal.close()


def test_a_table_survives_one_fault_of_each_important_kind(ordeal: Ordeal) -> None:
    for kind in ordeal.kinds():
        if kind not in (
            "browser killed",
            "clock set back",
            "frames dropped",
            "hand on the board",
            "camera bumped",
        ):
            ordeal.suffer(kind)


@pytest.mark.soak
def test_a_table_survives_three_hundred_faults(ordeal: Ordeal, capsys: pytest.CaptureFixture[str]) -> None:
    kinds, began = ordeal.kinds(), time.monotonic()
    count = int(os.environ.get("SOAK_FAULTS", "300"))
    series = [*kinds, *ordeal.rng.choices(kinds, k=count)][:count]
    ordeal.rng.shuffle(series)
    tally: dict[str, int] = {}
    for number, kind in enumerate(series):
        first_hand = kind == "hand on the board" and kind not in tally
        ordeal.suffer(kind, MINUTE_S if first_hand else None)
        tally[kind] = tally.get(kind, 0) + 1
        with capsys.disabled():
            print(f"\r{number + 1}/{count} {kind:20s} {time.monotonic() - began:6.0f} s", end="", flush=True)
    with capsys.disabled():
        print(f"\n{json.dumps(tally)}; {len(ordeal.acknowledged)} acts acknowledged, none lost")
    assert sum(tally.values()) == count
