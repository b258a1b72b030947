"""What people see: everything but the deck, and what must happen next with its reason."""

from referee.games.rise_against_monsters.building import castles
from referee.games.rise_against_monsters.cards import kind, spoken
from referee.games.rise_against_monsters.choices import choices
from referee.games.rise_against_monsters.orders import next_orders
from referee.games.rise_against_monsters.ratings import rating
from referee.games.rise_against_monsters.state import Bonus, Castle, Road, State
from referee.games.rise_against_monsters.turn import needs_untap
from referee.games.rise_against_monsters.words import STEP_WORDS, listed, order_words, reason
from referee.types import Audience, Seat, View


def view(state: State, audience: Audience) -> View:
    """The open table; all hands are open, so every audience sees the same."""
    return View(
        audience,
        headline=_headline(state),
        scores=(("castles", f"{castles(state)} of {len(state.players)}"), ("deck", str(state.deck_n))),
        lines=tuple(line for seat in state.players for line in _land_lines(state, seat)) + _roads(state),
        prompt=_prompt(state),
        choices=choices(state),
    )


def _headline(state: State) -> str:
    if state.outcome == "players_win":
        return "The players win"
    if state.outcome == "monsters_win":
        return "The monsters win"
    return f"{STEP_WORDS[state.step]} of {state.turn}, turn {state.turn_no}"


def _land_lines(state: State, seat: Seat) -> tuple[str, ...]:
    land = state.lands[seat]
    rows = (
        ("monsters", land.monsters),
        ("heroes", land.heroes),
        ("workers", land.workers),
    )
    shown = [f"{name} {_cards(state, seat, cards)}" for name, cards in rows if cards]
    shown += [_kept(kept) for kept in land.kept]
    hand = listed(state.hand[seat])
    return (f"{seat} ({state.phase[seat]}): {'; '.join(shown) or 'empty land'}", f"   hand: {hand}")


def _cards(state: State, seat: Seat, cards: tuple[str, ...]) -> str:
    return ", ".join(f"{rating(state, seat, card)}{_sideways(state, card)}" for card in cards)


def _sideways(state: State, card: str) -> str:
    return " (sideways)" if card in state.tapped else ""


def _kept(kept: Bonus | Castle) -> str:
    by = f" by {listed(kept.by)}" if kept.by else " without support"
    under = f", binding {listed(kept.under)}" if isinstance(kept, Castle) and kept.under else ""
    return f"{spoken(kept.card)}{by}{under}"


def _roads(state: State) -> tuple[str, ...]:
    return tuple(_road(road) for road in state.roads)


def _road(road: Road) -> str:
    user = f", used by {spoken(road.used_by)}" if road.used_by else ""
    return f"{spoken(road.card).capitalize()} {road.ends[0]}-{road.ends[1]}{user}"


def _prompt(state: State) -> str:
    """What must happen next, and why."""
    orders = next_orders(state)
    if orders:
        words = " or ".join(map(order_words, orders))
        return f"{words[0].upper()}{words[1:]}: {reason(orders[0], state)}."
    match state.step:
        case "DEAL":
            return "Deal seven cards to everybody; clubs but the ace go into play."
        case "UNTAP":
            return _untap_prompt(state)
        case "DRAW":
            return _draw_prompt(state)
        case "PLAY":
            return _play_prompt(state)
        case "DISCARD":
            return f"{state.turn} may discard any number of cards."
    return ""


def _untap_prompt(state: State) -> str:
    if state.untapped or not needs_untap(state):
        return "Now the monsters act."
    return f"{state.turn} turns cards upright and pays for bonus cards and castles; what is not paid goes."


def _draw_prompt(state: State) -> str:
    if not state.deck_n and state.discard and state.drawn < state.draw_max:
        return "The deck is used up: shuffle the discard pile as new deck."
    least = "at least one" if not state.drawn and state.draw_max else "more or stops"
    return f"{state.turn} draws {least}: {state.drawn} of {state.draw_max} drawn."


def _play_prompt(state: State) -> str:
    monsters = state.lands[state.turn].monsters
    if monsters:
        return f"{state.turn} may play heroes only: {listed(monsters)} in the land."
    builds = any(kind(card) not in ("hero", "joker") for card in state.hand[state.turn])
    return f"{state.turn} may play {'any card' if builds else 'heroes'}."
