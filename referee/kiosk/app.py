"""The page's server: HTTP for pictures and forms, a WebSocket for what happens."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from importlib.resources import files
from io import BytesIO
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket

from referee import __version__
from referee.errors import TableError
from referee.kiosk.desk import Desk
from referee.kiosk.door import SESSION_S, Door, Guest, is_own_screen
from referee.kiosk.guard import MOST_BYTES, Guard, same_origin
from referee.kiosk.openapi import document
from referee.kiosk.review import review_routes
from referee.kiosk.server import network_address
from referee.kiosk.watcher import Watcher
from referee.stage import Message, Stage

COOKIE = "table"
LIVE_FPS = 12
MOST_WATCHERS = 200
"""Who may act is let in all the same."""


class Kiosk:
    """Answers for one table."""

    def __init__(self, desk: Desk, stage: Stage, door: Door) -> None:
        self.desk, self.stage, self.door = desk, stage, door

    def app(self) -> Starlette:
        page = files("referee.kiosk") / "static"
        routes = [
            Route("/api/hello", self.hello),
            Route("/api/qr.svg", self.qr),
            Route("/api/openapi.json", self.openapi),
            Route("/api/games", self.games),
            Route("/api/journal", self.journal),
            Route("/api/state", self.state),
            Route("/api/pin", self.knock, methods=["POST"]),
            Route("/api/seat", self.sit, methods=["POST"]),
            Route("/api/match", self.begin, methods=["POST"]),
            Route("/api/preview", self.preview, methods=["POST"]),
            Route("/api/act", self.act, methods=["POST"]),
            Route("/live.mjpg", self.live),
            Route("/still.jpg", self.still),
            *review_routes(self._instant, "/instant/{number}"),
            WebSocketRoute("/ws", self.socket),
            Mount("/", StaticFiles(directory=str(page), html=True)),
        ]
        return Starlette(
            routes=routes, middleware=[Middleware(Guard)], exception_handlers={TableError: _sorry}
        )

    # --- Looking ---------------------------------------------------------------------------------------

    async def hello(self, request: Request) -> Response:
        """Who the caller is here; the table's own screen also learns the PIN, to show it."""
        guest = self._guest(request)
        answer = {"version": __version__, "acts": guest.acts, "seat": guest.seat}
        return JSONResponse(answer | ({"pin": self.door.pin} if self._is_own_screen(request) else {}))

    async def qr(self, request: Request) -> Response:
        """The page's address with the PIN, for phones; shown on the table's own screen only."""
        if not self._is_own_screen(request):
            return _no(403, "The PIN is shown on the table's own screen only.")
        import segno

        host, port = network_address() or "127.0.0.1", request.url.port or 80
        code = segno.make(f"http://{host}:{port}/#pin={self.door.pin}", error="m")
        picture = BytesIO()
        code.save(picture, kind="svg", scale=6, border=2)
        return Response(picture.getvalue(), media_type="image/svg+xml", headers=_FRESH)

    async def openapi(self, _request: Request) -> Response:
        return JSONResponse(document())

    async def games(self, request: Request) -> Response:
        desk = self.desk
        choices = {"games": list(desk.games()), "cameras": list(desk.cameras()), "decks": list(desk.decks())}
        return JSONResponse(choices | {"last": desk.last() if self._guest(request).acts else {}})

    async def state(self, request: Request) -> Response:
        return JSONResponse({"messages": self.stage.snapshot(self._guest(request).audience)})

    async def journal(self, request: Request) -> Response:
        after = request.query_params.get("after", "0")
        if not (after.isascii() and after.isdigit()):
            raise TableError(f"after is {after!r}, not a number")
        entries = await run_in_threadpool(self.desk.journal, self._guest(request).audience, int(after[:12]))
        return JSONResponse({"entries": list(entries)})

    async def still(self, _request: Request) -> Response:
        jpeg = await run_in_threadpool(self.desk.picture)
        return Response(jpeg or b"", 200 if jpeg else 204, media_type="image/jpeg", headers=_FRESH)

    async def live(self, request: Request) -> Response:
        return StreamingResponse(
            self._pictures(request), media_type="multipart/x-mixed-replace; boundary=frame", headers=_FRESH
        )

    async def _pictures(self, request: Request) -> AsyncIterator[bytes]:
        last: bytes | None = None
        while not (_closing(request) or await request.is_disconnected()):
            jpeg = await run_in_threadpool(self.desk.picture)
            if jpeg is not None and jpeg is not last:
                yield b"--frame\r\nContent-Type: image/jpeg\r\n\r\n" + jpeg + b"\r\n"
                last = jpeg
            await asyncio.sleep(1 / LIVE_FPS)

    # --- Acting ----------------------------------------------------------------------------------------

    async def knock(self, request: Request) -> Response:
        address, body = _address(request), await _body(request)
        waits = self.door.waits_s(address)
        if waits:
            return _no(429, f"Too many wrong PINs: wait {waits} seconds.", {"retry-after": str(waits)})
        token = self.door.knock(address, str(body.get("pin", "")))
        if token is None:
            return _no(403, "That is not the PIN on the table's screen.")
        answer = JSONResponse({"acts": True})
        answer.set_cookie(COOKIE, token, max_age=int(SESSION_S), httponly=True, samesite="strict")
        return answer

    async def sit(self, request: Request) -> Response:
        self._may_act(request)
        seat = (await _body(request)).get("seat")
        self.door.sit(request.cookies.get(COOKIE), seat if isinstance(seat, str) else None)
        return JSONResponse({"seat": seat})

    async def begin(self, request: Request) -> Response:
        self._may_act(request)
        await run_in_threadpool(self.desk.begin, await _body(request))
        return JSONResponse({"begun": True})

    async def preview(self, request: Request) -> Response:
        self._may_act(request)
        return JSONResponse(await run_in_threadpool(self.desk.preview, await _body(request)), headers=_FRESH)

    async def act(self, request: Request) -> Response:
        guest = self._may_act(request)
        rulings = await run_in_threadpool(self.desk.act, await _body(request), guest.seat)
        return JSONResponse({"rulings": list(rulings)})

    def _instant(self, request: Request) -> Any:
        number = request.path_params["number"]
        if not (number.isascii() and number.isdigit()):
            raise TableError(f"{number[:20]!r} is no number of a ruling")
        return self.desk.instant(int(number[:12]))

    def _guest(self, connection: HTTPConnection) -> Guest:
        host = connection.headers.get("host", "")
        return self.door.guest(_address(connection), host, connection.cookies.get(COOKIE))

    def _is_own_screen(self, connection: HTTPConnection) -> bool:
        return is_own_screen(_address(connection), connection.headers.get("host", ""))

    def _may_act(self, request: Request) -> Guest:
        guest = self._guest(request)
        if not guest.acts:
            raise _Refused("Watching is free; acting needs the PIN on the table's screen.")
        return guest

    # --- Hearing ---------------------------------------------------------------------------------------

    async def socket(self, socket: WebSocket) -> None:
        """Everything on show now, then everything as it comes; what is sent to us is an act."""
        if not same_origin(socket.headers):
            await socket.close(4403)
            return
        if self.stage.watchers >= MOST_WATCHERS and not self._guest(socket).acts:
            await socket.close(4429)
            return
        await socket.accept()
        watcher = Watcher(socket)
        for message in self.stage.listen(watcher.hear, self._guest(socket).audience):
            watcher.put(message)
        try:
            await watcher.serve(lambda text: self._answer(socket, text))
        finally:
            self.stage.leave(watcher.hear)

    async def _answer(self, socket: WebSocket, text: str) -> Message:
        guest, number = self._guest(socket), None
        try:
            plain = _parse(text.encode())
            number = plain.get("id")
            if not guest.acts:
                raise TableError("Watching is free; acting needs the PIN on the table's screen.")
            act = plain.get("act")
            rulings = await run_in_threadpool(self.desk.act, act if isinstance(act, dict) else {}, guest.seat)
            return {"kind": "answer", "id": number, "rulings": list(rulings)}
        except TableError as error:
            return {"kind": "answer", "id": number, "error": str(error)}


class _Refused(TableError):
    """Somebody without the PIN tried to act."""


async def _body(request: Request) -> dict[str, Any]:
    return _parse(await request.body())


def _parse(text: bytes) -> dict[str, Any]:
    try:
        plain = json.loads(text) if len(text) <= MOST_BYTES else None
        # Python reads more than JSON: half letters and endless numbers, which nobody could be told again.
        json.dumps(plain, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError):
        plain = None
    if not isinstance(plain, dict):
        raise TableError("that is not a JSON object")
    return plain


def _closing(request: Request) -> bool:
    """Whether the page is being closed, so that pictures without end must end."""
    return bool(getattr(request.app.state, "closing", False))


def _address(connection: HTTPConnection) -> str:
    return connection.client.host if connection.client else ""


def _no(status: int, why: str, headers: Mapping[str, str] | None = None) -> Response:
    return JSONResponse({"error": why}, status, headers=headers)


async def _sorry(_request: Request, error: Exception) -> Response:
    return _no(403 if isinstance(error, _Refused) else 400, str(error))


_FRESH = {"cache-control": "no-store"}
