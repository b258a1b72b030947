"""The night of Rocca Monster: one constant picture, no camera, nothing in any stream."""

import json

from playwright.sync_api import Page, expect

from referee.stage import Listener
from referee.types import TABLE, Audience
from tests.browser.conftest import House, Open
from tests.browser.games import SEATS, VILLAGE
from tests.standins import StandInCamera


def fall_asleep(house: House, seconds: int) -> None:
    house.host.begin({**VILLAGE, "switches": {"count_seconds": seconds}})
    house.host.act(house.host.button("setup_seen"), None)


def sleep(page: Page) -> None:
    page.get_by_role("button", name="Everybody sleeps").click()
    expect(page.locator("#night")).to_be_visible()


def wait_until_shut(page: Page) -> None:
    while StandInCamera.open_now:
        page.wait_for_timeout(20)


def test_the_night_picture_is_the_same_whatever_happens(house: House, look: Open) -> None:
    fall_asleep(house, 600)
    page = look(house.own, 800, 480)
    before = page.screenshot()
    sleep(page)
    wait_until_shut(page)
    night = page.screenshot()
    assert night != before
    house.host.eyes.tell({"ev": "die_found", "where": "Ann1"})
    for where in ("Ann1", "Ben2", "centre"):
        page.keyboard.press("Tab")
        page.mouse.click(300, 300)
        page.wait_for_timeout(150)
        assert page.screenshot() == night, where


def test_no_frame_is_taken_shown_or_recorded_while_eyes_are_shut(house: House, look: Open) -> None:
    fall_asleep(house, 600)
    page = look(house.own, 800, 480)
    sleep(page)
    wait_until_shut(page)
    delivered, seen = StandInCamera.delivered, house.host.eyes.seen
    page.wait_for_timeout(600)
    assert (StandInCamera.delivered, house.host.eyes.seen) == (delivered, seen)
    assert page.evaluate("fetch('still.jpg').then((answer) => answer.status)") == 204
    assert page.locator("svg image").get_attribute("href") == ""


def written_into(heard: list[str]) -> Listener:
    return lambda message: heard.append(json.dumps(message))


def test_nothing_of_the_night_is_in_any_watcher_s_stream(house: House, look: Open) -> None:
    fall_asleep(house, 600)
    page = look(house.own, 800, 480)
    streams: dict[Audience, list[str]] = {a: [] for a in (TABLE, *(Audience("seat", s) for s in SEATS))}
    sleep(page)
    wait_until_shut(page)
    for audience, heard in streams.items():
        house.host.stage.listen(written_into(heard), audience)
    house.host.eyes.tell({"ev": "die_found", "where": "Ben2"})
    page.wait_for_timeout(1000)
    said = [text for heard in streams.values() for text in heard if '"kind": "say"' not in text]
    assert said == []
    assert all("Ben2" not in json.dumps(house.host.stage.snapshot(a)) for a in streams)


def test_the_morning_comes_by_the_clock_and_the_camera_looks_again(house: House, look: Open) -> None:
    fall_asleep(house, 2)
    page = look(house.own, 800, 480)
    sleep(page)
    expect(page.locator("#night")).to_be_hidden()
    expect(page.locator(".headline")).to_contain_text("Morning")
    delivered = StandInCamera.delivered
    page.wait_for_timeout(1500)
    assert StandInCamera.delivered > delivered
