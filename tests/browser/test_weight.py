"""The page is light, quick, and needs nobody but the table."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, Request

import referee.kiosk
from tests.browser.conftest import House, Open
from tests.browser.games import rocca

MOST_BYTES = 300_000
TRIES = 4
WORDS = Path(referee.kiosk.__file__).parent / "static" / "words"
READY_MS = """() => new Promise((done) => { const look = () =>
  document.querySelector(".house button") ? done(performance.now()) : requestAnimationFrame(look); look(); })"""


def loaded_ms(page: Page, url: str) -> float:
    page.goto("about:blank")
    page.goto(url, wait_until="commit")
    ms: float = page.evaluate(READY_MS)
    return ms


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_the_page_asks_nobody_but_the_table_and_weighs_little(house: House, look: Open, locale: str) -> None:
    page = look(house.own, locale=locale)
    sizes: dict[str, int] = {}
    hosts: set[str] = set()

    def note(request: Request) -> None:
        hosts.add(request.url.split("/")[2])
        answer = request.response()
        sizes[request.url] = len(answer.body()) if answer else 0

    page.on("requestfinished", note)
    page.reload()
    page.wait_for_selector(".games")
    assert hosts == {f"127.0.0.1:{house.port}"}
    assert len(sizes) > 8
    assert sum(sizes.values()) < MOST_BYTES


def test_the_page_is_there_within_a_second(house: House, look: Open) -> None:
    """The best of a few: a busy machine is no slow page."""
    house.host.begin(rocca(camera=None))
    page = look(house.own)
    assert min(loaded_ms(page, house.own) for _ in range(TRIES)) < 1000


@pytest.mark.parametrize("language", ["de", "ja"])
def test_every_word_of_the_page_is_translated(language: str) -> None:
    english = json.loads((WORDS / "en.json").read_text(encoding="utf8"))
    other = json.loads((WORDS / f"{language}.json").read_text(encoding="utf8"))
    assert set(other) == set(english)
    for key, text in other.items():
        assert {w for w in text.split() if w.startswith("{")} or "{" in english[key] or "{" not in text, key
