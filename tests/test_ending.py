"""A program that serves ends when it is told to, whenever that is."""

import os
import signal
import threading

import pytest

from referee.commands.ending import SIGNS, Ending


@pytest.mark.parametrize("sign", SIGNS)
def test_what_came_before_waiting_is_not_missed(sign: signal.Signals) -> None:
    with Ending() as ending:
        os.kill(os.getpid(), sign)
        ending.wait()


def test_it_ends_whichever_thread_the_system_tells() -> None:
    """The handler runs in the main thread alone, and that one is asleep: an event would never be set."""
    with Ending() as ending:
        other = threading.Timer(0.2, lambda: signal.pthread_kill(threading.get_ident(), signal.SIGTERM))
        other.start()
        ending.wait()
        other.join()


def test_another_signal_does_not_end_it() -> None:
    before = signal.signal(signal.SIGUSR1, lambda *_: None)
    with Ending() as ending:
        ended = threading.Event()

        def wait() -> None:
            ending.wait()
            ended.set()

        threading.Thread(target=wait).start()
        os.kill(os.getpid(), signal.SIGUSR1)
        assert not ended.wait(0.2)
        os.kill(os.getpid(), signal.SIGTERM)
        assert ended.wait(10)
    signal.signal(signal.SIGUSR1, before)


def test_afterwards_the_signals_mean_what_they_meant() -> None:
    before = [signal.getsignal(sign) for sign in SIGNS]
    with Ending():
        pass
    assert [signal.getsignal(sign) for sign in SIGNS] == before
