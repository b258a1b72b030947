"""Whose fault is it: `TableError` and its kin are the table's, anything else is ours."""

from hardware.errors import CameraError as CameraError
from hardware.errors import TableError as TableError


class BadEvent(TableError):
    """An event no game knows, or with fields it does not have."""


class BadFolder(TableError):
    """A footage folder that lacks something or contradicts itself."""


class JournalError(TableError):
    """A journal that cannot be read or written now: locked, full, damaged."""
