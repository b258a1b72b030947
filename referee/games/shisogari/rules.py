"""What every event does when nothing forbids it. Pure: state and event in, new state and rulings out."""

from dataclasses import replace
from typing import Any

from referee.games.shisogari import questions as ask
from referee.games.shisogari.cards import THRESHOLD, spoken
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
    TalkReported,
)
from referee.games.shisogari.reveal import Breach, Count, breaches, count_up, winner
from referee.games.shisogari.state import Doing, Hand, Pair, State, after, with_hand
from referee.judging import Rule, judge_by
from referee.types import Code, Judged, Ruling, Seat


def judge(state: State, event: Event) -> Judged[State]:
    """The state after the event, and what the referee says."""
    return judge_by(RULES, state, event)


def _ok(clauses: tuple[str, ...], because: str, seat: Seat | None = None) -> Ruling:
    return Ruling(Code.OK, clauses, because, seat=seat)


def _set_up(state: State, event: SetupSeen) -> Judged[State]:
    start = event.start or state.start
    small = len(state.players) == 4
    hand = {seat: event.hand[seat] for seat in state.players}
    dealt = replace(state, hand=hand, start=start, turn=start)
    if small:
        said = _ok(ask.SETUP_CLAUSES[4], f"{start} takes a card from the table.", start)
        return Judged(replace(dealt, phase="TABLE_PICK", table=Hand(2, 2)), (said,))
    said = _ok(ask.SETUP_CLAUSES[5], f"{start} begins: take, give or determine.", start)
    return Judged(replace(dealt, phase="TURN"), (said,))


def _take_from_table(state: State, event: TableCardTaken) -> Judged[State]:
    following = after(state.players, event.seat)
    taken = with_hand(state, event.seat, event.colour, 1)
    taken = replace(taken, table=state.table.plus(event.colour, -1), turn=following)
    if following != state.start:
        return Judged(taken, (_ok(("SH-09",), f"{following} takes a card from the table.", following),))
    said = _ok(("SH-09", "SH-13"), f"{following} begins: take, give or determine.", following)
    return Judged(replace(taken, phase="TURN"), (said,))


def _declare(state: State, event: Action) -> Judged[State]:
    assert event.target is not None
    number = state.actions + 1
    if event.kind == "determine":
        claim = Doing(number, "determine", event.seat, event.target)
        because = f"{event.seat} says {event.target} is the Vampire: {event.seat} turns the role card."
        revealed = replace(state, phase="REVEAL", action=claim, actions=number)
        return Judged(revealed, (_ok(("SH-33",), because, event.seat),))
    picker, owner = (event.seat, event.target) if event.kind == "take" else (event.target, event.seat)
    deal = Doing(number, event.kind, event.seat, event.target, event.item, picker, owner)
    clauses = ("SH-16", "SH-18") if event.kind == "take" else ("SH-28", "SH-29")
    because = f"{event.seat} names {spoken(event.item or '')}: {picker} picks from {owner}."
    return Judged(
        replace(state, phase="PICK", action=deal, actions=number), (_ok(clauses, because, event.seat),)
    )


def _pick(state: State, event: CardPicked) -> Judged[State]:
    picked = with_hand(state, event.from_, event.colour, -1)
    deal = replace(ask.doing(state), colour=event.colour)
    clause = "SH-19" if deal.kind == "take" else "SH-29"
    because = f"{event.picker} looks at a {event.colour} card: lay a pair or keep it."
    return Judged(replace(picked, phase="RESOLVE", action=deal), (_ok((clause,), because, event.picker),))


def _resolve(state: State, event: Resolved) -> Judged[State]:
    if ask.lays_initial_pair(state):
        laid = with_hand(state, event.seat, event.colour, -1)
        return _ended(_lay(laid, event, None), _laid(event, None))
    deal = ask.doing(state)
    if event.outcome == "added":
        kept = with_hand(state, event.seat, event.colour, 1)
        return _next(kept, deal, _ok(("SH-22", "SH-26"), f"{event.seat} keeps the card.", event.seat))
    return _next(_lay(state, event, deal), deal, _laid(event, deal))


def _lay(state: State, event: Resolved, deal: Doing | None) -> State:
    """The partner leaves the hand and the pair lies before its owner."""
    face, item = ("up", event.item) if event.outcome == "pair_up" else ("down", None)
    number, named = (deal.no, deal.item) if deal else (0, None)
    pair = Pair(event.seat, event.colour, "up" if face == "up" else "down", item, number, named)
    return replace(with_hand(state, event.seat, event.colour, -1), pairs=(*state.pairs, pair))


def _laid(event: Resolved, deal: Doing | None) -> Ruling:
    """What is said of a pair: of a face-down one its colour, and nothing more."""
    give = ("SH-30",) if deal and deal.kind == "give" else ()
    if event.outcome == "pair_up":
        return _ok(("SH-20", *give), f"Pair of {spoken(event.item or '')}, face up.", event.seat)
    return _ok(("SH-21", *give), f"A face-down pair, {event.colour}.", event.seat)


def _next(state: State, deal: Doing, said: Ruling) -> Judged[State]:
    following = after(state.players, deal.by)
    return _ended(replace(state, phase="TURN", turn=following, action=None), said)


def _ended(state: State, said: Ruling) -> Judged[State]:
    """An empty hand ends the game at once."""
    empty = [seat for seat in state.players if not state.hand[seat].size]
    if not empty:
        return Judged(state, (said,))
    because = f"{empty[0]} has no card left: the Vampire team wins."
    won = Ruling(Code.WIN, ("SH-27", "SH-31", "SH-11"), because, seat=empty[0])
    return Judged(replace(state, phase="GAME_OVER", winner="vampire"), (said, won))


def _pass(state: State, event: Pass) -> Judged[State]:
    following = after(state.players, event.seat)
    said = _ok(("G-06",), f"{event.seat} can neither take nor give and passes.", event.seat)
    return Judged(replace(state, turn=following), (said,))


def _remind(state: State, event: TalkReported) -> Judged[State]:
    because = "No talking about the cards during the game."
    return Judged(state, (Ruling(Code.INFO, ("SH-15", "G-15"), because, seat=event.seat),))


# --- The reveal --------------------------------------------------------------------------------------


def _show_role(state: State, event: RoleShown) -> Judged[State]:
    shown = replace(state, roles_shown={**state.roles_shown, event.seat: event.role})
    if event.role == "hunter":
        because = f"{event.seat} is a Hunter: now everybody turns all cards face up."
        return Judged(shown, (_ok(("SH-33", "SH-34"), because, event.seat),))
    because = f"{event.seat} is the Vampire and may not determine: everybody turns all cards face up."
    return Judged(shown, (Ruling(Code.AUDIT, ("SH-33", "SH-14", "G-05"), because, seat=event.seat),))


def _reveal(state: State, event: AllShown) -> Judged[State]:
    claim, counted = ask.doing(state), count_up(event, state.sw)
    found = breaches(event, claim.by, state.sw)
    team = winner(event, claim, state.sw)
    over = replace(
        state,
        phase="GAME_OVER",
        roles_shown={seat: event.roles[seat] for seat in state.players},
        winner=team,
        audit=tuple(dict.fromkeys(breach.code for breach in found)),
        item_pairs=counted.item_pairs,
        hunters=counted.hunters,
        kin=counted.kin,
        count=counted.total,
    )
    return Judged(over, (*map(_audit, found), _verdict(over, claim, counted)))


def _audit(breach: Breach) -> Ruling:
    clauses = {"AU-1": ("SH-14", "SH-33", "G-05"), "AU-2": ("SH-20",), "AU-3": ("SH-20",)}
    later = {"AU-4": ("SH-21", "SH-24"), "AU-5": ("SH-23",), "AU-6": ("SH-24",)}
    return Ruling(
        Code.AUDIT, (breach.code, *(clauses | later)[breach.code]), breach.because, seat=breach.seat
    )


def _verdict(over: State, claim: Doing, counted: Count) -> Ruling:
    right = over.roles_shown[claim.target] == "vampire"
    needed = THRESHOLD[len(over.players)]
    summed = f"{counted.item_pairs} pairs + {counted.hunters} Hunters = {counted.total} of {needed}"
    named = f"{claim.target} is {'the' if right else 'not the'} Vampire"
    if over.winner is None:
        return Ruling(Code.DRAW, ("G-05",), f"{summed}. {named}. The claim was not allowed: no team wins.")
    clause = "G-05" if "AU-1" in over.audit else "SH-36" if over.winner == "hunter" else "SH-37"
    because = f"{summed}. {named}. {over.winner.title()}s win."
    winners = tuple(s for s in over.players if _team(over, s) == over.winner)
    return Ruling(Code.WIN, (clause, "SH-35"), because, seats=winners)


def _team(over: State, seat: Seat) -> str:
    hunter = over.roles_shown[seat] == "hunter" and seat not in (over.kin or ())
    return "hunter" if hunter else "vampire"


RULES: dict[type[Any], Rule[State, Any]] = {
    SetupSeen: Rule((ask.is_setup, ask.are_counts_right, ask.is_start_known), _set_up),
    TableCardTaken: Rule((ask.is_table_pick, ask.is_next_at_table, ask.lies_on_table), _take_from_table),
    Action: Rule(
        (
            ask.is_turn,
            ask.is_their_turn,
            ask.is_other_player,
            ask.has_enough_to_give,
            ask.do_colours_meet,
            ask.is_item_allowed,
            ask.is_anything_pickable,
        ),
        _declare,
    ),
    CardPicked: Rule((ask.is_pick, ask.is_right_pick, ask.is_colour_there, ask.is_colour_allowed), _pick),
    Resolved: Rule(
        (
            ask.is_resolve,
            ask.is_picker,
            ask.is_same_colour,
            ask.has_partner,
            ask.is_open_pair_the_named,
            ask.is_first_of_its_kind,
        ),
        _resolve,
    ),
    RoleShown: Rule((ask.is_reveal, ask.is_claimant), _show_role),
    AllShown: Rule(
        (ask.is_reveal, ask.are_all_roles_shown, ask.are_owners_known, ask.are_all_pairs_shown), _reveal
    ),
    Pass: Rule((ask.is_turn, ask.is_their_turn, ask.is_stuck), _pass),
    TalkReported: Rule((ask.is_running,), _remind),
}
