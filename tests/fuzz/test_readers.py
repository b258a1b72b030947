"""Whatever a file holds: one sentence or none, soon, and without filling the memory."""

import os
from contextlib import nullcontext, suppress

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from referee.errors import TableError
from tests.fuzz.bounds import bounded
from tests.fuzz.mutations import mutated
from tests.fuzz.readers import READERS, read_alone

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "200"))
"""More of them, and others every time, when the long tests ask for it."""


def fuzz(examples: int = EXAMPLES) -> settings:
    """Spoilt input is a seed's number: there is nothing to make smaller."""
    return settings(
        max_examples=examples,
        derandomize="FUZZ_EXAMPLES" not in os.environ,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=list(HealthCheck),
        database=None,
    )


MAY_REFUSE = ("picture", "deck", "fold", "setup.json")
"""Each is read as one thing of several, and is not all of them."""
numbers = st.integers(0, 2**32)
every_reader = pytest.mark.parametrize("name", READERS)


@every_reader
def test_what_is_whole_is_read(name: str) -> None:
    for seed in READERS[name].seeds():
        with suppress(TableError) if name in MAY_REFUSE else nullcontext():
            read_alone(name, seed)


@every_reader
@fuzz(EXAMPLES)
@given(pick=numbers, other=numbers, number=numbers)
def test_what_is_spoilt_is_refused_in_one_sentence(name: str, pick: int, other: int, number: int) -> None:
    seeds = READERS[name].seeds()
    raw = mutated(seeds[pick % len(seeds)], seeds[other % len(seeds)], number)
    with bounded():
        try:
            read_alone(name, raw)
        except TableError as error:
            assert str(error)


@every_reader
@fuzz(EXAMPLES // 8)
@given(raw=st.binary(max_size=400) | st.text(max_size=200).map(lambda t: t.encode("utf8", "surrogatepass")))
def test_what_is_nothing_of_the_kind_is_refused_too(name: str, raw: bytes) -> None:
    with bounded(), suppress(TableError):
        read_alone(name, raw)
