"""Where the page is served."""

import pytest
from starlette.applications import Starlette

from referee.errors import TableError
from referee.kiosk.server import PageServer


def test_a_port_that_cannot_be_is_refused() -> None:
    with pytest.raises(TableError, match=r"cannot be served at 127\.0\.0\.1:99999"):
        PageServer(Starlette(), "127.0.0.1", 99999)
