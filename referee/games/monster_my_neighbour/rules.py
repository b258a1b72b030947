"""The judge of Monster My Neighbour: for each event the questions in order, and its effect."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from referee.games.monster_my_neighbour import plays
from referee.games.monster_my_neighbour import questions as ask
from referee.games.monster_my_neighbour.cards import CARDS, HAND, MONSTERS, ROUNDS, Card, general_left
from referee.games.monster_my_neighbour.events import (
    CardPlayed,
    DealNumber,
    DogDiscard,
    Event,
    ExchangeDone,
    ExtraRound,
    FacedownDiscard,
    FriendAnswer,
    HunterAnswer,
    RoundCleared,
    RoundSetupSeen,
    ScoreRound,
    Target,
    TurnPassed,
    VpSeen,
    WentOn,
)
from referee.games.monster_my_neighbour.scoring import (
    RESULT_CLAUSES,
    added,
    after_round,
    leaders,
    next_round,
    points,
    spoken,
)
from referee.games.monster_my_neighbour.state import BEFORE_DEALING, State, monsters_after_dealing
from referee.judging import Rule, judge_by
from referee.types import Code, Judged, Ruling, Seat
from referee.verdicts import correct, illegal, info, ok


def judge(state: State, event: Event) -> Judged[State]:
    """What `event` means at this table."""
    return judge_by(RULES, state, event)


def playable(state: State, seat: Seat) -> tuple[Card, ...]:
    """The cards that `seat` may play now, if they are in the hand."""
    return tuple(c for c in CARDS if _may_play(state, CardPlayed(seat, c)))


def _may_play(state: State, event: CardPlayed) -> bool:
    questions = (*RULES[CardPlayed].questions, ask.may_the_monster_come)
    return all(question(state, event) is None for question in questions)


# --- Dealing -----------------------------------------------------------------------------------------


def _is_dealing_due(state: State, _event: RoundSetupSeen) -> Ruling | None:
    if state.phase in BEFORE_DEALING:
        return None
    return illegal("The cards of this round are dealt already.", "MH-08")


def _are_the_decks_apart(_state: State, event: RoundSetupSeen) -> Ruling | None:
    if event.apart:
        return None
    return correct("Monster deck and general deck touch: lay them apart.", "MH-10")


def _has_everybody_four_cards(state: State, event: RoundSetupSeen) -> Ruling | None:
    if _only_the_piles(state, event):
        return None
    for seat in state.part:
        n = _dealt(event, seat)
        if n not in (HAND, None):
            return correct(f"{seat} has {n} cards, not {HAND}.", "MH-08", "MH-06", seat=seat)
    return None


def _dealt(event: RoundSetupSeen, seat: Seat) -> int | None:
    return event.hand_n.get(seat, 0) if isinstance(event.hand_n, Mapping) else event.hand_n


def _is_the_rest_right(state: State, event: RoundSetupSeen) -> Ruling | None:
    left = general_left(len(state.part))
    if event.general_n in (left, None) or _only_the_piles(state, event):
        return None
    because = f"{event.general_n} cards are left in the general deck, not {left}."
    return correct(because, "MH-06", "MH-08", "MH-09", "G-01")


def _is_one_monster_taken(state: State, event: RoundSetupSeen) -> Ruling | None:
    left = MONSTERS if _only_the_piles(state, event) else monsters_after_dealing(state.round)
    if event.monster_deck_n in (left, None):
        return None
    return correct(f"{event.monster_deck_n} cards lie in the Monster deck, not {left}.", "MH-07", "MH-02")


def _only_the_piles(state: State, event: RoundSetupSeen) -> bool:
    """The first look at the box: five Monsters, nothing dealt yet."""
    nothing = all(not _dealt(event, seat) for seat in state.part)
    return state.phase == "GAME_SETUP" and nothing and event.monster_deck_n == MONSTERS


def _deal(state: State, event: RoundSetupSeen) -> Judged[State]:
    if _only_the_piles(state, event):
        ready = replace(state, phase="ROUND_SETUP")
        return Judged(ready, (info("Five Monsters are shuffled. Deal the first round.", "MH-02"),))
    dealt = replace(
        state,
        phase="WANTED",
        hand_n={s: HAND if s in state.part else 0 for s in state.players},
        turns=dict.fromkeys(state.players, 0),
        general_n=general_left(len(state.part)),
        monster_deck_n=monsters_after_dealing(state.round),
    )
    because = f"Round {state.round}: everybody has {HAND} cards. Whoever holds Wanted begins."
    return Judged(dealt, (ok(because, "MH-08", "MH-11"),))


# --- After a round -----------------------------------------------------------------------------------


def _is_the_round_over(state: State, event: VpSeen | RoundCleared) -> Ruling | None:
    if state.phase == "ROUND_END":
        return None
    clause = "MH-52" if isinstance(event, VpSeen) else "MH-53"
    return illegal("The round is not over.", clause, "MH-16")


def _are_the_tokens_right(state: State, event: VpSeen) -> Ruling | None:
    wrong = [s for s in state.players if event.vp.get(s, 0) != state.vp[s]]
    if not wrong or state.round_result is None:
        return None
    seen = ", ".join(f"{s} has {event.vp.get(s, 0)}, not {state.vp[s]}" for s in wrong)
    return correct(f"Victory points: {seen}.", *RESULT_CLAUSES[state.round_result], "MH-52", seat=wrong[0])


def _tokens_taken(state: State, _event: VpSeen) -> Judged[State]:
    return Judged(state, (ok("The victory points lie right.", "MH-52"),))


def _clear(state: State, _event: RoundCleared) -> Judged[State]:
    judged = after_round(state)
    if judged.rulings:
        return judged
    because = f"Round {judged.state.round}: a new Monster, all other cards back into the general deck."
    return Judged(judged.state, (info(because, "MH-53"),))


def _is_there_a_tie(state: State, _event: ExtraRound) -> Ruling | None:
    if state.phase == "GAME_OVER" and len(leaders(state)) > 1:
        return None
    return illegal("Extra rounds are for a tie after the fifth round.", "MH-55")


def _extra_round(state: State, event: ExtraRound) -> Judged[State]:
    if not event.yes:
        return Judged(state, (info(f"{' and '.join(leaders(state))} share the victory.", "MH-55"),))
    because = "An extra round: the used Monsters are shuffled."
    return Judged(next_round(state), (info(because, "MH-55", "G-17"),))


def _may_a_round_be_entered(state: State, event: ScoreRound) -> Ruling | None:
    named = (event.monster, *event.friends, *([event.catcher] if event.catcher is not None else []))
    if state.phase not in BEFORE_DEALING:
        return illegal("A round is entered by hand before the next is dealt.", "MH-54")
    stranger = next((s for s in named if s not in state.part), None)
    return None if stranger is None else illegal(f"There is no player {stranger}.", "MH-54")


def _enter_round(state: State, event: ScoreRound) -> Judged[State]:
    won = points(state.part, event.res, event.monster, event.friends, event.catcher, event.vamp)
    used = (state.round - 1) % MONSTERS + 1
    entered = replace(state, vp=added(state.vp, won), round_result=event.res, monsters_used=used)
    said = Ruling(Code.SCORE, RESULT_CLAUSES[event.res], f"Round {state.round} of {ROUNDS}: {spoken(won)}")
    judged = after_round(entered)
    return Judged(judged.state, (said, *judged.rulings))


# --- The table of rules ------------------------------------------------------------------------------

_TURN: tuple[Callable[[State, Any], Ruling | None], ...] = (
    ask.is_a_round_being_played,
    ask.does_the_seat_play,
    ask.begins_the_round_with_wanted,
    ask.is_the_last_card_finished,
    ask.is_it_their_turn,
    ask.holds_a_card,
)
_ANSWER: tuple[Callable[[State, Any], Ruling | None], ...] = (
    ask.is_this_answer_asked_for,
    ask.holds_what_is_given_up,
)
RULES: Mapping[type[Any], Rule[State, Any]] = {
    RoundSetupSeen: Rule(
        (
            _is_dealing_due,
            _are_the_decks_apart,
            _has_everybody_four_cards,
            _is_the_rest_right,
            _is_one_monster_taken,
        ),
        _deal,
    ),
    CardPlayed: Rule(
        (
            *_TURN,
            ask.does_wanted_only_begin,
            ask.does_the_hunter_wait,
            ask.is_it_in_the_box,
            ask.is_an_early_monster_taken_back,
        ),
        plays.play,
    ),
    FacedownDiscard: Rule((*_TURN, ask.is_it_a_first_turn), plays.put_a_hunter_down),
    TurnPassed: Rule((*_TURN, ask.must_a_monster_wait), plays.wait),
    Target: Rule(
        (ask.is_a_target_asked_for, ask.is_the_target_another_player, ask.has_the_target_cards), plays.aim
    ),
    HunterAnswer: Rule(_ANSWER, plays.answer_hunter),
    DogDiscard: Rule(_ANSWER, plays.discard_for_dog),
    FriendAnswer: Rule(_ANSWER, plays.answer_friend),
    DealNumber: Rule((ask.is_a_number_asked_for, ask.do_both_hands_allow_it), plays.agree_on_number),
    ExchangeDone: Rule((ask.is_an_exchange_under_way, ask.did_the_right_cards_move), plays.exchanged),
    WentOn: Rule((ask.is_anything_left_open,), plays.go_on),
    VpSeen: Rule((_is_the_round_over, _are_the_tokens_right), _tokens_taken),
    RoundCleared: Rule((_is_the_round_over,), _clear),
    ExtraRound: Rule((_is_there_a_tie,), _extra_round),
    ScoreRound: Rule((_may_a_round_be_entered,), _enter_round),
}
