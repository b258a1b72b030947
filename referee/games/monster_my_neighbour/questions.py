"""What may stand against an event, each a question that a player would ask."""

from referee.games.monster_my_neighbour.cards import AIMED_AT_A_HAND, CLAUSES, HAND, is_monster, title
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
from referee.games.monster_my_neighbour.exchanges import is_as_told
from referee.games.monster_my_neighbour.state import State, next_with_cards
from referee.types import Ruling
from referee.verdicts import correct, illegal

Turn = CardPlayed | FacedownDiscard | TurnPassed
Answer = HunterAnswer | DogDiscard | FriendAnswer
ANSWERS = {"hunter": HunterAnswer, "dog": DogDiscard, "friend": FriendAnswer}
MIDST = ("TARGET", "ANSWER", "EXCHANGE")


# --- A turn ------------------------------------------------------------------------------------------


def is_a_round_being_played(state: State, event: Turn) -> Ruling | None:
    if state.phase in ("GAME_SETUP", "ROUND_SETUP"):
        return illegal("First everybody is dealt four cards.", "MH-08", "MH-11", seat=event.seat)
    if state.phase in ("ROUND_END", "GAME_OVER"):
        return illegal("This round is over.", "MH-16", "MH-53", seat=event.seat)
    return None


def does_the_seat_play(state: State, event: Turn) -> Ruling | None:
    if event.seat in state.part:
        return None
    return illegal(f"{event.seat} is not in this round.", "MH-12", seat=event.seat)


def begins_the_round_with_wanted(state: State, event: Turn) -> Ruling | None:
    if state.phase != "WANTED" or (isinstance(event, CardPlayed) and event.card == "wanted"):
        return None
    return illegal("The round begins with Wanted; its holder plays it.", "MH-11", seat=event.seat)


def is_the_last_card_finished(state: State, event: Turn) -> Ruling | None:
    if state.phase not in MIDST or state.pending is None:
        return None
    because = f"First {state.pending.by}'s {title(state.pending.card)} is finished."
    return illegal(because, "MH-13", "MH-12", seat=event.seat)


def is_it_their_turn(state: State, event: Turn) -> Ruling | None:
    if state.phase != "TURN" or event.seat == state.turn:
        return None
    if event.seat == state.last:
        because = f"{event.seat} has played a card already; it is {state.turn}'s turn."
        return illegal(because, "MH-13", "MH-12", seat=event.seat)
    return illegal(f"It is {state.turn}'s turn, not {event.seat}'s.", "MH-12", seat=event.seat)


def holds_a_card(state: State, event: Turn) -> Ruling | None:
    if state.hand_n[event.seat] > 0:
        return None
    return illegal(f"{event.seat} has no cards left.", "MH-15", seat=event.seat)


# --- A card ------------------------------------------------------------------------------------------


def does_wanted_only_begin(state: State, event: CardPlayed) -> Ruling | None:
    if event.card != "wanted" or state.phase == "WANTED":
        return None
    return illegal("Wanted is the first card of a round, never a later one.", "MH-11", seat=event.seat)


def does_the_hunter_wait(state: State, event: CardPlayed) -> Ruling | None:
    if event.card != "hunter" or state.turns[event.seat] > 0:
        return None
    return illegal(f"No Hunter on {event.seat}'s first turn.", "MH-18", seat=event.seat)


def is_it_in_the_box(state: State, event: CardPlayed) -> Ruling | None:
    if event.card != "investigate" or state.sw.has_investigate:
        return None
    return illegal(
        "This box has no Investigate (house rule has_investigate).", "MH-41", "G-21", seat=event.seat
    )


def may_the_monster_come(state: State, event: CardPlayed) -> Ruling | None:
    if not is_monster(event.card) or _is_last_turn(state, event.seat):
        return None
    if event.card == "monster:werewolf":
        return _counted(event, state.hunters_played, "Hunters", "MH-27")
    if event.card == "monster:mandrake":
        return _counted(event, state.villagers_played, "Villagers", "MH-30")
    held = state.hand_n[event.seat]
    because = f"The {title(event.card)} comes as the last card; {event.seat} has {held}. Take it back."
    return illegal(because, "MH-17", "G-16", CLAUSES[event.card], seat=event.seat)


def _is_last_turn(state: State, seat: str) -> bool:
    if state.sw.last_turn == "last_card":
        return state.hand_n[seat] == 1
    return state.turns[seat] >= HAND - 1


def _counted(event: CardPlayed, played: int, what: str, clause: str) -> Ruling | None:
    if played >= 2:
        return None
    because = f"The {title(event.card)} needs 2 {what} played, there are {played}. Take it back."
    return illegal(because, clause, "MH-17", "G-16", seat=event.seat)


def is_an_early_monster_taken_back(state: State, event: CardPlayed) -> Ruling | None:
    """Under `early_monster = "round_lost"` it stays, and the round is lost."""
    return may_the_monster_come(state, event) if state.sw.early_monster == "take_back" else None


# --- No playable card --------------------------------------------------------------------------------


def is_it_a_first_turn(state: State, event: FacedownDiscard) -> Ruling | None:
    """A Friend may have made the hand smaller before: three Hunters are as stuck as four."""
    if state.turns[event.seat] == 0:
        return None
    turn = state.turns[event.seat] + 1
    because = f"Only on the first turn a Hunter may go face down; this is {event.seat}'s turn {turn}."
    return illegal(because, "MH-42", "G-24", seat=event.seat)


def must_a_monster_wait(state: State, event: TurnPassed) -> Ruling | None:
    waits = state.sw.last_turn == "fourth_turn" and state.hand_n[event.seat] == 1
    if waits and not _is_last_turn(state, event.seat):
        return None
    return illegal("No turn is passed: a card is played.", "MH-13", "G-24", seat=event.seat)


# --- Target ------------------------------------------------------------------------------------------


def is_a_target_asked_for(state: State, event: Target) -> Ruling | None:
    pending = state.pending
    if state.phase != "TARGET" or pending is None:
        return illegal("No player is to be chosen now.", "MH-13", seat=event.seat)
    if event.seat == pending.by:
        return None
    because = f"{pending.by} chooses, not {event.seat}."
    return illegal(because, CLAUSES[pending.card], "MH-12", seat=event.seat)


def is_the_target_another_player(state: State, event: Target) -> Ruling | None:
    assert state.pending is not None
    if event.target in state.part and event.target != event.seat:
        return None
    who = "oneself" if event.target == event.seat else f"{event.target}, who does not play"
    because = f"The {title(state.pending.card)} cannot be aimed at {who}."
    return illegal(because, CLAUSES[state.pending.card], seat=event.seat)


def has_the_target_cards(state: State, event: Target) -> Ruling | None:
    assert state.pending is not None
    if state.pending.card not in AIMED_AT_A_HAND or state.hand_n[event.target] > 0:
        return None
    because = f"{event.target} has no cards for the {title(state.pending.card)}."
    return illegal(because, CLAUSES[state.pending.card], "G-13", seat=event.seat)


def is_anything_left_open(state: State, event: WentOn) -> Ruling | None:
    pending = state.pending
    if state.phase not in MIDST or pending is None:
        return illegal("No card waits to be finished.", "MH-13", seat=event.seat)
    if event.seat == next_with_cards(state, pending.by):
        return None
    because = f"First {pending.by}'s {title(pending.card)} is finished."
    return illegal(because, "MH-13", "MH-12", seat=event.seat)


# --- Answers -----------------------------------------------------------------------------------------


def is_this_answer_asked_for(state: State, event: Answer) -> Ruling | None:
    pending = state.pending
    if state.phase != "ANSWER" or pending is None:
        return illegal("No answer is asked for now.", "MH-13", seat=event.seat)
    if not isinstance(event, ANSWERS[pending.card]):
        because = f"{pending.target} answers to a {title(pending.card)}."
        return illegal(because, CLAUSES[pending.card], seat=event.seat)
    if event.seat == pending.target:
        return None
    because = f"{pending.target} answers, not {event.seat}."
    return illegal(because, CLAUSES[pending.card], seat=event.seat)


def holds_what_is_given_up(state: State, event: Answer) -> Ruling | None:
    assert state.pending is not None
    gives = event.hunter if isinstance(event, FriendAnswer) else event.monster
    if not gives or state.hand_n[event.seat] > 0:
        return None
    return illegal(f"{event.seat} has no cards.", CLAUSES[state.pending.card], "MH-15", seat=event.seat)


# --- Exchanges ---------------------------------------------------------------------------------------


def is_a_number_asked_for(state: State, event: DealNumber) -> Ruling | None:
    pending = state.pending
    if state.phase != "EXCHANGE" or pending is None or pending.card != "deal":
        return illegal("No Deal is being made.", "MH-38", "MH-46", seat=event.seat)
    if event.seat != pending.by:
        because = f"{pending.by} played the Deal and chooses the number."
        return illegal(because, "MH-46", "MH-38", seat=event.seat)
    if pending.n is not None:
        because = f"{pending.by} has chosen {pending.n}."
        return illegal(because, "MH-46", "MH-38", seat=event.seat)
    return None


def do_both_hands_allow_it(state: State, event: DealNumber) -> Ruling | None:
    most = largest_deal(state)
    if 1 <= event.n <= most:
        return None
    because = f"A Deal of {event.n} is not possible: {'1 or 2' if most > 1 else '1'} here."
    return illegal(because, "MH-38", "MH-46", "G-04", seat=event.seat)


def largest_deal(state: State) -> int:
    assert state.pending is not None
    hands = (state.hand_n[state.pending.by], state.hand_n[state.pending.target or state.pending.by])
    return min(2, *hands)


def is_an_exchange_under_way(state: State, event: ExchangeDone) -> Ruling | None:
    pending = state.pending
    if state.phase != "EXCHANGE" or pending is None:
        return illegal("No cards are to change hands now.", "MH-13")
    if event.kind != pending.card:
        because = f"A {title(pending.card)} is under way, not a {title(event.kind)}."
        return illegal(because, CLAUSES[pending.card])
    if pending.card == "deal" and pending.n is None:
        return illegal(f"First {pending.by} says whether 1 or 2 cards change hands.", "MH-46", "MH-38")
    return None


def did_the_right_cards_move(state: State, event: ExchangeDone) -> Ruling | None:
    assert state.pending is not None
    if event.moves is None or is_as_told(state, event.moves):
        return None
    card = state.pending.card
    because = f"The cards of the {title(card)} did not move one for one as it says: put it right."
    return correct(because, CLAUSES[card])
