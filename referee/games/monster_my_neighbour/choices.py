"""What may be declared now in Monster My Neighbour."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from referee.codec import to_plain
from referee.games.monster_my_neighbour.cards import AIMED_AT_A_HAND, HAND, general_left, title
from referee.games.monster_my_neighbour.events import FacedownDiscard, TurnPassed
from referee.games.monster_my_neighbour.exchanges import expected
from referee.games.monster_my_neighbour.questions import largest_deal
from referee.games.monster_my_neighbour.rules import RULES, playable
from referee.games.monster_my_neighbour.scoring import leaders
from referee.games.monster_my_neighbour.state import State, monsters_after_dealing
from referee.types import Ask, Choice

SEEN = ("card_played",)
"""What the camera tells by itself."""
YES_NO = ("yes", "no")


def choices(state: State) -> tuple[Choice, ...]:
    """Ordered as people would look for it."""
    return tuple(replace(c, seen=c.event in SEEN) for c in _BY_PHASE[state.phase](state))


def _deal(state: State) -> tuple[Choice, ...]:
    fields = {
        "general_n": general_left(len(state.part)),
        "monster_deck_n": monsters_after_dealing(state.round),
        "hand_n": dict.fromkeys(state.part, HAND),
    }
    return (Choice("round_setup_seen", "Everybody has four cards", fields),)


def _wanted(state: State) -> tuple[Choice, ...]:
    return tuple(
        Choice("card_played", f"{s} plays Wanted", {"seat": s, "card": "wanted"}) for s in state.part
    )


def _turn(state: State) -> tuple[Choice, ...]:
    seat = state.turn or ""
    play = Choice(
        "card_played", f"{seat} plays", {"seat": seat}, (Ask("card", "choice", playable(state, seat)),)
    )
    down = Choice("facedown_discard", f"{seat} has only Hunters: one goes face down", {"seat": seat})
    wait = Choice("turn_passed", f"{seat} waits with the Monster", {"seat": seat})
    return (
        play,
        *((down,) if _allowed(state, FacedownDiscard(seat)) else ()),
        *((wait,) if _allowed(state, TurnPassed(seat)) else ()),
    )


def _allowed(state: State, event: FacedownDiscard | TurnPassed) -> bool:
    return all(question(state, event) is None for question in RULES[type(event)].questions)


def _target(state: State) -> tuple[Choice, ...]:
    if state.pending is None:
        return ()
    by, card = state.pending.by, state.pending.card
    needs_hand = card in AIMED_AT_A_HAND
    others = tuple(s for s in state.part if s != by and not (needs_hand and state.hand_n[s] == 0))
    label = f"{by} aims the {title(card)} at"
    return (Choice("target", label, {"seat": by}, (Ask("target", "seat", others),)),)


def _answer(state: State) -> tuple[Choice, ...]:
    if state.pending is None or state.pending.target is None:
        return ()
    target, card = state.pending.target, state.pending.card
    event, field, no, yes = _ANSWERS[card]
    said_no = Choice(event, f"{target}: {no}", {"seat": target, field: False})
    said_yes = Choice(event, f"{target}: {yes}", {"seat": target, field: True})
    return (said_no, said_yes) if state.hand_n[target] > 0 else (said_no,)


_ANSWERS = {
    "hunter": ("hunter_answer", "monster", "no effect", "the Monster is caught"),
    "dog": ("dog_discard", "monster", "a card is discarded", "the Monster is discarded"),
    "friend": ("friend_answer", "hunter", "no Hunter", "a Hunter goes under the deck"),
}


def _exchange(state: State) -> tuple[Choice, ...]:
    if state.pending is None:
        return ()
    card = state.pending.card
    if card == "deal" and state.pending.n is None:
        numbers = tuple(str(n) for n in range(1, largest_deal(state) + 1))
        label = f"{state.pending.by} deals"
        return (Choice("deal_number", label, {"seat": state.pending.by}, (Ask("n", "number", numbers),)),)
    fields = {"kind": card, "moves": to_plain(expected(state))}
    return (Choice("exchange_done", f"The {title(card)} is done", fields),)


def _round_end(state: State) -> tuple[Choice, ...]:
    return (
        Choice("vp_seen", "The points are taken", {"vp": dict(state.vp)}),
        Choice("round_cleared", "The cards are put back"),
    )


def _game_over(state: State) -> tuple[Choice, ...]:
    if len(leaders(state)) == 1:
        return ()
    return (Choice("extra_round", "An extra round", asks=(Ask("yes", "choice", YES_NO),)),)


_BY_PHASE: Mapping[str, Callable[[State], tuple[Choice, ...]]] = {
    "GAME_SETUP": _deal,
    "ROUND_SETUP": _deal,
    "WANTED": _wanted,
    "TURN": _turn,
    "TARGET": _target,
    "ANSWER": _answer,
    "EXCHANGE": _exchange,
    "ROUND_END": _round_end,
    "GAME_OVER": _game_over,
}
