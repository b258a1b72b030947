"""One recording on the review page: frames at once, the judgement as soon as it is there."""

import multiprocessing
import os
import threading
from collections.abc import Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import suppress
from multiprocessing.sharedctypes import Synchronized
from typing import TYPE_CHECKING, Any

from hardware.cameras.footage import FootageCamera
from hardware.frames import Image
from referee.errors import TableError
from referee.film import Film, as_jpeg
from referee.footage import Recording, frame_numbers, is_calibrated, is_recorded
from referee.told_then import review_of_journal
from referee.types import Point
from referee.veil import veiled

if TYPE_CHECKING:
    from referee.hand_layer import HandLayer
    from referee.review import Review

LOOKED_AT_S = 3.0
"""Eyes wait so long for somebody who looks at what the journal tells."""


class Screening:
    """Answers for one recording; the eyes are loaded where they look, for the page should not wait for them."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self._camera = FootageCamera(str(recording.footage.video))
        # What the recorder wrote had its curtain before: only other films may show what is not for everybody.
        self._secret = recording.footage.match.game != "rocca" and not is_recorded(recording.footage.video)
        self._film: Film | None = None
        self._hands: HandLayer | None = None
        self._indexing, self._telling, self._starting = (threading.Lock() for _ in range(3))
        self._told: dict[str, Any] | None = None
        self._looked_at, self._closed = threading.Event(), False
        self._calibrated = False
        self._judged_to: Synchronized[int] = multiprocessing.get_context("spawn").Value("q", -1)
        self._pool: ProcessPoolExecutor | None = None
        self._review: Future[Review] | None = None

    def start(self) -> None:
        """Judge in a process of its own: the page never waits for it. An uncalibrated video waits for points."""
        self._calibrated = is_calibrated(self.recording.footage.calibration)
        threading.Thread(target=self._prepare, name="index", daemon=True).start()

    def _prepare(self) -> None:
        """Index and journal first; where a journal tells what was ruled, eyes look again behind the first picture."""
        with suppress(TableError):  # whoever asks for a frame hears why there is none
            if self.film and self.told() is not None:
                self._looked_at.wait(LOOKED_AT_S)
        with self._starting:
            if self._closed or not self._calibrated:
                return
            self._pool = ProcessPoolExecutor(
                1, multiprocessing.get_context("spawn"), initializer=_share, initargs=(self._judged_to,)
            )
            self._review = self._pool.submit(_judge, self.recording)

    def close(self) -> None:
        self._looked_at.set()
        with self._starting:
            self._closed = True
        if self._pool is not None:
            for process in list((self._pool._processes or {}).values()):
                process.terminate()  # half a judgement is worth nothing
            self._pool.shutdown(wait=True, cancel_futures=True)
        if self._film is not None:
            self._film.close()

    @property
    def _waits_for(self) -> str:
        return "judging" if self._calibrated else "points"

    # --- What the page asks ----------------------------------------------------------------------------

    def state(self, brief: bool = False) -> dict[str, Any]:
        """How far judging is, and the review when it is done; till then what the journal tells, unless `brief`."""
        review, trouble = self.review(), self._trouble()
        return {
            "name": self.recording.name,
            "size": list(self._camera.size),
            "frames": len(self.film.times_ns),
            "judged": self._judged_to.value + 1,
            "state": "failed" if trouble else "done" if review else self._waits_for,
            "trouble": trouble,
            "review": review.plain if review else None if brief else self.told(),
        }

    def times_ms(self) -> bytes:
        """When each frame was taken: eight bytes a frame, counted from the first."""
        times = self.film.times_ns
        return bytes(((times - times[:1]) / 1e6).astype("<f8").tobytes())

    def frame(self, index: int, width: int | None = None) -> bytes | None:
        """Exactly this frame; None when it may not be shown, or not yet."""
        jpeg = self.film.jpeg(index, width)
        self._looked_at.set()
        return jpeg

    def above(self, shot: int) -> bytes | None:
        """The frame that decides this shot, enlarged and from straight above."""
        review = self.review()
        shots = review.plain["shots"] if review else []
        if review is None or review.profile is None or not 0 <= shot < len(shots):
            raise TableError(f"there is no shot {shot}")
        story = shots[shot]
        image = self.film.image(story["closest"])
        if image is None or story["window_mm"] is None:
            return None
        from referee.above import from_above

        return as_jpeg(from_above(image, review.profile, tuple(story["window_mm"])))

    def know(self, points_px: Sequence[Point], width_mm: float, height_mm: float) -> None:
        """Calibrate by the four corners of the board, tapped clockwise from its upper left, and judge."""
        if self._calibrated:
            raise TableError("this recording is calibrated already")
        corners = ((0.0, height_mm), (width_mm, height_mm), (width_mm, 0.0), (0.0, 0.0))
        if len(points_px) != 4 or not (width_mm > 0 and height_mm > 0):
            raise TableError("four points, and the width and height between them in millimetres, are needed")
        from calibration.points import from_points

        profile = from_points(tuple(zip(points_px, corners, strict=True)), self._camera.size)
        profile.save(self.recording.footage.calibration / "profile.json")
        self.start()

    def hands(self, index: int) -> list[list[Point]]:
        """Outlines of the hands in a frame, in raw pixels."""
        film = self.film
        if self._hands is None:
            from referee.hand_layer import HandLayer

            self._hands = HandLayer(film)
        return self._hands.outlines(index)

    def review(self) -> "Review | None":
        done = self._review
        return done.result() if done is not None and done.done() and done.exception() is None else None

    @property
    def film(self) -> Film:
        with self._indexing:
            if self._film is None:
                self._film = Film(self._camera, self._veil)
            return self._film

    def told(self) -> dict[str, Any] | None:
        """What the journal tells; nobody waits for eyes to learn what was ruled."""
        journal, video = self.recording.journal, self.recording.footage.video
        if journal is None:
            return None
        film = self.film
        with self._telling:
            try:
                self._told = self._told or review_of_journal(
                    journal, frame_numbers(video, self._camera), film.size
                )
            except (TableError, LookupError):  # judging says what is wrong with it
                return None
            return self._told

    def _trouble(self) -> str | None:
        done = self._review
        error = done.exception() if done is not None and done.done() and not done.cancelled() else None
        return None if error is None else str(error)

    def _veil(self, index: int, image: Image) -> Image | None:
        if not self._secret:
            return image
        review = self.review()
        # Before a game with secrets has been judged nobody knows what is to be covered: nothing is shown.
        return veiled(image, index, review.veils) if review else None


_judged: "Synchronized[int] | None" = None


def _share(judged: "Synchronized[int]") -> None:
    global _judged
    _judged = judged
    os.nice(5)  # whoever looks at the page goes first


def _judge(recording: Recording) -> "Review":
    from referee.reviewing import review_recording

    return review_recording(recording, _count)


def _count(frame: int) -> None:
    assert _judged is not None
    _judged.value = frame
