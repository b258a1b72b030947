"""Ask the finder: every open bit of card votes for the middle and the axes of the card it is on."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.vision.cards import nets
from referee.vision.cards.spot import Image, half_of

STRIDE = 4
LARGE_PX, LITTLE = 900, 1.26
"""A picture longer than this is halved first, which is quick; if little is left to shrink, it need not be averaged."""
Floats = NDArray[np.float64]
Numbers = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Votes:
    """One row for every cell that is on a card, in pixels of the working picture."""

    cell: Numbers
    """(n, 2) row and column."""
    centre: Floats
    long: Floats
    """Half of the long axis, as a vector."""
    short: Floats
    weight: Floats
    turn_strength: Floats
    """Length of the double-angle vector: 1 when the network is sure of the turn."""
    said: nets.Tensor
    """(rows, columns): the network's word on whether a cell is on a card; above 0 it is."""
    scale: float
    """Pixels of the working picture for a pixel of the real one."""

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the whole grid."""
        rows, columns = self.said.shape
        return rows, columns

    def __len__(self) -> int:
        return len(self.weight)

    @property
    def on_card(self) -> NDArray[np.bool_]:
        """(rows, columns): which cells are on a card."""
        field = np.zeros(self.shape, bool)
        field[self.cell[:, 0], self.cell[:, 1]] = True
        return field

    @property
    def axis_rad(self) -> Floats:
        """(rows, columns): the turn of the long axis of the card that a cell is on, up to half a turn; else 0."""
        field = np.zeros(self.shape)
        field[self.cell[:, 0], self.cell[:, 1]] = np.arctan2(self.long[:, 1], self.long[:, 0])
        return field

    @property
    def length(self) -> float:
        """Typical length of a card."""
        return 2 * float(np.median(np.hypot(*self.long.T))) if len(self) else 0.0


def cast_votes(image: Image, scale: float) -> Votes:
    """Ask the network at every fourth pixel of the picture at `scale`."""
    return votes_on(resized(image, image, scale), scale)


def resized(image: Image, source: Image, scale: float) -> Image:
    """The picture at `scale`, made from itself or from a smaller one of it."""
    h, w = (max(32, round(n * scale)) for n in image.shape[:2])
    least = 1.0
    while (
        max(source.shape) > LARGE_PX
        and source.shape[1] >= 2 * w
        and not (source.shape[0] | source.shape[1]) % 2
    ):
        source, least = half_of(source), LITTLE
    way = cv2.INTER_AREA if least * w < source.shape[1] else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(source, (w, h), interpolation=way), np.uint8)


def votes_on(small: Image, scale: float, both_ways: bool = False) -> Votes:
    """The votes on a picture that is at `scale` already; looked at `both_ways` up they err less, and cost twice."""
    h, w = small.shape[:2]
    padded = np.asarray(cv2.copyMakeBorder(small, 0, -h % 32, 0, -w % 32, cv2.BORDER_REPLICATE), np.uint8)
    out = _ask(padded)
    if both_ways:
        out = (out + _turned_back(_ask(np.ascontiguousarray(padded[::-1, ::-1])))) / np.float32(2)
    return _decode(out[:, : -(-h // STRIDE), : -(-w // STRIDE)], scale)


def _ask(picture: Image) -> nets.Tensor:
    out = nets.run("finder", np.asarray(cv2.dnn.blobFromImage(picture, 1 / 255), np.float32))
    return np.asarray(out[0])


def _turned_back(out: nets.Tensor) -> nets.Tensor:
    """What was said of a picture that stood on its head, said of the picture itself; axes have no head."""
    out = out[:, ::-1, ::-1].copy()
    # Of a cell's four pixels the third is asked, which on its head was the second.
    out[1:3] = -out[1:3] - 1 / 32
    return out


def _decode(out: nets.Tensor, scale: float) -> Votes:
    cell = np.argwhere(out[0] > 0)
    o = out[:, cell[:, 0], cell[:, 1]].astype(np.float64)
    here = cell[:, ::-1] * STRIDE + STRIDE // 2
    return Votes(
        cell,
        here + o[1:3].T * 32,
        _axis(o[3], o[5], o[6]),
        _axis(o[4], o[7], o[8]),
        1 / (1 + np.exp(-o[0])),
        np.hypot(o[5], o[6]),
        out[0],
        scale,
    )


def _axis(log_size: Floats, cos2: Floats, sin2: Floats) -> Floats:
    """A direction is known up to its sign, so the network tells the double angle."""
    turn = np.arctan2(sin2, cos2) / 2
    return np.asarray((np.exp(log_size) * 32 * np.stack([np.cos(turn), np.sin(turn)])).T)
