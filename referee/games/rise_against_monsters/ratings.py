"""What every card is worth now, where it lies, and what a monster finds to attack."""

from referee.games.rise_against_monsters.cards import BONUS, COST, kind, number, rank, suit
from referee.games.rise_against_monsters.state import Bonus, Castle, Road, State
from referee.types import Seat


def left_of(state: State, seat: Seat) -> tuple[Seat, ...]:
    """The other seats, nearest to the left first."""
    at = state.players.index(seat)
    return state.players[at + 1 :] + state.players[:at]


def land_of(state: State, card: str) -> Seat | None:
    """In whose land a hero, a worker or a roaming monster lies."""
    for seat, land in state.lands.items():
        if card in land.heroes or card in land.workers or card in land.monsters:
            return seat
    return None


def castle_over(state: State, monster: str) -> tuple[Seat, Castle] | None:
    """The castle that binds the monster, and where it stands."""
    for seat, land in state.lands.items():
        for castle in land.castles:
            if monster in castle.under:
                return seat, castle
    return None


def road_called(state: State, card: str | None) -> Road | None:
    return next((road for road in state.roads if road.card == card), None)


def far_end(road: Road, seat: Seat) -> Seat:
    return road.ends[1] if road.ends[0] == seat else road.ends[0]


def roads_at(state: State, seat: Seat) -> tuple[Road, ...]:
    return tuple(road for road in state.roads if seat in road.ends)


def kept_card(state: State, card: str) -> tuple[Seat, Bonus | Castle] | None:
    """The bonus card or castle in play, and in whose land."""
    for seat, land in state.lands.items():
        for kept in land.kept:
            if kept.card == card:
                return seat, kept
    return None


# --- Ratings -----------------------------------------------------------------------------------------


def bonus(state: State, seat: Seat, of_suit: str) -> int:
    """What own and drawn bonus cards add to the suit in the seat's land."""
    own = state.lands[seat].bonus
    if not own and not state.roads:
        return 0
    ranks = [rank(b.card) for b in own if suit(b.card) == of_suit]
    if not state.sw.own_duplicates:
        ranks = list(dict.fromkeys(ranks))
    return sum(BONUS[r] for r in ranks) + _drawn_bonus(state, seat, of_suit)


def _drawn_bonus(state: State, seat: Seat, of_suit: str) -> int:
    """A diamond face card draws the neighbours' face cards of its rank, each once."""
    draws = {rank(b.card) for b in state.lands[seat].bonus if suit(b.card) == "D"}
    if not draws:
        return 0
    joined = {far_end(road, seat) for road in roads_at(state, seat)}
    offered = {rank(b.card) for s in joined for b in state.lands[s].bonus if suit(b.card) == of_suit}
    return sum(BONUS[r] for r in draws & offered)


def rating(state: State, seat: Seat, card: str) -> int:
    """The rating of a monster, or of a hero or worker that lies in the seat's land."""
    if kind(card) == "monster":
        return number(card)
    return number(card) + bonus(state, seat, suit(card))


def home_rating(state: State, card: str) -> int:
    """The rating of a card in play, with the bonus of its own land."""
    seat = land_of(state, card)
    return number(card) if seat is None else rating(state, seat, card)


def road_rating(state: State, road: Road, seat: Seat) -> int:
    """The road as the seat sees it: a bonus counts only for its owner."""
    if state.sw.road_bonus_scope == "builder" and road.builder not in (None, seat):
        return number(road.card)
    return number(road.card) + bonus(state, seat, "D")


def fits_road(state: State, card: str, seat: Seat, road: Road, *, for_good: bool = False) -> bool:
    """May the seat's card go over the road: to help, or for good at half the rating?"""
    size = number(card) if state.sw.road_limit == "printed" else rating(state, seat, card)
    return size * (2 if for_good else 1) <= road_rating(state, road, seat)


def target_rating(state: State, target: str, seat: Seat) -> int:
    """What attackers from the seat's land must reach."""
    road = road_called(state, target)
    return road_rating(state, road, seat) if road else home_rating(state, target)


def cost(card: str) -> int:
    """The worker rating that a bonus card or castle needs."""
    return COST[rank(card)]


def support_sum(state: State, workers: tuple[str, ...]) -> int:
    """What the workers give, each with the rating of its own land."""
    return sum(home_rating(state, worker) for worker in workers)


def all_ratings(state: State) -> dict[str, int]:
    return {
        card: rating(state, seat, card)
        for seat, land in state.lands.items()
        for card in (*land.heroes, *land.workers, *land.monsters)
    }


# --- Targets -----------------------------------------------------------------------------------------


def targets(state: State, seat: Seat) -> tuple[str, ...]:
    """What a monster there attacks: heroes, else workers, else roads that touch the land."""
    land = state.lands[seat]
    return land.heroes or land.workers or tuple(road.card for road in roads_at(state, seat))


def weakest(state: State, seat: Seat, cards: tuple[str, ...]) -> tuple[str, ...]:
    """The cards of the lowest rating."""
    rated = [(target_rating(state, card, seat), card) for card in cards]
    least = min(value for value, _ in rated)
    return tuple(card for value, card in rated if value == least)


def count_targets(state: State, seat: Seat) -> int:
    land = state.lands[seat]
    if state.sw.count_targets == "heroes":
        return len(land.heroes)
    return len(land.heroes) + len(land.workers) + len(roads_at(state, seat))


# --- Pins --------------------------------------------------------------------------------------------


def attackers_on(state: State, target: str) -> tuple[str, ...]:
    return tuple(a for a, t in state.contacts if t == target)


def pins(state: State, attacker: str, target: str) -> bool:
    """A sideways card pins a hero or monster that it attacked while that lay sideways."""
    both = attacker in state.tapped and target in state.tapped
    pinnable = kind(target) in ("hero", "monster")
    return both and pinnable and (attacker, target) not in state.loose


def pinned_heroes(state: State) -> tuple[str, ...]:
    """Heroes that cannot be turned upright: the monster that pins one does not let go."""
    return tuple(t for a, t in state.contacts if kind(t) == "hero" and pins(state, a, t))


def pinned_monsters(state: State, staying: frozenset[str]) -> tuple[str, ...]:
    """Monsters that stay sideways: they pin a hero, or a hero that stays sideways pins them."""
    holding = [a for a, t in state.contacts if kind(t) == "hero" and pins(state, a, t)]
    held = [t for a, t in state.contacts if kind(t) == "monster" and a in staying and pins(state, a, t)]
    return tuple(dict.fromkeys(holding + held))
