"""Whatever is sent to a table: an answer with a sentence, soon, and the referee does not stumble."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from referee.games import GAMES, find_game
from referee.host import Host
from referee.house import HOUSE_EVENTS
from referee.kiosk.app import Kiosk
from referee.kiosk.door import Door
from referee.kiosk.openapi import PATHS
from referee.kiosk.review import review_app
from referee.stage import Stage
from referee.types import TABLE
from tests.fuzz.bounds import bounded
from tests.fuzz.mutations import ODD_VALUES, mutated
from tests.fuzz.readers import _setups, _vectors
from tests.fuzz.test_readers import EXAMPLES, fuzz
from tests.hardware.videos import SIZE

ANSWERS = (200, 204, 400, 403, 404, 405, 413, 429)
numbers = st.integers(0, 2**32)
POSTS = tuple(path for path, ways in PATHS.items() if "post" in ways)
HOUSE = tuple(
    {"ev": ev, "seat": "A", "by": ["A", "B", "C"], "target": 2, "agreed": True, "name": "x", "px": [1, 2]}
    for ev in (*HOUSE_EVENTS, "proposal_answer", "zone_placed")
)


def _events() -> tuple[bytes, ...]:
    told = [event for raw in _vectors() for event in json.loads(raw)["when"]]
    return tuple(json.dumps(event).encode() for event in (*told, *HOUSE))


EVENTS = _events()


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    host = Host(tmp_path_factory.mktemp("matches"), Stage())
    yield host
    host.close()


@pytest.fixture(scope="module")
def screen(host: Host) -> TestClient:
    kiosk = Kiosk(host, host.stage, Door(pin="271828"))
    return TestClient(kiosk.app(), base_url="http://localhost", client=("127.0.0.1", 5))


def set_table(host: Host, game: str) -> None:
    if host.table is None or host.table.match.game.name != game:
        host.begin({"game": game, "seats": list("ABCD"[: find_game(game).seats[1]])})


def troubles(host: Host) -> Any:
    return next((m["troubles"] for m in host.stage.snapshot(TABLE) if m["kind"] == "status"), {})


@pytest.mark.parametrize("game", GAMES)
@fuzz(EXAMPLES // 2)
@given(pick=numbers, other=numbers, number=numbers)
def test_any_act_is_judged_or_refused(
    host: Host, screen: TestClient, game: str, pick: int, other: int, number: int
) -> None:
    set_table(host, game)
    raw = mutated(EVENTS[pick % len(EVENTS)], EVENTS[other % len(EVENTS)], number)
    with bounded():
        answer = screen.post("/api/act", content=raw)
    assert answer.status_code in (200, 400), answer.text
    assert "stumbled" not in answer.text
    assert "busy" not in answer.text
    assert "referee" not in troubles(host)


@fuzz(EXAMPLES)
@given(path=st.sampled_from(POSTS), pick=numbers, number=numbers)
def test_any_body_is_answered(screen: TestClient, path: str, pick: int, number: int) -> None:
    seeds = (*_setups(), b'{"pin": "000000"}', b'{"seat": "A"}')
    raw = mutated(seeds[pick % len(seeds)], EVENTS[0], number)
    with bounded():
        answer = screen.post(path, content=raw)
    assert answer.status_code in ANSWERS, answer.text
    assert answer.status_code == 200 or answer.json()["error"]


@fuzz()
@given(number=numbers)
def test_any_preview_is_answered(tmp_path_factory: pytest.TempPathFactory, number: int) -> None:
    idle = Host(tmp_path_factory.getbasetemp(), Stage())
    client = TestClient(
        Kiosk(idle, idle.stage, Door()).app(), base_url="http://localhost", client=("127.0.0.1", 5)
    )
    seed = b'{"game": "rocca", "seats": ["A", "B"], "camera": "footage:no.mp4", "moved_px": {"hand": [1.0, 2.0]}}'
    with bounded():
        answer = client.post("/api/preview", content=mutated(seed, seed, number))
    assert answer.status_code == 400, answer.text


@fuzz(EXAMPLES)
@given(path=st.text(max_size=40) | st.sampled_from(ODD_VALUES).map(str), query=st.text(max_size=20))
def test_any_path_is_answered(screen: TestClient, path: str, query: str) -> None:
    clean = path.encode("utf8", "replace").decode()
    for under in ("/", "/instant/", "/instant/1/frame/", "/api/"):
        with bounded():
            answer = screen.request(
                "GET", f"http://localhost{under}{_quoted(clean)}?after={_quoted(query)}&w=9"
            )
        assert answer.status_code in ANSWERS, answer.text


def _quoted(words: str) -> str:
    return "".join(f"%{byte:02x}" for byte in words.encode("utf8", "replace"))


@fuzz(EXAMPLES)
@given(after=st.text(alphabet="0123456789²٣-+e._ ", max_size=30))
def test_any_number_in_a_query_is_answered(screen: TestClient, after: str) -> None:
    for path in ("/api/journal?after=", "/instant/1/frame/1?w="):
        assert screen.get(f"http://localhost{path}{_quoted(after)}").status_code in ANSWERS


def test_any_message_is_answered_and_the_line_stays(host: Host, screen: TestClient) -> None:
    set_table(host, "rocca")
    with screen.websocket_connect("ws://localhost/ws") as socket:

        @fuzz(EXAMPLES)
        @given(pick=numbers, number=numbers)
        def send(pick: int, number: int) -> None:
            seed = b'{"id": 1, "act": ' + EVENTS[pick % len(EVENTS)] + b"}"
            socket.send_text(mutated(seed, b"{}", number).decode(errors="replace"))
            with bounded():
                answer = next(m for m in iter(socket.receive_json, None) if m["kind"] == "answer")
            assert "rulings" in answer or answer["error"]
            assert "stumbled" not in str(answer.get("error"))

        send()


class OneFilm:
    """A recording that is asked for its known points."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"nobody asked for {name}")

    def know(self, points_px: Any, width_mm: float, height_mm: float) -> None:
        from calibration.points import from_points

        table = ((0.0, 0.0), (width_mm, 0.0), (width_mm, height_mm), (0.0, height_mm))
        from_points(tuple(zip(points_px, table, strict=False)), SIZE)


@fuzz(EXAMPLES)
@given(number=numbers)
def test_any_points_are_answered(number: int) -> None:
    seed = b'{"points_px": [[10, 10], [300, 12], [290, 180], [14, 170]], "width_mm": 400, "height_mm": 300}'
    client = TestClient(review_app(OneFilm()), base_url="http://localhost")
    with bounded():
        answer = client.post("/review/points", content=mutated(seed, seed, number))
    assert answer.status_code in (200, 400)


def test_the_folder_of_matches_holds_nothing_but_matches(host: Host) -> None:
    """What was set up under odd names stayed inside."""
    assert all(entry.is_dir() for entry in host.folder.iterdir())
    assert not [p for p in Path(host.folder).rglob("*") if ".." in p.parts]
