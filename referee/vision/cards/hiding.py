"""Where a card can lie beneath another, so that it explains what sticks out."""

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.cards.sides import Floats
from referee.vision.cards.strange import LENGTH_PX, Strange

STEP_DEG, OFF = 4, 0.6
"""Steps of turns that are tried, and how far apart the middles of both cards may be, in card lengths."""
AROUND = 0.15
"""How far round a card it counts against it, in card lengths, that the strange stuff goes on."""
OPEN = (0.13, 0.5)
"""How much of the lower card is open, at least and at most; the finder sees one that is more open."""
UNDER_OTHERS = 0.25
"""How much of it may lie beneath others than the one."""
STRANGER = 0.25
"""By how much the open part is stranger than what is round it."""
TRIED = 12
"""Places that are told, the best first."""


def hiding_places(near: Strange, corners: Floats, upper: int, shape: float) -> Floats:
    """Corners (n, 4, 2) of cards that may lie beneath the upper of all cards, at most one a turn.

    They are of its size, and `shape` is their length over their width.
    """
    others = np.zeros_like(near.free)
    for card in np.delete(corners, upper, axis=0):
        others |= near.inside(card)
    layers = np.dstack([near.strange * near.free, near.free, others]).astype(np.float32)
    a, b, c, d = near.small(corners[upper])
    straight = np.stack([(b + c - a - d) / 2 * shape, (c + d - a - b) / 2], axis=1) / LENGTH_PX
    turns = [straight @ _turn(deg) for deg in range(0, 180, STEP_DEG)]
    found = [_best_at(layers, turn, (a + b + c + d) / 4, shape) for turn in turns]
    found.sort(key=lambda one: -one[0])
    return near.real(np.array([box for worth, box in found[:TRIED] if worth > 0]).reshape(-1, 4, 2))


def _best_at(layers: Floats, frame: Floats, middle: Floats, shape: float) -> tuple[float, Floats]:
    """At one turn the place of a card that explains what is strange best and nothing else, and how well it does."""
    reach = round((OFF + 0.5 + AROUND) * LENGTH_PX)
    side = 2 * reach + 1
    warp = np.column_stack([frame, middle - frame @ (reach, reach)])
    way = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    turned = cv2.warpAffine(layers, warp, (side, side), flags=way, borderValue=(0, 0, 1))
    wide, tall, more = round(LENGTH_PX / shape) | 1, LENGTH_PX | 1, 2 * round(AROUND * LENGTH_PX)
    # Nothing but the places where its middle may be need be compared.
    first, last = reach - FARTHEST_PX, reach + FARTHEST_PX + 1
    on_it, near_it = (
        cv2.boxFilter(turned, -1, (wide + k, tall + k), normalize=False, borderType=cv2.BORDER_CONSTANT)[
            first:last, first:last
        ]
        for k in (0, more)
    )
    strange, free, others = (on_it[..., layer] for layer in range(3))
    beside = near_it - on_it
    explained = 2 * strange / (free + near_it[..., 0] + 1)
    stranger = strange / (free + 1) - beside[..., 0] / (beside[..., 1] + 1)
    share, under = free / (wide * tall), others / (wide * tall)
    able = (share >= OPEN[0]) & (share <= OPEN[1]) & (under <= UNDER_OTHERS) & (stranger >= STRANGER)
    worth = np.where(able & _WITHIN, explained * stranger, 0)
    y, x = divmod(int(worth.argmax()), len(worth))
    off = (x - FARTHEST_PX, y - FARTHEST_PX)
    box = np.array([(-wide, -tall), (wide, -tall), (wide, tall), (-wide, tall)]) / 2 + off
    return float(worth[y, x]), box @ frame.T + middle


FARTHEST_PX = int(OFF * LENGTH_PX)


def _within() -> NDArray[np.bool_]:
    """Where the lower card's middle may be."""
    off = np.arange(-FARTHEST_PX, FARTHEST_PX + 1)
    return np.asarray(np.hypot(off, off[:, None]) <= OFF * LENGTH_PX)


_WITHIN = _within()


def _turn(deg: float) -> Floats:
    c, s = np.cos(np.radians(deg)), np.sin(np.radians(deg))
    return np.array([[c, -s], [s, c]])
