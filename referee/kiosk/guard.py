"""What every answer carries and every question must pass: origins, sizes, headers."""

from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BYTES = 64 * 1024
"""Of anything a page may send us."""

TOO_MUCH = 413, f"at most {MOST_BYTES} bytes"
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; "
        "connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


def same_origin(headers: Headers) -> bool:
    """A browser tells where a page came from; only our own page may act. Scripts send no origin."""
    origin = headers.get("origin")
    return origin is None or urlsplit(origin).netloc == headers.get("host")


class Guard:
    """Adds the headers, and turns away foreign origins and oversized bodies."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = _refusal(scope)
        if refusal is not None:
            await _refuse(send, *refusal)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        try:
            await self._app(scope, _bounded(receive), send_guarded)
        except _TooMuch:
            await _refuse(send, *TOO_MUCH)
        except ClientDisconnect:
            return  # whoever asked has gone


def _refusal(scope: Scope) -> tuple[int, str] | None:
    headers = Headers(scope=scope)
    if scope["method"] not in ("GET", "HEAD") and not same_origin(headers):
        return 403, "this page may not act here"
    length = headers.get("content-length", "0")
    if not (length.isascii() and length.isdigit()) or len(length) > 12 or int(length) > MOST_BYTES:
        return TOO_MUCH
    return None


async def _refuse(send: Send, status: int, why: str) -> None:
    headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
    headers += [(name.encode(), value.encode()) for name, value in HEADERS.items()]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": b'{"error": "' + why.encode() + b'"}'})


def _bounded(receive: Receive) -> Receive:
    """Cut off a body that grows past the limit without having said so."""
    seen = 0

    async def bounded() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > MOST_BYTES:
            raise _TooMuch
        return message

    return bounded


class _TooMuch(Exception):
    """A body without end."""
