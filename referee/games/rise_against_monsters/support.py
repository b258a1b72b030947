"""Workers pay for bonus cards and castles: who may, and whether it is enough."""

from collections import Counter
from collections.abc import Mapping
from itertools import combinations

from referee.games.rise_against_monsters.cards import kind, spoken
from referee.games.rise_against_monsters.combat import can_cross
from referee.games.rise_against_monsters.ratings import (
    cost,
    far_end,
    land_of,
    roads_at,
    support_sum,
)
from referee.games.rise_against_monsters.state import State
from referee.games.rise_against_monsters.words import illegal
from referee.types import Ruling, Seat

Claims = Mapping[str, tuple[str, ...]]
"""Bonus card or castle -> the workers that pay for it."""


def claims_of(state: State, seat: Seat) -> dict[str, tuple[str, ...]]:
    """Who supports what in the seat's land now."""
    return {kept.card: kept.by for kept in state.lands[seat].kept}


def unpaid(state: State, claims: Claims) -> str | None:
    """A card whose workers do not suffice; where workers may be split, also together with others."""
    most = len(claims) if state.sw.split_worker else 1
    for size in range(1, most + 1):
        for group in combinations(claims, size):
            workers = tuple({w for card in group for w in claims[card]})
            if support_sum(state, workers) < sum(map(cost, group)):
                return group[-1]
    return None


def may_help(state: State, seat: Seat, workers: tuple[str, ...], via: Mapping[str, str]) -> Ruling | None:
    """May these workers be tapped now for a card in the seat's land?"""
    if len(set(workers)) != len(workers):
        return illegal(("G-14", "RA-60"), "A worker counts once.", seat)
    for worker in workers:
        no = _may_be_tapped(state, seat, worker) or _may_reach(state, seat, worker, via.get(worker))
        if no:
            return no
    over = Counter(via[w] for w in workers if w in via and land_of(state, w) != seat)
    busy = next((road for road, users in over.items() if users > 1), None)
    return illegal(("RA-67",), f"The {spoken(busy)} carries one card at a time.", seat) if busy else None


def _may_be_tapped(state: State, seat: Seat, worker: str) -> Ruling | None:
    if kind(worker) != "worker" or land_of(state, worker) is None:
        return illegal(("RA-59",), f"{spoken(worker)} is no worker in play.", seat)
    if worker not in state.tapped:
        return None
    if any(worker in kept.by for kept in state.lands[seat].kept):
        if state.sw.split_worker:
            return None
        return illegal(("G-14", "RA-59"), f"{spoken(worker)} supports another card already.", seat)
    return illegal(("RA-20", "RA-59"), f"{spoken(worker)} lies sideways and cannot be used.", seat)


def _may_reach(state: State, seat: Seat, worker: str, via: str | None) -> Ruling | None:
    home = land_of(state, worker)
    if home is None or home == seat or worker in state.tapped:
        return None
    return can_cross(state, worker, home, via, seat)


def reaches(state: State, seat: Seat, worker: str) -> bool:
    """Does the worker's help still reach the seat's land: it lies there, or on a road that leads there?"""
    home = land_of(state, worker)
    if home is None or home == seat:
        return home == seat
    roads = (road for road in roads_at(state, home) if far_end(road, home) == seat)
    return worker in state.tapped and any(road.used_by == worker for road in roads)
