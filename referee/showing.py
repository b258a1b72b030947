"""Put a match on stage: what each may see of it, what lies on the table, every ruling once, and how the referee is."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from referee.codec import to_plain
from referee.eyes import Plain
from referee.match import Match
from referee.stage import Stage
from referee.types import TABLE, Audience, Ruling


class Showing:
    """What was said already is not said again."""

    def __init__(
        self, match: Match[Any, Any], seats: Sequence[str], stage: Stage, clause_text: Callable[[str], str]
    ) -> None:
        self._match, self._stage, self._clause_text = match, stage, clause_text
        self._audiences = (TABLE, *(Audience("seat", seat) for seat in seats))
        self._ruled = match.ledger.length()
        self._said: dict[str, Plain] = {}

    def views(self, night: bool) -> None:
        """The match as everybody and each seat may see it."""
        paused = self._match.sitting.paused
        for audience in self._audiences:
            view = to_plain(self._match.view(audience))
            self._stage.show({"kind": "view", "view": view, "paused": paused, "night": night}, audience)

    def new_rulings(self) -> None:
        """The rulings since the last time."""
        for entry in self._match.ledger.after(self._ruled):
            self._ruled = entry.number
            if entry.note.kind == "ruling":
                message = {"kind": "ruling", "number": entry.number, **self._texts(dict(entry.note.body))}
                self._stage.show(message, entry.note.audience)

    def proposal(self, foul: Ruling | None) -> None:
        """A ruling that waits for the players, or that none does any more."""
        ruling = None if foul is None else self._texts(to_plain(foul))
        self._stage.show({"kind": "proposal", "ruling": ruling})

    def scene(self, scene: Plain) -> None:
        """What lies on the table."""
        self._if_other({"kind": "scene", **scene})

    def status(self, troubles: Mapping[str, str], dropped: int, unrecorded: int) -> None:
        """How the referee is."""
        self._if_other(
            {"kind": "status", "troubles": dict(troubles), "dropped": dropped, "unrecorded": unrecorded}
        )

    def _if_other(self, message: Plain) -> None:
        """Only when it differs from what is shown."""
        if self._said.get(message["kind"]) != message:
            self._said[message["kind"]] = message
            self._stage.show(message)

    def _texts(self, ruling: dict[str, Any]) -> dict[str, Any]:
        return ruling | {"texts": {c: self._clause_text(c) for c in ruling["clauses"]}}
