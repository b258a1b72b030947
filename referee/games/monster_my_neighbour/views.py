"""What each audience of Monster My Neighbour sees. The state holds no secret; an answer is one seat's to give."""

from referee.games.monster_my_neighbour.cards import ROUNDS, random_cards, title
from referee.games.monster_my_neighbour.choices import choices
from referee.games.monster_my_neighbour.state import Laid, State
from referee.types import Audience, Choice, Seat, View

ORDINALS = {1: "first", 2: "second", 3: "third", 4: "fourth"}


def view(state: State, audience: Audience) -> View:
    """Built up for `audience` from nothing."""
    return View(
        audience,
        _headline(state),
        scores=tuple((s, f"{n} VP") for s, n in state.vp.items()),
        lines=(*(_seat_line(state, s) for s in state.part), *_lines(state)),
        prompt=_prompt(state, audience),
        choices=tuple(c for c in choices(state) if _may_press(audience, c)),
    )


def _may_press(audience: Audience, choice: Choice) -> bool:
    return audience.kind != "seat" or choice.fields.get("seat", audience.seat) == audience.seat


def _headline(state: State) -> str:
    if state.phase == "GAME_OVER":
        return f"{state.winner} wins" if state.winner else f"{' and '.join(state.winners)} share the victory"
    extra = "" if state.round <= ROUNDS else " (extra)"
    return f"Round {state.round}{extra}: {_now(state)}"


def _now(state: State) -> str:
    if state.phase == "TURN" and state.turn is not None:
        turn = state.turns[state.turn] + 1
        return f"{ORDINALS.get(turn, str(turn))} turn of {state.turn}"
    if state.pending is not None:
        target = f" on {state.pending.target}" if state.pending.target else ""
        return f"{title(state.pending.card)} of {state.pending.by}{target}"
    return {"WANTED": "who has Wanted?", "ROUND_END": _RESULTS.get(state.round_result or "", "over")}.get(
        state.phase, "deal"
    )


_RESULTS = {
    "escaped": "the Monster escaped",
    "caught": "the Monster is caught",
    "betrayed": "the Monster is betrayed by a friend",
    "exposed": "the Monster came too early",
    "nobody": "no Monster came",
}


def _seat_line(state: State, seat: Seat) -> str:
    pile = ", ".join(_laid(laid) for laid in state.played.get(seat, ())) or "nothing"
    friend = ", the Monster's friend" if seat in state.friends else ""
    return f"{seat}: {state.hand_n[seat]} in hand, played {pile}{friend}"


def _laid(laid: Laid) -> str:
    if not laid.up:
        return "(face down)"
    return title(laid.card) if laid.card is not None else "Monster"


def _lines(state: State) -> tuple[str, ...]:
    if state.phase in ("GAME_SETUP", "ROUND_SETUP"):
        x = random_cards(len(state.part))
        return (f"Hunter, Hide, Wanted, {x} random cards and one Monster: deal four each.",)
    return (
        f"Hunters played {state.hunters_played}, Villagers played {state.villagers_played}.",
        f"General deck {state.general_n}, Monster deck {state.monster_deck_n}.",
    )


def _prompt(state: State, audience: Audience) -> str:
    pending = state.pending
    if state.phase == "ANSWER" and pending is not None:
        if audience.seat == pending.target:
            return _advice(state)
        return f"{pending.target} answers."
    if state.phase == "TARGET" and pending is not None:
        return f"{pending.by} chooses a player."
    if state.phase == "TURN":
        return "Your turn." if audience.seat == state.turn else f"It is {state.turn}'s turn."
    return _PROMPTS.get(state.phase, "")


def _advice(state: State) -> str:
    """For the one who answers: what would protect, so that nobody need show a card to ask."""
    if state.pending is not None and state.pending.card == "hunter":
        return _protection(state)
    if state.pending is not None and state.pending.card == "dog":
        return "Discard a card of your choice; a discarded Monster must be shown. Hide does not help."
    return "Put a Hunter under the general deck if you have one."


def _protection(state: State) -> str:
    first = "; the Mermaid too, as this is the first Hunter" if state.hunters_played == 1 else ""
    if state.sw.mermaid == "on_holder":
        first = "; the Mermaid too, against the first Hunter aimed at you"
    return f"Hide protects, and the Goomiho as your only card{first}. Nobody asks why there is no effect."


_PROMPTS = {
    "WANTED": "Whoever holds Wanted plays it.",
    "EXCHANGE": "Say when the cards have changed hands.",
    "ROUND_END": "Take the points; then put the cards back.",
}
