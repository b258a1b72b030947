"""Eyes for a table, by its game."""

from typing import TYPE_CHECKING

from referee.errors import TableError
from referee.eyes import Eyes

if TYPE_CHECKING:
    from referee.host import Setup


def open_eyes(setup: "Setup", size: tuple[int, int]) -> Eyes:
    """The eyes that can see this game."""
    raise TableError(f"the eyes for {setup.game} cannot be opened at {size}")
