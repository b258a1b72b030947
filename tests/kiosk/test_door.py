"""Who may act, and how long guessing takes."""

import pytest

from referee.kiosk.door import MOST_ADDRESSES, SESSION_S, TRIES, TRIES_IN_ALL, WAIT_S, Door, is_own_screen


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def door(clock: Clock) -> Door:
    return Door(clock, "271828")


def wrong(door: Door, address: str = "10.0.0.9") -> None:
    assert door.knock(address, "000000") is None


def test_the_table_s_own_screen_acts_and_others_only_watch(door: Door) -> None:
    assert door.guest("127.0.0.1", "localhost:8642", None).acts
    assert not door.guest("10.0.0.9", "10.0.0.2:8642", None).acts


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8642", "127.0.0.1.evil.example", ""])
def test_a_foreign_name_pointed_at_this_machine_is_not_the_screen(host: str) -> None:
    assert not is_own_screen("127.0.0.1", host)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:8642", "localhost", "[::1]:80", "[::1]"])
def test_the_screen_may_call_us_by_our_own_names(host: str) -> None:
    assert is_own_screen("::1", host)


def test_the_right_pin_opens_a_session_that_ends(door: Door, clock: Clock) -> None:
    token = door.knock("10.0.0.9", "271828")
    assert token
    assert door.guest("10.0.0.9", "x", token).acts
    door.sit(token, "B")
    assert door.guest("10.0.0.9", "x", token).audience.seat == "B"
    clock.now += SESSION_S + 1
    assert not door.guest("10.0.0.9", "x", token).acts


def test_an_address_that_guesses_must_wait(door: Door, clock: Clock) -> None:
    for _ in range(TRIES):
        assert door.waits_s("10.0.0.9") == 0
        wrong(door)
    assert door.waits_s("10.0.0.9") >= WAIT_S - 1
    assert door.waits_s("10.0.0.8") == 0
    clock.now += WAIT_S + 1
    assert door.waits_s("10.0.0.9") == 0


def test_many_addresses_together_are_locked_out_too(door: Door) -> None:
    for k in range(TRIES_IN_ALL):
        wrong(door, f"10.0.1.{k}")
    assert door.waits_s("10.0.2.1") > 0


def test_pins_are_six_figures_and_differ() -> None:
    pins = {Door().pin for _ in range(20)}
    assert len(pins) > 15
    assert all(len(pin) == 6 and pin.isdigit() for pin in pins)


def test_the_book_of_addresses_has_an_end_and_keeps_those_who_wait(door: Door, clock: Clock) -> None:
    for _ in range(TRIES):
        wrong(door, "10.0.0.9")
    for k in range(3 * MOST_ADDRESSES):
        wrong(door, f"10.1.{k // 256}.{k % 256}")
        door._all.until = 0.0
    assert len(door._tries) <= MOST_ADDRESSES + 1
    assert door.waits_s("10.0.0.9") > 0
