"""The guided set-up, from the first screen to the first prompt."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

import referee.preview
from referee.games import GAMES, find_game
from referee.preview import preview
from referee.types import Point
from tests.browser.conftest import House, Open
from tests.browser.games import SEATS, rocca
from tests.instead import instead
from tests.standins import StandInEyes
from tests.waiting import wait_for


def choose(page: Page, game: str) -> None:
    page.locator(".games button", has=page.locator("b", has_text=find_game(game).title)).first.click()


def next_step(page: Page, times: int = 1) -> None:
    for _ in range(times):
        page.get_by_role("button", name="Next").click()


def drag(page: Page, what: Locator, right: int, down: int) -> None:
    what.hover()  # waits until it lies still
    box = what.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.down()
    page.mouse.move(x + right, y + down, steps=3)
    page.mouse.up()


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_set_up_step_by_step_without_a_camera(house: House, look: Open, game: str) -> None:
    page = look(house.own)
    choose(page, game)
    next_step(page, 2)
    page.get_by_role("button", name="Start without a camera").click()
    expect(page.locator("#title")).to_have_text(find_game(game).title)
    expect(page.locator(".headline")).not_to_be_empty()
    assert house.host.table is not None
    assert house.host.table.match.game.name == game


def test_names_house_rules_and_authority_reach_the_match(house: House, look: Open) -> None:
    page = look(house.own)
    choose(page, "rocca")
    for k, name in enumerate(SEATS):
        page.locator(".seats input").nth(k).fill(name)
    next_step(page)
    page.locator(".rule", has_text="good shot before ending").locator("select").select_option("Yes")
    page.locator(".rule", has_text="pieces does every bowl start with").locator("input").fill("9")
    page.locator("summary", has_text="How far the referee may go").click()
    page.locator(".rule", has_text="RO-50").locator("select").select_option("propose")
    next_step(page)
    page.get_by_role("button", name="Start without a camera").click()
    expect(page.locator(".scores")).to_contain_text("Ann")
    assert house.host.table is not None
    match = house.host.table.match
    assert match.game.dump(match.state)["players"] == SEATS
    assert (match.state.sw.must_shoot_once, match.state.sw.start_pieces) == (True, 9)
    assert house.host.table._authority.ways == {"RO-50": "propose"}


def test_a_set_up_that_cannot_be_is_said_and_nothing_is_lost(house: House, look: Open) -> None:
    page = look(house.own)
    choose(page, "rocca")
    page.locator(".seats input").nth(1).fill("A")
    next_step(page, 2)
    page.get_by_role("button", name="Start without a camera").click()
    expect(page.get_by_role("alert")).to_contain_text("a name of its own")
    page.get_by_role("button", name="2 Players").click()
    assert page.locator(".seats input").nth(1).input_value() == "A"
    assert house.host.table is None


def test_an_uncalibrated_camera_is_told_how_it_is_calibrated(house: House, look: Open) -> None:
    page = look(house.own)
    choose(page, "rocca-monster")
    next_step(page, 2)
    expect(page.locator(".how")).to_contain_text("Print the sheet")
    assert page.locator("#deck-list option").first.get_attribute("value") == "standard"


def test_a_zone_is_dragged_to_its_place_and_kept_with_the_set_up(
    house: House, look: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(StandInEyes, "zones", {"hand": (640.0, 640.0), "pile": (200.0, 200.0)})
    house.host.begin(rocca())
    page = look(house.own)
    page.get_by_role("button", name="Zones").click()
    drag(page, page.locator("[data-zone=hand]"), 80, -100)
    wait_for(lambda: house.host.last()["zones"], "placing the zone")
    page.get_by_role("button", name="Done").click()
    expect(page.get_by_role("button", name="Zones")).to_be_visible()
    moved = house.host.last()["zones"]
    assert set(moved) == {"hand"}
    assert moved["hand"][0] > 640
    assert moved["hand"][1] < 640


def test_the_camera_is_looked_through_and_zones_are_dragged_before_the_match(
    house: House, look: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved: dict[str, tuple[float, float]] = {}

    def looked(
        game: str,
        seats: tuple[str, ...],
        camera: str,
        profile: str | None,
        deck: str | None,
        placed: Mapping[str, Point],
        moved_px: Mapping[str, Point],
    ) -> dict[str, Any]:
        moved.update(moved_px)
        x, y = moved.get("HAND A", (640.0, 560.0))
        outline = [[x - 200, y - 80], [x + 200, y - 80], [x + 200, y + 80], [x - 200, y + 80]]
        return {
            "size": [1280, 720],
            "zones": [{"name": "HAND A", "outline_px": outline, "read": False}],
            "placed": {name: (px[0] / 2, px[1] / 2) for name, px in moved.items()},
            "calibration": {"reprojection_px": 0.2, "plane_error_mm": 0.15, "smallest_margin_mm": 0.5},
            "picture": "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==",
        }

    instead(monkeypatch, referee.preview, preview)(looked)
    page = look(house.own)
    choose(page, "monster-my-neighbour")
    next_step(page, 2)
    page.locator(".field", has_text="Camera").locator("input").first.fill("standin:0")
    page.get_by_role("button", name="Look through the camera").click()
    expect(page.locator(".exact")).to_contain_text("0.15 mm")
    zone = page.locator("[data-zone='HAND A']")
    before = zone.locator("polygon").get_attribute("points") or ""
    drag(page, zone, 40, -60)
    expect(zone.locator("polygon")).not_to_have_attribute("points", before)
    page.get_by_role("button", name="Start with the camera").click()
    expect(page.locator("#title")).to_have_text("Monster My Neighbour")
    assert house.host.last()["zones"]["HAND A"][0] > 320
