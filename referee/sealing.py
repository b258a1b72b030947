"""Seals: hashes that name the part that was changed."""

import hashlib

from hardware.seals import seal_of_file as seal_of_file
from referee.ledger import canonical


def seal_of(value: object) -> str:
    """One hash for one value, however it is spelled; bytes as they are."""
    raw = value if isinstance(value, bytes) else canonical(value).encode("utf8", "surrogatepass")
    return hashlib.sha256(raw).hexdigest()
