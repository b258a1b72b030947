"""Whoever a ruling waits for goes first, and nobody stumbles where the system does not allow that."""

import os
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from hardware.priority import FIRST, go_first


def _niceness() -> int:
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


def _in_a_thread_of_its_own() -> tuple[int, int]:
    """Niceness of a thread that went first, and of one that it began."""

    def first() -> tuple[int, int]:
        go_first()
        with ThreadPoolExecutor(1) as helper:
            return _niceness(), helper.submit(_niceness).result()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(first).result()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may always go first")
def test_a_thread_goes_first_with_those_it_begins_and_no_other() -> None:
    before = _niceness()
    assert _in_a_thread_of_its_own() == (FIRST, FIRST)
    assert _niceness() == before


def test_where_the_system_does_not_allow_it_all_goes_on_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_which: int, _who: int, _niceness: int) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "setpriority", refuse)
    before = _niceness()
    assert _in_a_thread_of_its_own() == (before, before)
