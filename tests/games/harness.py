"""Random players, and the promises that every bench keeps while they play."""

import json
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from referee.codec import to_plain
from referee.game import Game
from referee.types import MASTER, TABLE, Ask, Audience, Choice, Code, Ruling

Truth = Callable[[Any, Choice, Ask], object]
"""What only the cards know: the answer to `ask` in this state, or None for a random one."""


Wish = Callable[[Any, tuple[Choice, ...], random.Random], Choice | None]
"""What sensible people would press, or None for anything."""


@dataclass(frozen=True)
class Step:
    before: Any
    event: Any
    after: Any
    rulings: tuple[Ruling, ...]


@dataclass
class RandomPlayers:
    """Everybody at the table, choosing among what the game offers."""

    game: Game[Any, Any]
    seats: tuple[str, ...]
    switches: Mapping[str, object] = field(default_factory=dict)
    seed: int = 0
    truth: Truth | None = None
    wish: Wish | None = None
    state: Any = None

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self.state = self.game.begin(self.seats, self.switches)

    def steps(self, most: int = 20_000) -> Iterator[Step]:
        """Play until the game is over; a dead end or an endless game fails."""
        idle = 0
        for _ in range(most):
            if is_over(self.state):
                return
            step = self.step()
            yield step
            idle = idle + 1 if step.after is step.before else 0
            assert idle < 500, f"nothing changes any more: {self.game.dump(self.state)}"
        raise AssertionError(f"not over after {most} events: {self.game.dump(self.state)}")

    def step(self) -> Step:
        """One choice of the offered ones, and what the referee does by itself after it."""
        offered = self.game.choices(self.state)
        assert offered, f"a dead end: {self.game.dump(self.state)}"
        wished = self.wish(self.state, offered, self.rng) if self.wish is not None else None
        event = self.game.event(self.chosen(wished or self.rng.choice(offered)))
        before = self.state
        judged = self.game.judge(before, event)
        rulings, self.state = judged.rulings, judged.state
        while self.state is not before and (followers := self.game.follow(self.state)):
            for follower in followers:
                judged = self.game.judge(self.state, follower)
                rulings, self.state = rulings + judged.rulings, judged.state
        return Step(before, event, self.state, rulings)

    def chosen(self, choice: Choice) -> dict[str, object]:
        """The event of this button, with everything it asks for filled in."""
        return {"ev": choice.event, **choice.fields, **{a.name: self._asked(choice, a) for a in choice.asks}}

    def _asked(self, choice: Choice, ask: Ask) -> object:
        known = self.truth(self.state, choice, ask) if self.truth is not None else None
        if known is not None:
            return known
        assert ask.options, f"{choice.event} asks for {ask.name} without saying what is possible"
        return meant(ask, self.rng.choice(ask.options))


def meant(ask: Ask, word: str) -> object:
    """An option as the event wants it, like the terminal reads it."""
    if ask.kind == "number":
        return int(word)
    if ask.kind == "pieces":
        return [word]
    return word == "yes" if set(ask.options) <= {"yes", "no"} else word


def is_over(state: Any) -> bool:
    return "GAME_OVER" in (state.phase, getattr(state, "step", None))


def audiences(seats: tuple[str, ...]) -> tuple[Audience, ...]:
    return (TABLE, MASTER, *(Audience("seat", s) for s in seats))


# --- Promises ----------------------------------------------------------------------------------------


def check_promises(game: Game[Any, Any], seats: tuple[str, ...], step: Step) -> None:
    """What holds after every event, whatever the game."""
    check_refusal(step)
    assert game.event(through_json(game.plain(step.event))) == step.event
    assert game.load(through_json(game.dump(step.after))) == step.after
    everybody = audiences(seats)
    for audience in everybody if step.before.phase != step.after.phase else everybody[:1]:
        view = game.view(step.after, audience)
        assert view.audience == audience and view.headline


def check_refusal(step: Step) -> None:
    """A refused event leaves the very same state, and every ruling says why."""
    if any(r.code == Code.ILLEGAL for r in step.rulings):
        assert step.after is step.before, f"refused, and yet something changed: {step.event}"
    assert step.rulings, f"no word about {step.event}"
    assert all(r.clauses and r.because for r in step.rulings)


def through_json(plain: object) -> Any:
    return json.loads(json.dumps(plain))


def shown(game: Game[Any, Any], state: Any, audience: Audience) -> str:
    """All that `audience` is shown, as text to search."""
    return json.dumps(to_plain(game.view(state, audience)))
