"""The review page's server: single frames by their number, the judgement, and the evidence of each ruling."""

import json
from collections.abc import Sequence
from importlib.resources import files
from typing import Any, Protocol

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from referee.errors import TableError
from referee.kiosk.guard import Guard
from referee.types import Point

KEEP = {"cache-control": "private, max-age=3600"}
FRESH = {"cache-control": "no-store"}
WIDEST = 7680


class Shown(Protocol):
    """What the page needs of a recording; the page knows no rules."""

    def state(self, brief: bool = False, /) -> dict[str, Any]: ...

    def times_ms(self) -> bytes: ...

    def frame(self, index: int, width: int | None = None) -> bytes | None: ...

    def above(self, shot: int) -> bytes | None: ...

    def hands(self, index: int) -> list[Any]: ...

    def know(self, points_px: Sequence[Point], width_mm: float, height_mm: float) -> None: ...


def review_app(shown: Shown) -> Starlette:
    """The page for one recording."""
    page = files("referee.kiosk") / "static"

    async def front(_request: Request) -> Response:
        return FileResponse(str(page / "review.html"))

    async def know(request: Request) -> Response:
        told = _points(await request.body())
        await run_in_threadpool(shown.know, *told)
        return JSONResponse({"known": True})

    routes = [
        Route("/", front),
        Route("/review/points", know, methods=["POST"]),
        *review_routes(lambda _request: shown),
        Mount("/", StaticFiles(directory=str(page), html=True)),
    ]
    return Starlette(routes=routes, middleware=[Middleware(Guard)], exception_handlers={TableError: _sorry})


def review_routes(of: Any, under: str = "/review") -> list[Route]:
    """The paths a player of footage asks; `of(request)` is the recording asked about."""

    async def state(request: Request) -> Response:
        brief = "brief" in request.query_params
        return JSONResponse(await run_in_threadpool(lambda: of(request).state(brief)), headers=FRESH)

    async def times(request: Request) -> Response:
        raw = await run_in_threadpool(lambda: of(request).times_ms())
        return Response(raw, media_type="application/octet-stream", headers=FRESH)

    async def frame(request: Request) -> Response:
        width = request.query_params.get("w")
        wide = _number(width, "w", WIDEST) if width is not None else None
        return _picture(await run_in_threadpool(of(request).frame, _index(request), wide))

    async def above(request: Request) -> Response:
        return _picture(await run_in_threadpool(of(request).above, _index(request)))

    async def hands(request: Request) -> Response:
        found = await run_in_threadpool(of(request).hands, _index(request))
        return JSONResponse({"hands": found}, headers=FRESH)

    return [
        Route(f"{under}/state", state),
        Route(f"{under}/times", times),
        Route(f"{under}/frame/{{index}}", frame),
        Route(f"{under}/above/{{index}}", above),
        Route(f"{under}/hands/{{index}}", hands),
    ]


def _points(body: bytes) -> tuple[list[Point], float, float]:
    try:
        told = json.loads(body)
        points = [(float(x), float(y)) for x, y in told["points_px"]]
        return points, float(told["width_mm"]), float(told["height_mm"])
    except (ValueError, KeyError, TypeError):
        raise TableError("points_px (four), width_mm and height_mm are needed") from None


def _index(request: Request) -> int:
    return _number(request.path_params["index"], "the number", 10**9)


def _number(word: str, what: str, most: int) -> int:
    fits = word.isascii() and word.isdigit() and len(word) <= 12 and int(word) <= most
    if not fits or (what == "w" and int(word) < 16):
        raise TableError(f"{what} is {word[:20]!r}, not a number in the film")
    return int(word)


def _picture(jpeg: bytes | None) -> Response:
    if jpeg is None:
        return Response(b"", 204, headers=FRESH)
    return Response(jpeg, media_type="image/jpeg", headers=KEEP)


async def _sorry(_request: Request, error: Exception) -> Response:
    return JSONResponse({"error": str(error)}, 400)
