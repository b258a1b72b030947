"""How the referee says things at this table."""

from referee.games.rise_against_monsters.cards import spoken
from referee.games.rise_against_monsters.state import Order, State
from referee.types import Code, Ruling, Seat

STEP_WORDS = {
    "DEAL": "the deal",
    "UNTAP": "Untap",
    "MONSTERS": "Monster Activity",
    "DRAW": "Draw",
    "PLAY": "Play",
    "DISCARD": "Discard",
    "GAME_OVER": "the end",
}


def illegal(clauses: tuple[str, ...], because: str, seat: Seat | None = None) -> Ruling:
    return Ruling(Code.ILLEGAL, clauses, because, seat=seat)


def correct(clauses: tuple[str, ...], because: str, seat: Seat | None = None) -> Ruling:
    return Ruling(Code.CORRECT, clauses, because, seat=seat)


def ok(clauses: tuple[str, ...], because: str, seat: Seat | None = None) -> Ruling:
    return Ruling(Code.OK, clauses, because, seat=seat)


def info(clauses: tuple[str, ...], because: str, seat: Seat | None = None) -> Ruling:
    return Ruling(Code.INFO, clauses, because, seat=seat)


def order_words(order: Order) -> str:
    """`monster 15 attacks hero 2 (15 against 2: destroyed)`, `monster 9 moves to C`."""
    who = spoken(order.card)
    if order.do == "attack" and order.target is not None:
        end = "destroyed" if order.destroyed else "it holds"
        return f"{who} attacks {spoken(order.target)} ({order.total} against {order.needed}: {end})"
    return f"{who} moves to {order.to}" if order.do == "move" else f"{who} stays"


def reason(order: Order, state: State) -> str:
    """Why the monster must do so."""
    reasons = {
        "RA-91": "it turns on the card that attacked it",
        "RA-24": "monsters attack the weakest hero first",
        "RA-25": "without heroes they attack workers, then roads, the weakest first",
        "RA-29": f"nothing to attack in {state.turn}'s land, and the easiest prey is there",
        "G-05": f"nothing to attack in {state.turn}'s land nor elsewhere",
        "RA-31": "a monster went to every other land already",
    }
    return reasons.get(order.clauses[-1], "") if order.clauses else ""


def orders_ruling(state: State, orders: tuple[Order, ...]) -> tuple[Ruling, ...]:
    """The plan in one sentence each, as information."""
    return tuple(
        info(o.clauses, f"{order_words(o)[0].upper()}{order_words(o)[1:]}: {reason(o, state)}.", state.turn)
        for o in orders
    )


def listed(cards: tuple[str, ...]) -> str:
    return ", ".join(map(spoken, cards)) or "nothing"
