"""Eyes for a live Rocca board: the watch, its reading, and what the screen draws of it."""

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import calibration
from calibration.profile import Profile
from hardware.frames import Frame, Image
from hardware.memory import give_back
from hardware.stills import KeptStill
from referee.board_sight import BoardSight
from referee.codec import plain_event
from referee.errors import TableError
from referee.eyes import Plain, Sighting, State
from referee.games.rocca.reading import read
from referee.happenings import GateSeen, Happening, ShotSeen, Sighted
from referee.house import house_event
from referee.live_story import Stories, Story
from referee.types import Piece, Point
from referee.veil import Places
from referee.vision import pairing
from referee.vision.board import EmptyBoard, board_from_stills, must_be_plain, stills_of
from referee.watch.looking import Learning
from referee.watch.play import BoardWatch

TAP_PX = 40.0
"""A tap further than this from every piece means none."""


class BoardEyes:
    """Nothing is secret in Rocca: the picture is shown as it is."""

    def __init__(self, profile: Profile, board: EmptyBoard | Learning | None) -> None:
        self._sight = BoardSight(profile, board)
        self._shot: ShotSeen | None = None
        self._stories = Stories()
        self._preparing: threading.Thread | None = None

    def feed(self, frame: Frame, state: State) -> Iterable[Sighting]:
        yield from self._told(self._sight.feed(frame), state)
        if self._preparing is None and self._watch.began:
            # Half a second's work on a small computer: done while the board is looked at, not behind the first shot.
            self._preparing = threading.Thread(target=pairing.prepare, name="pairing")
            self._preparing.start()

    def shut(self) -> None:
        """Nobody shuts the eyes in Rocca."""

    @property
    def _watch(self) -> BoardWatch:
        return self._sight.watch

    @property
    def _profile(self) -> Profile:
        return self._sight.profile

    @property
    def busy(self) -> bool:
        return self._watch.busy

    def think(self, state: State) -> Iterable[Sighting]:
        yield from self._told(self._watch.think(), state)

    def look(self, _state: State) -> Iterable[Sighting]:
        return ()

    def finish(self, state: State) -> Iterable[Sighting]:
        return self._told(self._watch.finish(), state)

    @property
    def count(self) -> int | None:
        """Pieces on the board at the last rest; None before the first."""
        return len([p for p in self._watch.pieces if p.on_board]) if self._watch.began else None

    def hear(self, event: Plain) -> Plain:
        """Two taps on the picture become two pieces; any other word passes as it is."""
        taps = event.get("at_px")
        if event.get("ev") != "gate_called" or taps is None:
            return event
        if not self._watch.began:
            # The watch tells the call itself, with the shot, once it knows the pieces.
            self._watch.called_at(_two(taps))
            raise TableError("the pieces are still being looked at: the call is kept for the next shot")
        a, b = (self._piece_at(tap) for tap in _two(taps))
        if a.id == b.id:
            raise TableError("both taps were on the same piece: tap the two pieces of the gate")
        self._watch.called_at((a.px, b.px))
        return {**{k: v for k, v in event.items() if k != "at_px"}, "a": a.id, "b": b.id}

    def scene(self) -> Plain:
        outline = self._profile.board_outline_mm
        return {
            "size": list(self._profile.image_size),
            "board_px": self._pixels(outline) if outline else None,
            "pieces": [self._drawn(piece) for piece in self._watch.pieces],
            "shot": self._way(self._shot) if self._shot else None,
        }

    def place(self, zone: str, _to_px: Point) -> None:
        raise TableError(f"a board has no zones to place, so none called {zone!r}")

    @property
    def placed(self) -> Mapping[str, Point]:
        return {}

    def story(self, frames: tuple[int, int]) -> Story | None:
        return self._stories.of(frames)

    def veil(self, image: Image) -> Image:
        return image

    @property
    def still(self) -> KeptStill | None:
        still = self._watch.still
        return None if still is None else KeptStill(still.frames, still.image)

    @property
    def secretive(self) -> bool:
        return False

    @property
    def hidden(self) -> Places | None:
        return ()

    def _told(self, happenings: Sequence[Happening], state: State) -> Iterable[Sighting]:
        for happening in happenings:
            self._shot = happening if isinstance(happening, ShotSeen) else None
            if isinstance(happening, ShotSeen):
                boards = self._watch.pieces_before, self._watch.pieces
                self._stories.keep(happening, state(), boards, self._profile)
            if isinstance(happening, Sighted):
                yield Sighting(house_event(happening), happening.frames, happening.t_ns)
            for event in read(happening, state()):
                yield Sighting(plain_event(event), happening.frames, happening.t_ns)

    def _piece_at(self, tap: Point) -> Piece:
        def far(piece: Piece) -> float:
            return float(np.hypot(piece.px[0] - tap[0], piece.px[1] - tap[1]))

        nearest = min(self._watch.pieces, key=far, default=None)
        if nearest is None or far(nearest) > TAP_PX:
            raise TableError(f"there is no piece at {tap[0]:.0f}, {tap[1]:.0f}")
        return nearest

    def _way(self, shot: ShotSeen) -> Plain:
        """The last shot as the screen draws it: its way, the gate and what was measured there."""
        gate = shot.gates[0] if shot.gates else None
        return {"path_px": self._pixels(shot.path_mm), **({"gate": self._gate(gate)} if gate else {})}

    def _gate(self, gate: GateSeen) -> Plain:
        seen = None if gate.missed else gate.clearance_mm
        return {
            "band_px": self._pixels(gate.band_mm),
            "clearance_mm": None if seen is None else round(seen, 1),
            "sigma_mm": round(gate.sigma_mm, 1),
            "moved": [
                {"px": list(post.start_px), "mm": round(post.moved_mm, 1)}
                for post in gate.posts
                if post.touched
            ],
        }

    def _drawn(self, piece: Piece) -> Plain:
        return {"id": piece.id, "px": list(piece.px), "outline_px": self._pixels(piece.outline_mm)}

    def _pixels(self, outline: Sequence[Point]) -> list[list[float]]:
        px: list[list[float]] = np.round(self._profile.to_pixels(np.array(outline)), 1).tolist()
        return px


def open_board_eyes(folder: Path, size: tuple[int, int], first: Callable[[], Image] | None) -> BoardEyes:
    """Eyes calibrated by the profile or the stills in `folder`; the empty board is learned while they look already.

    A board that no still shows must be plain: `first` gives a picture of it.
    """
    profile = calibration.from_folder(folder, size=size, board=True)
    stills = stills_of(folder, profile)
    if len(stills) < 2 and first is not None:
        must_be_plain(first(), profile)
    return BoardEyes(profile, _begun(lambda: board_from_stills(stills, profile)))


def _begun(learn: Callable[[], EmptyBoard | None]) -> Learning:
    """The work in a thread of its own."""
    learning = Learning()

    def work() -> None:
        try:
            learning.set_result(learn())
            give_back()  # it took a hundred megabytes
        except Exception as error:  # told to whoever needs the board
            learning.set_exception(error)

    # Waited for at the end of the program: a library does not like to lose its thread in the middle of a picture.
    threading.Thread(target=work, name="board").start()
    return learning


def _two(taps: Any) -> tuple[Point, Point]:
    try:
        (ax, ay), (bx, by) = ((float(x), float(y)) for x, y in taps)
    except (TypeError, ValueError):
        raise TableError(f"a gate is two taps on the picture, not {taps!r}") from None
    return (ax, ay), (bx, by)
