"""The monsters' forced actions once more, written naively from the rules: plain dicts, changed in place."""

import copy
from typing import Any

Table = dict[str, Any]
VALUE = {"J": 3, "Q": 4, "K": 5}


def orders(table: Table) -> list[dict[str, Any]]:
    """What the monsters of the turn player's land do if nobody interferes."""
    table = copy.deepcopy(table)
    here = table["lands"][table["turn"]]["monsters"]
    queue = [m for m in here if m not in table["tapped"]]
    queue.sort(key=lambda m: -_number(m))
    done = []
    for monster in queue:
        order = _one(table, monster)
        if order is not None:
            done.append(order)
    return done


def _one(table: Table, monster: str) -> dict[str, Any] | None:
    seat = table["turn"]
    on_it = [a for a, t in table["contacts"] if t == monster]
    candidates = on_it if on_it else _category(table, seat)[1]
    if candidates:
        target = candidates[0]
        for other in candidates:
            if _worth(table, other, seat) < _worth(table, target, seat):
                target = other
        return _attack(table, monster, target)
    if table["first_round"]:
        return None
    to = _where(table)
    if to is None:
        return _order(monster, "stay")
    table["moved_pairs"].append([seat, to])
    table["lands"][seat]["monsters"].remove(monster)
    return _order(monster, "move", to=to)


def _attack(table: Table, monster: str, target: str) -> dict[str, Any]:
    table["tapped"].append(monster)
    table["contacts"].append([monster, target])
    total = 0
    for attacker, attacked in table["contacts"]:
        if attacked == target:
            total += _worth(table, attacker, table["turn"])
    needed = _worth(table, target, table["turn"])
    if total >= needed:
        _remove(table, target)
    return _order(monster, "attack", target=target, total=total, needed=needed, destroyed=total >= needed)


def _remove(table: Table, card: str) -> None:
    for land in table["lands"].values():
        for row in ("heroes", "workers"):
            if card in land[row]:
                land[row].remove(card)
    for road in list(table["roads"]):
        if road["card"] == card:
            table["roads"].remove(road)
            table["contacts"] = [c for c in table["contacts"] if c[0] != road["used_by"]]
    table["contacts"] = [c for c in table["contacts"] if card not in c]


def _where(table: Table) -> str | None:
    players, seat = table["players"], table["turn"]
    start = players.index(seat)
    lands = [players[(start + i) % len(players)] for i in range(1, len(players))]
    lands = [land for land in lands if [seat, land] not in table["moved_pairs"]]
    best, best_key = None, None
    for land in lands:
        kind, cards = _category(table, land)
        if not cards:
            continue
        weakest = min(_worth(table, card, land) for card in cards)
        key = (kind, weakest, -_count(table, land))
        if best_key is None or key < best_key:
            best, best_key = land, key
    if best is None and lands and table["sw"]["move_without_targets"]:
        return str(lands[0])
    return best


def _count(table: Table, seat: str) -> int:
    land = table["lands"][seat]
    if table["sw"]["count_targets"] == "heroes":
        return len(land["heroes"])
    return len(land["heroes"]) + len(land["workers"]) + len(_roads(table, seat))


def _category(table: Table, seat: str) -> tuple[int, list[str]]:
    land = table["lands"][seat]
    if land["heroes"]:
        return 0, land["heroes"]
    if land["workers"]:
        return 1, land["workers"]
    return 2, _roads(table, seat)


def _roads(table: Table, seat: str) -> list[str]:
    return [road["card"] for road in table["roads"] if seat in road["ends"]]


def _worth(table: Table, card: str, seat: str) -> int:
    """Monsters as printed, roads as the seat sees them, heroes and workers as at home."""
    if card[0] == "C":
        return _number(card)
    if card[0] == "D":
        return _number(card) + _bonus(table, seat, "D")
    for owner, land in table["lands"].items():
        if card in land["heroes"] or card in land["workers"]:
            return _number(card) + _bonus(table, owner, card[0])
    raise AssertionError(f"{card} is not in play")


def _bonus(table: Table, seat: str, suit: str) -> int:
    own = [b["card"] for b in table["lands"][seat]["bonus"]]
    total = 0
    for card in own:
        if card[0] == suit:
            total += VALUE[card[1]]
    for rank in "JQK":
        if not any(card[0] == "D" and card[1] == rank for card in own):
            continue
        drawn = False
        for road in table["roads"]:
            if seat in road["ends"]:
                other = road["ends"][0] if road["ends"][1] == seat else road["ends"][1]
                for b in table["lands"][other]["bonus"]:
                    drawn = drawn or (b["card"][0] == suit and b["card"][1] == rank)
        if drawn:
            total += VALUE[rank]
    return total


def _number(card: str) -> int:
    rank = card[1:].split("#")[0]
    return 15 if rank in "JQK" else int(rank)


def _order(card: str, do: str, **more: Any) -> dict[str, Any]:
    empty = {"target": None, "to": None, "total": None, "needed": None, "destroyed": None}
    return {"card": card, "do": do, **empty, **more}
