"""While eyes are shut nothing is kept: not on the disk, not in the memory of the last moments."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware.recorder import NUMBERS
from referee.stage import Stage
from tests.instead import plug_in
from tests.standins import StandInCamera, StandInHost
from tests.waiting import wait_for

SEATS = ["Ann", "Ben", "Cem"]


@pytest.fixture(params=[True, False], ids=["recorded", "in memory"])
def host(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[StandInHost]:
    plug_in(monkeypatch, "standin", StandInCamera)
    StandInCamera.delivered = StandInCamera.open_now = 0
    host = StandInHost(tmp_path, Stage())
    setup = {"game": "rocca-monster", "seats": SEATS, "camera": "standin:0", "record": request.param}
    host.begin({**setup, "switches": {"count_seconds": 8}})
    yield host
    host.close()


def kept(host: StandInHost) -> int:
    """Frames noted down so far."""
    assert host.table is not None
    assert host.table.recorder is not None
    return sum(file.stat().st_size for file in host.table.recorder.folder.glob(f"*{NUMBERS}"))


def test_nothing_is_kept_while_everybody_sleeps(host: StandInHost) -> None:
    wait_for(lambda: kept(host) > 0, "keeping anything")
    host.act(host.button("setup_seen"), None)
    host.act({"ev": "night_begin"}, None)
    assert host.table is not None
    while StandInCamera.open_now and host.table.match.game.blind(host.table.match.state):
        time.sleep(0.01)
    asleep = kept(host)
    time.sleep(0.5)
    still_asleep = host.table.match.game.blind(host.table.match.state)
    assert still_asleep, "the night was too short to tell"
    assert kept(host) == asleep
    wait_for(lambda: kept(host) > asleep, "keeping more")  # in the morning the camera looks again
    assert not host.table.match.game.blind(host.table.match.state)
