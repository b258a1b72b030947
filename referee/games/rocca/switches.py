"""The house rules of Rocca; the questions behind them are in rules.toml."""

from dataclasses import dataclass
from typing import Literal

from referee.errors import BadEvent


@dataclass(frozen=True, slots=True)
class Switches:
    must_shoot_once: bool = False
    fouler_in_rotation: bool = True
    splash_includes_dropper: bool = True
    splash_merge: bool = True
    obvious_counts_as_called: bool = False
    win_window: Literal["own_turn_end", "any_turn_end"] = "own_turn_end"
    auto_win: bool = False
    remind_win: bool = False
    start_pieces: int = 7
    double_ante_from: Literal["immediately", "next_turn"] = "immediately"
    leftovers: Literal["distribute", "remove"] = "distribute"
    last_player_wins: bool = True
    all_short: Literal["draw", "most_pieces"] = "draw"
    clear_beats_off: bool = False
    gate_frame: Literal["dynamic", "at_strike"] = "dynamic"
    crossing_moment: Literal["any_time", "at_rest"] = "any_time"
    jump: Literal["review", "foul", "allow"] = "review"
    off_rule: Literal["centroid", "any_part", "whole"] = "centroid"
    idle_touch_foul: bool = False
    split_drop: Literal["redo", "foul"] = "redo"
    chess_clock: bool = False
    clock_minutes: int = 5
    timeout_pieces: Literal["distribute", "remove"] = "distribute"
    two_hands_foul: bool = True
    touch_other_moving_foul: bool = True
    uncalled_after_request: Literal["warn", "foul"] = "warn"
    solo_pieces: int = 15
    aim_help: bool = False

    def __post_init__(self) -> None:
        for name, least in (("start_pieces", 1), ("clock_minutes", 1), ("solo_pieces", 2)):
            if getattr(self, name) < least:
                raise BadEvent(f"house rule {name} is {getattr(self, name)}, not {least} or more")
