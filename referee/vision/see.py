"""The eyes: frames in, observations out, with the real work only where and when something changed."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.profile import Profile
from hardware.frames import Frame, Image
from referee.types import Observation, Outline, Piece, Point
from referee.vision.alignment import aligned
from referee.vision.apron import Apron
from referee.vision.board import EmptyBoard, Mask, board_from_picture
from referee.vision.footprint import footprint, girth_share
from referee.vision.motion import cut_out, finely_changed, half, to_half
from referee.vision.outlining import Fellows
from referee.vision.ovals import Points
from referee.vision.pieces import Blob, find_blobs, piece_scale, search
from referee.vision.steady import Steady, held, scaled
from referee.vision.steps import Steps, at_once
from referee.vision.still import FRAMES, REST_NS, Mean, Stillness, Watchman
from referee.vision.tracks import NOBODY, Names

HAND_MM2 = 2500.0
"""A change larger than this is a hand, or something no piece is."""
PATIENCE_NS = 3_000_000_000
"""A large change that has rested for so long is no hand: the light changed, or something was laid on the table."""
SETTLED_NS = 400_000_000
"""A piece may creep so long after the picture seems to rest."""
SLOW_NS = 25_000_000
"""Between frames farther apart than this there is time for more work."""
DISTURBED = 0.12
"""Share of a piece's pixels that may change before it counts as moved or covered."""
STEPS_A_FRAME = 12
PIECES_A_STEP = 5
ROOM_PX = 12
"""Round a piece the board is not learned: there may be shadow."""


@dataclass(frozen=True, slots=True, eq=False)
class Still:
    """The board at rest."""

    frame: int
    image: Image
    blobs: dict[int, Blob]
    """Silhouettes in raw pixels, by id."""
    pieces: tuple[Piece, ...]


def find_pieces(image: Image, profile: Profile, board: EmptyBoard | None = None) -> tuple[Piece, ...]:
    """Pieces at rest in one picture, numbered from 0."""
    seen = board_from_picture(image, profile) if board is None else aligned(board, image)
    blobs = find_blobs(image, seen, profile)
    return as_pieces(dict(enumerate(blobs)), profile)


def as_pieces(blobs: dict[int, Blob], profile: Profile) -> tuple[Piece, ...]:
    """Silhouettes as footprints in board millimetres."""
    return at_once(laid_down(blobs, profile))


def laid_down(blobs: dict[int, Blob], profile: Profile) -> Steps[tuple[Piece, ...]]:
    """The same a few at a time."""
    outlines = [profile.to_board(blob.silhouette_px) for blob in blobs.values()]
    share = girth_share(outlines, [blob.colour for blob in blobs.values()])
    pieces: list[Piece] = []
    for key, blob in sorted(blobs.items()):
        if len(pieces) % PIECES_A_STEP == 0:
            yield
        pieces.append(_piece(key, blob, profile, share))
    return tuple(pieces)


def _piece(key: int, blob: Blob, profile: Profile, share: float) -> Piece:
    foot = footprint(blob.silhouette_px, profile, share, blob.sigma_px)
    x, y = blob.centre_px
    return Piece(
        id=key,
        px=(round(float(x), 2), round(float(y), 2)),
        mm=(round(float(foot.centre_mm[0]), 3), round(float(foot.centre_mm[1]), 3)),
        outline_mm=_outline(foot.outline_mm),
        on_board=lies_on_board(foot.centre_mm, profile),
        sigma_mm=round(foot.sigma_mm, 3),
    )


def _outline(points: Points) -> Outline:
    return tuple((x, y) for x, y in np.round(points, 3).tolist())


def lies_on_board(mm: Points | Point, profile: Profile) -> bool:
    """Whether a place lies on the board; on a table without one everything does."""
    if profile.board_outline_mm is None:
        return True
    outline = np.array(profile.board_outline_mm, np.float32)
    return cv2.pointPolygonTest(outline, (float(mm[0]), float(mm[1])), False) >= 0


@dataclass(frozen=True, slots=True, eq=False)
class Work:
    """A search under way in one frame."""

    frame: Frame
    small: Image
    search: Steps[tuple[Blob, ...]]
    kept: tuple[Blob, ...] = ()
    """Pieces that lie as they lay."""
    everywhere: bool = True
    """All over the board, and not only where it changed."""


class Eyes:
    """Feed frames in order; each gives the pieces that surely rest, with ids that stay."""

    def __init__(self, profile: Profile, board: EmptyBoard | None = None) -> None:
        self._profile = profile
        self._board = board
        self._names = Names()
        self._fellows = Fellows()
        self._steady = Steady()
        self._apron: Apron | None = None
        self._watchman: Watchman | None = None
        self._still: Still | None = None
        self._frame: Frame | None = None
        self._followed: Mapping[int, Point] = NOBODY
        self._work: Work | None = None
        self._mean: Mean | None = None
        self._rough, self._fresh = True, False
        self._slow, self._t_ns = False, 0
        self._looked: Image | None = None
        self._areas: dict[int, tuple[tuple[slice, slice], Mask]] = {}
        self._stirred: set[int] = set()

    @property
    def still(self) -> Still | None:
        """The board when it last rested."""
        return self._still

    @property
    def board(self) -> EmptyBoard:
        """The bare board, as far as it is known by now."""
        assert self._board is not None
        return self._board

    @property
    def looked_at(self) -> Frame:
        """The last frame, without the trembling of the camera."""
        assert self._frame is not None
        return self._frame

    def see(self, frame: Frame, followed: Mapping[int, Point] = NOBODY) -> Observation:
        """Facts of one frame; `followed` tells where in the picture pieces under way were seen last, by id."""
        frame, board = self._steadied(frame)
        self._frame, self._followed = frame, followed
        watchman = self._watchman = self._watchman or Watchman(board.window)
        mean = self._mean = self._mean or Mean(board.window)
        seen = watchman.look(frame.image, frame.t_ns)
        self._slow, self._t_ns = frame.t_ns - self._t_ns > SLOW_NS, frame.t_ns
        # Whoever was about may have nudged a piece, or moved one of nearly the board's colour.
        self._fresh |= seen.moved and seen.changed is not None
        if seen.moved or (self._fresh and self._creeps(seen)):
            mean.forget()
        mean.add(frame.image)
        if self._still is None:
            self._apron = Apron(frame.image, self._profile)
            self._adopt(frame, find_blobs(frame.image, board, self._profile), board)
        elif not seen.rests:
            self._work = None
        elif self._work is not None:
            self._go_on(self._work, watchman)
        else:
            self._begin(frame, seen, mean, board)
        return Observation(frame.index, frame.t_ns, self._surely_lying(seen))

    def _creeps(self, seen: Stillness) -> bool:
        """Whether a piece may still creep: what was seen of it so far is left out of the picture that counts."""
        return self._work is None and REST_NS <= seen.rests_ns < SETTLED_NS and seen.changed is None

    def _steadied(self, frame: Frame) -> tuple[Frame, EmptyBoard]:
        """The frame without the trembling of the camera, and the board in it."""
        board = self._board or board_from_picture(frame.image, self._profile)
        if self._still is None:
            board = aligned(board, frame.image)
        shift = self._steady.shift(half(board.window.of(frame.image)), frame.t_ns)
        self._board = board
        return replace(frame, image=held(frame.image, scaled(shift, 2))), board

    def _begin(self, frame: Frame, seen: Stillness, mean: Mean, board: EmptyBoard) -> None:
        """Look again where something changed, and once more all over when the first look was at a single frame."""
        if seen.changed is not None:
            if seen.rests_ns > PATIENCE_NS or not self._hand(seen.changed, seen.rests_ns):
                self._rough, self._fresh = False, True
                where = seen.changed | self._nudged(mean, board)
                self._search(frame, seen, self._look(mean, board, _roomy(where)), where)
        elif self._fresh and seen.rests_ns > SETTLED_NS and mean.count >= FRAMES:
            self._fresh = False
            where = self._nudged(mean, board)
            if where.any() and not self._hand(where, seen.rests_ns):
                self._search(frame, seen, self._look(mean, board, _roomy(where)), where)
        elif self._rough and mean.count >= FRAMES:
            self._rough = False
            # What only the first, grainy frame showed was grain.
            self._work = Work(frame, seen.small, self._look(mean, board))

    def _look(self, mean: Mean, board: EmptyBoard, where: Mask | None = None) -> Steps[tuple[Blob, ...]]:
        return search(mean.picture(), board, self._profile, where, self._fellows)

    def _nudged(self, mean: Mean, board: EmptyBoard) -> Mask:
        """Where the picture differs from the last still by as little as a piece does that was nudged, or crept."""
        assert self._still is not None
        before = half(board.window.of(self._still.image)) if self._looked is None else self._looked
        self._looked = half(np.clip(np.round(mean.picture()), 0, 255).astype(np.uint8))
        return finely_changed(before, self._looked)

    def _search(
        self, frame: Frame, seen: Stillness, search: Steps[tuple[Blob, ...]], changed: Mask | None = None
    ) -> None:
        lying = {p.id for p in self._undisturbed(changed)}
        blobs = self._still.blobs if self._still else {}
        self._work = Work(frame, seen.small, search, tuple(blobs[k] for k in lying), everywhere=False)

    def _go_on(self, work: Work, watchman: Watchman) -> None:
        """A few steps of a search, more where frames come slowly."""
        try:
            for _ in range(2 * STEPS_A_FRAME if self._slow else STEPS_A_FRAME):
                next(work.search)
        except StopIteration as end:
            found: tuple[Blob, ...] = end.value
            kept = tuple(k for k in work.kept if not any(_covers(b, k) for b in found))
            assert self._board is not None and self._mean is not None and self._still is not None
            if not work.everywhere and len(found) + len(kept) < len(self._still.blobs):
                # A piece is missed: one of nearly the board's colour may lie where it changed hardly at all.
                self._work = replace(work, search=self._look(self._mean, self._board), everywhere=True)
                return
            self._adopt(work.frame, (*found, *kept), self._board)
            watchman.settle(work.small)
            self._work = None

    def _adopt(self, frame: Frame, found: tuple[Blob, ...], board: EmptyBoard) -> None:
        """A new still: name its pieces and learn the board between them."""
        beside = self._apron.find(frame.image) if self._apron is not None else ()
        beside = tuple(b for b in beside if not any(in_one_place(b, f) for f in found))
        before = self._still.blobs if self._still else {}
        blobs = self._names.name(before, (*found, *beside), float(frame.image.shape[1]), self._followed)
        lying = (
            {p.id: p for p in self._still.pieces if blobs.get(p.id) is before[p.id]} if self._still else {}
        )
        pieces = tuple(lying.get(p.id, p) for p in as_pieces(blobs, self._profile))
        self._still = Still(frame.index, frame.image, blobs, pieces)
        self._areas = {key: _area(blob, board) for key, blob in blobs.items()}
        self._stirred = set()
        if not self._rough:
            # A single frame is too grainy to learn from, and what it showed is looked at again.
            self._board = board.learned(frame.image, taken_by(found, board))

    def _surely_lying(self, seen: Stillness) -> tuple[Piece, ...]:
        """The pieces as they lay, without those whose places were stirred: another like them may lie there by now."""
        lying = self._undisturbed(seen.changed)
        if seen.changed is None:
            self._stirred = set()
        elif self._still is not None:
            self._stirred |= {p.id for p in self._still.pieces} - {p.id for p in lying}
        return tuple(p for p in lying if p.id not in self._stirred)

    def _undisturbed(self, changed: Mask | None) -> tuple[Piece, ...]:
        pieces = self._still.pieces if self._still else ()
        if changed is None:
            return pieces
        return tuple(p for p in pieces if _changed_share(changed, *self._areas[p.id]) < DISTURBED)

    def _hand(self, changed: Mask, rests_ns: int) -> bool:
        """True when the change is larger than any piece; not when it lies still and reaches in from nowhere: a heap."""
        area = HAND_MM2 * (piece_scale(self._profile) / 2) ** 2
        joined = cv2.dilate(changed, np.ones((3, 3), np.uint8))
        x, y, width, height, size = cv2.connectedComponentsWithStats(joined)[2][1:].T
        reaches_in = (x == 0) | (y == 0) | (x + width == joined.shape[1]) | (y + height == joined.shape[0])
        return bool(((size > area) & (reaches_in | (rests_ns < SETTLED_NS))).any())


def _roomy(mask: Mask) -> Mask:
    return np.asarray(cv2.dilate(mask, np.ones((5, 5), np.uint8)), np.uint8)


def _covers(one: Blob, other: Blob) -> bool:
    """True when the middle of the other lies in the one."""
    x, y = other.centre_px
    return cv2.pointPolygonTest(one.silhouette_px.astype(np.float32), (float(x), float(y)), False) > 0


def in_one_place(one: Blob, other: Blob) -> bool:
    """Whether the middle of either lies in the other."""
    return _covers(one, other) or _covers(other, one)


def taken_by(blobs: tuple[Blob, ...], board: EmptyBoard) -> Mask:
    """255 on and round the pieces."""
    mask = np.zeros(board.sure.shape, np.uint8)
    for blob in blobs:
        outline = np.round(blob.silhouette_px - [board.window.x, board.window.y]).astype(np.int32)
        cv2.fillPoly(mask, [outline], 255)
        cv2.polylines(mask, [outline], True, 255, 2 * ROOM_PX)
    return mask


def _area(blob: Blob, board: EmptyBoard) -> tuple[tuple[slice, slice], Mask]:
    """Where a piece lies in the small picture: rows and columns, and its mask within them."""
    outline = to_half(blob.silhouette_px - [board.window.x, board.window.y])
    return cut_out(outline, (board.window.height // 2, board.window.width // 2))


def _changed_share(changed: Mask, window: tuple[slice, slice], mask: Mask) -> float:
    return cv2.countNonZero(changed[window] & mask) / max(cv2.countNonZero(mask), 1) if mask.size else 0.0
