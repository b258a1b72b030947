"""Every fault a person at the table can cause or mend: one sentence, in the table's words."""


class TableError(Exception):
    """Wrong input or a missing thing; the command line prints the sentence and exits 2."""


class CameraError(TableError):
    """A camera or a recording that cannot be opened or read."""


class CameraLost(CameraError):
    """A camera that worked and stopped delivering; it may come back."""
