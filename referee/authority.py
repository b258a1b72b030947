"""How far the referee may go by itself: each kind of foul is decided, proposed to the players, or ignored."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from referee.errors import BadEvent, TableError
from referee.house import HouseEvent
from referee.match import Match
from referee.types import Code, Ruling

Way = Literal["decide", "propose", "ignore"]
WAYS = ("decide", "propose", "ignore")


@dataclass(frozen=True, slots=True)
class Authority:
    ways: Mapping[str, Way] = field(default_factory=dict)
    """Clause id -> way; what is not named is decided."""

    def __post_init__(self) -> None:
        for clause, way in self.ways.items():
            if way not in WAYS:
                raise TableError(f"{clause} can be {', '.join(WAYS)}, not {way!r}")

    def weigh(self, match: Match[Any, Any], event: Any) -> tuple[Way, Ruling | None]:
        """What to do with an event the camera tells, and the foul it would be."""
        if not self.ways or isinstance(event, HouseEvent):
            return "decide", None
        rulings = match.game.judge(match.state, event).rulings
        foul = next((r for r in rulings if r.code is Code.FOUL), None)
        return ("decide", None) if foul is None else (self._way(match, foul), foul)

    def spared(self, match: Match[Any, Any], event: Any) -> Any:
        """The event as it is judged: about kinds of foul that are ignored nobody is asked."""
        ignored = [clause for clause, way in self.ways.items() if way == "ignore"]
        return event if isinstance(event, HouseEvent) else match.game.spared(match.state, event, ignored)

    def _way(self, match: Match[Any, Any], ruling: Ruling) -> Way:
        """Of several kinds of foul the one that is taken most seriously says it."""
        kinds = [clause for clause in ruling.clauses if clause in match.game.fouls]
        return min((self.ways.get(kind, "decide") for kind in kinds), key=WAYS.index, default="decide")

    @staticmethod
    def pardoned(match: Match[Any, Any], event: Any) -> Any:
        """The event without its foul; the event itself where the game has no such thing."""
        if match.game.overturn is None:
            return event
        try:
            return match.game.overturn(event, {"code": "OK", "clauses": []})
        except BadEvent:
            return event
