"""One WebSocket: hears everything for its audience, says what it is told, and may not hold anybody up."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress

from starlette.websockets import WebSocket, WebSocketDisconnect

from referee.stage import Message

BACKLOG = 256
"""Messages a slow watcher may lag behind before it is sent away; it will come back and see the newest."""
GOODBYE_S = 2.0
"""How long a watcher that does not read is waited for."""


class Watcher:
    def __init__(self, socket: WebSocket) -> None:
        self._socket, self._loop = socket, asyncio.get_running_loop()
        self._news: asyncio.Queue[Message] = asyncio.Queue()
        self._lags = asyncio.Event()

    def hear(self, message: Message) -> None:
        """From any thread; a page that is closing hears nothing more."""
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self.put, message)

    def put(self, message: Message) -> None:
        if self._news.qsize() >= BACKLOG:
            self._lags.set()
        else:
            self._news.put_nowait(message)

    async def serve(self, answer: Callable[[str], Awaitable[Message]]) -> None:
        """Until it leaves, or lags too far behind: what it is sent may never be read, so nobody waits for that."""
        jobs = [
            asyncio.create_task(job) for job in (self._send(), self._receive(answer), self._wait_for_lag())
        ]
        try:
            await asyncio.wait(jobs, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for job in jobs:
                job.cancel()
        if self._lags.is_set():
            with suppress(TimeoutError, RuntimeError, WebSocketDisconnect):
                await asyncio.wait_for(self._socket.close(4408), GOODBYE_S)

    async def _wait_for_lag(self) -> None:
        await self._lags.wait()

    async def _send(self) -> None:
        with suppress(WebSocketDisconnect, RuntimeError):
            while True:
                await self._socket.send_text(json.dumps(await self._news.get()))

    async def _receive(self, answer: Callable[[str], Awaitable[Message]]) -> None:
        while True:
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            self.put(await answer(message.get("text") or ""))
