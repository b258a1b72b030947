"""Four or five people with real cards: they know what the referee must not."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from referee.games.shisogari import GAME
from referee.games.shisogari.cards import BLOOD, ITEMS, colour_of
from referee.games.shisogari.state import State
from referee.types import Choice, Ruling
from tests.games.harness import Step

WHITE = ["crucifix", "holy_water", "dagger"] * 3
BLACK = ["stake", "bible", "garlic"] * 3


@dataclass
class Company:
    """Honest players; everything they hide is here and nowhere else."""

    seed: int
    boldness: float = 0.04
    rng: random.Random = field(init=False)
    roles: dict[str, str] = field(init=False)
    hands: dict[str, list[str]] = field(init=False)
    pairs: list[dict[str, Any]] = field(default_factory=list)
    picked: str = ""
    state: State = field(init=False)
    said: list[Ruling] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        seats = tuple("ABCDE"[: self.rng.choice((4, 5))])
        vampire = self.rng.choice(seats)
        self.roles = {seat: "vampire" if seat == vampire else "hunter" for seat in seats}
        self.state = GAME.begin(seats, {})
        self._deal(seats, vampire)

    def _deal(self, seats: tuple[str, ...], vampire: str) -> None:
        """The Vampire keeps the blood and returns the first two Items; everybody else the other way round."""
        white, black = WHITE.copy(), BLACK.copy()
        self.rng.shuffle(white)
        self.rng.shuffle(black)
        self.hands = {seat: [white.pop(), black.pop()] for seat in seats}
        self.hands[vampire] = list(BLOOD)
        if len(seats) == 4:
            for seat in seats:
                self.hands[seat] += [white.pop(), black.pop()]
            self.spread = [*white, *black, "blank_white", "blank_black"]
        else:
            white, black = [*white, "blank_white"], [*black, "blank_black"]
            self.rng.shuffle(white)
            self.rng.shuffle(black)
            for seat in seats:
                self.hands[seat] += [white.pop(), black.pop()]
            self.spread = []

    def play(self, most: int = 3000) -> None:
        """Until the game is over."""
        for _ in range(most):
            if self.state.phase == "GAME_OVER":
                return
            self.step()
        raise AssertionError(f"not over after {most} events: {GAME.dump(self.state)}")

    def steps(self) -> Iterator[Step]:
        """The game as the harness tells it."""
        while self.state.phase != "GAME_OVER":
            before, heard = self.state, len(self.said)
            event = GAME.event(self.step())
            yield Step(before, event, self.state, tuple(self.said[heard:]))

    def step(self) -> dict[str, object]:
        """One honest event."""
        plain = self._answered(self.rng.choice(self._honest()))
        self.state, rulings = self._judged(plain)
        self.said += rulings
        return plain

    def _judged(self, plain: dict[str, object]) -> tuple[State, tuple[Ruling, ...]]:
        judged = GAME.judge(self.state, GAME.event(plain))
        assert judged.state is not self.state, judged.rulings
        self._moved(plain)
        return judged.state, judged.rulings

    def _honest(self) -> list[Choice]:
        """The buttons an honest player may press, knowing the cards."""
        offered = GAME.choices(self.state)
        assert offered, f"a dead end: {GAME.dump(self.state)}"
        if self.state.phase == "TURN":
            return self._turn(offered)
        if self.state.phase == "RESOLVE":
            return [c for c in offered if c.fields["outcome"] in self._outcomes()]
        if self.state.phase == "REVEAL":
            return [c for c in offered if self._is_true(c)]
        return list(offered)

    def _turn(self, offered: tuple[Choice, ...]) -> list[Choice]:
        claims = [c for c in offered if c.fields.get("kind") == "determine"]
        others = [c for c in offered if c not in claims]
        may = self.roles[self.state.turn] == "hunter" and not self._kin(self.state.turn)
        return claims if may and self.rng.random() < self.boldness else others

    def _kin(self, seat: str) -> bool:
        return any(p["owner"] == seat and set(p["cards"]) & set(BLOOD) for p in self.pairs)

    def _is_true(self, choice: Choice) -> bool:
        if choice.event == "role_shown":
            return choice.fields["role"] == self.roles[str(choice.fields["seat"])]
        return choice.fields["roles"] == self.roles

    def _outcomes(self) -> tuple[str, ...]:
        """What the picked card makes the picker do."""
        assert self.state.action is not None
        mine = self.hands[str(self.state.action.picker)]
        if self.picked in BLOOD:
            return ("pair_down",)
        if self.picked in ITEMS and self.picked in mine:
            return ("pair_up",) if self.picked == self.state.action.item else ("pair_down",)
        return ("added", "pair_down") if self._vampires_pair() else ("added",)

    def _vampires_pair(self) -> str | None:
        """The Vampire's own option: Bloodsucking or Blank with an Item of the colour."""
        assert self.state.action is not None
        seat = str(self.state.action.picker)
        if self.roles[seat] != "vampire":
            return None
        same = [c for c in self.hands[seat] if colour_of(c) == colour_of(self.picked)]
        fits = [c for c in same if (c in ITEMS) != (self.picked in ITEMS)]
        return fits[0] if fits else None

    def _answered(self, choice: Choice) -> dict[str, object]:
        plain: dict[str, object] = {"ev": choice.event, **choice.fields}
        for ask in choice.asks:
            plain[ask.name] = self.pairs if ask.name == "pairs" else self.rng.choice(ask.options)
        return plain | ({"hands": self.hands} if choice.event == "all_shown" else {})

    def _moved(self, plain: dict[str, object]) -> None:
        """The real cards follow what was told."""
        match plain["ev"]:
            case "table_card_taken":
                self._take(self.spread, self.hands[str(plain["seat"])], str(plain["colour"]))
            case "card_picked":
                aside: list[str] = []
                self._take(self.hands[str(plain["from"])], aside, str(plain["colour"]))
                self.picked = aside[0]
            case "resolved":
                self._resolve(str(plain["seat"]), str(plain["outcome"]))

    def _take(self, pile: list[str], to: list[str], colour: str) -> None:
        card = self.rng.choice([c for c in pile if colour_of(c) == colour])
        pile.remove(card)
        to.append(card)

    def _resolve(self, seat: str, outcome: str) -> None:
        mine = self.hands[seat]
        if outcome == "added":
            mine.append(self.picked)
            return
        partner = self._partner(seat)
        mine.remove(partner)
        face, named = outcome.removeprefix("pair_"), self.state.action.item if self.state.action else None
        self.pairs.append({"owner": seat, "cards": [self.picked, partner], "face": face, "named": named})

    def _partner(self, seat: str) -> str:
        mine = self.hands[seat]
        if self.picked in ITEMS and self.picked in mine:
            return self.picked
        if self.picked in BLOOD:
            return self.rng.choice([c for c in mine if colour_of(c) == colour_of(self.picked)])
        found = self._vampires_pair()
        assert found is not None
        return found
