"""What nobody saw on a painted board: the live table and the judged film say the same, and neither invents anything."""

from collections.abc import Callable, Iterable, Iterator, Sequence
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
from referee.judge import Judgement, judge_frames
from referee.ledger import CAMERA
from referee.match import Match, open_match
from referee.types import Point, Ruling
from referee.watch.unrest import RESTLESS
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


def lived(pictures: Film, board: str = BOARD) -> list[Ruling]:
    """What the live table would say: its eyes, its events, the same bench."""
    given = {"turn": "A", "phase": "AIM", "board": len(FLICK.pieces)}
    match: Match[Any, Any] = open_match(find_game("rocca"), SEATS, {}, given=given)
    eyes = BoardEyes(table.profile(), painted.known(board))
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


def reached_over(downs: Sequence[float | None]) -> Judgement:
    """What is judged of a hand so far from its place over the pieces, fifteen times a second."""

    def picture(down: float | None, noise: int) -> Image:
        lying = painted._ground(BOARD, FLICK.pieces)
        cover = _palm(480, 640, (330.0, 330.0 + down)) if down is not None else 0.0
        return painted.sensed(np.asarray(lying * (1 - cover) + SKIN * cover, np.float32), noise)

    pictures = [picture(down, k % 9 + round(down or 0)) for k, down in enumerate(downs)]
    frames = (Frame(k, k * 1_000_000_000 // 15, picture) for k, picture in enumerate(pictures))
    return judge_frames(SHEET, frames, table.profile(), painted.known(BOARD))


def test_a_hand_that_rests_over_pieces_is_no_shot_and_takes_nothing() -> None:
    judged = reached_over([None] * 15 + [300, 200, 100] + [0] * 140 + [100, 200, 300] + [None] * 30)
    (lost, back) = judged.happenings
    assert isinstance(lost, SightLost)
    assert lost.why == "something lies over the pieces"
    assert isinstance(back, SightBack)
    assert back.changed == ""


def test_a_hand_that_never_rests_over_the_board_is_no_picture_that_does_not() -> None:
    judged = reached_over([None] * 15 + [300, 200, 100, 140] * 40 + [None] * 30)
    assert judged.happenings == []


def shaking(picture: Image, k: int) -> Image:
    """A camera on a stand that is knocked again and again: farther and more aslant than can be held still."""
    turn, zoom, *shift = np.random.default_rng(k).normal(0, (0.4, 0.004, 2.0, 2.0))
    warp = cv2.getRotationMatrix2D((320, 240), turn, 1 + zoom)
    warp[:, 2] += shift
    return np.asarray(cv2.warpAffine(picture, warp, (640, 480), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def flickering(picture: Image, k: int) -> Image:
    """A lamp that flickers faster than the pictures are taken: bands that wander."""
    band = 1 + 0.25 * np.sin(np.arange(480) / 70 + 2.3 * k)[:, None, None]
    return np.clip(picture * band, 0, 255).astype(np.uint8)


def blotched(picture: Image, k: int) -> Image:
    """A camera at the end of its light: noise that compression made blotches of."""
    noise = np.random.default_rng(k).normal(0, 14, (60, 80)).astype(np.float32)
    large = np.asarray(cv2.resize(noise, (640, 480)), np.float32)[..., None]
    return np.asarray(np.clip(picture + large, 0, 255), np.uint8)


Unrest = Callable[[Image, int], Image]
RESTLESS_BY = [shaking, flickering, blotched]
CHESS = painted.flick("chessboard", "coin")
LYING = [CHESS.picture(k % 15) for k in range(STILL)]
RESTS = [CHESS.picture(painted.REST + k) for k in range(STILL)]


def judged_on_chess(pictures: Film) -> Judgement:
    return judge_frames(SHEET, filmed(pictures), table.profile(), painted.known(CHESS.board))


@pytest.mark.parametrize("by", RESTLESS_BY)
def test_a_film_in_which_nothing_ever_rests_says_so_and_rules_nothing(by: Unrest) -> None:
    pictures = [by(picture, k) for k, picture in enumerate(shot(CHESS))]
    judged = judged_on_chess(pictures)
    assert judged.shots == []
    (lost,) = judged.happenings
    assert isinstance(lost, SightLost)
    assert lost.why == RESTLESS
    assert [e["ev"] for e in judged.events] == ["camera_blocked"]
    assert [(str(r.code), RESTLESS in r.because) for r in judged.rulings] == [("UNSEEN", True)]
    assert brief(lived(pictures, CHESS.board)) == brief(judged.rulings)


@pytest.mark.parametrize("by", RESTLESS_BY)
def test_what_was_moved_while_nothing_rested_is_told_when_it_rests_again(by: Unrest) -> None:
    restless = [by(picture, k) for k, picture in enumerate([*shot(CHESS), *RESTS * 7])]
    judged = judged_on_chess([*LYING, *restless, *RESTS])
    assert judged.shots == []
    (lost, back) = judged.happenings
    assert isinstance(lost, SightLost)
    assert lost.why == RESTLESS
    assert STILL <= lost.frames[0] < STILL + 30
    assert isinstance(back, SightBack)
    assert back.changed == "1 piece lies elsewhere"
    assert [str(r.code) for r in judged.rulings] == ["UNSEEN", "UNSEEN"]


def test_what_shakes_for_a_moment_is_no_loss() -> None:
    knocked = [shaking(picture, k) for k, picture in enumerate(LYING * 3)]
    assert judged_on_chess([*LYING, *knocked, *LYING]).happenings == []


def test_before_the_first_rest_nobody_saw_what_happened_and_that_is_told() -> None:
    restless = [shaking(picture, k) for k, picture in enumerate(shot(CHESS)[:90])]
    judged = judged_on_chess([*restless, *RESTS])
    (lost, back) = judged.happenings
    assert isinstance(lost, SightLost)
    assert lost.why == RESTLESS
    assert isinstance(back, SightBack)


def test_a_film_that_ends_while_everything_shakes_says_so_and_invents_no_shot() -> None:
    knocked = [shaking(picture, k) for k, picture in enumerate(LYING * 3)]
    (lost,) = judged_on_chess([*LYING, *knocked]).happenings
    assert isinstance(lost, SightLost)
    assert lost.why == RESTLESS
