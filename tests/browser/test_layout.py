"""One layout for a wall screen, the Pi's touch panel and a phone; for eyes, fingers, keyboards and screen readers."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from referee.games import GAMES, find_game
from tests.browser.conftest import House, Open
from tests.browser.games import TOUCHED, rocca

SIZES = {"wall": (1920, 1080), "panel": (800, 480), "phone": (390, 844)}
FINGER_PX = 44
TOO_SMALL = f"""() => [...document.querySelectorAll("button, select, summary, input:not([type=checkbox])")]
  .filter((e) => e.checkVisibility())
  .map((e) => [e.outerHTML.slice(0, 80), e.getBoundingClientRect()])
  .filter(([, box]) => box.height < {FINGER_PX} - 0.5 || box.width < {FINGER_PX} - 0.5)
  .map(([what]) => what)"""
TOO_WIDE = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


def fits(page: Page) -> None:
    assert page.evaluate(TOO_WIDE) == 0
    assert page.evaluate(TOO_SMALL) == []


def is_accessible(page: Page) -> None:
    found = Axe().run(page).response["violations"]
    assert [(v["id"], v["nodes"][0]["html"]) for v in found if v["impact"] in ("serious", "critical")] == []


def screens(house: House, page: Page) -> Iterator[str]:
    """Every screen of the page, one after the other."""
    yield "which game"
    page.locator(".games button").first.click()
    for step in ("players", "rules", "camera"):
        yield step
        page.locator("button.main").click() if step != "camera" else house.host.begin(rocca())
    expect(page.locator(".scores")).to_be_visible()
    yield "play"
    house.host.eyes.tell(TOUCHED)
    expect(page.locator(".board .ruling")).to_contain_text("RO-50")
    yield "foul"
    page.locator("[data-key=dispute]").click()
    yield "which ruling"
    page.locator("#dialog button").first.click()
    yield "dispute"


@pytest.mark.parametrize("size", SIZES)
def test_every_screen_fits_and_every_button_fits_a_finger(house: House, look: Open, size: str) -> None:
    page = look(house.own, *SIZES[size])
    for _ in screens(house, page):
        fits(page)


@pytest.mark.parametrize(("scheme", "size"), [("light", "wall"), ("dark", "panel")])
def test_no_screen_shuts_anybody_out(house: House, look: Open, scheme: str, size: str) -> None:
    page = look(house.own, *SIZES[size], color_scheme=scheme, reduced_motion="reduce")
    for _ in screens(house, page):
        is_accessible(page)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("locale", ["de-DE", "ja-JP"])
def test_every_game_fits_a_phone_in_every_language(house: House, look: Open, game: str, locale: str) -> None:
    fewest, most = find_game(game).seats
    seats = [f"Somebody {k}" for k in range(1, min(most, max(fewest, 4)) + 1)]
    house.host.begin({"game": game, "seats": seats})
    page = look(house.own, *SIZES["phone"], locale=locale)
    expect(page.locator("html")).to_have_attribute("lang", locale[:2])
    fits(page)


def test_the_last_ruling_is_readable_from_two_metres(house: House, look: Open) -> None:
    """20 px of letter height on a common wall screen is about 6 mm."""
    house.host.begin(rocca())
    page = look(house.own)
    house.host.eyes.tell(TOUCHED)
    expect(page.locator(".board .ruling")).to_contain_text("RO-50")
    for part in (".because", ".code", ".number", ".clauses"):
        size = page.locator(f".board .ruling {part}").first.evaluate(
            "(e) => parseFloat(getComputedStyle(e).fontSize)"
        )
        assert size >= 26, part
