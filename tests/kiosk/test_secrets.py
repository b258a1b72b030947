"""No endpoint and no message gives a watcher what is not for everybody. New routes are found by themselves."""

import json
import re
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.testclient import TestClient

from hardware.cameras.watchdog import Watchdog
from hardware.frames import Frame
from hardware.recorder import Recorder
from referee.announcer import Announcer
from referee.errors import TableError
from referee.host import Host
from referee.kiosk.app import COOKIE, Kiosk
from referee.kiosk.door import Door
from referee.kiosk.guard import HEADERS
from referee.kiosk.hall import Hall
from referee.kiosk.review import review_app
from referee.kiosk.server import PageServer
from referee.ledger import Note
from referee.live_picture import LivePicture
from referee.relay import Relay, Taker
from referee.stage import Message, Stage
from referee.types import MASTER, TABLE, Audience
from tests.standins import StandInEyes, StandInHost, table_picture
from tests.untroubled import untroubled

PIN = "271828"
MARK = "GREEN-ELEPHANT"
PATH_MARK = "/somewhere/GREEN-ELEPHANT/profile.json"
SEAT = Audience("seat", "B")
CURTAINED = (slice(300, 420), slice(400, 520))
"""Where something hidden lies in the picture, in loud magenta."""
PLACES = {"number": "2", "index": "1"}
"""What stands for the changing parts of a path; a new part must be added here."""


class CoveringEyes(StandInEyes):
    def veil(self, image: Any) -> Any:
        covered = image.copy()
        covered[CURTAINED] = 0
        return covered


class SecretHost(StandInHost):
    """A table with secrets everywhere they may be: journal, screens, pictures, footage, set-up."""

    def picture(self) -> bytes | None:
        self._picture = LivePicture()
        return super().picture()


def secret_picture() -> Any:
    image = table_picture(0)
    image[CURTAINED] = (255, 0, 255)
    return image


class _OneFrame(Relay):
    """Shows one picture, of no camera."""

    def __init__(self) -> None:
        self.latest = Frame(0, 0, secret_picture())
        self.size = (1280, 720)
        self.eyes = self.recorder = Taker(1)
        self.watchdog = Watchdog(may_stand_still=True)

    def trouble(self) -> str | None:
        return None

    def shut(self) -> None: ...

    def open(self) -> None: ...

    def close(self) -> None: ...


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    host = SecretHost(tmp_path, Stage())
    host.begin({"game": "rocca", "seats": ["A", "B", "C"], "profile": PATH_MARK})
    table = host.table
    assert table is not None
    ledger: Any = table.match.ledger
    ruling = {"code": "INFO", "clauses": ["HO-01"], "because": "Seen.", "of": 1}
    ledger.append([Note("ruling", ruling, frames=(1, 3))])
    for audience in (SEAT, MASTER):
        ledger.append([Note("ruling", {**ruling, "because": MARK}, audience=audience, frames=(1, 3))])
        host.stage.show(
            {"kind": "view", "view": {"headline": MARK}, "paused": False, "night": False}, audience
        )
        host.stage.show(
            {"kind": "ruling", "number": 3, "because": MARK, "code": "INFO", "clauses": []}, audience
        )
    table.eyes = CoveringEyes()
    table.relay = _OneFrame()
    recorder = Recorder(tmp_path / "footage", untroubled)
    for k in range(8):
        recorder.write(Frame(k, k * 16_666_667, secret_picture()))
    recorder.close()
    table.recorder = recorder
    yield host
    table.relay = None
    host.close()


@pytest.fixture
def door() -> Door:
    return Door(pin=PIN)


@pytest.fixture
def kiosk(host: Host, door: Door) -> Kiosk:
    return Kiosk(host, host.stage, door)


@pytest.fixture
def watcher(kiosk: Kiosk) -> TestClient:
    return TestClient(kiosk.app(), base_url="http://10.0.0.2:8642", client=("10.0.0.9", 5))


@pytest.fixture
def player(kiosk: Kiosk) -> TestClient:
    """Somebody with the PIN who sits on B."""
    client = TestClient(kiosk.app(), base_url="http://10.0.0.2:8642", client=("10.0.0.8", 5))
    assert client.post("/api/pin", json={"pin": PIN}).status_code == 200
    assert client.post("/api/seat", json={"seat": "B"}).status_code == 200
    return client


def routes(kiosk: Kiosk) -> list[tuple[str, str]]:
    """Every method and path there is; the endless live picture is asked for its first part elsewhere."""
    found = [
        (method, re.sub(r"{(\w+)}", lambda m: PLACES[m[1]], route.path))
        for route in kiosk.app().routes
        if isinstance(route, Route)
        for method in sorted(route.methods or ())
    ]
    assert len(found) > 20
    return [(method, path) for method, path in found if path != "/live.mjpg"]


def leaks(raw: bytes, kind: str, tokens: list[str]) -> list[str]:
    """What in an answer is not for everybody."""
    text = raw.decode("latin-1")
    found = [word for word in (MARK, PIN, *tokens) if word in text]
    if kind.startswith("image/jpeg") and raw:
        decoded = cv2.imdecode(np.frombuffer(raw, np.uint8), cv2.IMREAD_COLOR)
        assert decoded is not None
        image = decoded.astype(int)
        loud = (image[..., 0] > 150) & (image[..., 2] > 150) & (image[..., 1] < 90)
        found += ["a hidden place in the picture"] if loud.sum() > 20 else []
    return found


def test_the_footage_and_the_table_do_hold_what_must_not_leak(host: Host, player: TestClient) -> None:
    """Otherwise the tests below could not fail."""
    assert host.table is not None
    raw = cv2.imencode(".jpg", secret_picture())[1].tobytes()
    assert leaks(raw, "image/jpeg", []) == ["a hidden place in the picture"]
    assert MARK in player.get("/api/journal").text
    assert MARK in player.get("/api/state").text
    assert MARK in player.get("/api/games").text
    assert any(MARK in json.dumps(e.note.body) for e in host.table.match.ledger.whole())


def test_no_endpoint_tells_a_watcher_a_secret(
    kiosk: Kiosk, watcher: TestClient, player: TestClient, door: Door
) -> None:
    tokens = list(door._sessions)
    answered = 0
    for method, path in routes(kiosk):
        answer = watcher.request(method, path)
        assert leaks(answer.content, answer.headers.get("content-type", ""), tokens) == [], f"{method} {path}"
        assert leaks(str(answer.headers).encode(), "", tokens) == [], f"{method} {path}"
        answered += answer.status_code == 200 and bool(answer.content)
    assert answered >= 9, "the walk must really see pictures, states and journals"


def test_not_even_a_player_is_told_the_pin_or_a_token(
    kiosk: Kiosk, player: TestClient, door: Door, host: Host
) -> None:
    tokens = list(door._sessions)
    for method, path in routes(kiosk):
        if method != "POST":
            answer = player.request(method, path)
            assert not set(leaks(answer.content, "", [])) & {PIN, *tokens}, f"{method} {path}"


def test_the_live_picture_is_covered(kiosk: Kiosk) -> None:
    import asyncio

    class Asked(Request):
        async def is_disconnected(self) -> bool:
            return False

    async def first() -> bytes:
        return await anext(kiosk._pictures(Asked({"type": "http", "app": kiosk.app()})))

    part = asyncio.run(first())
    assert leaks(part[part.index(b"\xff\xd8") : -2], "image/jpeg", []) == []


def test_no_message_on_the_socket_is_a_secret(
    kiosk: Kiosk, host: Host, watcher: TestClient, door: Door
) -> None:
    (path,) = [r.path for r in kiosk.app().routes if isinstance(r, WebSocketRoute)]
    with watcher.websocket_connect(f"ws://10.0.0.2:8642{path}") as line:
        for audience in (SEAT, MASTER):
            host.stage.show({"kind": "view", "view": MARK, "paused": False, "night": False}, audience)
            host.stage.tell({"kind": "say", "text": MARK}, audience)
        host.stage.tell({"kind": "say", "text": "the end"})
        heard: list[Message] = []
        while not heard or heard[-1].get("text") != "the end":
            heard.append(line.receive_json())
        line.send_json({"id": 1, "act": {"ev": "pause"}})
        heard.append(line.receive_json())
    assert len(heard) > 3
    assert MARK not in json.dumps(heard)
    assert PIN not in json.dumps(heard)
    assert "needs the PIN" in json.dumps(heard[-1])


def test_no_message_on_the_broker_is_a_secret(host: Host) -> None:
    said: list[str] = []
    announcer = Announcer("table", lambda topic, text, *more: said.append(text))
    for message in host.stage.listen(announcer, TABLE):
        announcer(message)
    for audience in (SEAT, MASTER):
        host.stage.show(
            {"kind": "ruling", "number": 9, "because": MARK, "code": "INFO", "clauses": []}, audience
        )
    host.stage.show(
        {"kind": "ruling", "number": 9, "because": "All see.", "code": "INFO", "clauses": [], "seat": None}
    )
    assert "All see." in "".join(said)
    assert MARK not in "".join(said)


# --- Origins, headers, sizes ---------------------------------------------------------------------------


def test_no_route_that_changes_anything_takes_a_foreign_page(kiosk: Kiosk, player: TestClient) -> None:
    posts = [path for method, path in routes(kiosk) if method not in ("GET", "HEAD")]
    assert len(posts) >= 4
    for path in posts:
        for origin in ("http://evil.example", "null", "http://10.0.0.2:8642.evil.example", "http://10.0.0.2"):
            answer = player.post(path, json={"pin": PIN}, headers={"origin": origin})
            assert answer.status_code == 403, f"{path} {origin}"
            assert COOKIE not in answer.headers.get("set-cookie", "")


class NoFilm:
    """A recording that refuses whatever it is asked."""

    def __getattr__(self, name: str) -> Any:
        def refuse(*asked: object) -> Any:
            raise TableError("there is no film")

        return refuse


@pytest.mark.parametrize("which", ["table", "hall", "review"])
def test_every_answer_of_every_page_carries_the_policy(kiosk: Kiosk, which: str) -> None:
    pages: dict[str, Callable[[], Starlette]] = {
        "table": kiosk.app,
        "hall": Hall().app,
        "review": lambda: review_app(NoFilm()),
    }
    app = pages[which]()
    client = TestClient(app, base_url="http://localhost", raise_server_exceptions=False)
    paths = {re.sub(r"{(\w+)}", lambda m: PLACES[m[1]], r.path) for r in app.routes if isinstance(r, Route)}
    assert [r for r in app.routes if isinstance(r, Mount)]
    for path in sorted(paths - {"/live.mjpg"} | {"/nothing", "/style.css", "/../app.py"}):
        for answer in (client.get(path), client.post(path, content=b"x" * 70_000), client.put(path)):
            missing = [name for name, value in HEADERS.items() if answer.headers.get(name) != value]
            assert missing == [], f"{path} {answer.status_code}"


def test_a_body_that_grows_without_saying_so_is_cut_off(
    kiosk: Kiosk, capfd: pytest.CaptureFixture[str]
) -> None:
    with PageServer(kiosk.app()) as page, socket.create_connection(("127.0.0.1", page.port), 20) as line:
        line.sendall(b"POST /api/act HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
        try:
            for _ in range(2000):
                line.sendall(b"8000\r\n" + b"x" * 0x8000 + b"\r\n")
            answer = line.recv(1000)
        except (BrokenPipeError, ConnectionResetError):
            answer = b"HTTP/1.1 413"
    assert answer[:12] in (b"HTTP/1.1 413", b"HTTP/1.1 400", b"")
    assert "Traceback" not in capfd.readouterr().err


def test_the_pin_is_compared_in_constant_time(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[bytes, bytes]] = []

    def compare(a: bytes, b: bytes) -> bool:
        compared.append((a, b))
        return False

    monkeypatch.setattr("referee.kiosk.door.hmac.compare_digest", compare)
    assert door.knock("10.0.0.9", PIN) is None, "nothing else may decide"
    assert compared == [(PIN.encode(), PIN.encode())]
