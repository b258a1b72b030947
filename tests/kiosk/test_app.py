"""Promises of the page's server."""

import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from referee.host import Host
from referee.kiosk.app import Kiosk
from referee.kiosk.door import Door
from referee.stage import Stage

ROCCA = {"game": "rocca", "seats": ["A", "B", "C"]}


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    host = Host(tmp_path, Stage())
    yield host
    host.close()


@pytest.fixture
def kiosk(host: Host) -> Kiosk:
    return Kiosk(host, host.stage, Door(pin="271828"))


@pytest.fixture
def screen(kiosk: Kiosk) -> TestClient:
    """The table's own screen."""
    return TestClient(kiosk.app(), base_url="http://localhost", client=("127.0.0.1", 5))


@pytest.fixture
def phone(kiosk: Kiosk) -> TestClient:
    """Somebody on the network."""
    return TestClient(kiosk.app(), base_url="http://10.0.0.2:8642", client=("10.0.0.9", 5))


def test_every_game_can_be_set_up_with_its_house_rules(screen: TestClient) -> None:
    games = screen.get("/api/games").json()["games"]
    assert [g["name"] for g in games][:2] == ["rocca", "rocca-monster"]
    assert all(g["title"] and g["summary"] and g["switches"] for g in games)


def test_the_pin_is_shown_on_the_table_s_own_screen_only(screen: TestClient, phone: TestClient) -> None:
    assert screen.get("/api/hello").json()["pin"] == "271828"
    assert "pin" not in phone.get("/api/hello").json()


def test_watching_is_free_and_acting_needs_the_pin(screen: TestClient, phone: TestClient) -> None:
    assert screen.post("/api/match", json=ROCCA).status_code == 200
    end = {"ev": "game_configured", "players": ["A", "B", "C"], "first": "A"}
    refused = phone.post("/api/act", json=end)
    assert refused.status_code == 403
    assert "PIN" in refused.json()["error"]
    assert phone.post("/api/pin", json={"pin": "000000"}).status_code == 403
    assert phone.post("/api/pin", json={"pin": "271828"}).status_code == 200
    assert phone.post("/api/act", json=end).status_code == 200
    assert "pin" not in phone.get("/api/hello").json()


def test_guessing_is_stopped(phone: TestClient) -> None:
    codes = [phone.post("/api/pin", json={"pin": f"{k:06d}"}).status_code for k in range(7)]
    assert codes == [403] * 5 + [429] * 2


@pytest.mark.parametrize("path", ["/api/match", "/api/act", "/api/pin"])
def test_a_foreign_page_may_not_act(screen: TestClient, path: str) -> None:
    answer = screen.post(path, json={}, headers={"origin": "http://evil.example"})
    assert answer.status_code == 403


def test_a_foreign_page_may_not_listen(screen: TestClient) -> None:
    with (
        pytest.raises(WebSocketDisconnect),
        screen.websocket_connect("ws://localhost/ws", headers={"origin": "http://evil.example"}),
    ):
        pass


def test_the_socket_shows_what_is_on_and_what_comes(screen: TestClient) -> None:
    screen.post("/api/match", json=ROCCA)
    with screen.websocket_connect("ws://localhost/ws") as socket:
        kinds = {socket.receive_json()["kind"] for _ in range(3)}
        assert kinds <= {"match", "view", "status", "ruling", "scene"}
        socket.send_json({"id": 7, "act": {"ev": "castle"}})
        answer = next(m for m in iter(socket.receive_json, None) if m["kind"] == "answer")
        assert answer["id"] == 7
        assert "castle" in answer["error"]


@pytest.mark.parametrize("text", ["", "[]", "{", "[" * 5000, '"x"'])
def test_rubbish_is_answered_in_one_sentence(screen: TestClient, text: str) -> None:
    answer = screen.post("/api/act", content=text)
    assert answer.status_code == 400
    assert answer.json()["error"] == "that is not a JSON object"


def test_too_much_is_turned_away(screen: TestClient) -> None:
    assert screen.post("/api/act", content=b"x" * 100_000).status_code == 413


def test_no_path_leads_out_of_the_page(screen: TestClient) -> None:
    for path in ("/../app.py", "/%2e%2e/app.py", "/..%2fapp.py", "/static/../../app.py"):
        assert screen.get(path).status_code == 404


def test_every_answer_forbids_foreign_scripts(screen: TestClient) -> None:
    for path in ("/api/hello", "/api/games", "/nothing-here"):
        policy = screen.get(path).headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy


def test_a_match_is_taken_up_where_it_stopped(host: Host, tmp_path: Path) -> None:
    host.begin(ROCCA)
    host.act({"ev": "game_configured", "players": ["A", "B", "C"], "first": "B"}, "A")
    assert host.table is not None
    before = host.table.match.state
    host.close()
    again = Host(tmp_path, Stage())
    latest = again.unfinished()
    assert latest is not None
    again.resume(latest)
    assert again.table is not None
    assert again.table.match.state == before
    again.close()


def test_no_picture_without_a_camera(screen: TestClient) -> None:
    assert screen.get("/still.jpg").status_code == 204


@pytest.mark.parametrize(
    "setup",
    [
        {"game": "chess", "seats": ["A", "B"]},
        {"game": "rocca", "seats": ["A"] * 9},
        {"game": "rocca", "seats": ["A", "B"], "switches": {"no_such": 1}},
        {"seats": []},
        {"game": "rocca", "seats": ["A", "B", "C"], "camera": "telescope:1"},
    ],
)
def test_a_wrong_set_up_is_one_sentence(screen: TestClient, setup: dict[str, object]) -> None:
    answer = screen.post("/api/match", json=setup)
    assert answer.status_code == 400
    assert answer.json()["error"]


def test_bytes_are_no_act_and_the_line_stays(screen: TestClient) -> None:
    screen.post("/api/match", json=ROCCA)
    with screen.websocket_connect("ws://localhost/ws") as socket:
        sends: tuple[Callable[[], None], ...] = (
            lambda: socket.send_bytes(b"\xff\x00"),
            lambda: socket.send_text("[]"),
        )
        for send in sends:
            send()
            answer = next(m for m in iter(socket.receive_json, None) if m["kind"] == "answer")
            assert answer["error"] == "that is not a JSON object"


def test_a_watcher_that_does_not_read_is_sent_away_and_keeps_nobody(host: Host, kiosk: Kiosk) -> None:
    from referee.kiosk.server import PageServer
    from referee.kiosk.watcher import BACKLOG

    with PageServer(kiosk.app()) as page, socket.create_connection(("127.0.0.1", page.port)) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        line.sendall(
            b"GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        until = time.monotonic() + 20
        while not host.stage.watchers:
            assert time.monotonic() < until
            time.sleep(0.01)
        for k in range(40 * BACKLOG):
            host.stage.show({"kind": "say", "text": "x" * 20_000, "number": k})
            if not host.stage.watchers:
                break
            time.sleep(0.001)
        while host.stage.watchers:
            assert time.monotonic() < until, "it is still listening"
            time.sleep(0.01)


def test_there_is_room_for_the_table_s_own_screen_however_many_watch(
    monkeypatch: pytest.MonkeyPatch, screen: TestClient, phone: TestClient
) -> None:
    monkeypatch.setattr("referee.kiosk.app.MOST_WATCHERS", 1)
    with phone.websocket_connect("ws://10.0.0.2:8642/ws"):
        with pytest.raises(WebSocketDisconnect), phone.websocket_connect("ws://10.0.0.2:8642/ws"):
            pass
        with screen.websocket_connect("ws://localhost/ws") as socket:
            assert socket.receive_json()["kind"] == "setup"


def test_matches_begun_at_once_or_after_the_clock_went_back_have_folders_of_their_own(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = []
    for stamp in ("2026-01-02-030405", "2026-01-02-030405", "2026-01-01-000000", "2026-01-03-000000"):
        monkeypatch.setattr("referee.host.time.strftime", lambda form, stamp=stamp: stamp)
        host.begin(ROCCA)
        begun.append(host.unfinished())
    assert [f.name for f in begun if f] == [
        "2026-01-02-030405-rocca",
        "2026-01-02-030405.001-rocca",
        "2026-01-02-030405.002-rocca",
        "2026-01-03-000000-rocca",
    ]
