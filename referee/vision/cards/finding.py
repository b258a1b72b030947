"""Find cards of any kind: every open bit of card votes for the middle and the axes of the card it is on."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.cards import nets
from referee.vision.cards.refining import refine
from referee.vision.cards.spot import GRID, Image, Quad, Seen, Spot, grid_px

WORK_PX = {480: 1.0, 256: 0.6, 160: 0.45}
"""Longer sides of the pictures the finder looks at (it knows cards of 28 to 84 pixels' length), and how much
a card found there is worth: the more detailed picture is believed unless a coarser one explains more."""
STRIDE = 4
SAME_CENTRE = 0.16
"""Votes this near (in card lengths) are for one card."""
SAME_TURN_RAD = 0.45
SURE_OF_TURN = 0.9
"""Below this agreement about the turn, other turns are tried against the picture."""
LEAST_CELLS = 5
LEAST_VISIBLE = 0.06
ODD, IMPOSSIBLE = 1.15, 1.8
"""Factors by which a card may differ in size from the others of the picture."""
CLAIMED = 0.5
"""A heap of which this share lies on cards already found is made of their stray votes."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Votes:
    """One row for every cell that is on a card."""

    cell: NDArray[np.intp]
    """(n, 2) row and column."""
    centre: Floats
    long: Floats
    """Half of the long axis, as a vector."""
    short: Floats
    weight: Floats
    turn_strength: Floats
    """Length of the double-angle vector: 1 when the network is sure of the turn."""
    shape: tuple[int, int]
    """Rows and columns of the whole grid."""

    def __len__(self) -> int:
        return len(self.weight)

    @property
    def length(self) -> float:
        """Typical length of a card."""
        return 2 * float(np.median(np.hypot(*self.long.T))) if len(self) else 0.0


def find(image: Image) -> tuple[Spot, ...]:
    """Every card that can be seen, most open first."""
    votes, groups, scale = max(
        (_at_scale(image, px) for px in WORK_PX),
        key=lambda heaps: _worth(heaps) * WORK_PX[round(heaps[2] * max(image.shape[:2]))],
    )
    quads = _of_one_deck([_quad(votes, members) for members in groups])
    groups = [members for members, quad in zip(groups, quads, strict=True) if quad is not None]
    owner = np.full(votes.shape, -1)
    for number, members in enumerate(groups):
        owner[votes.cell[members, 0], votes.cell[members, 1]] = number
    placed = [(quad + 0.5) / scale - 0.5 for quad in quads if quad is not None]
    doubtful = [_agreement(votes, members) < SURE_OF_TURN for members in groups]
    placed = refine(image, placed, doubtful, owner, STRIDE / scale)
    spots = [
        Spot(quad, _seen(quad, owner, number, scale), float(votes.weight[members].mean()))
        for number, (quad, members) in enumerate(zip(placed, groups, strict=True))
    ]
    return tuple(sorted(spots, key=lambda s: -s.visible))


Heaps = tuple[Votes, list[NDArray[np.intp]], float]
"""Votes, which of them belong together, and the scale of the picture they were cast on."""


def _at_scale(image: Image, longer_side_px: int) -> Heaps:
    scale = longer_side_px / max(image.shape[:2])
    votes = cast_votes(image, scale)
    return votes, gather(votes) if len(votes) else [], scale


def _worth(heaps: Heaps) -> float:
    """How much of the picture is explained by whole cards whose parts agree."""
    votes, groups, scale = heaps
    return sum(
        len(members) / scale**2 * _agreement(votes, members) ** 2 * min(1.0, _open_share(votes, members)) ** 2
        for members in groups
    )


def cast_votes(image: Image, scale: float) -> Votes:
    """Ask the network at every fourth pixel of the picture at `scale`."""
    h, w = (max(32, round(n * scale)) for n in image.shape[:2])
    small = cv2.resize(image, (w, h), interpolation=cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR)
    padded = cv2.copyMakeBorder(small, 0, -h % 32, 0, -w % 32, cv2.BORDER_REPLICATE)
    out = nets.run("finder", nets.batch_of([np.asarray(padded, np.uint8)]))[0]
    return _decode(out[:, : -(-h // STRIDE), : -(-w // STRIDE)].astype(np.float64))


def _decode(out: Floats) -> Votes:
    chance = 1 / (1 + np.exp(-out[0]))
    cell = np.argwhere(chance > 0.5)
    o = out[:, cell[:, 0], cell[:, 1]]
    here = cell[:, ::-1] * STRIDE + STRIDE // 2
    return Votes(
        cell,
        here + o[1:3].T * 32,
        _axis(o[3], o[5], o[6]),
        _axis(o[4], o[7], o[8]),
        chance[cell[:, 0], cell[:, 1]],
        np.hypot(o[5], o[6]),
        (out.shape[1], out.shape[2]),
    )


def _axis(log_size: Floats, cos2: Floats, sin2: Floats) -> Floats:
    """A direction is known up to its sign, so the network tells the double angle."""
    turn = np.arctan2(sin2, cos2) / 2
    return np.asarray((np.exp(log_size) * 32 * np.stack([np.cos(turn), np.sin(turn)])).T)


def gather(votes: Votes) -> list[NDArray[np.intp]]:
    """Votes by card: take the strongest heap of votes, then the strongest of the rest, and so on."""
    left = np.ones(len(votes), bool)
    groups: list[NDArray[np.intp]] = []
    bin_px = max(1.5, votes.length * 0.05)
    for _ in range(200):
        peak = _peak(votes, left, bin_px)
        if peak is None:
            break
        members = _around(votes, np.flatnonzero(left), peak)
        left[members] = False
        if len(members) < LEAST_CELLS:
            left[_near(votes, np.flatnonzero(left), peak, bin_px)] = False
            continue
        if _open_share(votes, members) >= LEAST_VISIBLE:
            groups.append(members)
    return _without_strays(votes, groups)


def _without_strays(votes: Votes, groups: list[NDArray[np.intp]]) -> list[NDArray[np.intp]]:
    """Drop heaps of votes from between and upon cards that have better heaps of their own."""
    kept: list[NDArray[np.intp]] = []
    claimed = np.zeros(votes.shape, np.uint8)
    for members in sorted(groups, key=len, reverse=True):
        rows, columns = votes.cell[members].T
        if claimed[rows, columns].mean() < CLAIMED:
            kept.append(members)
            outline = (_quad(votes, members) - STRIDE // 2) / STRIDE
            cv2.fillConvexPoly(claimed, np.rint(outline).astype(np.int32), 1)
    return kept


def _peak(votes: Votes, left: NDArray[np.bool_], bin_px: float) -> Floats | None:
    """Where most of the remaining votes fall."""
    if np.count_nonzero(left) < LEAST_CELLS:
        return None
    low = votes.centre[left].min(axis=0)
    at = ((votes.centre[left] - low) / bin_px).astype(int)
    heap = np.zeros(np.minimum(at.max(axis=0) + 1, 2000), np.float32)
    at = np.minimum(at, np.array(heap.shape) - 1)
    np.add.at(heap, (at[:, 0], at[:, 1]), votes.weight[left].astype(np.float32))
    heap = np.asarray(cv2.GaussianBlur(heap, (0, 0), 1.0), np.float32)
    best = np.unravel_index(int(heap.argmax()), heap.shape)
    if heap[best] < 0.25:
        return None
    return np.asarray(low + (np.array(best) + 0.5) * bin_px)


def _around(votes: Votes, among: NDArray[np.intp], peak: Floats) -> NDArray[np.intp]:
    """The votes that agree with the peak in place and turn."""
    members = _near(votes, among, peak, votes.length * SAME_CENTRE * 0.6)
    for _ in range(2):
        if not len(members):
            return members
        middle, turn = np.median(votes.centre[members], axis=0), _mean_turn(votes.long[members])
        length = 2 * float(np.median(np.hypot(*votes.long[members].T)))
        members = _near(votes, among, middle, length * SAME_CENTRE)
        members = members[np.abs(_turn_between(votes.long[members], turn)) < SAME_TURN_RAD]
    return members


def _near(votes: Votes, among: NDArray[np.intp], point: Floats, radius: float) -> NDArray[np.intp]:
    near = np.hypot(*(votes.centre[among] - point).T) < radius
    return np.asarray(among[near])


def _mean_turn(axes: Floats) -> float:
    double = 2 * np.arctan2(axes[:, 1], axes[:, 0])
    return float(np.arctan2(np.sin(double).sum(), np.cos(double).sum()) / 2)


def _agreement(votes: Votes, members: NDArray[np.intp]) -> float:
    """How sure the members are of the turn together, 0 to 1."""
    axes = votes.long[members]
    double = 2 * np.arctan2(axes[:, 1], axes[:, 0])
    strength = votes.turn_strength[members]
    return float(np.hypot((strength * np.cos(double)).mean(), (strength * np.sin(double)).mean()))


def _turn_between(axes: Floats, turn: float) -> Floats:
    """Angles from `turn`, between minus and plus a quarter turn."""
    away = np.arctan2(axes[:, 1], axes[:, 0]) - turn
    return np.asarray((away + np.pi / 2) % np.pi - np.pi / 2)


def _open_share(votes: Votes, members: NDArray[np.intp]) -> float:
    quad = _quad(votes, members)
    return len(members) * STRIDE**2 / max(1.0, float(cv2.contourArea(quad.astype(np.float32))))


def _quad(votes: Votes, members: NDArray[np.intp]) -> Quad:
    """The card the members agree on, in pixels of the working picture."""
    centre = np.median(votes.centre[members], axis=0)
    long, short = _mean_axis(votes.long[members]), _mean_axis(votes.short[members])
    if long[0] * short[1] - long[1] * short[0] < 0:
        short = -short  # seen from above, a quarter turn right of "up" is "right"
    return np.array(
        [centre + long - short, centre + long + short, centre - long + short, centre - long - short]
    )


def _of_one_deck(quads: list[Quad]) -> list[Quad | None]:
    """Cards of one deck are of one size: odd ones are put right, impossible ones dropped."""
    if not quads:
        return []
    sizes = np.array([_size(quad) for quad in quads])
    usual = np.median(sizes, axis=0)
    return [_resized(quad, size, usual) for quad, size in zip(quads, sizes, strict=True)]


def _size(quad: Quad) -> tuple[float, float]:
    """Short and long side."""
    return float(np.linalg.norm(quad[1] - quad[0])), float(np.linalg.norm(quad[3] - quad[0]))


def _resized(quad: Quad, size: Floats, usual: Floats) -> Quad | None:
    ratio = size / usual
    if (ratio < 1 / IMPOSSIBLE).any() or (ratio > IMPOSSIBLE).any():
        return None
    fit = np.clip(ratio, 1 / ODD, ODD) / ratio
    middle = quad.mean(axis=0)
    right, up = (quad[1] - quad[0]) / 2 * fit[0], (quad[0] - quad[3]) / 2 * fit[1]
    return np.array([middle + up - right, middle + up + right, middle - up + right, middle - up - right])


def _mean_axis(axes: Floats) -> Floats:
    turn, size = _mean_turn(axes), float(np.median(np.hypot(*axes.T)))
    return size * np.array([np.cos(turn), np.sin(turn)])


def _seen(quad: Quad, owner: NDArray[np.intp], number: int, scale: float) -> Seen:
    """Ask the cells under a grid of points on the card whose they are."""
    columns, rows = GRID
    cell = np.floor(((grid_px(quad) + 0.5) * scale) / STRIDE).astype(int)
    inside = ((cell >= 0) & (cell < np.array(owner.shape)[::-1])).all(axis=1)
    cell = np.clip(cell, 0, np.array(owner.shape)[::-1] - 1)
    return np.asarray((inside & (owner[cell[:, 1], cell[:, 0]] == number)).reshape(rows, columns))
