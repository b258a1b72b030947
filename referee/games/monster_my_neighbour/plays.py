"""What the cards do, once nobody objects. Hidden answers are taken as given."""

from dataclasses import replace

from referee.games.monster_my_neighbour.cards import (
    AIMED,
    AIMED_AT_A_HAND,
    CIRCLES,
    CLAUSES,
    NEEDS_ANOTHER_CARD,
    is_monster,
    title,
)
from referee.games.monster_my_neighbour.events import (
    CardPlayed,
    DealNumber,
    DogDiscard,
    ExchangeDone,
    FacedownDiscard,
    FriendAnswer,
    HunterAnswer,
    Target,
    TurnPassed,
    WentOn,
)
from referee.games.monster_my_neighbour.questions import may_the_monster_come
from referee.games.monster_my_neighbour.scoring import end_round
from referee.games.monster_my_neighbour.state import (
    Laid,
    Pending,
    State,
    change_hand,
    lay,
    next_with_cards,
    others_with_cards,
    with_cards,
)
from referee.types import Judged, Ruling, Seat
from referee.verdicts import assume, info, ok, prompt

ORDINALS = {1: "First", 2: "Second", 3: "Third", 4: "Fourth"}


def finish(state: State, seat: Seat, *said: Ruling) -> Judged[State]:
    """The turn of `seat` is over; the next seat with cards follows."""
    turns = {**state.turns, seat: state.turns[seat] + 1}
    state = replace(state, turns=turns, last=seat, pending=None, phase="TURN")
    following = next_with_cards(state, seat)
    if following is not None:
        return Judged(replace(state, turn=following), said)
    because = "All cards are played and no Monster came: somebody discarded it unseen."
    over = end_round(state, "nobody", because, None, None, None)
    return Judged(over.state, (*said, *over.rulings))


# --- Playing a card ----------------------------------------------------------------------------------


def play(state: State, event: CardPlayed) -> Judged[State]:
    """One card, face up before its player."""
    early = may_the_monster_come(state, event) is not None
    state = lay(change_hand(state, event.seat, -1), event.seat, Laid(event.card))
    if is_monster(event.card):
        return _show_monster(state, event, early)
    state = _count(state, event)
    said = ok(_said(state, event), *_clauses(event), seat=event.seat)
    without = _why_without_effect(state, event)
    if without is not None:
        return finish(state, event.seat, said, without)
    return _begin_effect(state, event, said)


def _said(state: State, event: CardPlayed) -> str:
    if event.card == "wanted":
        return f"{event.seat} has Wanted and begins."
    number = ORDINALS.get(state.turns[event.seat] + 1, f"Turn {state.turns[event.seat] + 1}:")
    return f"{number} turn of {event.seat}: {title(event.card)}."


def _clauses(event: CardPlayed) -> tuple[str, ...]:
    return ("MH-11" if event.card == "wanted" else "MH-13", CLAUSES[event.card])


def _count(state: State, event: CardPlayed) -> State:
    if event.card == "hunter":
        return replace(state, hunters_played=state.hunters_played + 1)
    if event.card == "villager":
        return replace(state, villagers_played=state.villagers_played + 1)
    if event.card == "friend" and event.seat not in state.friends:
        return replace(state, friends=(*state.friends, event.seat))
    return state


def _why_without_effect(state: State, event: CardPlayed) -> Ruling | None:
    card = event.card
    if card in NEEDS_ANOTHER_CARD and state.hand_n[event.seat] == 0:
        because = f"{title(card)} as the last card: no effect."
        return info(because, "MH-43", CLAUSES[card], seat=event.seat)
    if card in AIMED_AT_A_HAND and not others_with_cards(state, event.seat):
        return info(f"Nobody else has cards: the {title(card)} has no effect.", CLAUSES[card], "G-13")
    if card in CIRCLES and not others_with_cards(state, event.seat):
        return info(f"Nobody else has cards: the {title(card)} has no effect.", CLAUSES[card], "G-14")
    if card == "fog" and state.sw.fog == "none":
        return info("The Fog has no effect here.", "MH-39", "G-03")
    return None


def _begin_effect(state: State, event: CardPlayed, said: Ruling) -> Judged[State]:
    pending = Pending(event.card, event.seat)
    if event.card in CIRCLES:
        state = replace(state, phase="EXCHANGE", pending=pending)
        return Judged(state, (*_assumed(state), said, _call_exchange(state)))
    if event.card in AIMED:
        because = f"{event.seat} chooses a player for the {title(event.card)}."
        asked = prompt(because, CLAUSES[event.card], seat=event.seat)
        return Judged(replace(state, phase="TARGET", pending=pending), (said, asked))
    return finish(state, event.seat, said)


def _assumed(state: State) -> tuple[Ruling, ...]:
    if state.pending is None or state.pending.card != "fog" or state.sw.fog != "pool":
        return ()
    because = "Fog here: one card each into the middle, shuffled, one back each (house rule fog)."
    return (assume(because, "G-03"),)


def _call_exchange(state: State) -> Ruling:
    assert state.pending is not None
    card = state.pending.card
    everybody = ", ".join(with_cards(state))
    calls = {
        "rumor": f"{everybody}: everybody draws one card from the right-hand neighbour, unseen.",
        "gossip": f"{everybody}: everybody gives one card to the left-hand neighbour.",
        "fog": {
            "pool": f"{everybody}: one card each face down into the middle; {state.pending.by} shuffles and deals.",
            "rotate_left": f"{everybody}: one card each to the left.",
            "rotate_right": f"{everybody}: one card each to the right.",
        }.get(state.sw.fog, ""),
    }
    return prompt(calls[card], CLAUSES[card])


def _show_monster(state: State, event: CardPlayed, early: bool) -> Judged[State]:
    name = title(event.card)
    if early:
        because = f"{event.seat} showed the {name} too early and loses the round."
        return end_round(state, "exposed", because, event.seat, event.card, None)
    because = f"{event.seat} plays the {name} and escapes."
    return end_round(state, "escaped", because, event.seat, event.card, None)


def put_a_hunter_down(state: State, event: FacedownDiscard) -> Judged[State]:
    """A starting hand of Hunters only: one goes face down, without effect and uncounted."""
    state = lay(change_hand(state, event.seat, -1), event.seat, Laid(None, up=False))
    state = replace(state, skipped=(*state.skipped, event.seat))
    because = f"{event.seat} puts a card face down instead of the first turn; it does not count as played."
    return finish(state, event.seat, info(because, "MH-42", seat=event.seat))


def wait(state: State, event: TurnPassed) -> Judged[State]:
    """The one card left must wait for the fourth turn."""
    because = f"{event.seat} waits with the last card."
    return finish(state, event.seat, info(because, "MH-17", "G-06", seat=event.seat))


# --- Target and answer -------------------------------------------------------------------------------


def aim(state: State, event: Target) -> Judged[State]:
    """The other player is chosen."""
    assert state.pending is not None
    card = state.pending.card
    state = replace(state, pending=replace(state.pending, target=event.target))
    because = f"{title(card)} on {event.target}. {_CALLS[card].format(by=event.seat, target=event.target)}"
    if card == "investigate":
        return finish(state, event.seat, info(because, "MH-41", seat=event.target))
    if card in ("steal", "deal"):
        asked = prompt(because, CLAUSES[card], *(("MH-46",) if card == "deal" else ()), seat=event.seat)
        return Judged(replace(state, phase="EXCHANGE"), (asked,))
    return Judged(replace(state, phase="ANSWER"), (prompt(because, CLAUSES[card], seat=event.target),))


_CALLS = {
    "hunter": "{target} lays the Monster face up, unless something protects it, or says: no effect.",
    "dog": "{target} discards one card face down before {by} and takes the Dog; a Monster must be shown.",
    "friend": "{target} puts a Hunter under the general deck, or says: none.",
    "steal": "{by} draws one card of {target} unseen and gives one back.",
    "deal": "{by} says whether 1 or 2 cards change hands.",
    "investigate": "{by} looks at the hand of {target}.",
}


def go_on(state: State, event: WentOn) -> Judged[State]:
    """The table did not wait: the card counts as played, and nothing more is known of it."""
    assert state.pending is not None
    by, card = state.pending.by, state.pending.card
    because = f"The table went on after {by}'s {title(card)}: what it did was not told to the referee."
    return finish(state, by, info(because, CLAUSES[card], "MH-13", seat=event.seat))


def answer_hunter(state: State, event: HunterAnswer) -> Judged[State]:
    """The reason for "no effect" is asked by nobody."""
    assert state.pending is not None
    by = state.pending.by
    if not event.monster:
        return finish(state, by, info("No effect.", "MH-23", seat=event.seat))
    state = lay(change_hand(state, event.seat, -1), event.seat, Laid(event.card))
    return _caught(state, by, event.seat, "Hunter")


def discard_for_dog(state: State, event: DogDiscard) -> Judged[State]:
    """One card for the Dog: both hands keep their size, the discard lies with the Dog's player."""
    assert state.pending is not None
    by = state.pending.by
    state = _without_dog(state, by)
    if event.monster:
        return _caught(lay(state, by, Laid(event.card)), by, event.seat, "Dog")
    because = f"{event.seat} discards a card face down to {by} and takes the Dog."
    state = lay(state, by, Laid(None, up=False))
    return finish(state, by, info(because, "MH-31", "MH-22", seat=event.seat))


def _without_dog(state: State, by: Seat) -> State:
    """The Dog leaves its player's pile for the other's hand."""
    pile = state.played[by]
    last = max((i for i, laid in enumerate(pile) if laid.card == "dog"), default=len(pile))
    return replace(state, played={**state.played, by: pile[:last] + pile[last + 1 :]})


def _caught(state: State, by: Seat, monster: Seat, how: str) -> Judged[State]:
    if by in state.friends:
        because = f"{by}, a friend, betrays the Monster of {monster} with a {how}."
        return end_round(state, "betrayed", because, monster, None, by)
    return end_round(
        state, "caught", f"{by} catches the Monster of {monster} with a {how}.", monster, None, by
    )


def answer_friend(state: State, event: FriendAnswer) -> Judged[State]:
    """A Hunter of the target goes under the general deck."""
    assert state.pending is not None
    by = state.pending.by
    if not event.hunter:
        because = f"{event.seat} gives up no Hunter; {by} is the Monster's friend all the same."
        return finish(state, by, info(because, "MH-48", "MH-35", seat=event.seat))
    if state.sw.friend_redraw:
        because = f"{event.seat} puts a Hunter under the general deck and draws a card."
        return finish(state, by, info(because, "MH-21", "MH-35", "G-05", seat=event.seat))
    because = f"{event.seat} puts a Hunter under the general deck."
    state = replace(change_hand(state, event.seat, -1), general_n=state.general_n + 1)
    said = info(because, "MH-21", "MH-35", seat=event.seat)
    return finish(state, by, assume("No card is drawn for it (house rule friend_redraw).", "G-05"), said)


# --- Exchanges ---------------------------------------------------------------------------------------


def agree_on_number(state: State, event: DealNumber) -> Judged[State]:
    """How many cards the Deal exchanges."""
    assert state.pending is not None
    cards = "1 card" if event.n == 1 else f"{event.n} cards"
    how = "of own choice" if state.sw.deal_pick == "own_choice" else "drawn unseen"
    because = f"{event.seat} and {state.pending.target} exchange {cards} {how}, face down, at the same time."
    said = prompt(because, "MH-38", "MH-46", "G-04", seat=event.seat)
    return Judged(replace(state, pending=replace(state.pending, n=event.n)), (said,))


def exchanged(state: State, _event: ExchangeDone) -> Judged[State]:
    """The cards have changed hands; their numbers are as before."""
    assert state.pending is not None
    card = state.pending.card
    return finish(state, state.pending.by, ok(f"The {title(card)} is done.", CLAUSES[card]))
