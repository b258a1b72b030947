"""One picture held against the empty board, worked out only as far as somebody asks."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.frames import Image
from referee.vision.belonging import outside_of
from referee.vision.board import EmptyBoard, Field, Flags, Mask, exposure, halved, log_of
from referee.vision.choosing import best_of
from referee.vision.differing import noise_of
from referee.vision.doubts import doubts
from referee.vision.fields import enlarged, linear, nearer_where, smooth_part, softened
from referee.vision.outline import Rayed, Traced, read, rings, traced
from referee.vision.outlining import Fellows, outlined
from referee.vision.ovals import Oval, Points, settle
from referee.vision.palette import palette, unprinted
from referee.vision.reading import Reading
from referee.vision.shading import gentle
from referee.vision.showing import pattern, print_showing
from referee.vision.steps import Steps
from referee.vision.things import LIT_CREDIT_IN_HARD_LIGHT, THINGS_A_STEP, find_things

ALMOST_ALL = 0.99
"""Share of the board that is known for sure when no more is to be guessed."""
SMOOTH_OFFSET = 4.0
"""The logarithm of a middling grey."""
ROOM_PX = 24
"""Round a thing the picture is worked out in full resolution, for its outline may be pulled outwards."""
RIM = 0.35
"""Step over three channels by which a piece on that edge differs from the board."""
LEAST_PATTERN = 3
"""Half pixels of such an edge that matter under a piece."""
NEARBY = 3
"""Half pixels round a rough outline in which such an edge may be taken for that of a piece."""
ACROSS_PX = np.array([-3.5, -2.5, -1.5, 1.5, 2.5, 3.5])
"""Where a step across an outline is read, within it and without."""
OVALS_A_STEP, TRACES_A_STEP, GROUPS_A_STEP = 8, 2, 2
"""As much as fits beside the other work on one frame; of those that are traced together so many groups are read."""


@dataclass(frozen=True, slots=True, eq=False)
class Blob:
    """One piece as the camera sees it, in raw pixels."""

    centre_px: Points
    silhouette_px: Points
    colour: NDArray[np.float64]
    """Mean of the logarithm of the picture inside."""
    sigma_px: float


class Look:
    """One picture held against the empty board: all of it at half resolution, in full only where something lies."""

    def __init__(self, image: Image | Field, board: EmptyBoard) -> None:
        window = board.window
        part = image if image.shape[:2] == (window.height, window.width) else window.of(image)
        self._part, self._board, self._small = part, board, halved(board)
        self._pattern = pattern(board)
        self._plain = not self._pattern.any()
        self._corner = np.array([window.x, window.y], float)
        small = cv2.resize(part, self._small.size, interpolation=cv2.INTER_AREA)
        log = log_of(cast(Image | Field, small))
        ratio = log - self._small.log
        self._exposure = exposure(ratio, self._small)
        ratio -= self._exposure
        self._half_log, self._half = log, ratio
        self._drift = np.zeros((1, 1, 3), np.float32)
        self._smooth: Field | None = None
        self._way: Points | None = None
        self._noise = (0.0, 0.0)
        self._log, self._ratio, self._light = (np.zeros(part.shape, np.float32) for _ in range(3))
        self._sharp = np.zeros(part.shape[:2], bool)
        self._outside = outside_of(self._ratio, [])

    def level(self) -> None:
        """Take off what differs over more than a few pieces: light that changed, a shade remembered wrongly."""
        self._drift = smooth_part(self._half)
        self._half = self._half - cv2.resize(self._drift, self._small.size)

    def relight(self) -> None:
        """Take off what differs gently where the board's light was remembered with doubt.

        Where the board was a guess, the picture is held against its own smooth part if that is nearer.
        """
        if self._board.doubtful is not None and self._board.doubtful.any():
            self._without_doubt()
        known = cv2.countNonZero(self._small.sure & self._small.inside)
        if known > ALMOST_ALL * cv2.countNonZero(self._small.inside):
            return
        self._smooth = smooth_part(self._half_log - SMOOTH_OFFSET) + np.float32(SMOOTH_OFFSET)
        plain = self._half_log - cv2.resize(self._smooth, self._small.size)
        self._half = self._guessed(self._half, plain, self._small.log, self._small.sure)

    def _without_doubt(self) -> None:
        self._noise = noise_of(softened(self._half), self._small.inside > 0)
        known, doubt = doubts(self._board)
        ratio = cv2.resize(self._half, (known.shape[1], known.shape[0]), interpolation=cv2.INTER_AREA)
        shade = gentle(np.asarray(ratio, np.float32), known)
        shade *= doubt
        self._drift = self._drift + cv2.resize(shade, self._drift.shape[1::-1])
        self._half = self._half - cv2.resize(shade, self._small.size)

    def _guessed(self, ratio: Field, plain: Field, board_log: Field, sure: Mask) -> Field:
        """Where the board was never seen: the colours of its print, or of a plain one whichever is nearer."""
        unknown = sure == 0
        colours = palette(self._board)
        if colours is None:
            return nearer_where(unknown, plain, ratio)
        printed = unprinted(ratio + board_log, unknown.astype(np.uint8), colours)
        return np.asarray(np.where(unknown[..., None], printed, ratio), np.float32)

    def things(self, scale: float, where: Mask | None) -> Steps[list[list[Reading]]]:
        """For each thing on the board the ways to read it."""
        ratio = softened(self._half)
        inside, sure = self._small.inside > 0, self._small.sure > 0
        near = np.ones_like(inside) if where is None else where > 0
        board = None if self._plain else self._small.log
        things, self._way = yield from find_things(
            ratio, inside, sure, near, scale / 2, self._noise, self._showing, board
        )
        return [[self._doubted(r) for r in thing] for thing in things]

    def _doubted(self, reading: Reading) -> Reading:
        """A reading with less credit on a pattern: the light part of a piece may be where it hides a dark field."""
        on_pattern = any(self._on_pattern(hull * 2 + 0.5, NEARBY) for hull in reading.hulls)
        return (
            replace(reading, credit=min(reading.credit, LIT_CREDIT_IN_HARD_LIGHT)) if on_pattern else reading
        )

    def _showing(self, within: tuple[slice, slice]) -> Flags | None:
        return print_showing(self._half_log, self._board, within)

    def settle(self, things: list[list[Reading]], scale: float) -> Steps[list[Oval]]:
        """The pieces of each thing, by the reading that fits the edges of the picture best."""
        rough = [(h * 2 + 0.5, r.pull_px) for thing in things for r in thing for h in r.hulls]
        found: list[Oval | None] = [None] * len(rough)
        for some in _some_at_a_time([self._on_pattern(hull, NEARBY) for hull, _ in rough]):
            yield
            hulls, pulls = zip(*(rough[k] for k in some), strict=True)
            for hull in hulls:
                self._focus(hull)
            log = self._log if self._on_pattern(hulls[0], NEARBY) else None
            for k, oval in zip(some, settle(self._ratio, list(hulls), list(pulls), log), strict=True):
                found[k] = oval
        settled = iter(found)
        pieces: list[Oval] = []
        for k, thing in enumerate(things):
            if k % THINGS_A_STEP == 0:
                yield
            ovals = [[next(settled) for _ in reading.hulls] for reading in thing]
            pieces += best_of(thing, ovals, scale, self._way)
        return pieces

    def _focus(self, points: Points) -> None:
        """Work out the picture in full resolution round some points."""
        limit = np.array(self._part.shape[1::-1])
        x0, y0 = np.clip(np.floor(points.min(axis=0)).astype(int) - ROOM_PX, 0, limit)
        x1, y1 = np.clip(np.ceil(points.max(axis=0)).astype(int) + ROOM_PX, 0, limit)
        crop = (slice(y0, y1), slice(x0, x1))
        if self._sharp[crop].all():
            return
        self._sharp[crop] = True
        self._light[crop] = linear(self._part[crop])
        self._log[crop] = log = log_of(self._part[crop])
        ratio = log - self._board.log[crop] - self._exposure
        ratio -= enlarged(self._drift, x0, y0, ratio.shape)
        if self._smooth is not None and ratio.size:
            plain = log - enlarged(self._smooth, x0, y0, ratio.shape)
            ratio = self._guessed(ratio, plain, self._board.log[crop], self._board.sure[crop])
        self._ratio[crop] = ratio

    def learn_shadows(self, pieces: list[Oval]) -> None:
        """Shadows are all of one light: what lies round one piece tells what lies round the next."""
        self._outside = outside_of(self._ratio, pieces)

    def outlines(self, pieces: list[Oval]) -> Steps[list[Traced]]:
        """The outlines near the ovals of all pieces on the board."""
        groups = [pieces[k : k + TRACES_A_STEP] for k in range(0, len(pieces), TRACES_A_STEP)]
        read_: list[Rayed] = []
        for k, group in enumerate(groups):
            if k % GROUPS_A_STEP == 0:
                yield
            read_.append(self._read(group, pieces))
        found: list[Traced] = []
        for rayed, paths in zip(read_, rings(read_), strict=True):
            if len(groups) > 1:
                yield
            found += traced(rayed, paths)
        return found

    def _read(self, pieces: list[Oval], lying: list[Oval]) -> Rayed:
        log = self._log if any(self._on_pattern(piece.points) for piece in pieces) else None
        return read(self._ratio, self._light, pieces, self._outside, log, lying)

    def outlined(self, outlines: list[Traced], scale: float, fellows: Fellows) -> Steps[list[Traced]]:
        """These outlines where their pieces truly end."""
        return outlined(outlines, self._ratio, self._log, scale, fellows)

    def _on_pattern(self, points: Points, room: int = 0) -> bool:
        """Whether the board under some points, and in so many half pixels round them, has edges of its own."""
        if self._plain:
            return False
        x, y = (max(int(low // 2) - room, 0) for low in points.min(axis=0).tolist())
        right, bottom = (int(high // 2) + 2 + room for high in points.max(axis=0).tolist())
        part = self._pattern[y:bottom, x:right]
        return cv2.countNonZero(part) >= LEAST_PATTERN if part.size else False

    def is_rim(self, outline: Points) -> bool:
        """Whether what an outline holds is hardly more than the bare board, or its edge, blurred by compression."""
        points = np.round(outline).astype(np.int32)
        x, y = np.maximum(points.min(axis=0), 0)
        right, bottom = points.max(axis=0) + 1
        ratio = self._ratio[y:bottom, x:right]
        mask = np.zeros(ratio.shape[:2], np.uint8)
        cv2.fillPoly(mask, [points - (x, y)], 255)
        return bool(np.linalg.norm(cv2.mean(ratio, mask)[:3]) < RIM)

    def step_across(self, outline: Points) -> float:
        """Median step across an outline, in logarithms over three channels, of what the board does not explain."""
        away = outline - outline.mean(axis=0)
        away /= np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-6)
        spots = (outline[:, None] + away[:, None] * ACROSS_PX[:, None]).astype(np.float32)
        across = np.asarray(cv2.remap(self._ratio, spots[..., 0], spots[..., 1], cv2.INTER_LINEAR))
        half = len(ACROSS_PX) // 2
        step = across[:, :half].mean(axis=1) - across[:, half:].mean(axis=1)
        return float(np.median(np.linalg.norm(step, axis=1)))

    def blob(self, one: Traced) -> Blob:
        """The traced outline in raw pixels, with the colour inside it."""
        points = np.round(one.points).astype(np.int32)
        x, y, width, height = cv2.boundingRect(points)
        x, y = max(x, 0), max(y, 0)
        inside = self._log[y : y + height, x : x + width]
        mask = np.zeros(inside.shape[:2], np.uint8)
        cv2.fillPoly(mask, [points - (x, y)], 255)
        colour = np.array(cv2.mean(inside, mask)[:3])
        return Blob(one.centre + self._corner, one.points + self._corner, colour, one.sigma_px)


def _some_at_a_time(printed: list[bool]) -> Iterator[list[int]]:
    """The numbers of as many outlines as are settled in one step, those on a pattern apart from the others."""
    for kind in (False, True):
        mine = [k for k, on_pattern in enumerate(printed) if on_pattern is kind]
        yield from (mine[k : k + OVALS_A_STEP] for k in range(0, len(mine), OVALS_A_STEP))
