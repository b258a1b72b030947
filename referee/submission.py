"""A bundle for a bug report: a footage folder with a few seconds round one ruling, and nothing secret in it."""

import hashlib
import io
import json
import tempfile
import zipfile
from dataclasses import asdict, replace
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np

from hardware.cameras.footage import FootageCamera
from hardware.frames import Image, as_image
from hardware.recorder import COLOURS, NUMBERS, noted
from hardware.seals import SEALS, seal_segment
from hardware.stills import KeptStills
from referee import __version__
from referee.errors import TableError
from referee.evidence import find_mark, gather
from referee.evidence_page import evidence_page
from referee.film import Film
from referee.folder import MatchSheet
from referee.footage import Recording, frame_numbers, is_recorded
from referee.journal import read_entries
from referee.kept_sheet import sheet_words
from referee.ledger import Entry, columns
from referee.review import Review
from referee.reviewing import review_recording
from referee.types import TABLE
from referee.veil import veiled

BEFORE_NS = 1_500_000_000
AFTER_NS = 1_500_000_000
ENTRIES = 12
"""Of the journal, up to the ruling."""
MICROSECOND = Fraction(1, 1_000_000)


def submission(recording: Recording, number: int) -> bytes:
    """The bundle as a ZIP file."""
    review = review_recording(recording)
    mark = find_mark(review, number)
    if mark["frames"] is None:
        raise TableError(f"ruling {number} was not made by pictures: there is no footage to send")
    camera = FootageCamera(str(recording.footage.video))
    film = Film(camera, lambda k, image: veiled(image, k, review.veils))
    first, last = _span(film, mark["frames"])
    files = {
        "footage.mp4": submitted_film(film, first, last),
        "match.toml": sheet_words(part_of(recording.footage.match), first).encode(),
        "evidence.html": evidence_page(gather(recording, number)).encode(),
        "about.json": _json(
            {"version": __version__, "ruling": mark, "first_frame": first, **_quality(review)}
        ),
    }
    if review.profile is not None:
        files["profile.json"] = _json(asdict(review.profile))
    if recording.journal is not None:
        files["journal.json"] = _json([_entry(e) for e in _part(recording.journal, number)])
    film.close()
    if not review.veils:
        files |= kept_at_rest(recording.footage.video, camera, files["footage.mp4"], (first, last))
    return _zipped(files | _stills(recording.footage.calibration))


def part_of(sheet: MatchSheet) -> MatchSheet:
    """What holds for a few seconds in the middle: not how it began, and nothing that was told about hidden cards."""
    told = sheet.declared if sheet.game == "rocca" else ()
    deck = replace(sheet.deck, folder=None)
    return replace(sheet, calibration=None, deck=deck, zones={}, state={}, declared=told)


def _span(film: Film, frames: list[int]) -> tuple[int, int]:
    times = film.times_ns
    begin, end = times[frames[0]] - BEFORE_NS, times[min(frames[1], len(times) - 1)] + AFTER_NS
    inside = np.flatnonzero((begin <= times) & (times <= end))
    return int(inside[0]), int(inside[-1])


def submitted_film(film: Film, first: int, last: int) -> bytes:
    """The frames as everybody may see them, with their own times; hardly compressed, for they are measured again."""
    with tempfile.TemporaryDirectory(prefix="referee-") as folder:
        place = Path(folder) / "footage.mp4"
        with av.open(str(place), "w") as video:
            stream = video.add_stream("libx264", rate=60, options={"crf": "12", "preset": "veryfast"})
            stream.width, stream.height = film.size
            stream.pix_fmt = "yuv420p"
            stream.codec_context.colorspace, stream.codec_context.color_range = COLOURS
            stream.codec_context.time_base = stream.time_base = MICROSECOND
            tick = -1
            for k in range(first, last + 1):
                image = film.image(k)
                if image is None:
                    continue
                picture = _picture(image)
                # A clock that began again, as after a power cut, goes on a nanosecond later.
                tick = max(tick + 1, int(film.times_ns[k] - film.times_ns[first]) // 1000)
                picture.pts = tick
                picture.time_base = MICROSECOND
                video.mux(stream.encode(picture))
            video.mux(stream.encode(None))
        return place.read_bytes()


def kept_at_rest(video: Path, camera: FootageCamera, cut: bytes, span: tuple[int, int]) -> dict[str, bytes]:
    """The pictures at rest that were measured, exactly as they were kept, and the frames of the cut they stand for."""
    if not is_recorded(video):
        return {}
    numbers = frame_numbers(video, camera).seen[span[0] : span[1] + 1]
    stills = KeptStills(video).between(numbers[0], numbers[-1])
    if not stills:
        return {}
    files = {still.name: still.read_bytes() for still in stills}
    with tempfile.TemporaryDirectory(prefix="referee-") as folder:
        for name, raw in ({"footage.mp4": cut} | files).items():
            seal_segment(Path(folder), name, hashlib.sha256(raw).hexdigest())
        return files | {f"footage{NUMBERS}": noted(numbers), SEALS: (Path(folder) / SEALS).read_bytes()}


def _picture(image: Image) -> av.VideoFrame:
    """As the recorder writes it, so that it is read without losing a grey level."""
    if any(side % 2 for side in image.shape[:2]):
        return av.VideoFrame.from_ndarray(image, format="bgr24")
    planes = as_image(cv2.cvtColor(image, cv2.COLOR_BGR2YUV_I420))
    return av.VideoFrame.from_ndarray(planes, format="yuv420p")


def _stills(folder: Path) -> dict[str, bytes]:
    """The pictures of the sheet: the eyes learn the empty board from them."""
    found = [f for pattern in ("calib_*", "board_sheet.*") for f in sorted(folder.glob(pattern))]
    return {file.name: file.read_bytes() for file in found}


def _part(journal: Path, number: int) -> list[Entry]:
    entries = [e for e in read_entries(journal, TABLE) if e.number <= number]
    return entries[-ENTRIES:]


def _entry(entry: Entry) -> dict[str, object]:
    return {"number": entry.number, "row": list(columns(entry.note)), "hash": entry.hash}


def _quality(review: Review) -> dict[str, object]:
    return {"calibration": review.plain["calibration"], "game": review.plain["game"]}


def _json(value: object) -> bytes:
    return (json.dumps(value, indent=1, ensure_ascii=False) + "\n").encode()


def _zipped(files: dict[str, bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, raw in files.items():
            bundle.writestr(name, raw)
    return content.getvalue()
