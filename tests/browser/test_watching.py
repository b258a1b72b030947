"""A second device: it watches freely, and acts with the PIN alone."""

from playwright.sync_api import expect

from tests.browser.conftest import PIN, House, Open
from tests.browser.games import TOUCHED, rocca


def test_a_second_device_watches_without_the_pin_and_acts_with_it(house: House, look: Open) -> None:
    house.host.begin(rocca())
    phone = look(house.foreign, 390, 844)
    expect(phone.locator(".hint", has_text="You are watching")).to_be_visible()
    assert phone.locator(".choices button, .house button").count() == 0
    house.host.eyes.tell(TOUCHED)
    expect(phone.locator(".board .ruling")).to_contain_text("RO-50")
    phone.get_by_role("button", name="Enter PIN").click()
    phone.locator("input[name=pin]").fill("000000")
    phone.get_by_role("button", name="OK").click()
    expect(phone.get_by_role("alert")).to_contain_text("not the PIN")
    phone.locator("input[name=pin]").fill(PIN)
    phone.get_by_role("button", name="OK").click()
    phone.get_by_role("button", name="Undo").click()
    expect(phone.locator(".past")).to_contain_text("Taken back")


def test_scanning_the_table_s_code_lets_a_phone_act_and_hides_the_pin(house: House, look: Open) -> None:
    house.host.begin(rocca())
    phone = look(f"{house.foreign}#pin={PIN}", 390, 844)
    expect(phone.get_by_role("button", name="Undo")).to_be_visible()
    assert PIN not in phone.url


def test_the_table_s_own_screen_shows_pin_and_code(house: House, look: Open) -> None:
    page = look(house.own)
    page.get_by_role("button", name="Join with a phone").click()
    expect(page.locator(".pin")).to_have_text(PIN)
    assert page.locator(".qr img").evaluate("async (img) => { await img.decode(); return img.naturalWidth }")


def test_the_page_comes_back_by_itself_when_the_line_broke(house: House, look: Open) -> None:
    house.host.begin(rocca())
    page = look(house.own)
    page.context.set_offline(True)
    page.evaluate("import('./net.js').then((net) => net.reconnect())")
    expect(page.locator("#troubles")).to_contain_text("No line")
    page.context.set_offline(False)
    expect(page.locator("#troubles")).not_to_contain_text("No line")
    house.host.eyes.tell(TOUCHED)
    expect(page.locator(".board .ruling")).to_contain_text("RO-50")
