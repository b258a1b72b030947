"""Which rolls save a villager from an attack, and which bring one back."""

from collections.abc import Mapping

from referee.games.rocca_monster.state import State

WORDS = {1: "One", 2: "Two", 3: "Three", 4: "Four", 5: "Five", 6: "Six"}
MIRACLE = frozenset({3, 4, 5, 6})
ROLL_AGAIN = frozenset({5, 6})
"""Under `reroll56`."""

_FROM_3 = frozenset({3, 4, 5, 6})
_FROM_2 = frozenset({2, 3, 4, 5, 6})
_3_OR_4 = frozenset({3, 4})
ATTACK_TABLES: Mapping[str, Mapping[str, frozenset[int]]] = {
    "3to6": {"villager": _FROM_3, "police_family": _FROM_2, "police": frozenset({1, 2, 3, 4, 5, 6})},
    "3or4": {"villager": _3_OR_4, "police_family": _3_OR_4 | {2}, "police": _3_OR_4 | {1, 2}},
    "reroll56": {"villager": _3_OR_4, "police_family": _3_OR_4 | {2}, "police": _3_OR_4 | {1, 2}},
    "mild": {"villager": _FROM_3, "police_family": _FROM_2, "police": _FROM_2},
    "police_paragraph": {
        "villager": frozenset({1, 2}),
        "police_family": frozenset({2, 3}),
        "police": frozenset({1, 2, 3}),
    },
}
"""Preset -> who is attacked -> rolls that save."""


def standing(state: State, member: str) -> str:
    """How the Police sees this villager: `police`, his `police_family`, or any `villager`."""
    villager = state.members[member]
    if not state.police_alive:
        return "villager"
    if villager.face == "police":
        return "police"
    families = {m.owner for m in state.members.values() if m.face == "police" and m.alive}
    return "police_family" if villager.owner in families else "villager"


def saving_rolls(state: State, member: str) -> frozenset[int]:
    return ATTACK_TABLES[state.sw.attack_table][standing(state, member)]


def rolls_again(state: State, value: int) -> bool:
    return state.sw.attack_table == "reroll56" and value in ROLL_AGAIN
