"""The page's server in a thread of its own, so that it never holds up the eyes."""

import socket
import threading
from types import TracebackType
from typing import Self

import uvicorn
from starlette.applications import Starlette

from referee.errors import TableError

START_S = 10.0


class PageServer:
    """Serves from `with` to its end; `url` is where."""

    def __init__(self, app: Starlette, host: str = "127.0.0.1", port: int = 0) -> None:
        self._socket = _listen(host, port)
        self.port: int = self._socket.getsockname()[1]
        self.url = f"http://{'127.0.0.1' if host in ('0.0.0.0', '::') else host}:{self.port}/"
        config = uvicorn.Config(
            app, log_level="warning", access_log=False, ws_max_size=65_536, timeout_graceful_shutdown=2
        )
        self._app, self._server = app, uvicorn.Server(config)
        self._thread = threading.Thread(target=self._run, name="page", daemon=True)

    def _run(self) -> None:
        self._server.run(sockets=[self._socket])

    def __enter__(self) -> Self:
        self._thread.start()
        waited = threading.Event()
        for _ in range(int(START_S * 100)):
            if self._server.started:
                return self
            waited.wait(0.01)
        raise TableError("the page's server did not start")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._app.state.closing = True
        self._server.should_exit = True
        self._thread.join(5)
        self._socket.close()


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except (OSError, OverflowError) as error:
        listener.close()
        raise TableError(
            f"the page cannot be served at {host}:{port} ({getattr(error, 'strerror', None) or error}); try --port"
        ) from error
    return listener


def network_address() -> str | None:
    """This machine's address on the local network, for the QR code; None without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(
                ("192.0.2.1", 9)
            )  # a documentation address: nothing is sent, only a route is chosen
        except OSError:
            return None
        address: str = probe.getsockname()[0]
        return address
