"""Where the page is served."""

import http.client
from pathlib import Path

import pytest
from starlette.applications import Starlette

from referee.errors import TableError
from referee.host import Host
from referee.kiosk.app import Kiosk
from referee.kiosk.door import Door
from referee.kiosk.server import PageServer
from referee.stage import Stage


def test_a_port_that_cannot_be_is_refused() -> None:
    with pytest.raises(TableError, match=r"cannot be served at 127\.0\.0\.1:99999"):
        PageServer(Starlette(), "127.0.0.1", 99999)


def test_the_page_closes_quietly_while_somebody_watches(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    host = Host(tmp_path, Stage())
    with PageServer(Kiosk(host, host.stage, Door()).app()) as server:
        watcher = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
        watcher.request("GET", "/live.mjpg")
        answer = watcher.getresponse()
        assert answer.status == 200
    answer.close()
    watcher.close()
    host.close()
    assert capfd.readouterr().err == ""
