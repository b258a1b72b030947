"""Neighbours with real hands, which only the test knows, playing honestly."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from referee.games.monster_my_neighbour import GAME
from referee.games.monster_my_neighbour.exchanges import MIDDLE, expected
from referee.games.monster_my_neighbour.rules import playable
from referee.games.monster_my_neighbour.state import State
from tests.games.harness import Step, meant

COPIES = {
    "hunter": 6,
    "hide": 4,
    "wanted": 1,
    "villager": 4,
    "friend": 3,
    "dog": 2,
    "rumor": 3,
    "gossip": 3,
    "steal": 2,
    "deal": 3,
    "fog": 2,
}
"""A box of 33 general cards; the true numbers are lost."""
MONSTERS = [f"monster:{m}" for m in ("vampire", "werewolf", "goomiho", "mermaid", "mandrake")]


@dataclass
class Neighbours:
    n: int
    seed: int
    switches: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self.seats = tuple("ABCDEFGH"[: self.n])
        self.state: State = GAME.begin(self.seats, self.switches)
        self.general = [card for card, n in COPIES.items() for _ in range(n)]
        self.monsters: list[str] = []
        self.hands: dict[str, list[str]] = {s: [] for s in self.seats}
        self.pile: list[str] = []

    def steps(self, rounds: int = 30) -> Any:
        """To the end of the game, with extra rounds on a tie now and then."""
        for _ in range(rounds * 200):
            if self.state.phase == "GAME_OVER" and (self.state.winner or self.rng.random() < 0.5):
                return
            before, plain = self.state, self._act()
            event = GAME.event(plain)
            judged = GAME.judge(before, event)
            self.state = judged.state
            yield Step(before, event, self.state, judged.rulings)
        raise AssertionError(f"not over after {rounds} rounds: {GAME.dump(self.state)}")

    def _act(self) -> dict[str, object]:
        """The next event, done to the hidden cards as well."""
        acts: dict[str, Callable[[], dict[str, object]]] = {
            "GAME_SETUP": self._deal,
            "ROUND_SETUP": self._deal,
            "WANTED": self._wanted,
            "TURN": self._turn,
            "TARGET": self._offered,
            "ANSWER": self._answer,
            "EXCHANGE": self._exchange,
            "ROUND_END": self._offered,
            "GAME_OVER": lambda: {"ev": "extra_round", "yes": True},
        }
        return acts[self.state.phase]()

    def _offered(self) -> dict[str, object]:
        choice = self.rng.choice(GAME.choices(self.state))
        asked = {a.name: meant(a, self.rng.choice(a.options)) for a in choice.asks}
        return {"ev": choice.event, **choice.fields, **asked}

    def _deal(self) -> dict[str, object]:
        part = self.state.part
        if not self.monsters:
            self.monsters = self.rng.sample(MONSTERS, len(MONSTERS))
        deck = [card for card, n in COPIES.items() for _ in range(n)]
        start = ["hunter", "hide", "wanted"]
        for card in start:
            deck.remove(card)
        self.rng.shuffle(deck)
        x = 4 * len(part) - 4
        start, self.general = [*start, *deck[:x], self.monsters.pop()], deck[x:]
        self.rng.shuffle(start)
        self.hands = {s: [] for s in self.seats} | {s: start[4 * i : 4 * i + 4] for i, s in enumerate(part)}
        self.pile = []
        return self._offered()

    def _wanted(self) -> dict[str, object]:
        seat = next(s for s, hand in self.hands.items() if "wanted" in hand)
        return self._play(seat, "wanted")

    def _turn(self) -> dict[str, object]:
        seat = str(self.state.turn)
        legal = playable(self.state, seat)
        mine = [c for c in self.hands[seat] if c in legal]
        if mine:
            return self._play(seat, self.rng.choice(mine))
        if len(self.hands[seat]) == 1:
            return {"ev": "turn_passed", "seat": seat}
        self.hands[seat].remove("hunter")
        self.pile.append("hunter")
        return {"ev": "facedown_discard", "seat": seat}

    def _play(self, seat: str, card: str) -> dict[str, object]:
        self.hands[seat].remove(card)
        self.pile.append(card)
        return {"ev": "card_played", "seat": seat, "card": card}

    def _answer(self) -> dict[str, object]:
        assert self.state.pending is not None
        target, card = str(self.state.pending.target), self.state.pending.card
        if card == "hunter":
            caught = self._monster_of(target) is not None and not self._protected(target)
            if caught:
                self._discard(target, str(self._monster_of(target)))
            return {"ev": "hunter_answer", "seat": target, "monster": caught}
        if card == "dog":
            given = self.rng.choice(self.hands[target])
            self._discard(target, given)
            self.pile.remove("dog")
            self.hands[target].append("dog")
            return {"ev": "dog_discard", "seat": target, "monster": given.startswith("monster:")}
        return self._answer_friend(target)

    def _answer_friend(self, target: str) -> dict[str, object]:
        has = "hunter" in self.hands[target]
        if has:
            self.hands[target].remove("hunter")
            self.general.append("hunter")
            if self.state.sw.friend_redraw:
                self.hands[target].append(self.general.pop(0))
        return {"ev": "friend_answer", "seat": target, "hunter": has}

    def _discard(self, seat: str, card: str) -> None:
        self.hands[seat].remove(card)
        self.pile.append(card)

    def _monster_of(self, seat: str) -> str | None:
        return next((c for c in self.hands[seat] if c.startswith("monster:")), None)

    def _protected(self, seat: str) -> bool:
        hand = self.hands[seat]
        first = "monster:mermaid" in hand and self.state.hunters_played == 1
        return "hide" in hand or hand == ["monster:goomiho"] or first

    def _exchange(self) -> dict[str, object]:
        plain = self._offered()
        if plain["ev"] != "exchange_done":
            return plain
        assert self.state.pending is not None
        taken: dict[int, list[str]] = {}
        for i, move in enumerate(expected(self.state)):
            if self.state.pending.card == "steal" and i == 1:
                self._give(taken, 0, expected(self.state)[0].to)
            if move.from_ != MIDDLE:
                taken[i] = [self._draw(move.from_) for _ in range(move.n)]
        for i, move in enumerate(expected(self.state)):
            if move.to != MIDDLE and i in taken:
                self._give(taken, i, move.to)
        self._fog(taken)
        return plain

    def _fog(self, taken: dict[int, list[str]]) -> None:
        """What lies in the middle is shuffled and dealt back."""
        pool = [card for cards in taken.values() for card in cards]
        self.rng.shuffle(pool)
        for move in expected(self.state):
            if move.from_ == MIDDLE:
                self.hands[move.to].append(pool.pop())

    def _draw(self, seat: str) -> str:
        return self.hands[seat].pop(self.rng.randrange(len(self.hands[seat])))

    def _give(self, taken: dict[int, list[str]], i: int, to: str) -> None:
        self.hands[to] += taken.pop(i, [])


def any_neighbours(seed: int) -> Neighbours:
    """Another number of players and other house rules for each seed."""
    rng = random.Random(seed)
    switches: dict[str, object] = {
        "fog": rng.choice(["pool", "none", "rotate_left", "rotate_right"]),
        "friend_redraw": rng.random() < 0.4,
        "last_turn": rng.choice(["last_card", "last_card", "fourth_turn"]),
        "early_monster": rng.choice(["take_back", "round_lost"]),
        "extra_players": rng.choice(["all", "tied"]),
        "round_audit": rng.random() < 0.5,
    }
    return Neighbours(rng.randint(3, 8), seed, switches)
