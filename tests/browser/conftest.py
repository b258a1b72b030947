"""A real Chromium before a real page."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from referee.kiosk.app import Kiosk
from referee.kiosk.door import Door
from referee.kiosk.server import PageServer
from referee.stage import Stage
from tests.instead import plug_in
from tests.parts import need
from tests.standins import StandInCamera, StandInHost

FOREIGN = "table.test"
"""A name that leads to this machine and is not its own: whoever uses it counts as somebody on the network."""
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--host-resolver-rules=MAP {FOREIGN} 127.0.0.1",
)
PIN = "271828"
PATIENCE_MS = 20_000


class House:
    """A table with its page."""

    def __init__(self, host: StandInHost, port: int) -> None:
        self.host, self.port = host, port
        self.own = f"http://127.0.0.1:{port}/"
        self.foreign = f"http://{FOREIGN}:{port}/"


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    program = need("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    plug_in(monkeypatch, "standin", StandInCamera)
    StandInCamera.delivered = StandInCamera.open_now = 0
    host = StandInHost(tmp_path, Stage())
    with PageServer(Kiosk(host, host.stage, Door(pin=PIN)).app()) as server:
        yield House(host, server.port)
        host.close()


Open = Callable[..., Page]


@pytest.fixture
def look(browser: Browser) -> Iterator[Open]:
    """Open a page in a browser of its own; any error in the page fails the test."""
    contexts: list[BrowserContext] = []
    errors: list[str] = []

    def open_page(url: str, width: int = 1920, height: int = 1080, **options: object) -> Page:
        options.setdefault("locale", "en-GB")
        context = browser.new_context(viewport={"width": width, "height": height}, **options)  # type: ignore[arg-type]  # passed on as they are
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(url)
        page.wait_for_selector("#screen > *", state="attached")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not errors
