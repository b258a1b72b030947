"""Judge a recording for its review, with progress, once: the result is kept in the user's cache folder."""

import hashlib
import json
import os
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import platformdirs

from calibration.profile import Profile
from hardware.cameras.footage import FootageCamera
from hardware.frames import Frame
from referee import __version__
from referee.card_eyes import DeckEyes
from referee.codec import from_plain, to_plain
from referee.config import NAME
from referee.folder import FootageFolder
from referee.footage import Recording, frame_numbers
from referee.judge import judge_footage
from referee.judge_cards import CardBench, judge_card_footage
from referee.review import Review, review_board, review_cards
from referee.table_eyes import TableEyes, hidden_px
from referee.told_then import told_then
from referee.veil import Places, Veiled

Progress = Callable[[int], None]
"""Called with the number of every frame that has been judged."""


def review_recording(recording: Recording, progress: Progress = lambda _frame: None) -> Review:
    """Judge the recording, or take what was judged before by the same eyes."""
    place = cache_place(recording)
    review = _load(place)
    if review is None:
        review = judge_for_review(recording.footage, progress)
        _store(place, review)
    return _with_journal(review, recording)


def judge_for_review(footage: FootageFolder, progress: Progress = lambda _frame: None) -> Review:
    """Judge now, whatever was judged before."""
    footage = _with_folder(footage)
    if footage.match.game == "rocca":
        done = judge_footage(footage, lambda frame: progress(frame.index))
        return review_board(done, footage.match.seats)
    veils: list[Veiled] = []

    def each(frame: Frame, bench: CardBench) -> None:
        _note_veil(veils, frame.index, bench)
        progress(frame.index)

    bench = judge_card_footage(footage, None, each)
    return review_cards(bench, bench.table.eyes.profile, veils)


def _with_folder(footage: FootageFolder) -> FootageFolder:
    """Eyes look for calibrations in folders; a profile lies in one."""
    where = footage.calibration
    return replace(footage, calibration=where.parent) if where.name == "profile.json" else footage


def _note_veil(veils: list[Veiled], frame: int, bench: CardBench) -> None:
    """Remember what may not be shown from this frame on, when it changed; all of it before the game is known."""
    now = None if bench.blind or bench.match is None else _hidden_places(bench.table.eyes)
    if not veils or veils[-1].places_px != now:
        veils.append(Veiled(frame, now))


def _hidden_places(eyes: TableEyes) -> Places:
    cards = eyes.watch.card_eyes
    if not isinstance(cards, DeckEyes):
        return ()
    return hidden_px(cards.secrets, eyes)


# --- What was ruled at the table ------------------------------------------------------------------------


def _with_journal(review: Review, recording: Recording) -> Review:
    """The rulings as they were said at the table, when there is a journal of them."""
    if recording.journal is None:
        return review
    numbers = frame_numbers(recording.footage.video, FootageCamera(str(recording.footage.video)))
    told = told_then(recording.journal, numbers, review.plain["shots"])
    return replace(review, plain=review.plain | told | {"today": review.plain["marks"]})


# --- The cache ------------------------------------------------------------------------------------------


def cache_place(recording: Recording) -> Path:
    """A name that changes with the footage, the calibration, the sheet and the eyes."""
    words = [__version__, _code_print(), to_plain(recording.footage.match)]
    words += [[str(f.resolve()), f.stat().st_size, f.stat().st_mtime_ns] for f in recording.files()]
    name = hashlib.sha256(json.dumps(words, sort_keys=True, default=str).encode()).hexdigest()[:32]
    return platformdirs.user_cache_path(NAME) / "reviews" / f"{name}.json"


def _code_print() -> str:
    """Changes whenever a file of the eyes or of the bench does."""
    here = Path(__file__).parent
    code = sorted([*here.rglob("*.py"), *(here.parent / "calibration").rglob("*.py")])
    return hashlib.sha256(b"".join(f.read_bytes() for f in code)).hexdigest()


def _load(place: Path) -> Review | None:
    try:
        kept = json.loads(place.read_text(encoding="utf8"))
        profile = from_plain(Profile, kept["profile"], "profile")
        return Review(kept["plain"], tuple(_veil(v) for v in kept["veils"]), profile)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _veil(kept: dict[str, Any]) -> Veiled:
    places = kept["places_px"]
    return Veiled(
        kept["frame"], None if places is None else tuple(tuple((x, y) for x, y in place) for place in places)
    )


def _store(place: Path, review: Review) -> None:
    """Keep it; a cache that cannot be written is no fault."""
    if review.profile is None:
        return
    kept = {
        "plain": review.plain,
        "veils": [asdict(v) for v in review.veils],
        "profile": asdict(review.profile),
    }
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        part = place.with_suffix(f".{os.getpid()}")
        part.write_text(json.dumps(kept), encoding="utf8")
        part.replace(place)
    except OSError:
        return
