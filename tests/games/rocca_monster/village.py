"""A village whose bodies only the test knows."""

import random

from referee.games.rocca_monster import GAME
from referee.games.rocca_monster.state import State, named
from referee.types import Ask, Choice
from tests.games.harness import RandomPlayers

SPECIAL_BODIES = ("healer", "vampire")


def bodies(seats: tuple[str, ...], opts: dict[str, bool], rng: random.Random) -> dict[str, str]:
    """Exactly one Monster (or Vampire), a Healer if there is one, villagers all others."""
    members = [m for seat in seats for m in named(seat)]
    evil, healer = rng.sample(members, 2)
    dealt = dict.fromkeys(members, "villager")
    dealt[evil] = rng.choice(["monster", "vampire"]) if opts.get("vampire") else "monster"
    return {**dealt, healer: "healer"} if opts.get("healer") else dealt


def villagers(n: int, seed: int, **switches: object) -> RandomPlayers:
    """Random players over honestly dealt bodies."""
    seats = tuple("ABCDEF"[:n])
    opts = {k: bool(v) for k, v in switches.items() if k in SPECIAL_BODIES}
    dealt = bodies(seats, opts, random.Random(seed))

    follow = random.Random(seed + 1)

    def truth(state: State, choice: Choice, ask: Ask) -> object:
        if ask.name == "body":
            return dealt[str(choice.fields["member"])]
        joins = choice.event == "vote_set" and state.votes and follow.random() < 0.7
        return max(state.votes, key=lambda m: state.votes[m]) if joins else None

    return RandomPlayers(GAME, seats, switches, seed, truth, vote_before_closing)


def vote_before_closing(state: State, offered: tuple[Choice, ...], rng: random.Random) -> Choice | None:
    """By day most people lay the missing votes, then close."""
    if state.phase != "DAY" or rng.random() < 0.2:
        return None
    missing = [c for c in offered if c.event == "vote_set" and c.fields["seat"] not in state.voters]
    ready = [c for c in offered if c.event == "vote_close"]
    return rng.choice(missing or ready)


def any_village(seed: int) -> RandomPlayers:
    """Another number of players, other special cards and other house rules for each seed."""
    rng = random.Random(seed)
    n = rng.randint(3, 6)
    switches: dict[str, object] = {
        "mayor": rng.random() < 0.5,
        "police": rng.random() < 0.5,
        "healer": n > 3 and rng.random() < 0.5,
        "vampire": n > 3 and rng.random() < 0.3,
        "attack_table": rng.choice(["3to6", "3or4", "reroll56", "mild", "police_paragraph"]),
        "count_deaths": rng.choice(["current", "cumulative"]),
        "vote_rule": rng.choice(["plurality", "plurality", "absolute"]),
        "dead_family_votes": rng.random() < 0.7,
        "self_kill": rng.choice(["villagers", "continues"]),
        "no_attack": rng.choice(["repeat_once", "no_victim"]),
        "mayor_target": rng.choice(["other_family", "any"]),
        "mayor_revive": rng.random() < 0.5,
        "police_revive": rng.random() < 0.5,
    }
    return villagers(n, seed, **switches)
