"""A broker of messages (MQTT): what one machine says there, every other may hear."""

import os
import ssl
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from hardware.errors import TableError

PORT = 1883
TLS_PORT = 8883
WAIT_S = 5.0
"""How long the broker may take to say whether it wants us."""
PASSWORD = "MQTT_PASSWORD"
"""Environment variable that holds the password; a command line is no place for one."""
PASSWORD_FILE = "MQTT_PASSWORD_FILE"
"""Environment variable that names a file with the password in its first line."""


@dataclass(frozen=True, slots=True)
class Address:
    host: str
    port: int = PORT
    user: str | None = None
    tls: bool = False
    ca: Path | None = None
    """Certificates that vouch for the broker; the system's unless told."""

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


def read_address(words: str, ca: Path | None = None) -> Address:
    """`[mqtts://][USER@]HOST[:PORT]`."""
    scheme, _, rest = words.rpartition("://")
    user, _, place = rest.rpartition("@")
    host, _, port = place.partition(":")
    if scheme not in ("", "mqtt", "mqtts") or not host or (port and not port.isdigit()):
        raise TableError(
            f"a broker is written as HOST, HOST:PORT, USER@HOST or mqtts://USER@HOST, not {words!r}"
        )
    if ca is not None and not ca.is_file():
        raise TableError(f"there is no file {ca} with the broker's certificates")
    tls = scheme == "mqtts" or ca is not None
    return Address(host, int(port or (TLS_PORT if tls else PORT)), user or None, tls, ca)


def read_password() -> str | None:
    """From the environment, or from the file that it names."""
    file = os.environ.get(PASSWORD_FILE)
    if file is None:
        return os.environ.get(PASSWORD)
    try:
        return Path(file).read_text(encoding="utf8").partition("\n")[0].rstrip("\r")
    except (OSError, UnicodeDecodeError) as error:
        raise TableError(f"the password of the broker cannot be read from {file} ({error})") from error


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
        self._answered = threading.Event()
        self._refused: str | None = None
        if address.user is not None:
            self._client.username_pw_set(address.user, read_password())
        if address.tls:
            self._client.tls_set_context(_tls(address.ca))
        if last_words is not None:
            self._client.will_set(*last_words, qos=1, retain=True)
        self._client.on_connect = self._connected
        self._client.on_message = self._heard
        self._address = address

    def open(self) -> Self:
        """Connect now, or say why not; from here on the line comes back by itself."""
        try:
            self._client.connect(self._address.host, self._address.port)
        except ssl.SSLError as error:
            raise TableError(f"the line to the broker at {self._address} is not safe ({error})") from error
        except OSError as error:
            raise TableError(f"no broker answers at {self._address} ({error})") from error
        self._client.loop_start()
        if not self._answered.wait(WAIT_S) or self._refused is not None:
            self.close()
            raise TableError(f"the broker at {self._address} refuses: {self._refused or 'it says nothing'}")
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
        self._refused = str(reason) if reason.is_failure else None
        self._answered.set()
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


def _tls(ca: Path | None) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=str(ca) if ca else None)
    except (ssl.SSLError, OSError) as error:
        raise TableError(f"{ca} holds no certificates that can be used ({error})") from error


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
