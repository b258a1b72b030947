"""A table on the broker: its state and rulings as everybody at the table sees them, and nothing else.

Topics, all retained: `table-referee/<table>/online`, `/state` and `/ruling`; Home Assistant finds them by itself.
"""

import json
import re
import threading
from collections.abc import Callable, Mapping
from typing import Any

from hardware.broker import Address, Broker
from referee import __version__
from referee.stage import Message

ROOT = "table-referee"
DISCOVERY = "homeassistant"
ONLINE, OFFLINE = "online", "offline"
NIGHT: Mapping[str, object] = {"headline": "Night. Eyes closed.", "night": True}
"""The same at every night, whatever happens."""

Say = Callable[[str, str], None]


class Announcer:
    """Turns the stage's messages for the table into words on the broker; a listener of the stage."""

    def __init__(self, table: str, say: Say) -> None:
        self.table, self.id, self._say = table, topic_name(table), say
        self._lock = threading.Lock()
        self._match: Mapping[str, Any] = {}
        self._view: Mapping[str, Any] = {}
        self._ruling: Mapping[str, Any] = {}
        self._said: dict[str, str] = {}

    def __call__(self, message: Message) -> None:
        with self._lock:
            match message["kind"]:
                case "setup":
                    self._match = self._view = self._ruling = {}
                case "match":
                    self._match, self._view, self._ruling = message, {}, {}
                case "view":
                    self._view = message
                case "ruling":
                    self._ruling = message
                case _:
                    return
            self._announce()

    def greet(self) -> None:
        """Say everything: the line is new, and the broker may have forgotten."""
        with self._lock:
            self._said.clear()
            self._tell("online", ONLINE)
            for topic, config in discovery(self.table).items():
                self._say(topic, json.dumps(config))
            self._announce()

    def part(self) -> None:
        self._tell("online", OFFLINE)

    def _announce(self) -> None:
        self._tell("state", json.dumps(state_of(self._match, self._view)))
        if not self._view.get("night"):
            self._tell("ruling", json.dumps(ruling_of(self._ruling)))

    def _tell(self, leaf: str, text: str) -> None:
        """Nothing is said twice: how often something was said would tell that something happened."""
        if self._said.get(leaf) != text:
            self._said[leaf] = text
            self._say(f"{ROOT}/{self.id}/{leaf}", text)


def state_of(match: Mapping[str, Any], message: Mapping[str, Any]) -> Mapping[str, object]:
    """Built up from nothing; at night the same for everything that may happen."""
    told = {"game": match.get("title", ""), "seats": match.get("seats", [])}
    if not message:
        return {**told, "headline": "No match", "night": False}
    if message["night"]:
        return {**told, **NIGHT}
    view = message["view"]
    return {
        **told,
        "headline": view["headline"],
        "prompt": view["prompt"],
        "scores": view["scores"],
        "paused": message["paused"],
        "night": False,
    }


def ruling_of(message: Mapping[str, Any]) -> Mapping[str, object]:
    return {key: message[key] for key in ("number", "code", "because", "clauses", "seat") if key in message}


def discovery(table: str) -> Mapping[str, Mapping[str, object]]:
    """Home Assistant's cards for a table: topic -> config."""
    name = topic_name(table)
    own = f"{ROOT}/{name}"
    device = {
        "identifiers": [f"{ROOT}-{name}"],
        "name": f"Table {table}",
        "model": "Table Referee",
        "sw_version": __version__,
    }
    sensors = {
        "headline": ("state", "headline", "Table", "mdi:dice-multiple"),
        "ruling": ("ruling", "because", "Last ruling", "mdi:gavel"),
    }
    return {
        f"{DISCOVERY}/sensor/{ROOT}-{name}/{sensor}/config": {
            "name": label,
            "unique_id": f"{ROOT}-{name}-{sensor}",
            "state_topic": f"{own}/{leaf}",
            # A state of Home Assistant holds 255 letters; the whole is in the attributes.
            "value_template": f"{{{{ (value_json.{field} | default(''))[:255] }}}}",
            "json_attributes_topic": f"{own}/{leaf}",
            "availability_topic": f"{own}/online",
            "payload_available": ONLINE,
            "payload_not_available": OFFLINE,
            "icon": icon,
            "device": device,
        }
        for sensor, (leaf, field, label, icon) in sensors.items()
    }


def topic_name(table: str) -> str:
    """A table's name as one level of a topic."""
    return re.sub(r"[^a-z0-9_-]+", "-", table.lower()).strip("-") or "table"


class BrokerTable:
    """A table's line to the broker, from `open` to `close`."""

    def __init__(self, address: Address, table: str) -> None:
        last = f"{ROOT}/{topic_name(table)}/online", OFFLINE
        self.announcer = Announcer(table, self._say)
        self._broker = Broker(address, last, self.announcer.greet)
        self._broker.open()

    def close(self) -> None:
        self.announcer.part()
        self._broker.close()

    def _say(self, topic: str, text: str) -> None:
        self._broker.say(topic, text)
