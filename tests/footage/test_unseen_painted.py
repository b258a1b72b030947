"""What nobody saw on a painted board: the live table and the judged film say the same, and neither invents anything."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from hardware.frames import Frame, Image
from referee.board_eyes import BoardEyes
from referee.folder import MatchSheet
from referee.games import find_game
from referee.happenings import SightBack, SightLost
from referee.judge import judge_frames
from referee.ledger import CAMERA
from referee.match import Match, open_match
from referee.types import Point, Ruling
from tests.vision import table
from tests.watch import painted

SEATS = ("A", "B", "C")
BOARD = "book cover"
FLICK = painted.flick(BOARD, "coin")
SKIN = np.array(painted.SKIN, np.float32)
STILL = 40
"""Frames of rest before and after."""
SHEET = MatchSheet(
    seats=SEATS,
    turn="A",
    declared=({"frame": 1, "event": "gate_called", "at_px": [FLICK.pieces[1].at, FLICK.pieces[2].at]},),
)


@dataclass(frozen=True)
class HiddenFlick(painted.Flick):
    """A whole hand darts over the shooter and all its way, and off again when it rests."""

    def shooter(self, frame: int) -> Point:
        """Three times as fast as in full view."""
        return super().shooter(painted.STRIKE + 3 * max(frame - painted.STRIKE, 0))

    def picture(self, k: int) -> Image:
        picture = self._lying().copy()
        painted._lay(picture, replace(self.pieces[0], at=self.shooter(k)))
        down = 80 * max(painted.STRIKE - 2 - k, k - painted.STRIKE - 13, 0)
        cover = _palm(picture.shape[0], picture.shape[1], (self.pieces[0].at[0], self.pieces[0].at[1] + down))
        return painted.sensed(np.asarray(picture * (1 - cover) + SKIN * cover, np.float32), k)


def _palm(height: int, width: int, at: Point) -> NDArray[np.float32]:
    """A hand that reaches in over a place and far beyond it."""
    palm = np.zeros((height, width), np.float32)
    x, y = round(at[0]), round(at[1])
    cv2.ellipse(palm, (x, y - 110), (62, 170), 0, 0, 360, 1.0, -1, cv2.LINE_AA)
    cv2.line(palm, (x, y), (x + 30, y + 700), 1.0, 90, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(palm, (0, 0), 1.0)[..., None], np.float32)


Film = Sequence[Image | None]
"""Sixty pictures a second; None where the camera delivered none."""


def filmed(pictures: Film) -> Iterator[Frame]:
    seen = ((k, picture) for k, picture in enumerate(pictures) if picture is not None)
    for index, (k, picture) in enumerate(seen):
        yield Frame(index, k * 1_000_000_000 // 60, picture)


def shot(flick: painted.Flick) -> list[Image]:
    return [flick.picture(k) for k in range(painted.REST)]


def unseen(instead: Image | None) -> Film:
    """The shot was made while the camera showed something else, or nothing."""
    seen = [FLICK.picture(k) for k in range(STILL)]
    rest = [FLICK.picture(painted.REST + k) for k in range(2 * STILL)]
    return [*seen[: STILL // 3], *seen[: STILL // 3], *[instead] * painted.REST, *rest]


def lived(pictures: Film) -> list[Ruling]:
    """What the live table would say: its eyes, its events, the same bench."""
    given = {"turn": "A", "phase": "AIM", "board": len(FLICK.pieces)}
    match: Match[Any, Any] = open_match(find_game("rocca"), SEATS, {}, given=given)
    eyes = BoardEyes(table.profile(), painted.known(BOARD))
    said: list[Ruling] = []

    def state() -> object:
        return match.state

    eyes._watch.called_at((FLICK.pieces[1].at, FLICK.pieces[2].at))
    for frame in filmed(pictures):
        for sighting in eyes.feed(frame, state):
            said += match.feed(match.read(sighting.event), CAMERA, sighting.frames, sighting.t_ns)
    for sighting in eyes.finish(state):
        said += match.feed(match.read(sighting.event), CAMERA, sighting.frames, sighting.t_ns)
    return said


def brief(said: Iterable[Ruling]) -> list[tuple[str, tuple[str, ...], str]]:
    return [(str(r.code), r.clauses, r.because) for r in said]


def test_a_shot_whose_touch_a_hand_hid_is_for_the_players_live_and_judged() -> None:
    pictures = shot(HiddenFlick(FLICK.board, FLICK.pieces, FLICK.to))
    judged = judge_frames(SHEET, filmed(pictures), table.profile(), painted.known(BOARD))
    (report,) = judged.shots
    assert report.verdict == "unseen"
    asked = [r for r in judged.rulings if r.code == "UNSEEN"]
    assert len(asked) == 1
    assert all(why in asked[0].because for why in report.shot.unseen)
    assert judged.state["won"] == 0
    assert brief(lived(pictures)) == brief(judged.rulings)


def test_a_shot_in_full_view_is_no_loss_of_sight() -> None:
    judged = judge_frames(SHEET, filmed(shot(FLICK)), table.profile(), painted.known(BOARD))
    assert [s.verdict for s in judged.shots] == ["through"]
    assert not [h for h in judged.happenings if isinstance(h, SightLost | SightBack)]


@pytest.mark.parametrize(
    ("instead", "why"),
    [(np.full((480, 640, 3), 2, np.uint8), "it is too dark"), (None, "no picture came for 1.9 s")],
    ids=["a lid on the lens", "a loose cable"],
)
def test_a_shot_that_nobody_saw_is_not_told_and_what_it_changed_is(instead: Image | None, why: str) -> None:
    pictures = unseen(instead)
    judged = judge_frames(SHEET, filmed(pictures), table.profile(), painted.known(BOARD))
    assert judged.shots == []
    (lost, back) = judged.happenings
    assert isinstance(lost, SightLost)
    assert (lost.why, lost.frames[0]) == (why, 2 * (STILL // 3) - (instead is None))
    assert isinstance(back, SightBack)
    assert back.changed == "1 piece lies elsewhere"
    assert [str(r.code) for r in judged.rulings] == ["UNSEEN", "UNSEEN"]
    assert back.changed in judged.rulings[1].because
    assert brief(lived(pictures)) == brief(judged.rulings)


def test_a_hand_that_rests_over_pieces_is_no_shot_and_takes_nothing() -> None:
    def picture(down: float | None, noise: int) -> Image:
        lying = painted._ground(BOARD, FLICK.pieces)
        cover = _palm(480, 640, (330.0, 330.0 + down)) if down is not None else 0.0
        return painted.sensed(np.asarray(lying * (1 - cover) + SKIN * cover, np.float32), noise)

    downs = [None] * 15 + [300, 200, 100] + [0] * 140 + [100, 200, 300] + [None] * 30
    pictures = [picture(down, k % 9 + (down or 0)) for k, down in enumerate(downs)]
    frames = (Frame(k, k * 1_000_000_000 // 15, picture) for k, picture in enumerate(pictures))
    judged = judge_frames(SHEET, frames, table.profile(), painted.known(BOARD))
    (lost, back) = judged.happenings
    assert isinstance(lost, SightLost)
    assert lost.why == "something lies over the pieces"
    assert isinstance(back, SightBack)
    assert back.changed == ""
