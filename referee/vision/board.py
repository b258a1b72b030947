"""The board without pieces: put together from the calibration stills, or smoothed out of the picture itself."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.charuco import PAPER_MM, find_sheet
from calibration.profile import Profile
from hardware.errors import TableError
from hardware.frames import Image
from hardware.pictures import read_picture
from referee.vision.large import has_balls
from referee.vision.middles import median
from referee.vision.shading import unshaded

Field = NDArray[np.float32]
Mask = NDArray[np.uint8]
Flags = NDArray[np.bool_]
Picture = TypeVar("Picture", Image, Field, Image | Field)

DARK = 12.0
"""Added before logarithms, in grey levels: below it a camera sees mostly its own noise."""
AGREE = 0.05
"""Two stills agree on a pixel when their logarithms differ by less."""
MUCH = 0.005
"""Share of the window that must be new before more is concluded from it."""
PRINTED = 0.3
"""Step of an edge of the board itself, in logarithms over three channels; the grain of wood is less."""
PATTERNED = 0.09
"""Share of the board that such edges take when it has a pattern; a handful of pieces makes half of that."""
RIM = np.ones((17, 17), np.uint8)
BESIDE_SHEET = np.ones((5, 5), np.uint8)
"""So near to the sheet the board lies in its shade."""
_ACROSS = np.array([[-1.0, 0.0, 1.0]], np.float32)
ROOM_MM = 30.0
"""How far beyond the board's edge the empty board is remembered."""


@dataclass(frozen=True, slots=True)
class Window:
    """The part of the picture that is looked at, in raw pixels."""

    x: int
    y: int
    width: int
    height: int

    def of(self, image: "Picture") -> "Picture":
        return image[self.y : self.y + self.height, self.x : self.x + self.width]


@dataclass(frozen=True, slots=True, eq=False)
class EmptyBoard:
    """What each pixel of the window shows when nothing lies there."""

    window: Window
    log: Field
    """Logarithm of the picture, BGR."""
    sure: Mask
    """255 where it was seen, 0 where it is a guess."""
    inside: Mask
    """255 on the board."""
    guessed: bool = False
    """Nobody has seen it empty."""
    doubtful: Mask | None = None
    """255 where it was seen, but no two stills agree on its light: the sheet throws a shade round itself."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.sure.shape[1], self.sure.shape[0]

    def learned(self, image: Image, taken: Mask) -> "EmptyBoard":
        """The same board with what a picture shows at unsure places where nothing lies (`taken` is 0)."""
        fresh = (self.sure == 0) & (taken == 0)
        if not fresh.any():
            return self
        picture = log_of(self.window.of(image))
        picture -= exposure(picture - self.log, self)
        remembered = (self.sure > 0) & (taken == 0)
        if self.doubtful is not None and remembered.any():
            # What is new is brought to the light in which the rest is remembered, right or wrong: then it has no edge.
            picture -= _spread(np.where(remembered[..., None], picture - self.log, np.float32(0)), remembered)
        log, sure = self.log.copy(), self.sure.copy()
        under = (self.sure == 0) & ~fresh
        if np.count_nonzero(fresh) > MUCH * fresh.size and under.any():
            # Under the pieces the guess is brought to the light that is seen round them.
            seen = np.where(fresh[..., None], picture - self.log, np.float32(0))
            log[under] += _spread(seen, ~under)[under]
        log[fresh] = picture[fresh]
        sure[fresh] = 255
        return replace(self, log=log, sure=sure)


def laid_bare(board: EmptyBoard, image: Image, taken: Mask) -> Image:
    """A picture with the bare board where something lies (`taken`, of the window), in the light that is round it."""
    window, covered = board.window, taken > 0
    seen = log_of(window.of(image))
    shade = _spread(seen - board.log, ~covered)
    bare = np.exp((board.log + shade)[covered]) - np.float32(DARK)
    whole = image.copy()
    window.of(whole)[covered] = np.clip(np.round(bare), 0, 255).astype(np.uint8)
    return whole


@lru_cache(maxsize=2)
def halved(board: EmptyBoard) -> EmptyBoard:
    """The same board at half resolution."""
    size = (board.window.width // 2, board.window.height // 2)
    log = cv2.resize(board.log, size, interpolation=cv2.INTER_AREA)
    sure, inside = (cv2.resize(m, size, interpolation=cv2.INTER_NEAREST) for m in (board.sure, board.inside))
    return EmptyBoard(
        board.window, np.asarray(log, np.float32), np.asarray(sure, np.uint8), np.asarray(inside, np.uint8)
    )


def exposure(ratio: Field, board: EmptyBoard) -> Field:
    """How much brighter than the remembered board a picture is, per channel."""
    known = (board.inside[::3, ::3] > 0) & (board.sure[::3, ::3] > 0)
    if not known.any():
        return np.zeros(3, np.float32)
    return np.asarray(median(ratio[::3, ::3][known]), np.float32)


_LOG = np.log(np.arange(256, dtype=np.float32) + np.float32(DARK))


def shade_of(colours: Field) -> Field:
    """The light of some colours; `mean` over three channels takes five times as long."""
    return np.asarray((colours[..., 0] + colours[..., 1] + colours[..., 2]) * np.float32(1 / 3), np.float32)


def mean_of(colours: Field) -> Field:
    """The mean of three channels to the last bit, in a fifth of the time that `mean` takes for so short an axis."""
    return np.asarray((colours[..., 0] + colours[..., 1] + colours[..., 2]) / np.float32(3), np.float32)


def log_of(image: Image | Field) -> Field:
    """The logarithm in which a shadow is the same step in all channels."""
    if image.dtype == np.uint8:
        return np.asarray(cv2.LUT(image, _LOG), np.float32)
    return np.asarray(np.log(np.asarray(image, np.float32) + np.float32(DARK)), np.float32)


def board_window(profile: Profile, room_mm: float = ROOM_MM) -> Window:
    """The board with some room round it; the whole picture for a table without a board."""
    width, height = profile.image_size
    if profile.board_outline_mm is None:
        return Window(0, 0, width, height)
    outline = np.array(profile.board_outline_mm)
    middle = outline.mean(axis=0)
    reach = np.linalg.norm(outline - middle, axis=1, keepdims=True)
    px = profile.to_pixels(middle + (outline - middle) * (1 + room_mm / reach))
    x0, y0 = np.clip(np.floor(px.min(axis=0)), 0, None).astype(int)
    x1, y1 = np.clip(np.ceil(px.max(axis=0)) + 1, None, [width, height]).astype(int)
    # A multiple of eight halves three times without a rest, which is much the fastest.
    return Window(int(x0), int(y0), int(x1 - x0) // 8 * 8, int(y1 - y0) // 8 * 8)


def board_mask(profile: Profile, window: Window) -> Mask:
    """255 inside the board's outline."""
    if profile.board_outline_mm is None:
        return np.full((window.height, window.width), 255, np.uint8)
    mask = np.zeros((window.height, window.width), np.uint8)
    outline = profile.to_pixels(np.array(profile.board_outline_mm)) - [window.x, window.y]
    cv2.fillPoly(mask, [np.round(outline).astype(np.int32)], 255)
    return mask


def board_from_folder(folder: Path, profile: Profile) -> EmptyBoard | None:
    """The empty board from the calibration stills of a folder; None when they do not show it."""
    return board_from_stills(stills_of(folder, profile), profile)


def stills_of(folder: Path, profile: Profile) -> list[Image]:
    """The calibration stills of a folder that are of the profile's size, the flat sheet first."""
    names = [*sorted(folder.glob("board_sheet.*")), *sorted(folder.glob("calib_*.*"))]
    stills = [read_picture(n) for n in names if n.suffix.lower() in (".png", ".jpg", ".jpeg")]
    return [s for s in stills if s.shape[1::-1] == profile.image_size]


def board_from_stills(stills: Sequence[Image], profile: Profile) -> EmptyBoard | None:
    """The empty board as seen round the sheet in many stills; None when too few show it."""
    window = board_window(profile)
    masks = [_sheet_mask(still) for still in stills]
    seen = [(window.of(s), window.of(m)) for s, m in zip(stills, masks, strict=True) if m is not None]
    if len(seen) < 2:
        return None
    logs = np.stack([log_of(still) for still, _ in seen])
    hidden: Flags = np.stack([mask > 0 for _, mask in seen])
    logs -= _still_gains(logs, hidden)
    board, sure = _brightest_agreed(logs, hidden)
    board = unshaded(_fill_guesses(board, sure, logs, hidden), logs, hidden)
    beside = np.stack([cv2.dilate(h.astype(np.uint8), BESIDE_SHEET) for h in hidden])
    seen_once = np.where(beside.all(axis=0), 0, 255).astype(np.uint8)
    return EmptyBoard(window, board, seen_once, board_mask(profile, window), doubtful=seen_once & ~sure)


def _still_gains(logs: Field, hidden: Flags) -> Field:
    """Exposure of each still against the first, as a step per channel."""
    gains = np.zeros((len(logs), 1, 1, 3), np.float32)
    for k in range(1, len(logs)):
        both = ~(hidden[0] | hidden[k])[::4, ::4]
        if both.any():
            gains[k, 0, 0] = np.median((logs[k, ::4, ::4] - logs[0, ::4, ::4])[both], axis=0)
    return gains


def _brightest_agreed(logs: Field, hidden: Flags) -> tuple[Field, Mask]:
    """Per pixel the brightest value that two stills share: the sheet's shadow can only darken."""
    light = np.where(hidden, np.float32(-99), logs.mean(axis=3))
    order = np.partition(light, len(light) - 2, axis=0)
    brightest, second = order[-1], order[-2]
    agreed = (brightest - second < AGREE) & (second > -99)
    weight = (light > brightest - AGREE) & ~hidden
    total = np.einsum("kij,kijc->ijc", weight.astype(np.float32), logs)
    board = total / np.maximum(weight.sum(axis=0), 1)[..., None]
    # The flat sheet throws no shadow: what its still shows is in full light.
    sure = np.where(agreed | ~hidden[0], 255, 0).astype(np.uint8)
    return board.astype(np.float32), sure


def _fill_guesses(board: Field, sure: Mask, logs: Field, hidden: Flags) -> Field:
    """Give the unsure pixels the texture some still shows there, brought to the light around them."""
    known = sure > 0
    board = board.copy()
    for k in np.argsort(hidden.reshape(len(hidden), -1).sum(axis=1)):
        visible = ~hidden[k]
        todo = visible & ~known
        if todo.any():
            shade = _spread(logs[k] - board, known & visible)
            board[todo] = (logs[k] - shade)[todo]
            known |= todo
    if not known.all():
        board[~known] = _spread(board, known)[~known]
    return board


def _spread(values: Field, known: Flags) -> Field:
    """Carry values smoothly from the known pixels over the others, nearest first."""
    size = (values.shape[1], values.shape[0])
    small = (max(size[0] // 4, 1), max(size[1] // 4, 1))
    weight = cv2.resize(known.astype(np.float32), small, interpolation=cv2.INTER_AREA)
    total = cv2.resize(np.where(known[..., None], values, 0), small, interpolation=cv2.INTER_AREA)
    result = np.zeros(total.shape, np.float32)
    rest = np.ones((*weight.shape, 1), np.float32)
    for sigma in (1.0, 3.0, 8.0, 20.0, 60.0):
        near = cv2.GaussianBlur(weight, (0, 0), sigma)[..., None]
        mean = cv2.GaussianBlur(total, (0, 0), sigma) / np.maximum(near, 1e-6)
        share = rest * np.clip(near * 4, 0, 1)
        result += share * mean
        rest = rest - share
    return np.asarray(cv2.resize(result / np.maximum(1 - rest, 1e-6), size), np.float32)


def _sheet_mask(still: Image) -> Mask | None:
    """Where the calibration sheet covers the still, with a little room round it."""
    seen = find_sheet(still)
    if seen is None:
        return None
    to_still = cv2.findHomography(seen.mm[:, :2], seen.px, cv2.RANSAC, 3.0)[0]
    corners = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    page = cv2.perspectiveTransform((corners * PAPER_MM * 0.53)[None], to_still)[0]
    mask = np.zeros(still.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(page).astype(np.int32), 255)
    return mask


def must_be_plain(image: Image, profile: Profile) -> None:
    """Refuse a board with a pattern of its own that nobody has seen empty: its print would be taken for pieces."""
    if has_balls(profile):
        return  # Balls are told by their rims, whatever they lie on.
    window = board_window(profile)
    half = cv2.resize(window.of(image), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    within = cv2.resize(board_mask(profile, window), half.shape[1::-1], interpolation=cv2.INTER_NEAREST)
    inner = cv2.erode(within, RIM, borderValue=0) > 0
    steps = edges_of(log_of(np.asarray(half, np.uint8)))
    if inner.any() and float((steps[inner] > PRINTED).mean()) > PATTERNED:
        raise TableError(
            "the board has a pattern and no still shows it empty: give the calibration stills with it, "
            "or play on a plain board"
        )


def edges_of(half_log: Field) -> Field:
    """How steep a picture of half resolution is, as a step in logarithms over three channels."""
    soft = cv2.GaussianBlur(half_log, (0, 0), 0.8)
    across, down = (np.abs(cv2.filter2D(soft, -1, step)) for step in (_ACROSS, _ACROSS.T))
    steepest = np.maximum(across, down)
    return np.asarray(np.sqrt(np.einsum("ijc,ijc->ij", steepest, steepest)), np.float32)


def board_from_picture(image: Image, profile: Profile) -> EmptyBoard:
    """The board smoothed out of one picture: good for plain boards, blind to a pattern as large as a piece."""
    window = board_window(profile)
    inside = board_mask(profile, window)
    half = cv2.resize(window.of(image), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    within = cv2.resize(inside, (half.shape[1], half.shape[0]), interpolation=cv2.INTER_NEAREST) > 0
    # The table must not bleed into the board: outside counts as the board's own middle colour.
    half[~within] = np.median(half[within], axis=0)
    smooth = np.asarray(cv2.medianBlur(half, 61), np.uint8)
    wide = np.asarray(cv2.resize(smooth, (window.width, window.height)), np.uint8)
    return EmptyBoard(window, log_of(wide), inside, inside, guessed=True)
