"""Random positions in the middle of a game, lawful or merely possible."""

import random
from typing import Any

from referee.games.rise_against_monsters.cards import deck_cards, kind


def random_position(rng: random.Random) -> dict[str, Any]:
    """A state before Monster Activity, as JSON."""
    players = list("ABCDEFG"[: rng.randint(2, 7)])
    lands: dict[str, Any] = {
        s: {"heroes": [], "workers": [], "monsters": [], "bonus": [], "castles": []} for s in players
    }
    roads: list[dict[str, Any]] = []
    turn = rng.choice(players)
    bare = rng.random() < 0.6
    for card in rng.sample(deck_cards(2, 2), rng.randint(4, 40)):
        seat = turn if kind(card) == "monster" and rng.random() < 0.5 else rng.choice(players)
        if not (bare and seat == turn and kind(card) != "monster"):
            _lay(
                rng, lands, roads, card, seat, [s for s in players if s != seat and not (bare and s == turn)]
            )
    tapped = _sideways(rng, lands)
    given = {
        "players": players,
        "turn": turn,
        "step": "MONSTERS",
        "first_round": rng.random() < 0.1,
        "lands": lands,
        "roads": roads,
        "tapped": tapped,
        "contacts": _contacts(rng, lands, tapped),
        "moved_pairs": [[turn, s] for s in players if s != turn and rng.random() < 0.1],
        "sw": {
            "move_without_targets": rng.random() < 0.7,
            "count_targets": rng.choice(["attackable", "heroes"]),
        },
    }
    return _with_road_users(rng, given)


def _lay(
    rng: random.Random,
    lands: dict[str, Any],
    roads: list[dict[str, Any]],
    card: str,
    seat: str,
    others: list[str],
) -> None:
    land = lands[seat]
    match kind(card):
        case "monster":
            land["monsters"].append(card)
        case "hero" if rng.random() < 0.5:
            land["heroes"].append(card)
        case "worker" if rng.random() < 0.5:
            land["workers"].append(card)
        case "road" if others:
            roads.append({"card": card, "ends": [seat, rng.choice(others)], "used_by": None})
        case "bonus":
            land["bonus"].append({"card": card, "by": []})
        case "castle":
            land["castles"].append({"card": card, "by": [], "under": []})


def _sideways(rng: random.Random, lands: dict[str, Any]) -> list[str]:
    rows = ("heroes", "workers", "monsters")
    return [c for land in lands.values() for row in rows for c in land[row] if rng.random() < 0.25]


def _contacts(rng: random.Random, lands: dict[str, Any], tapped: list[str]) -> list[list[str]]:
    """Sideways heroes lie on monsters of any land, sideways monsters on heroes of their own."""
    monsters = [m for land in lands.values() for m in land["monsters"]]
    found = []
    for land in lands.values():
        found += [[h, rng.choice(monsters)] for h in land["heroes"] if h in tapped and monsters]
        found += [[m, rng.choice(land["heroes"])] for m in land["monsters"] if m in tapped and land["heroes"]]
    return [contact for contact in found if rng.random() < 0.6]


def _with_road_users(rng: random.Random, given: dict[str, Any]) -> dict[str, Any]:
    for road in given["roads"]:
        land = given["lands"][rng.choice(road["ends"])]
        users = [card for card in (*land["heroes"], *land["workers"]) if card in given["tapped"]]
        taken = [r["used_by"] for r in given["roads"]]
        free = [card for card in users if card not in taken]
        road["used_by"] = rng.choice(free) if free and rng.random() < 0.5 else None
    return given
