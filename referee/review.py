"""A judged recording as people look at it again: the result, a mark for every ruling, and the evidence of each.

Built up from nothing for the table's audience: what only a seat may know has no place in it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from calibration.profile import Profile
from referee import __version__
from referee.codec import to_plain
from referee.games import GAMES, find_game
from referee.judge import Judgement
from referee.judge_cards import CardBench
from referee.rulebook import read_rulebook
from referee.shot_story import Plain, pixels, shot_story
from referee.types import TABLE, Ruling
from referee.veil import Veiled
from referee.watch.report import happening_plain

QUIET = ("INFO", "ASSUME")


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
    plain = _frame_of("rocca", seats, done.profile, done.state) | {
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
    plain = _frame_of(game, bench.folder.match.seats, profile, state) | {
        "shots": [],
        "spots": [s for s in spots if s.get("px")],
        "marks": marks(game, rulings),
    }
    return Review(plain, tuple(veils) or (Veiled(0, ()),), profile)


def marks(game: str, rulings: Sequence[Ruling], numbers: Sequence[int] | None = None) -> list[Plain]:
    """The rulings for the time line, numbered as `--ruling` counts them."""
    say = clause_words(game)
    return [
        {
            "number": number,
            "code": ruling.code.value,
            "because": ruling.because,
            "seat": ruling.seat,
            "frames": list(ruling.frames) if ruling.frames else None,
            "clauses": [{"id": c, "text": say(c)} for c in ruling.clauses],
            "quiet": ruling.code.value in QUIET,
            "corrects": ruling.corrects,
        }
        for number, ruling in zip(numbers or range(1, len(rulings) + 1), rulings, strict=True)
    ]


def clause_words(game: str) -> Any:
    """Clause id -> our own words for it."""
    books = read_rulebook(GAMES[game]), read_rulebook("referee", "house.toml")
    return lambda clause: next((text for book in books if (text := book.text(clause))), "")


def _with_shot(mark: Plain, shots: list[Plain]) -> Plain:
    """A mark with the number of the shot it is about."""
    at = next((k for k, shot in enumerate(shots) if shot["frames"] == mark["frames"]), None)
    return mark | {"shot": at}


def _frame_of(game: str, seats: Sequence[str], profile: Profile, state: Mapping[str, object]) -> Plain:
    known = find_game(game)
    view = to_plain(known.view(known.load(state), TABLE)) if state else {"headline": "", "scores": []}
    return {
        "version": __version__,
        "game": game,
        "title": known.title,
        "seats": list(seats),
        "size": list(profile.image_size),
        "headline": view["headline"],
        "scores": view["scores"],
        "calibration": {
            "reprojection_px": round(profile.reprojection_px, 3),
            "plane_error_mm": round(profile.plane_error_mm, 3),
            "smallest_margin_mm": round(profile.smallest_margin_mm, 3),
        },
    }
