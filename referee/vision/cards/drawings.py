"""Whether a card shows a drawing, however faint and whatever the light: its fine lines go along with those of the card.

A blank card and a back with a faint pattern are of one colour; light and shine change that more than the pattern does.
"""

from functools import lru_cache

import cv2
import numpy as np

from referee.vision.cards.comparing import Floats, Numbers

FINE_PX = 3.0
"""What changes over more than this is light, or a plain colour."""
SHIFTS_PX = (-2, 0, 2)
"""How far a card's outline may be off, either way."""
BLANK, CHANCE = 0.17, 0.3
"""How far a card goes along with one picture by chance, which is what speaks for a blank one; and with the best of
many: up to there nothing more speaks for that."""
FAINTEST = 0.0005
"""What the fine lines of a picture come to at least if it is not blank."""
PLAIN = 0.01
"""and if nobody could miss them."""


def fine_lines(pictures: Floats, size: tuple[int, int]) -> Floats:
    """The pictures of width and height `size` without what changes slowly across them."""
    whole = np.ones(size[0] * size[1], np.float32)
    return np.stack([_fine(picture, whole, size) for picture in pictures])


def goes_along(seen: Floats, mask: Floats, lines: Floats, squares: Floats, size: tuple[int, int]) -> Floats:
    """For the fine lines of each picture how far what is seen of a card, where the mask is set, goes along: up to 1."""
    open_ = np.asarray(cv2.erode(mask.reshape(size[::-1]), np.ones((3, 3), np.uint8)), np.float32).ravel()
    fine, masks = _shifted(_fine(seen, open_, size), size), _shifted(open_[None], size)
    power = squares @ masks.T * float((fine[0] ** 2).sum())
    along = (lines.reshape(len(lines), -1) @ fine.T / np.sqrt(power + 1e-9)).max(axis=1)
    by_chance = (along > BLANK) & (along < CHANCE)
    return np.where(by_chance | (squares.mean(axis=1) < FAINTEST), np.float32(BLANK), along)


def is_drawn(lines: Floats) -> bool:
    """Whether the picture with these fine lines is not blank."""
    return bool(squares_of(lines[None]).mean() >= FAINTEST)


def is_plainly_drawn(lines: Floats) -> bool:
    """Whether its lines must be seen wherever it lies open: fainter ones any shine takes away."""
    return bool(squares_of(lines[None]).mean() >= PLAIN)


def squares_of(lines: Floats) -> Floats:
    """(pictures, pixels): how strong the fine lines of pictures are, squared."""
    return np.asarray(np.einsum("ncp,ncp->np", lines, lines))


def _fine(picture: Floats, mask: Floats, size: tuple[int, int]) -> Floats:
    """What a picture has more than its surroundings, where the mask is set."""
    open_ = mask.reshape(size[::-1])
    share = np.maximum(_blurred(open_), 1e-3)
    around = [_blurred(layer.reshape(open_.shape) * open_) / share for layer in picture]
    return np.asarray((picture - np.stack(around).reshape(picture.shape)) * mask, np.float32)


def _blurred(layer: Floats) -> Floats:
    return np.asarray(cv2.GaussianBlur(layer, (0, 0), FINE_PX, borderType=cv2.BORDER_REFLECT), np.float32)


def _shifted(picture: Floats, size: tuple[int, int]) -> Floats:
    """(shifts, values): the picture moved by SHIFTS_PX across and down."""
    moved = picture.take(_moves(size), axis=1)
    return moved.transpose(1, 0, 2).reshape(moved.shape[1], -1)


@lru_cache
def _moves(size: tuple[int, int]) -> Numbers:
    """For each shift which pixel comes to lie where."""
    pixels = np.arange(size[0] * size[1]).reshape(size[::-1])
    return np.stack([np.roll(pixels, (y, x), (0, 1)).ravel() for y in SHIFTS_PX for x in SHIFTS_PX])
