"""The evidence of one ruling: clip, deciding picture, numbers, clause, calibration and seals, in one plain value.

It is made of a review, so only what the whole table may know can be in it, and every picture has passed the veil.
"""

import base64
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hardware.cameras.footage import FootageCamera
from referee import __version__
from referee.above import from_above
from referee.errors import TableError
from referee.film import Film, as_jpeg
from referee.footage import Recording
from referee.review import Review
from referee.reviewing import review_recording
from referee.sealing import seal_of, seal_of_file
from referee.shot_story import Plain
from referee.veil import veiled

FORMAT = 1
PRE_ROLL_MS = 700.0
MOST_FRAMES = 90
CLIP_WIDTH = 720
CLIP_QUALITY = 76


@dataclass(frozen=True, slots=True)
class Evidence:
    told: Plain
    """Everything but the pictures."""
    clip: tuple[bytes, ...]
    """JPEGs of the frames named in `told["clip"]`."""
    deciding: bytes | None
    """The deciding frame from straight above."""

    def sealed(self) -> Plain:
        """The bundle's JSON, with a seal on each part and one on all of them."""
        seals: Plain = {
            "told": seal_of(self.told),
            "clip": [seal_of(jpeg) for jpeg in self.clip],
            "deciding": seal_of(self.deciding) if self.deciding else None,
        }
        pictures = {"clip": [_text(j) for j in self.clip], "deciding": _text(self.deciding)}
        return {"format": FORMAT, "told": self.told, **pictures, "seals": seals, "seal": seal_of(seals)}


def _text(jpeg: bytes | None) -> str | None:
    return None if jpeg is None else base64.b64encode(jpeg).decode()


def gather(recording: Recording, number: int) -> Evidence:
    """The evidence for the ruling with this number."""
    review = review_recording(recording)
    mark = find_mark(review, number)
    camera = FootageCamera(str(recording.footage.video))
    film = Film(camera, lambda index, image: veiled(image, index, review.veils))
    try:
        shot = review.plain["shots"][mark["shot"]] if mark.get("shot") is not None else None
        frames = clip_frames(film, mark["frames"]) if mark["frames"] else []
        shown = [(k, jpeg) for k in frames if (jpeg := _small(film, k)) is not None]
        told = _told(recording, review, mark, shot) | {
            "clip": [
                {"frame": k, "ms": round(int(film.times_ns[k] - film.times_ns[0]) / 1e6, 3)} for k, _ in shown
            ],
            "footage": _footage_seals(recording),
        }
        return Evidence(told, tuple(jpeg for _, jpeg in shown), _deciding(film, review, shot))
    finally:
        film.close()


def find_mark(review: Review, number: int) -> Plain:
    marks: list[Plain] = review.plain["marks"]
    mark = next((m for m in marks if m["number"] == number), None)
    if mark is None:
        known = ", ".join(str(m["number"]) for m in marks) or "none"
        raise TableError(f"there is no ruling {number} that the table may see; rulings: {known}")
    return mark


def clip_frames(film: Film, frames: list[int]) -> list[int]:
    """From a moment before to a moment after, evenly thinned out when it is long."""
    times = film.times_ns / 1e6
    last = len(times) - 1
    first, final = (min(max(k, 0), last) for k in frames)
    begin = int(np.searchsorted(times, times[first] - PRE_ROLL_MS))
    end = min(int(np.searchsorted(times, times[final] + PRE_ROLL_MS)), last)
    if end - begin < MOST_FRAMES:
        return list(range(begin, end + 1))
    return sorted({int(k) for k in np.linspace(begin, end, MOST_FRAMES)})


def _small(film: Film, index: int) -> bytes | None:
    image = film.image(index)
    return None if image is None else as_jpeg(image, CLIP_WIDTH, CLIP_QUALITY)


def _deciding(film: Film, review: Review, shot: Plain | None) -> bytes | None:
    if shot is None or review.profile is None or shot["window_mm"] is None:
        return None
    image = film.image(shot["closest"])
    return None if image is None else as_jpeg(from_above(image, review.profile, tuple(shot["window_mm"])))


def _told(recording: Recording, review: Review, mark: Plain, shot: Plain | None) -> Plain:
    plain = review.plain
    story: dict[str, Any] | None = None
    if shot is not None:
        kept = (
            "verdict",
            "facts",
            "confidence",
            "closest",
            "readings",
            "window_mm",
            "band_mm",
            "end_mm",
            "posts",
        )
        story = {k: shot[k] for k in kept}
        story["way"] = [{k: s[k] for k in ("frame", "clearance_mm", "gap_mm")} for s in shot["way"]]
        story["posts_mm"] = [p["outline_mm"] for p in shot["outlines"] if p["id"] in shot["posts"]]
    return {
        "version": __version__,
        "recording": recording.name,
        "game": plain["game"],
        "title": plain["title"],
        "seats": plain["seats"],
        "ruling": {k: v for k, v in mark.items() if k not in ("quiet", "shot")},
        "shot": story,
        "calibration": plain["calibration"],
        "journal": plain.get("journal"),
    }


def _footage_seals(recording: Recording) -> dict[str, str]:
    """The footage it was taken from, so that anybody who has it can tell that it is the same."""
    video = recording.footage.video
    films: list[Path] = sorted(video.glob("*.mp4")) if video.is_dir() else [video]
    return {film.name: seal_of_file(film) for film in films}
