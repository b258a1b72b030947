"""The last shots of a live board, told as the review tells them, when somebody asks."""

from collections import deque
from dataclasses import dataclass
from typing import Any

from calibration.profile import Profile
from referee.happenings import ShotSeen
from referee.report import report_shot
from referee.shot_story import Board, Plain, pixels, shot_story

KEPT = 24


@dataclass(frozen=True, slots=True)
class Story:
    """One shot to be drawn over its frames."""

    plain: Plain
    profile: Profile


@dataclass(frozen=True, slots=True)
class _Shot:
    seen: ShotSeen
    state: Any
    board: Board
    profile: Profile


class Stories:
    """Keeps what is needed; nothing is worked out before somebody disputes a ruling."""

    def __init__(self) -> None:
        self._shots: deque[_Shot] = deque(maxlen=KEPT)

    def keep(self, seen: ShotSeen, state: Any, board: Board, profile: Profile) -> None:
        self._shots.append(_Shot(seen, state, board, profile))

    def of(self, frames: tuple[int, int]) -> Story | None:
        """The story of the shot that these frames prove."""
        shot = next((s for s in reversed(self._shots) if s.seen.frames == frames), None)
        if shot is None:
            return None
        outline = shot.profile.board_outline_mm
        plain = shot_story(report_shot(shot.seen, shot.state), shot.board, shot.profile)
        return Story(plain | {"board_px": pixels(outline, shot.profile) if outline else None}, shot.profile)
