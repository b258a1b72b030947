"""Small tables for tests: lands written as words, events told one after the other."""

from typing import Any

from referee.games.rise_against_monsters import GAME
from referee.games.rise_against_monsters.cards import kind
from referee.games.rise_against_monsters.state import State
from referee.types import Ruling

ROW = {"hero": "heroes", "worker": "workers", "monster": "monsters"}


def table(lands: dict[str, str], **given: Any) -> State:
    """`{"A": "H5 C4"}` lays a hero and a monster before A; a `!` turns a card sideways; roads as `D5-B`."""
    plain: dict[str, Any] = {"players": sorted(lands), "first_round": False, "turn": "A", "step": "PLAY"}
    plain |= {"lands": {}, "roads": [], "tapped": []}
    for seat, words in lands.items():
        plain["lands"][seat] = _land(plain, seat, words.split())
    plain["tapped"] += given.pop("tapped", [])
    return GAME.load({**plain, **given})


def _land(plain: dict[str, Any], seat: str, words: list[str]) -> dict[str, Any]:
    land: dict[str, Any] = {"heroes": [], "workers": [], "monsters": [], "bonus": [], "castles": []}
    for word in words:
        card, sideways = word.removesuffix("!"), word.endswith("!")
        plain["tapped"] += [card] if sideways else []
        if "-" in card:
            road, other = card.split("-")
            plain["roads"].append({"card": road, "ends": [seat, other], "used_by": None})
        elif "=" in card:
            _kept(land, card)
        else:
            land[ROW[kind(card)]].append(card)
    return land


def _kept(land: dict[str, Any], word: str) -> None:
    """`HJ=S5` is a Jack supported by a worker; `HA=S10+S10#2/C8` a castle that binds a monster."""
    card, rest = word.split("=")
    by, _, under = rest.partition("/")
    kept = {"card": card, "by": [w for w in by.split("+") if w]}
    if kind(card) == "castle":
        land["castles"].append({**kept, "under": [m for m in under.split("+") if m]})
    else:
        land["bonus"].append(kept)


def tell(state: State, *events: dict[str, Any]) -> tuple[State, list[Ruling]]:
    """The state after the events, and all that was ruled."""
    rulings: list[Ruling] = []
    for plain in events:
        judged = GAME.judge(state, GAME.event(plain))
        state, rulings = judged.state, rulings + list(judged.rulings)
    return state, rulings


def refusal(state: State, event: dict[str, Any]) -> tuple[str, ...]:
    """The clauses by which the event is refused; the state must be the very same."""
    after, rulings = tell(state, event)
    assert after is state, f"not refused: {rulings}"
    assert [r.code in ("ILLEGAL", "CORRECT") for r in rulings] == [True]
    return rulings[0].clauses


def attack(attacker: str, target: str, via: str | None = None) -> dict[str, Any]:
    return {"ev": "attack", "attacker": attacker, "target": target, "via": via}


def moved(card: str, to: str, from_: str = "A") -> dict[str, Any]:
    return {"ev": "monster_moved", "card": card, "from": from_, "to": to}


def begin(step: str, seat: str = "A") -> dict[str, Any]:
    return {"ev": "step_begin", "seat": seat, "step": step}


def drawn(card: str, seat: str = "A") -> dict[str, Any]:
    return {"ev": "drawn", "seat": seat, "card": card}


def untap(*left: str, seat: str = "A", **support: list[str]) -> dict[str, Any]:
    return {"ev": "untap", "seat": seat, "left_tapped": list(left), "support": support}


def play(card: str, *support: str, **more: Any) -> dict[str, Any]:
    return {"ev": "play", "seat": "A", "card": card, "support": list(support), **more}
