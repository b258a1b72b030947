"""What people see. The referee knows nothing hidden, so every audience sees the same."""

from referee.games.shisogari.cards import COLOURS, THRESHOLD, colour_of, spoken
from referee.games.shisogari.questions import doing, lays_initial_pair, pickable, possible_deals
from referee.games.shisogari.state import Pair, State
from referee.types import Ask, Audience, Choice, Seat, View


def view(state: State, audience: Audience) -> View:
    """The public table: colours, counts, pairs, and what is open."""
    return View(
        audience,
        headline=_headline(state),
        scores=tuple((seat, _hand(state, seat)) for seat in state.players),
        lines=tuple(map(_pair_line, state.pairs)) + _reveal_lines(state),
        prompt=_prompt(state),
        choices=choices(state),
    )


def _headline(state: State) -> str:
    if state.phase == "GAME_OVER":
        return f"{state.winner.title()}s win" if state.winner else "The game is void"
    words = {
        "SETUP": "Set-up",
        "TABLE_PICK": f"{state.turn} takes a card from the table",
        "TURN": f"{state.turn}'s turn",
        "REVEAL": "Determining the Vampire",
    }
    return words.get(state.phase, f"{state.turn}'s turn, action {state.actions}")


def _hand(state: State, seat: Seat) -> str:
    hand = state.hand[seat]
    return f"{hand.white} white, {hand.black} black"


def _pair_line(pair: Pair) -> str:
    if pair.face == "up":
        return f"{pair.owner}: pair of {spoken(pair.item or '')}, face up"
    return f"{pair.owner}: face-down pair, {pair.colour}"


def _reveal_lines(state: State) -> tuple[str, ...]:
    roles = tuple(f"{seat}: {role.title()}" for seat, role in state.roles_shown.items())
    if state.count is None:
        return roles
    summed = f"{state.item_pairs} pairs + {state.hunters} Hunters = {state.count}"
    kin = (f"Kin: {', '.join(state.kin)}",) if state.kin else ()
    return (*roles, *kin, f"{summed}, needed {THRESHOLD[len(state.players)]}")


def _prompt(state: State) -> str:
    match state.phase:
        case "SETUP":
            return "Return two cards face down: everybody one white, one black."
        case "TABLE_PICK":
            return f"{state.turn} takes a card from the table."
        case "TURN":
            return "Take or give? Whom? Which Item?"
        case "PICK":
            return f"{doing(state).picker} picks from {doing(state).from_}."
        case "RESOLVE":
            return f"{doing(state).picker}: lay a pair or keep the card."
        case "REVEAL":
            return _reveal_prompt(state)
    return ""


def _reveal_prompt(state: State) -> str:
    by = doing(state).by
    return "Everybody turns all cards face up." if by in state.roles_shown else f"{by} turns the role card."


# --- What may be declared ----------------------------------------------------------------------------


def choices(state: State) -> tuple[Choice, ...]:
    """What may be declared now; the three actions are there for everybody, whatever the role."""
    match state.phase:
        case "SETUP":
            return _setup_choices(state)
        case "TABLE_PICK":
            return tuple(_table_choice(state, c) for c in state.table.colours())
        case "TURN":
            return _turn_choices(state)
        case "PICK":
            return _pick_choices(state)
        case "RESOLVE":
            return _resolve_choices(state)
        case "REVEAL":
            return _reveal_choices(state)
    return ()


def _setup_choices(state: State) -> tuple[Choice, ...]:
    hand = {seat: {"white": 2, "black": 2} for seat in state.players}
    asks = (Ask("start", "seat", state.players),)
    return (Choice("setup_seen", "Everybody has two white and two black cards", {"hand": hand}, asks),)


def _table_choice(state: State, colour: str) -> Choice:
    return Choice(
        "table_card_taken", f"{state.turn} takes a {colour} card", {"seat": state.turn, "colour": colour}
    )


def _turn_choices(state: State) -> tuple[Choice, ...]:
    deals = possible_deals(state)
    grouped = dict.fromkeys((d.kind, d.target) for d in deals)
    offered = [
        _deal_choice(state, k, str(t), tuple(str(d.item) for d in deals if (d.kind, d.target) == (k, t)))
        for k, t in grouped
    ]
    others = tuple(seat for seat in state.players if seat != state.turn)
    claim = {"seat": state.turn, "kind": "determine"}
    determine = Choice("action", "Determine the Vampire", claim, (Ask("target", "seat", others),))
    stuck = () if deals else (Choice("pass", "Pass", {"seat": state.turn}),)
    return (*offered, determine, *stuck, *_initial_pairs(state))


def _deal_choice(state: State, kind: str, target: Seat, items: tuple[str, ...]) -> Choice:
    label = f"Take a card from {target}" if kind == "take" else f"Give a card to {target}"
    fields = {"seat": state.turn, "kind": kind, "target": target}
    return Choice("action", label, fields, (Ask("item", "choice", items),))


def _initial_pairs(state: State) -> tuple[Choice, ...]:
    if not lays_initial_pair(state):
        return ()
    return tuple(
        Choice(
            "resolved",
            f"{seat} lays a {c} pair face down",
            {"seat": seat, "outcome": "pair_down", "colour": c},
        )
        for seat in state.players
        for c in COLOURS
        if state.hand[seat].holds(c) >= 2
    )


def _pick_choices(state: State) -> tuple[Choice, ...]:
    deal = doing(state)
    assert deal.picker is not None and deal.from_ is not None
    sure = {"picker": deal.picker, "from": deal.from_}
    colours = pickable(state, deal.picker, deal.from_, deal.item or "")
    return tuple(Choice("card_picked", f"{deal.picker} picks {c}", {**sure, "colour": c}) for c in colours)


def _resolve_choices(state: State) -> tuple[Choice, ...]:
    deal = doing(state)
    assert deal.picker is not None and deal.colour is not None
    sure = {"seat": deal.picker, "colour": deal.colour}
    kept = Choice("resolved", "Kept in the hand", {**sure, "outcome": "added"})
    if not state.hand[deal.picker].holds(deal.colour):
        return (kept,)
    down = Choice("resolved", "A face-down pair", {**sure, "outcome": "pair_down"})
    item = deal.item or ""
    laid_open = item in {pair.item for pair in state.pairs}
    if colour_of(item) != deal.colour or laid_open:
        return kept, down
    up = Choice(
        "resolved", f"A pair of {spoken(item)}, face up", {**sure, "outcome": "pair_up", "item": item}
    )
    return kept, up, down


def _reveal_choices(state: State) -> tuple[Choice, ...]:
    by = doing(state).by
    if by not in state.roles_shown:
        hunter = Choice("role_shown", f"{by} is a Hunter", {"seat": by, "role": "hunter"})
        return hunter, Choice("role_shown", f"{by} is the Vampire", {"seat": by, "role": "vampire"})
    return tuple(_all_open(state, seat) for seat in state.players)


def _all_open(state: State, vampire: Seat) -> Choice:
    roles = {seat: "vampire" if seat == vampire else "hunter" for seat in state.players}
    asks = (Ask("pairs", "pieces"),)
    return Choice("all_shown", f"All cards are open: {vampire} was the Vampire", {"roles": roles}, asks)
