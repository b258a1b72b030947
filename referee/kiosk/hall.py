"""Every table that speaks on a broker, on one page."""

import json
import threading
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from referee.announcer import ONLINE, ROOT
from referee.kiosk.guard import Guard

MOST_TABLES = 200
MOST_LETTERS = 20_000
"""A broker is open to others; what is longer is not ours."""


class Hall:
    """Hears all tables; safe to use from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tables: dict[str, dict[str, Any]] = {}

    pattern = f"{ROOT}/+/+"

    def hear(self, topic: str, text: str) -> None:
        """Something a table said: `table-referee/<table>/<online|state|ruling>`."""
        _, table, leaf = topic.split("/")
        said = text == ONLINE if leaf == "online" else _object(text)
        with self._lock:
            known = table in self._tables or len(self._tables) < MOST_TABLES
            if known and leaf in ("online", "state", "ruling") and said is not None:
                self._tables.setdefault(table, {"table": table})[leaf] = said

    def tables(self) -> list[dict[str, Any]]:
        with self._lock:
            return [dict(self._tables[name]) for name in sorted(self._tables)]

    def app(self) -> Starlette:
        page = files("referee.kiosk") / "static"
        routes = [
            Route("/", lambda _request: FileResponse(str(page / "hall.html"))),
            Route("/api/tables", self._answer),
            Mount("/", StaticFiles(directory=str(page))),
        ]
        return Starlette(routes=routes, middleware=[Middleware(Guard)])

    async def _answer(self, _request: Request) -> Response:
        return JSONResponse({"tables": self.tables()}, headers={"cache-control": "no-store"})


def _object(text: str) -> dict[str, Any] | None:
    try:
        said = json.loads(text) if len(text) <= MOST_LETTERS else None
    except (ValueError, RecursionError):
        return None
    return said if isinstance(said, dict) else None
