"""All tables of a room on one page, whatever they play and whoever looks."""

import json
from collections.abc import Iterator

import pytest

from referee.kiosk.hall import Hall
from referee.kiosk.server import PageServer
from tests.browser.conftest import Open

OUTSIDE = """() => [...document.querySelectorAll(".scores li")].filter((box) => {
  const b = box.getBoundingClientRect();
  return [...box.children].some((part) => part.getBoundingClientRect().right > b.right + 1);
}).map((box) => box.textContent)"""


@pytest.fixture
def url() -> Iterator[str]:
    hall = Hall()
    seats = ["Ann", "Maximiliane", "Hide", "Dora", "Eva"]
    state = {
        "game": "Shisogari",
        "seats": seats,
        "headline": "Set-up",
        "prompt": "Return two cards face down: everybody one white, one black.",
        "scores": [[seat, "2 white, 2 black"] for seat in seats],
    }
    for table in ("one", "two"):
        hall.hear(f"table-referee/{table}/online", "online")
        hall.hear(f"table-referee/{table}/state", json.dumps(state))
    with PageServer(hall.app()) as page:
        yield page.url


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (800, 480), (390, 844)])
@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "ja-JP"])
def test_every_score_fits_into_its_box(url: str, look: Open, width: int, height: int, locale: str) -> None:
    page = look(url, width, height, locale=locale)
    page.wait_for_selector(".scores li")
    assert page.evaluate(OUTSIDE) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_players_names_are_not_translated_and_what_they_do_is(url: str, look: Open) -> None:
    page = look(url, locale="de-DE")
    page.wait_for_selector(".scores li")
    assert page.locator(".scores span").all_text_contents()[:3] == ["Ann", "Maximiliane", "Hide"]
    assert page.locator(".headline").first.text_content() == "Aufbau"
