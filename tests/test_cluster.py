"""A cluster that is not there is said at once."""

from pathlib import Path

import pytest

from referee.errors import TableError
from referee.rejudging import rejudge_on_cluster


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("nonsense", "is written like"),
        ("tcp://127.0.0.1:99999", "is written like"),
        ("tcp://127.0.0.1:1", "there is no"),
    ],
)
def test_a_scheduler_that_cannot_be_is_refused(address: str, says: str) -> None:
    with pytest.raises(TableError, match=says):
        list(rejudge_on_cluster([Path()], address))
