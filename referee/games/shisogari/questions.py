"""The questions a player would ask before an event counts; each gives the refusal or None."""

from referee.games.shisogari.cards import ITEMS, Colour, colour_of, spoken
from referee.games.shisogari.events import (
    Action,
    AllShown,
    CardPicked,
    Event,
    Pass,
    Resolved,
    RoleShown,
    SetupSeen,
    TableCardTaken,
)
from referee.games.shisogari.state import Doing, Hand, Phase, State
from referee.types import Code, Ruling, Seat

SETUP_CLAUSES = {
    4: ("SH-03", "SH-04", "SH-05", "SH-06", "SH-08", "SH-09"),
    5: ("SH-03", "SH-04", "SH-05", "SH-06", "SH-08", "SH-10"),
}
NEXT = {
    "SETUP": ("SH-05", "the cards are dealt first"),
    "TABLE_PICK": ("SH-09", "everybody takes a card from the table first"),
    "TURN": ("SH-13", "the turn player says first what the turn is used for"),
    "PICK": ("SH-19", "a card is picked first"),
    "RESOLVE": ("SH-20", "the picker lays a pair or keeps the card first"),
    "REVEAL": ("SH-34", "all cards are turned up first"),
    "GAME_OVER": ("SH-27", "the game is over"),
}


def illegal(clauses: tuple[str, ...], because: str, seat: Seat | None = None) -> Ruling:
    return Ruling(Code.ILLEGAL, clauses, because, seat=seat)


def correct(clauses: tuple[str, ...], because: str, seat: Seat | None = None) -> Ruling:
    return Ruling(Code.CORRECT, clauses, because, seat=seat)


def pickable(state: State, picker: Seat, owner: Seat, item: str) -> tuple[Colour, ...]:
    """The colours that may be picked from the owner's hand."""
    colours = state.hand[owner].colours()
    if state.sw.pick_colour == "picker_holds":
        return tuple(c for c in colours if state.hand[picker].holds(c))
    if state.sw.pick_colour == "item":
        return tuple(c for c in colours if c == colour_of(item))
    return colours


def is_pickable(state: State, seat: Seat, kind: str, target: Seat, item: str) -> bool:
    picker, owner = (seat, target) if kind == "take" else (target, seat)
    return bool(pickable(state, picker, owner, item))


# --- What phase is it? -------------------------------------------------------------------------------


def wrong_phase(state: State, *phases: Phase) -> Ruling | None:
    if state.phase in phases:
        return None
    clause, because = NEXT[state.phase]
    return illegal((clause,), f"Not now: {because}.")


def is_setup(state: State, _event: Event) -> Ruling | None:
    return wrong_phase(state, "SETUP")


def is_table_pick(state: State, _event: Event) -> Ruling | None:
    return wrong_phase(state, "TABLE_PICK")


def is_turn(state: State, _event: Event) -> Ruling | None:
    return wrong_phase(state, "TURN")


def is_pick(state: State, _event: Event) -> Ruling | None:
    return wrong_phase(state, "PICK")


def is_resolve(state: State, _event: Event) -> Ruling | None:
    return None if lays_initial_pair(state) else wrong_phase(state, "RESOLVE")


def is_reveal(state: State, _event: Event) -> Ruling | None:
    return wrong_phase(state, "REVEAL")


def is_running(state: State, _event: Event) -> Ruling | None:
    return wrong_phase(state, "SETUP", "TABLE_PICK", "TURN", "PICK", "RESOLVE", "REVEAL")


# --- Set-up ------------------------------------------------------------------------------------------


def are_counts_right(state: State, event: SetupSeen) -> Ruling | None:
    wrong = [s for s in state.players if event.hand.get(s) != Hand(2, 2)]
    strangers = [s for s in event.hand if s not in state.players]
    if not wrong and not strangers:
        return None
    seat = (wrong + strangers)[0]
    held = event.hand.get(seat, Hand())
    because = f"Before {seat} lie {held.white} white and {held.black} black cards, not two and two."
    return correct(SETUP_CLAUSES[len(state.players)], because, seat)


def is_start_known(state: State, event: SetupSeen) -> Ruling | None:
    if event.start is None or event.start in state.players:
        return None
    return illegal(("SH-13",), f"Nobody sits at {event.start}: who starts?")


def is_next_at_table(state: State, event: TableCardTaken) -> Ruling | None:
    if event.seat == state.turn:
        return None
    return illegal(
        ("SH-09",), f"{state.turn} takes the next card from the table, not {event.seat}.", event.seat
    )


def lies_on_table(state: State, event: TableCardTaken) -> Ruling | None:
    if state.table.holds(event.colour):
        return None
    return correct(("SH-09",), f"No {event.colour} card is left on the table.", event.seat)


# --- Take, give, determine ---------------------------------------------------------------------------


def is_their_turn(state: State, event: Action | Pass) -> Ruling | None:
    if event.seat == state.turn:
        return None
    return illegal(("SH-13",), f"It is the turn of {state.turn}, not of {event.seat}.", event.seat)


def is_other_player(state: State, event: Action) -> Ruling | None:
    if event.target in state.players and event.target != event.seat:
        return None
    clauses = ("SH-33", "G-10") if event.kind == "determine" else ("SH-16",)
    return illegal((*clauses, "SH-16"), f"{event.seat} must choose another player.", event.seat)


def has_enough_to_give(state: State, event: Action) -> Ruling | None:
    if event.kind != "give" or state.hand[event.seat].size > 1:
        return None
    return illegal(("SH-32",), f"{event.seat} has only one card and may not give it.", event.seat)


def do_colours_meet(state: State, event: Action) -> Ruling | None:
    if event.kind == "determine" or event.target is None:
        return None
    mine, theirs = state.hand[event.seat].colours(), state.hand[event.target].colours()
    if len(mine) != 1 or len(theirs) != 1 or mine == theirs:
        return None
    because = (
        f"{event.seat} has only {mine[0]} cards and {event.target} only {theirs[0]}: choose somebody else."
    )
    return illegal(("SH-17",), because, event.seat)


def is_item_allowed(state: State, event: Action) -> Ruling | None:
    if event.kind == "determine":
        return None
    if event.item not in ITEMS:
        return illegal(("SH-18",), f"Name one of the six Items: {', '.join(map(spoken, ITEMS))}.", event.seat)
    mine = state.hand[event.seat].colours()
    if mine and colour_of(event.item) not in mine:
        because = f"{event.seat} has only {mine[0]} cards and may not name {spoken(event.item)}."
        return illegal(("SH-18",), because, event.seat)
    return None


def is_anything_pickable(state: State, event: Action) -> Ruling | None:
    if event.kind == "determine" or event.target is None or event.item is None:
        return None
    if is_pickable(state, event.seat, event.kind, event.target, event.item):
        return None
    return illegal(("G-03",), "No card there may be picked: name another Item or player.", event.seat)


def is_stuck(state: State, event: Pass) -> Ruling | None:
    if not possible_deals(state):
        return None
    return illegal(("SH-13", "G-06"), f"{event.seat} can take or give and may not pass.", event.seat)


def possible_deals(state: State) -> tuple[Action, ...]:
    """Every take and give the turn player may declare."""
    questions = (has_enough_to_give, do_colours_meet, is_item_allowed, is_anything_pickable)
    deals = (
        Action(state.turn, kind, target, item)
        for kind in ("take", "give")
        for target in state.players
        if target != state.turn
        for item in ITEMS
    )
    return tuple(d for d in deals if not any(asked(state, d) for asked in questions))


# --- Picking and laying ------------------------------------------------------------------------------


def doing(state: State) -> Doing:
    """The action under way, in the phases that have one."""
    assert state.action is not None
    return state.action


def is_right_pick(state: State, event: CardPicked) -> Ruling | None:
    now = doing(state)
    if (event.picker, event.from_) == (now.picker, now.from_):
        return None
    clause = "SH-19" if now.kind == "take" else "SH-29"
    return correct((clause,), f"{now.picker} picks from {now.from_}: put the card back.", event.picker)


def is_colour_there(state: State, event: CardPicked) -> Ruling | None:
    if state.hand[event.from_].holds(event.colour):
        return None
    clause = "SH-19" if doing(state).kind == "take" else "SH-29"
    return correct(
        (clause,), f"{event.from_} has no {event.colour} card: show the backs again.", event.picker
    )


def is_colour_allowed(state: State, event: CardPicked) -> Ruling | None:
    allowed = pickable(state, event.picker, event.from_, doing(state).item or "")
    if event.colour in allowed:
        return None
    because = f"{event.picker} may pick {' or '.join(allowed)} only; put the {event.colour} card back."
    return illegal(("G-03",), because, event.picker)


def is_picker(state: State, event: Resolved) -> Ruling | None:
    if lays_initial_pair(state):
        known = event.seat in state.players and event.outcome != "added"
        return None if known else illegal(("G-07",), "Only pairs are laid out now.", event.seat)
    if event.seat == doing(state).picker:
        return None
    return correct(("SH-20",), f"{doing(state).picker} picked the card, not {event.seat}.", event.seat)


def is_same_colour(state: State, event: Resolved) -> Ruling | None:
    colour = None if lays_initial_pair(state) else doing(state).colour
    if colour in (None, event.colour):
        return None
    because = f"The picked card is {colour}: both cards of a pair have that colour."
    return correct(("SH-21", "SH-24"), because, event.seat)


def has_partner(state: State, event: Resolved) -> Ruling | None:
    needed = 2 if lays_initial_pair(state) else 1
    if event.outcome == "added" or state.hand[event.seat].holds(event.colour) >= needed:
        return None
    because = f"{event.seat} has no {event.colour} card to make a pair with."
    return correct(("SH-21", "SH-24"), because, event.seat)


def is_open_pair_the_named(state: State, event: Resolved) -> Ruling | None:
    if event.outcome != "pair_up":
        return None
    named = event.item if lays_initial_pair(state) else doing(state).item
    if event.item in ITEMS and event.item == named and colour_of(event.item) == event.colour:
        return None
    said = f"two {spoken(named)} cards" if named in ITEMS else "two equal Items"
    return illegal(("SH-20",), f"Only {said} are laid face up; turn the pair face down.", event.seat)


def is_first_of_its_kind(state: State, event: Resolved) -> Ruling | None:
    """There are three of each Item, so only one pair of it can ever lie open."""
    if event.outcome != "pair_up" or event.item not in {p.item for p in state.pairs}:
        return None
    because = f"A pair of {spoken(event.item or '')} lies open already, and there are only three."
    return correct(("SH-20",), because, event.seat)


def lays_initial_pair(state: State) -> bool:
    """House rule: equal Items of the starting hand are laid out before the first action."""
    return state.sw.lay_initial_pairs and state.phase == "TURN" and state.actions == 0


# --- The reveal --------------------------------------------------------------------------------------


def is_claimant(state: State, event: RoleShown) -> Ruling | None:
    by = doing(state).by
    if event.seat == by:
        return None
    return correct(("SH-33",), f"{by} turns the role card first, not {event.seat}.", event.seat)


def are_all_roles_shown(state: State, event: AllShown) -> Ruling | None:
    if set(event.roles) != set(state.players):
        return correct(("SH-34",), "Everybody turns the role card face up.")
    if sum(role == "vampire" for role in event.roles.values()) != 1:
        return correct(("SH-07", "SH-34"), "There is exactly one Vampire card: look at the roles again.")
    return None


def are_owners_known(state: State, event: AllShown) -> Ruling | None:
    owners = {pair.owner for pair in event.pairs} | set(event.hands)
    strangers = sorted(owners - set(state.players))
    if not strangers:
        return None
    return correct(("SH-34",), f"Nobody sits at {strangers[0]}: whose cards are these?")


def are_all_pairs_shown(state: State, event: AllShown) -> Ruling | None:
    laid, shown = len(state.pairs), len(event.pairs)
    if shown >= laid:
        return None
    return correct(("SH-34",), f"{laid} pairs were laid and {shown} are open: turn all cards face up.")
