"""A broker of messages (MQTT): what one machine says there, every other may hear."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

from hardware.errors import TableError

PORT = 1883
WAIT_S = 5.0
PASSWORD = "MQTT_PASSWORD"
"""Environment variable that holds the password; a command line is no place for one."""


@dataclass(frozen=True, slots=True)
class Address:
    host: str
    port: int = PORT
    user: str | None = None

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


def read_address(words: str) -> Address:
    """`[USER@]HOST[:PORT]`."""
    user, _, place = words.rpartition("@")
    host, _, port = place.partition(":")
    if not host or (port and not port.isdigit()):
        raise TableError(f"a broker is written as HOST, HOST:PORT or USER@HOST, not {words!r}")
    return Address(host, int(port or PORT), user or None)


class Broker:
    """One line to the broker; it comes back by itself, and closing it twice is harmless."""

    def __init__(
        self,
        address: Address,
        last_words: tuple[str, str] | None = None,
        on_line: Callable[[], None] = lambda: None,
    ) -> None:
        """`last_words`: topic and text that the broker says for us when we vanish; `on_line`: (re)connected."""
        self._subscribed: dict[str, Callable[[str, str], None]] = {}
        self._on_line = on_line
        self._client = _client()
        if address.user is not None:
            self._client.username_pw_set(address.user, os.environ.get(PASSWORD))
        if last_words is not None:
            self._client.will_set(*last_words, qos=1, retain=True)
        self._client.on_connect = self._connected
        self._client.on_message = self._heard
        self._address = address

    def open(self) -> Self:
        """Connect now, or say why not; from here on the line comes back by itself."""
        try:
            self._client.connect(self._address.host, self._address.port)
        except OSError as error:
            raise TableError(f"no broker answers at {self._address} ({error})") from error
        self._client.loop_start()
        return self

    def say(self, topic: str, text: str) -> None:
        """Say it to everybody, and to whoever comes later."""
        self._client.publish(topic, text, qos=1, retain=True)

    def hear(self, pattern: str, hear: Callable[[str, str], None]) -> None:
        """Call `hear(topic, text)` for everything said under `pattern`, from the broker's thread."""
        self._subscribed[pattern] = hear
        self._client.subscribe(pattern, qos=1)

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def _connected(self, client: Any, _data: Any, _flags: Any, reason: Any, _more: Any) -> None:
        if reason.is_failure:
            return
        for pattern in self._subscribed:
            client.subscribe(pattern, qos=1)
        self._on_line()

    def _heard(self, _client: Any, _data: Any, message: Any) -> None:
        text = message.payload.decode("utf8", "replace")
        for pattern, hear in self._subscribed.items():
            if _fits(pattern, message.topic):
                hear(message.topic, text)


def _fits(pattern: str, topic: str) -> bool:
    from paho.mqtt.client import topic_matches_sub

    return topic_matches_sub(pattern, topic)


def _client() -> Any:
    try:
        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion
    except ImportError as error:
        raise TableError("MQTT needs a library: pip install 'table-referee[mqtt]'") from error
    return Client(CallbackAPIVersion.VERSION2)
