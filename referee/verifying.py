"""Whether a bundle, a journal or footage is what was written; if not, which part was changed."""

import base64
import binascii
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hardware.seals import SEALS
from hardware.seals import faults as footage_faults
from referee.errors import TableError
from referee.evidence import FORMAT
from referee.journal import verify as verify_journal
from referee.sealing import seal_of

BLANK = "0" * 64
_DATA = re.compile(r'<script type="application/json" id="evidence">(.*?)</script>', re.DOTALL)
_SEAL = re.compile(r'(<meta name="seal" content=")([0-9a-f]{64})(">)')


def page_with_seal(page: str) -> str:
    """The page with the seal over all of itself put in."""
    return _SEAL.sub(lambda m: m[1] + seal_of(page.encode()) + m[3], page, count=1)


def verify_path(path: Path) -> list[str]:
    """What was changed, a sentence each; nothing when all is as written."""
    if path.is_dir():
        return list(_folder_faults(path))
    if path.suffix == ".db":
        return list(_journal_faults(path))
    if not path.is_file():
        raise TableError(f"there is no bundle {path}")
    text = path.read_text(encoding="utf8", errors="replace")
    return (
        list(_page_faults(text, path)) if path.suffix == ".html" else list(_bundle_faults(_json(text, path)))
    )


def _page_faults(page: str, path: Path) -> Iterator[str]:
    data, seal = _DATA.search(page), _SEAL.search(page)
    if data is None or seal is None:
        raise TableError(f"{path.name} is not an evidence bundle")
    faults = list(_bundle_faults(_json(data[1].replace("<\\/", "</"), path)))
    yield from faults
    if not faults and seal_of(_SEAL.sub(lambda m: m[1] + BLANK + m[3], page, count=1).encode()) != seal[2]:
        yield "the page around the evidence was changed"


def _json(text: str, path: Path) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise TableError(f"{path.name} is damaged: {error}") from error


def _bundle_faults(bundle: Any) -> Iterator[str]:
    try:
        if bundle["format"] != FORMAT:
            raise TableError(f"the bundle has format {bundle['format']}; this version reads {FORMAT}")
        yield from _part_faults(bundle, bundle["seals"])
        if seal_of(bundle["seals"]) != bundle["seal"]:
            yield "the seals were changed"
    except (KeyError, TypeError, AttributeError):
        raise TableError("this is not an evidence bundle, or a part of it is missing") from None


def _part_faults(bundle: Any, seals: Any) -> Iterator[str]:
    if seal_of(bundle["told"]) != seals["told"]:
        yield "the ruling or its numbers were changed"
    if len(bundle["clip"]) != len(seals["clip"]):
        yield f"the clip has {len(bundle['clip'])} frames, {len(seals['clip'])} were sealed"
    for k, (text, seal) in enumerate(zip(bundle["clip"], seals["clip"], strict=False)):
        if _seal_of_text(text) != seal:
            yield f"the clip was changed at frame {_frame_of(bundle, k)}"
    if (seals["deciding"] is None) != (bundle["deciding"] is None) or (
        seals["deciding"] and _seal_of_text(bundle["deciding"]) != seals["deciding"]
    ):
        yield "the deciding picture was changed"


def _frame_of(bundle: Any, k: int) -> object:
    clip = bundle["told"].get("clip") or []
    return clip[k]["frame"] if k < len(clip) else k


def _seal_of_text(text: str) -> str | None:
    try:
        return seal_of(base64.b64decode(text, validate=True))
    except (binascii.Error, ValueError):
        return None


def _folder_faults(folder: Path) -> Iterator[str]:
    journal, seals = folder / "journal.db", folder / "footage" / SEALS
    bundles = sorted(folder.glob("*.evidence.html"))
    if not (journal.is_file() or seals.is_file() or bundles):
        raise TableError(f"{folder} holds no journal, no sealed footage and no bundle")
    if journal.is_file():
        yield from _journal_faults(journal)
    if seals.is_file():
        yield from footage_faults(seals.parent)
    for bundle in bundles:
        yield from (f"{bundle.name}: {fault}" for fault in verify_path(bundle))


def _journal_faults(path: Path) -> Iterator[str]:
    check = verify_journal(path)
    if check.broken is not None:
        yield f"the journal was changed at entry {check.broken}"
