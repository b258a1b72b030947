"""For whoever is given somebody to complain to, and must have nothing to complain about."""

import pytest


def untroubled(why: object) -> None:
    """Takes any complaint, and fails the test with it."""
    pytest.fail(f"there was trouble: {why}")
