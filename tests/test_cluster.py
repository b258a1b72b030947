"""A cluster that is not there is said at once."""

import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

import referee.rejudging
from referee.errors import TableError
from referee.rejudging import rejudge_on_cluster


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("nonsense", "is written like"),
        ("tcp://127.0.0.1:99999", "is written like"),
        ("tcp://127.0.0.1:1", "there is no"),
    ],
)
def test_a_scheduler_that_cannot_be_is_refused(address: str, says: str) -> None:
    with pytest.raises(TableError, match=says):
        list(rejudge_on_cluster([Path()], address))


@pytest.fixture(params=[b"", b"220 a mail server greets you\r\n", b"\0" * 8])
def stranger(request: pytest.FixtureRequest) -> Iterator[str]:
    """Something that listens and is no scheduler: it keeps silent, or says something else."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        kept: list[socket.socket] = []

        def answer() -> None:
            with suppress(OSError):
                line, _ = server.accept()
                line.sendall(request.param)
                kept.append(line)

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"
        thread.join(5)
        for line in kept:
            line.close()


def test_somebody_else_at_that_address_is_refused_in_seconds(
    stranger: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(referee.rejudging, "KNOCK_S", 0.3)
    with pytest.raises(TableError, match="no Dask scheduler"):
        list(rejudge_on_cluster([Path()], stranger))
