"""Half an hour of play leaves the eyes no larger than the first minutes did."""

import resource
from pathlib import Path

import pytest

import calibration
from hardware.frames import Frame
from referee.folder import open_folder
from referee.vision.board import board_from_folder
from referee.watch.looking import Looker
from referee.watch.play import BoardWatch
from tests.bench.test_eyes_speed import decoded

MINUTES = 30
GROWTH_MB = 24.0


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


@pytest.mark.soak
def test_memory_is_flat_over_half_an_hour_of_play() -> None:
    folder = open_folder(Path("sample_footage/rocca/touches-a-gate-piece"))
    profile = calibration.from_folder(folder.calibration, size=(1280, 720), board=True)
    watch = BoardWatch(profile, Looker(profile, board_from_folder(folder.calibration, profile)).look)
    frames, _ = decoded(folder.video)
    length_ns = frames[-1].t_ns + frames[1].t_ns - frames[0].t_ns
    rounds, early_mb = MINUTES * 60_000_000_000 // length_ns, 0.0
    for k in range(rounds):
        for frame in frames:
            watch.feed(Frame(frame.index + k * len(frames), frame.t_ns + k * length_ns, frame.image))
        if k == rounds // 10:
            early_mb = peak_mb()
    assert peak_mb() - early_mb < GROWTH_MB
