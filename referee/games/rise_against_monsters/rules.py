"""Which questions are asked about which event, and what follows every event: the plan, victory, defeat."""

from dataclasses import replace
from typing import Any

from referee.games.rise_against_monsters import building, combat, drawing, turn
from referee.games.rise_against_monsters.events import (
    Attack,
    CastleSet,
    Choice,
    Dealt,
    Discarded,
    Drawn,
    DrawStop,
    Event,
    JokerUsed,
    MonsterMoved,
    Play,
    Reshuffled,
    StepBegin,
    StepDone,
    SupportAdded,
    TableVerified,
    Transfer,
    Untap,
)
from referee.games.rise_against_monsters.orders import next_orders
from referee.games.rise_against_monsters.state import Outcome, State
from referee.games.rise_against_monsters.words import info
from referee.judging import Rule, judge_by
from referee.types import Code, Judged, Ruling

KEEPS_WINDOW = (MonsterMoved, Drawn, CastleSet, StepBegin, Reshuffled)
"""After these a castle's owner may still regroup the monsters that arrived."""


def judge(state: State, event: Event) -> Judged[State]:
    """The state after the event, and what the referee says."""
    judged = judge_by(RULES, state, event)
    if judged.state is state:
        return judged
    after = judged.state
    if after.arrived and not isinstance(event, KEEPS_WINDOW):
        after = replace(after, arrived=())
    return _ended(after, judged.rulings)


def _ended(state: State, rulings: tuple[Ruling, ...]) -> Judged[State]:
    """Victory and defeat are tested after every event."""
    if state.step == "DEAL":
        return Judged(state, rulings)
    if has_won(state):
        because = f"{building.castles(state)} castles and no roaming monster: the players win."
        won = Ruling(Code.WIN, ("RA-86", "RA-02"), because, seats=state.players)
        return Judged(_over(state, "players_win"), (*rulings, won))
    if has_lost(state):
        because = "Only monsters are left in all lands: the monsters win."
        lost = Ruling(Code.LOSS, ("RA-03", "G-20"), because, seats=state.players)
        return Judged(_over(state, "monsters_win"), (*rulings, lost))
    return Judged(state, rulings)


def _over(state: State, outcome: Outcome) -> State:
    return replace(state, step="GAME_OVER", outcome=outcome)


def has_won(state: State) -> bool:
    roaming = any(land.monsters for land in state.lands.values())
    return not roaming and building.castles(state) >= len(state.players)


def has_lost(state: State) -> bool:
    """Nothing but monsters in play, once somebody has entered Building."""
    if not state.ever_building or state.roads:
        return False
    lands = state.lands.values()
    if any(land.heroes or land.workers or land.bonus or land.castles for land in lands):
        return False
    needed = all if state.sw.loss_needs_monster_everywhere else any
    return needed(land.monsters for land in lands)


def follow(state: State) -> tuple[Event, ...]:
    """What the referee goes on to by itself: a step with nothing left to do is over."""
    if state.step == "UNTAP" and (state.untapped or not turn.needs_untap(state)):
        return (StepBegin(state.turn, "MONSTERS"),)
    if state.step == "MONSTERS" and not next_orders(state):
        return (StepBegin(state.turn, "DRAW"),)
    if state.step == "DRAW" and not next_orders(state) and _nothing_to_draw(state):
        return (StepBegin(state.turn, "PLAY"),)
    return ()


def _nothing_to_draw(state: State) -> bool:
    return state.drawn >= state.draw_max or not (state.deck_n or state.discard)


def _verified(state: State, _event: TableVerified) -> Judged[State]:
    return Judged(state, (info(("RA-19",), "The table lies as it should."),))


RULES: dict[type[Any], Rule[State, Any]] = {
    Dealt: Rule((turn.is_deal, turn.are_seven_each, turn.are_all_different), turn.deal),
    StepBegin: Rule((combat.is_dealt, turn.is_next_step, turn.is_step_over), turn.begin_step),
    StepDone: Rule((combat.is_dealt, turn.is_done_by_player, turn.is_step_over), turn.finish_step),
    Untap: Rule(
        (
            combat.is_dealt,
            turn.is_untap_time,
            turn.is_support_lawful,
            turn.are_pinned_left,
            turn.is_sideways_right,
        ),
        turn.untap,
    ),
    Attack: Rule((combat.is_after_untap, combat.can_attack), combat.attack),
    MonsterMoved: Rule(
        (
            combat.is_dealt,
            combat.is_move_time,
            combat.is_roaming_here,
            combat.is_past_first_turn,
            combat.may_monster_leave,
            combat.is_in_order,
            combat.is_right_land,
        ),
        combat.move,
    ),
    Choice: Rule((combat.is_dealt, combat.is_tie), combat.settle_tie),
    Drawn: Rule(
        (
            combat.is_dealt,
            drawing.is_drawer,
            drawing.is_draw_step,
            drawing.have_monsters_acted,
            drawing.may_draw_more,
            drawing.is_deck_left,
            drawing.is_new_card,
        ),
        drawing.draw,
    ),
    DrawStop: Rule(
        (
            combat.is_dealt,
            drawing.is_drawer,
            drawing.is_draw_step,
            drawing.have_monsters_acted,
            drawing.has_drawn_one,
        ),
        drawing.stop_drawing,
    ),
    Reshuffled: Rule((combat.is_dealt, drawing.is_deck_empty, drawing.is_whole_pile), drawing.reshuffle),
    Play: Rule(
        (
            combat.is_dealt,
            building.is_player,
            building.is_play_step,
            building.is_in_hand,
            building.is_playable,
            building.is_land_clear,
            building.are_ends_clear,
            building.is_support_fit,
            building.is_support_enough,
        ),
        building.play,
    ),
    JokerUsed: Rule(
        (combat.is_dealt, combat.is_own_land, combat.holds_joker, combat.has_victims), combat.use_joker
    ),
    SupportAdded: Rule(
        (combat.is_after_untap, building.is_supportable, building.are_workers_free), building.add_support
    ),
    Transfer: Rule((combat.is_after_untap, building.may_be_sent, building.is_road_open), building.transfer),
    CastleSet: Rule(
        (
            combat.is_dealt,
            drawing.is_castle,
            drawing.has_somebody_arrived,
            drawing.are_monsters_there,
            drawing.is_room,
        ),
        drawing.set_castle,
    ),
    Discarded: Rule(
        (combat.is_dealt, building.is_player, building.is_discard_step, building.are_cards_in_hand),
        building.discard,
    ),
    TableVerified: Rule((combat.is_running,), _verified),
}
