"""A judged recording as people look at it again: the result, a mark for every ruling, and the evidence of each.

Built up from nothing for the table's audience: what only a seat may know has no place in it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from calibration.profile import Profile
from referee.codec import to_plain
from referee.judge import Judgement
from referee.judge_cards import CardBench
from referee.marks import frame_of, marks
from referee.shot_story import Plain, pixels, shot_story
from referee.types import TABLE
from referee.veil import Veiled
from referee.watch.report import happening_plain


@dataclass(frozen=True, slots=True)
class Review:
    """What was judged, plain, and what nobody may see of the footage."""

    plain: Plain
    veils: tuple[Veiled, ...] = ()
    """In order of frames; none: nothing in this game is secret."""
    profile: Profile | None = None


def review_board(done: Judgement, seats: Sequence[str]) -> Review:
    """The review of a game of Rocca."""
    shots = [
        shot_story(report, board, done.profile) for report, board in zip(done.shots, done.boards, strict=True)
    ]
    rulings = tuple(r for r in done.rulings if r.audience == TABLE)
    outline = done.profile.board_outline_mm
    plain = frame_of("rocca", seats, done.profile.image_size, done.state) | {
        "calibration": _quality(done.profile),
        "shots": shots,
        "curve": [{"frame": frame, "scores": [list(s) for s in scores]} for frame, scores in done.scores],
        "drops": [to_plain(d) for d in done.drops],
        "board_px": pixels(outline, done.profile) if outline else None,
        "board_mm": [list(p) for p in outline] if outline else None,
        "marks": [_with_shot(mark, shots) for mark in marks("rocca", rulings)],
        "final": [
            {"id": p.id, "px": list(p.px), "outline_px": pixels(p.outline_mm, done.profile)}
            for p in done.pieces
        ],
    }
    return Review(plain, (), done.profile)


def review_cards(bench: CardBench, profile: Profile, veils: Sequence[Veiled]) -> Review:
    """The review of a game of cards; only what lies open is in it."""
    game = bench.folder.match.game
    state = bench.match.game.dump(bench.match.state) if bench.match else {}
    rulings = tuple(r for r in bench.rulings if r.audience == TABLE)
    spots = [p for h in bench.happenings if (p := happening_plain(h))]
    plain = frame_of(game, bench.folder.match.seats, profile.image_size, state) | {
        "calibration": _quality(profile),
        "shots": [],
        "spots": [s for s in spots if s.get("px")],
        "marks": marks(game, rulings),
    }
    return Review(plain, tuple(veils) or (Veiled(0, ()),), profile)


def _with_shot(mark: Plain, shots: list[Plain]) -> Plain:
    """A mark with the number of the shot it is about."""
    at = next((k for k, shot in enumerate(shots) if shot["frames"] == mark["frames"]), None)
    return mark | {"shot": at}


def _quality(profile: Profile) -> Plain:
    return {
        "reprojection_px": round(profile.reprojection_px, 3),
        "plane_error_mm": round(profile.plane_error_mm, 3),
        "smallest_margin_mm": round(profile.smallest_margin_mm, 3),
    }
