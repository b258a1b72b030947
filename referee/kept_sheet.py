"""match.toml of a match that is being played: how it began, and what was told when, as a footage folder says it."""

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from referee.folder import MatchSheet
from referee.output import write_text

BARE = re.compile(r"[A-Za-z0-9_-]+")
NOT_TOLD_AGAIN = ("proposal_answer", "zone_placed", "override", "dispute")
"""What players make of a ruling is no part of what happened on the table."""


def sheet_words(sheet: MatchSheet, first: int = 0) -> str:
    """The sheet as TOML; what was declared keeps its moment in a part that begins at frame `first`."""
    lines = [f"game = {value(sheet.game)}", f"seats = {value(list(sheet.seats))}"]
    lines += [f"turn = {value(sheet.turn)}"] if sheet.turn else []
    lines += [f"calibration = {value(sheet.calibration)}"] if sheet.calibration else []
    deck = {"name": sheet.deck.name, "folder": sheet.deck.folder}
    tables = {"switches": sheet.switches, "deck": deck, "zones": sheet.zones, "state": sheet.state}
    for name, table in tables.items():
        lines += _table(f"[{name}]", table)
    for told in sheet.declared:
        lines += _told(told, max(0, int(str(told["frame"])) - first))
    return "\n".join(lines) + "\n"


def _table(head: str, table: Mapping[str, object]) -> list[str]:
    lines = [f"{_key(k)} = {value(v)}" for k, v in table.items() if v is not None]
    return [head, *lines] if lines else []


def _told(told: Mapping[str, object], frame: int) -> list[str]:
    return _table("[[declared]]", {"frame": frame, **{k: v for k, v in told.items() if k != "frame"}})


def value(plain: object) -> str:
    """A plain value as TOML writes it; what is nothing is left out of tables and lists."""
    if isinstance(plain, Mapping):
        return f"{{{', '.join(f'{_key(k)} = {value(v)}' for k, v in plain.items() if v is not None)}}}"
    if isinstance(plain, list | tuple):
        return f"[{', '.join(value(v) for v in plain if v is not None)}]"
    return json.dumps(plain, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(name: object) -> str:
    """Bare where TOML lets it be."""
    word = str(name)
    return word if BARE.fullmatch(word) else json.dumps(word, ensure_ascii=False)


class KeptSheet:
    """The file, whole at any moment; a match that is taken up again goes on in it."""

    def __init__(self, folder: Path, sheet: MatchSheet) -> None:
        self._place = folder / "match.toml"
        self._words = sheet_words(sheet)
        if self._place.exists():
            self._words = self._place.read_text(encoding="utf8")
        write_text(self._place, self._words)

    def tell(self, event: Mapping[str, object], frame: int) -> None:
        """Add what somebody declared."""
        if event.get("ev") in NOT_TOLD_AGAIN:
            return
        told = {"event": event["ev"], **{k: v for k, v in event.items() if k not in ("ev", "event", "frame")}}
        self._words += "\n".join(_told(told, frame)) + "\n"
        with suppress(OSError):  # the recorder says so, the journal has it, and it is written with the next
            write_text(self._place, self._words)
