"""Tables on a real broker: what the table sees is said there, nothing more, and Home Assistant finds it."""

import gc
import json
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hardware.broker import Address, Broker, read_address
from referee.announcer import Announcer, BrokerTable, topic_name
from referee.errors import TableError
from referee.host import Host
from referee.kiosk.hall import Hall
from referee.stage import Stage
from referee.types import TABLE
from tests.parts import need
from tests.waiting import wait_for

CERTIFICATE = (
    "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost "
    "-addext subjectAltName=DNS:localhost -keyout key.pem -out ca.pem"
)
VILLAGE = {"game": "rocca-monster", "seats": ["A", "B", "C"], "switches": {"count_seconds": 600}}


def answers(port: int) -> bool:
    with closing(socket.socket()) as line:
        return line.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def ending(process: "subprocess.Popen[str]") -> Iterator[None]:
    """Whatever happens, nobody waits for the process for ever."""
    try:
        yield
    finally:
        process.terminate()


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    program = need("mosquitto")
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    config = tmp_path_factory.mktemp("broker") / "mosquitto.conf"
    config.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\npersistence false\n")
    with subprocess.Popen([program, "-c", str(config)], stderr=subprocess.DEVNULL) as running:
        wait_for(lambda: answers(port))
        yield Address("127.0.0.1", port)
        running.terminate()


@pytest.fixture
def said(broker: Address) -> Iterator[dict[str, Any]]:
    """Everything said on the broker: topic -> the last word."""
    heard: dict[str, Any] = {}
    with closing(Broker(broker).open()) as ear:
        for pattern in ("table-referee/#", "homeassistant/#"):
            ear.hear(pattern, heard.__setitem__)
        yield heard


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    host = Host(tmp_path, Stage())
    yield host
    host.close()


def test_state_and_rulings_are_on_the_broker(broker: Address, said: dict[str, Any], host: Host) -> None:
    with closing(BrokerTable(broker, "Window seat")) as table:
        for message in host.stage.listen(table.announcer, TABLE):
            table.announcer(message)
        host.begin({"game": "rocca", "seats": ["A", "B", "C"]})
        host.act({"ev": "game_configured", "players": ["A", "B", "C"], "first": "B"}, "A")
        own = "table-referee/window-seat"
        wait_for(lambda: said.get(f"{own}/ruling", "{}") != "{}")
        state, ruling = json.loads(said[f"{own}/state"]), json.loads(said[f"{own}/ruling"])
        assert (state["game"], state["seats"]) == ("Rocca", ["A", "B", "C"])
        assert ruling["clauses"]
        assert ruling["number"]
        wait_for(lambda: said[f"{own}/online"] == "online")
    wait_for(lambda: said[f"{own}/online"] == "offline")


def test_home_assistant_finds_the_table_by_itself(broker: Address, said: dict[str, Any]) -> None:
    with closing(BrokerTable(broker, "Kitchen")):
        topic = "homeassistant/sensor/table-referee-kitchen/ruling/config"
        wait_for(lambda: topic in said)
        config = json.loads(said[topic])
        assert config["state_topic"] == "table-referee/kitchen/ruling"
        assert config["availability_topic"] == "table-referee/kitchen/online"
        assert config["unique_id"]
        assert config["device"]["identifiers"]


def test_the_broker_hears_nothing_of_the_night(tmp_path: Path, host: Host) -> None:
    words: list[tuple[str, str]] = []
    announcer = Announcer("T", lambda topic, text: words.append((topic, text)))
    host.stage.listen(announcer, TABLE)
    host.begin(VILLAGE)
    host.act(host.button("setup_seen"), None)
    host.act({"ev": "night_begin"}, None)
    wait_for(lambda: words and json.loads(words[-1][1]).get("night"))
    words.clear()
    host.act({"ev": "die_found", "where": "A1"}, "A")
    host.act({"ev": "die_found", "where": "B2"}, "B")
    assert words == []


def test_all_tables_are_on_one_page(broker: Address, tmp_path: Path) -> None:
    words = ["hall", "--mqtt", str(broker), "--host", "127.0.0.1", "--port", "0"]
    with (
        closing(BrokerTable(broker, "One")) as one,
        closing(BrokerTable(broker, "Two")) as two,
        subprocess.Popen(
            [sys.executable, "-m", "referee", *words], stdout=subprocess.PIPE, text=True
        ) as hall,
        ending(hall),
    ):
        for table in (one, two):
            table.announcer({"kind": "match", "title": "Rocca", "seats": ["A", "B"]})
        assert hall.stdout is not None
        url = hall.stdout.readline().split()[-1]
        assert b"hall.js" in urllib.request.urlopen(url).read()

        def tables() -> dict[str, Any]:
            answer = json.loads(urllib.request.urlopen(f"{url}api/tables").read())
            return {t["table"]: t for t in answer["tables"] if t.get("online") and "state" in t}

        wait_for(lambda: {"one", "two"} <= set(tables()))
        assert tables()["one"]["state"]["game"] == "Rocca"
        hall.terminate()
        assert hall.wait(10) == 0


@pytest.mark.parametrize("text", ["", "[]", "{", "[" * 5000, '"x"'])
def test_rubbish_on_the_broker_is_not_shown(text: str) -> None:
    hall = Hall()
    hall.hear("table-referee/x/state", text)
    hall.hear("table-referee/x/elsewhere", "{}")
    assert hall.tables() == []


@pytest.fixture(scope="module")
def safe_broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Address]:
    """With TLS, and a user whose password is `stones`."""
    program, folder = need("mosquitto"), tmp_path_factory.mktemp("safe")
    subprocess.run(
        [need("openssl"), *CERTIFICATE.split()],
        cwd=folder,
        check=True,
        capture_output=True,
    )
    subprocess.run(
        [need("mosquitto_passwd"), "-b", "-c", "users", "referee", "stones"], cwd=folder, check=True
    )
    (folder / "key.pem").chmod(0o644)
    (folder / "users").chmod(0o644)
    for place in (folder, *folder.parents):
        if place.stat().st_mode & 0o077 == 0:
            place.chmod(0o755)  # the broker gives up being root
    with closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    (folder / "mosquitto.conf").write_text(
        f"listener {port} 127.0.0.1\nallow_anonymous false\npassword_file {folder}/users\n"
        f"certfile {folder}/ca.pem\nkeyfile {folder}/key.pem\npersistence false\n"
    )
    with subprocess.Popen(
        [program, "-c", str(folder / "mosquitto.conf")], stderr=subprocess.DEVNULL
    ) as running:
        wait_for(lambda: answers(port))
        yield read_address(f"mqtts://referee@localhost:{port}", folder / "ca.pem")
        running.terminate()


def test_a_safe_line_with_a_password_from_a_file(
    safe_broker: Address, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "password").write_text("stones\n")
    monkeypatch.setenv("MQTT_PASSWORD_FILE", str(tmp_path / "password"))
    heard: dict[str, str] = {}
    with closing(Broker(safe_broker).open()) as ear, closing(BrokerTable(safe_broker, "Safe")):
        ear.hear("table-referee/#", heard.__setitem__)
        wait_for(lambda: heard.get("table-referee/safe/online") == "online")


@pytest.mark.filterwarnings(
    "ignore::pytest.PytestUnraisableExceptionWarning"
)  # the library forgets its socket
def test_a_wrong_password_or_an_unknown_certificate_is_said(
    safe_broker: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MQTT_PASSWORD", "pebbles")
    with pytest.raises(TableError, match="refuses: Not authorized"):
        Broker(safe_broker).open()
    with pytest.raises(TableError, match="is not safe"):
        Broker(replace(safe_broker, ca=None)).open()
    gc.collect()


def test_a_password_that_cannot_be_read_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MQTT_PASSWORD_FILE", "/nowhere/password")
    with pytest.raises(TableError, match="/nowhere/password"):
        Broker(read_address("referee@127.0.0.1:1"))


def test_a_broker_that_is_not_there_is_said() -> None:
    with pytest.raises(TableError, match="no broker answers at"):
        Broker(read_address("127.0.0.1:1")).open()


@pytest.mark.parametrize("words", ["", ":1883", "host:port", "user@", "http://host"])
def test_a_broker_s_address_is_checked(words: str) -> None:
    with pytest.raises(TableError, match="a broker is written as"):
        read_address(words)


def test_a_table_s_name_is_one_level_of_a_topic() -> None:
    assert topic_name("Großer Tisch #1/+") == "gro-er-tisch-1"
    assert topic_name("///") == "table"
