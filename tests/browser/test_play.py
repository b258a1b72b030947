"""A game of Rocca on the page: call, foul, take back, dispute, overturn."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PATIENCE_MS, House, Open
from tests.browser.games import AIM, SEATS, TOUCHED, rocca, told_shot
from tests.standins import StandInEyes

expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture
def page(house: House, look: Open) -> Iterator[Page]:
    house.host.begin(rocca())
    yield look(house.own)


def foul(house: House, page: Page) -> None:
    house.host.eyes.tell(TOUCHED)
    expect(page.locator(".board .ruling")).to_contain_text("Foul")


def overturned_by(page: Page, *seats: str) -> None:
    page.get_by_role("button", name="Dispute").click()
    page.locator("#dialog button", has_text="RO-50").click()
    page.get_by_role("button", name="Overturn …").click()
    for seat in seats:
        page.locator("#dialog label", has_text=seat).locator("input").check()
    page.locator("button[name=overturn]").click()


def test_a_gate_is_called_by_tapping_its_two_pieces(house: House, page: Page) -> None:
    page.get_by_role("button", name="Ann calls a gate").click()
    page.locator("[data-piece='1']").click()
    page.locator("[data-piece='2']").click()
    expect(page.locator(".board .ruling")).to_contain_text("Gate called")
    assert house.host.table is not None
    assert tuple(house.host.table.match.state.gate_call) == (1, 2)
    (call,) = [e for e in house.host.eyes.heard if e["ev"] == "gate_called"]
    assert call["at_px"] == [[420, 300], [640, 420]]


def test_a_foul_shows_its_card_with_number_reason_and_clause(house: House, page: Page) -> None:
    foul(house, page)
    card = page.locator(".board .ruling")
    expect(card).to_contain_text("RO-50")
    expect(card).to_contain_text(re.compile(r"ruling \d+"))
    assert len(card.locator(".because").inner_text()) > 10
    assert len(card.locator(".clauses").first.inner_text()) > len("RO-50 ")
    assert card.get_attribute("data-tone") == "bad"


def test_undo_takes_the_foul_back_and_redo_brings_it_again(house: House, page: Page) -> None:
    assert house.host.table is not None
    match, before = house.host.table.match, house.host.table.match.state
    foul(house, page)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".past")).to_contain_text("Taken back")
    assert match.state == before
    page.get_by_role("button", name="Redo").click()
    expect(page.locator(".past")).to_contain_text("Done again")
    assert match.state != before


def test_a_foul_is_overturned_by_all_players_together(house: House, page: Page) -> None:
    foul(house, page)
    overturned_by(page, "Ann", "Ben")
    expect(page.locator("#dialog")).to_contain_text("Cem did not agree")
    page.get_by_role("button", name="OK").click()
    overturned_by(page, "Ann", "Ben", "Cem")
    expect(page.locator(".past")).to_contain_text("All players overrule the referee")
    assert house.host.table is not None
    assert house.host.table.match.state.turn == "Ann"
    assert house.host.table.match.state.won == 1


def test_a_proposed_foul_waits_for_the_players(house: House, look: Open) -> None:
    house.host.begin(rocca(authority={"RO-50": "propose"}))
    page = look(house.own)
    house.host.eyes.tell(TOUCHED)
    page.get_by_role("button", name="Agreed").click()
    expect(page.locator(".board .ruling")).to_contain_text("Foul")


def test_what_the_rules_do_not_take_is_said_to_whoever_pressed(page: Page) -> None:
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#dialog")).to_contain_text("nothing to take back")


def test_everything_can_be_done_with_the_keyboard(house: House, page: Page) -> None:
    page.get_by_role("button", name="Ann calls a gate").focus()
    page.keyboard.press("Enter")
    for piece in ("1", "2"):
        page.locator(f"[data-piece='{piece}']").focus()
        page.keyboard.press("Enter")
    expect(page.locator(".board .ruling")).to_contain_text("Gate called")
    assert house.host.table is not None
    assert tuple(house.host.table.match.state.gate_call) == (1, 2)


def test_a_dispute_shows_what_was_measured_layer_by_layer(
    house: House, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(StandInEyes, "told", staticmethod(told_shot))
    foul(house, page)
    page.get_by_role("button", name="Dispute").click()
    page.locator("#dialog button", has_text="RO-50").click()
    drawn = page.locator(".instant .glass svg")
    expect(drawn.locator(".band")).to_have_count(1)
    for layer, shape in (("Band", ".band"), ("Outlines", ".piece")):
        page.locator(".layers").get_by_label(layer).uncheck()
        expect(drawn.locator(shape)).to_have_count(0)
    page.locator(".layers").get_by_label("Clearance plot").uncheck()
    expect(page.locator(".instant .plot")).to_have_count(0)
    expect(page.locator(".readings")).to_contain_text("A legal shot.")
    expect(page.locator(".readings")).to_contain_text("80 %")
    page.wait_for_function("() => document.querySelector('.above img')?.naturalWidth > 500")
    page.locator(".layers").get_by_label("Hand").check()
    page.get_by_role("button", name="Go to the deciding frame").click()
    expect(page.locator(".instant canvas")).to_have_attribute("data-veiled", "")


def test_the_table_s_own_rule_overturns_a_foul(house: House, look: Open) -> None:
    house.host.begin(rocca(overturn="majority"))
    page = look(house.own)
    foul(house, page)
    page.get_by_role("button", name="Dispute").click()
    page.locator("#dialog button", has_text="RO-50").click()
    page.get_by_role("button", name="Overturn …").click()
    expect(page.locator("#dialog")).to_contain_text("More than half of the players may overturn")
    page.keyboard.press("Escape")
    overturned_by(page, "Ann", "Cem")
    expect(page.locator(".past")).to_contain_text("More than half of the players overrule")


@pytest.mark.parametrize(
    ("language", "call", "because"),
    [
        ("de", "Ann sagt ein Tor an", "Der Schussstein traf einen Torstein"),
        ("ja", "Annが門を宣言", "門の駒に当たりました"),
    ],
)
def test_the_bench_speaks_the_reader_s_language(
    house: House, page: Page, language: str, call: str, because: str
) -> None:
    page.locator("select[data-key=language]").select_option(language)
    expect(page.get_by_role("button", name=call)).to_be_visible()
    house.host.eyes.tell(TOUCHED)
    expect(page.locator(".board .because")).to_contain_text(because)


def test_everybody_sees_the_time_that_is_left(house: House, look: Open) -> None:
    clocks = {"chess_clock": True, "clock_minutes": 3}
    left = {"Ann": 100_000, "Ben": 180_000, "Cem": 180_000}
    house.host.begin(rocca(switches=clocks, state={**AIM, "clock_ms": left}))
    page = look(house.own)
    expect(page.locator(".clock[data-runs]")).to_contain_text("1:3")
    expect(page.locator(".clock").nth(1)).to_have_text("3:00")


def test_what_players_were_asked_to_do_is_gone_when_they_have_done_it(house: House, look: Open) -> None:
    house.host.begin({"game": "rocca-monster", "seats": SEATS, "state": {"phase": "MORNING", "day": 0}})
    page = look(house.own)
    card = page.locator(".board .ruling")
    for event in (
        {"ev": "die_found", "where": "Ann1"},
        {"ev": "die_rolled", "by": "Ann", "value": 2},
    ):
        house.host.act(event, None)
    expect(card).to_contain_text("Ann1 dies")
    house.host.act({"ev": "member_turned", "member": "Ann1", "up": False, "body": "villager"}, None)
    expect(card).to_contain_text("Ann1 is dead")
