"""Random players at two to seven lands, and the deck whose order only the table knows."""

import random

from referee.games.rise_against_monsters import GAME
from referee.games.rise_against_monsters.cards import deck_cards, decks_for, kind
from referee.games.rise_against_monsters.ratings import attackers_on, home_rating, land_of
from referee.games.rise_against_monsters.state import State, cards_in_play
from referee.types import Ask, Choice
from tests.games.harness import RandomPlayers

PLAYED_FIRST = {"castle": 100.0, "worker": 30.0, "hero": 30.0, "bonus": 0.2, "road": 2.0}
SPARED = {"castle": 0.001, "worker": 0.05, "hero": 0.05, "joker": 0.001, "bonus": 0.3, "road": 0.5}
"""How eager sensible people are. Aimless ones throw their cards away and lose soon."""
LIKES = {"choice": 0.2, "transfer": 0.02, "castle_set": 0.5, "draw_stop": 4.0, "step_done": 1.0}


def liking(state: State, choice: Choice) -> float:
    """How gladly a sensible player presses this button."""
    card = str(choice.fields.get("card", ""))
    match choice.event:
        case "play":
            return PLAYED_FIRST[kind(card)]
        case "discarded":
            cards = choice.fields["cards"]
            assert isinstance(cards, tuple)
            return SPARED[kind(str(next(iter(cards))))]
        case "untap":
            return 20.0 if "keep" in choice.label else 0.5
        case "attack":
            return 50.0 if _kills(state, choice) else 0.5
    return LIKES.get(choice.event, 1.0)


def _kills(state: State, choice: Choice) -> bool:
    """Can the heroes of the attacker's land finish the monster together?"""
    attacker, target = str(choice.fields["attacker"]), str(choice.fields["target"])
    if kind(attacker) == "monster":
        return True
    seat = land_of(state, attacker)
    fresh = [hero for hero in state.lands[str(seat)].heroes if hero not in state.tapped]
    together = fresh if seat == land_of(state, target) else [attacker]
    total = sum(home_rating(state, hero) for hero in (*together, *attackers_on(state, target)))
    return total >= home_rating(state, target)


def all_cards(state: State) -> tuple[str, ...]:
    return deck_cards(decks_for(len(state.players), state.sw.extra_deck), state.sw.jokers_per_deck)


def open_cards(state: State) -> list[str]:
    """Every card that lies open somewhere."""
    held = [card for cards in state.hand.values() for card in cards]
    return [*cards_in_play(state), *held, *state.discard]


def eagerly(state: State, offered: tuple[Choice, ...], rng: random.Random) -> Choice:
    return rng.choices(offered, [liking(state, choice) for choice in offered])[0]


class Lands(RandomPlayers):
    """Players who build when they can, with a shuffled deck of real cards."""

    deck: list[str]

    def __post_init__(self) -> None:
        super().__post_init__()
        self.truth = self._card
        self.deck = list(all_cards(self.state))
        self.rng.shuffle(self.deck)

    def chosen(self, choice: Choice) -> dict[str, object]:
        if choice.event == "reshuffled":
            self.deck = list(self.state.discard)
            self.rng.shuffle(self.deck)
        return super().chosen(choice)

    def _card(self, _state: State, choice: Choice, _ask: Ask) -> object:
        if choice.event == "dealt":
            return [self.deck.pop() for _ in range(7)]
        return self.deck.pop()


def any_lands(seed: int) -> Lands:
    """Two or three sensible players now and then, else two to seven aimless ones."""
    rng = random.Random(seed)
    sensible = rng.random() < 0.3
    seats = tuple("ABCDEFG"[: rng.randint(2, 3 if sensible else 7)])
    return Lands(GAME, seats, {"extra_deck": rng.random() < 0.3}, seed, wish=eagerly if sensible else None)
