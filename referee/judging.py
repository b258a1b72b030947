"""How every bench judges: questions asked in order, and the effect when none objects."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from referee.types import Judged, Ruling

S = TypeVar("S")
E = TypeVar("E")


@dataclass(frozen=True, slots=True)
class Rule(Generic[S, E]):
    """What is asked about one kind of event, and what it does when nobody objects."""

    questions: tuple[Callable[[S, E], Ruling | None], ...]
    """Each gives the refusal, or None; the first refusal is the answer."""
    effect: Callable[[S, E], Judged[S]]


def judge_by(rules: Mapping[type[Any], Rule[S, Any]], state: S, event: object) -> Judged[S]:
    """Ask the questions about the event in order; a refusal changes nothing."""
    rule = rules[type(event)]
    for question in rule.questions:
        refusal = question(state, event)
        if refusal is not None:
            return Judged(state, (refusal,))
    return rule.effect(state, event)
