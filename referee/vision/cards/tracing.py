"""Lay the drawings of a learned deck over a card in doubt: the one whose lines run where the card's do is on it.

Light and shine change how strong lines are, but not where they run: every part of a card counts alike, however faint
its lines are. The drawing may be shifted, turned and of another size than the outline, which is set right by it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from referee.vision.cards.comparing import CLOSE, Floats
from referee.vision.cards.drawings import is_drawn, is_plainly_drawn
from referee.vision.cards.learned import BOX, DARK, LearnedDeck, side_of
from referee.vision.cards.reading import UNREAD, Reading
from referee.vision.cards.refining import edges_along
from referee.vision.cards.sides import sides_of
from referee.vision.cards.spot import Box, Image, Quad, Spot, cut
from referee.vision.cards.tangles import Told

IN_DOUBT = 0.97
"""A card read this well is left as it is."""
LEAST_OPEN = 0.35
"""Of a card less open than this too few lines are seen."""
FINE_PX, AROUND_PX = 3.0, 5.0
"""What changes over more than the first is light, or a plain colour; lines count by how strong they are among those as
near as the second."""
FAINTEST = 0.02
"""Lines fainter than this are noise."""
BEYOND = 0.16, 0.115
"""How far an outline may be off, in card widths and lengths."""
SIZES, TURNS_DEG = (0.94, 1.0, 1.06), (-4.0, 0.0, 4.0)
NEAR_SIZES, NEAR_TURNS_DEG = (0.98, 1.0, 1.02), (-1.5, 0.0, 1.5)
ALONG, APART = 0.3, 0.08
"""How far a card goes along with its own drawing, and by how much less with any other."""
PLAINLY, PLAINLY_APART = 0.45, 0.15
"""The same if there is little doubt,"""
ELSEWHERE, ELSEWHERE_COVERED, MOSTLY_OPEN = 0.24, 0.19, 0.6
"""A card that goes along with its drawing less than this is another one, or less than that if it is less open."""
FAIRLY_READ = 0.7
"""One that was read less well must go along as with any drawing."""
SURELY_A_CARD, BLANK = 0.8, 0.7
"""How sure the finder is of what may be a blank card, and how sure that is then."""
DARKER, BRIGHTER = -0.7, 1.2
"""How much darker or brighter than the room's light makes it a card may be, as a logarithm: black is no white."""
SURE, AT_MOST = 0.95, 0.85
"""and how sure it is then if the card was read so before, or else."""


@dataclass(frozen=True, slots=True)
class _Way:
    """One drawing laid over a card, in the best place for it."""

    along: float
    """How far the lines of both go along, up to 1."""
    drawing: int
    turned: bool
    corners: Quad
    """Where the card lies then, as its spot was held."""


def traced(image: Image, told: Sequence[Told], deck: LearnedDeck, among: Sequence[Told] = ()) -> list[Told]:
    """What was told, with the cards in doubt read by their lines and laid where these run; the room's light is told by
    the cards that they are among, too."""
    if not any(map(_in_doubt, told)):
        return list(told)
    deck = deck.accustomed(image, [spot for spot, _ in (*among, *told)])
    drawings = _both_ways_up([drawing_of(p) for p in deck.pictures])
    return [_traced(image, one, deck, drawings) if _in_doubt(one) else one for one in told]


def _in_doubt(told: Told) -> bool:
    spot, reading = told
    return reading.confidence < IN_DOUBT and spot.visible >= LEAST_OPEN


def _both_ways_up(drawings: Sequence[Floats]) -> Floats:
    """(ways up, drawings, values): the lines of each drawing upright, and upside down, of length one."""
    upright = np.stack(drawings)
    both = np.stack([upright, upright[:, ::-1, ::-1]]).reshape(2, len(drawings), -1)
    return np.asarray(both / np.maximum(np.linalg.norm(both, axis=2, keepdims=True), 1e-9), np.float32)


def _traced(image: Image, told: Told, deck: LearnedDeck, drawings: Floats) -> Told:
    spot, reading = told
    light = deck.brighter(image, [spot])[0]
    able = np.flatnonzero((light > DARKER) & (light < BRIGHTER)).tolist()
    ways = _ways(image, spot, drawings, able, SIZES, TURNS_DEG)
    if not ways:
        return told
    best = ways[0]
    name = deck.names[best.drawing]
    next_best = max((way.along for way in ways if deck.names[way.drawing] != name), default=0.0)
    if best.along < ALONG or best.along - next_best < APART or not is_drawn(deck.lines[best.drawing]):
        return spot, _if_its_lines_run(image, spot, reading, deck, ways)
    plain = best.along >= PLAINLY and best.along - next_best >= PLAINLY_APART
    sure = SURE if plain and name == reading.name else AT_MOST
    there = replace(spot, corners=best.corners)
    there = replace(there, corners=_clearer(image, spot.corners, _nearer(image, there, best, drawings)))
    return there, Reading(
        name, side_of(name), max(sure, reading.confidence * (name == reading.name)), best.turned
    )


def _if_its_lines_run(
    image: Image, spot: Spot, reading: Reading, deck: LearnedDeck, ways: Sequence[_Way]
) -> Reading:
    """What was read, if that has no plain drawing or some of its lines run on the card; else a blank card of the
    deck's, or nothing."""
    its = [way for way in ways if deck.names[way.drawing] == reading.name]
    if not its or its[0].along >= _least(spot, reading) or not is_plainly_drawn(deck.lines[its[0].drawing]):
        return reading
    blank = deck.blank_like(image, spot) if spot.sure >= SURELY_A_CARD else None
    return UNREAD if blank is None else Reading(blank, side_of(blank), BLANK)


def _least(spot: Spot, reading: Reading) -> float:
    """How far a card must go along with the drawing that was read: as far as with any, if it was hardly read."""
    if spot.visible < MOSTLY_OPEN:
        return ELSEWHERE_COVERED
    return ELSEWHERE if reading.confidence >= FAIRLY_READ else ALONG


def _clearer(image: Image, one: Quad, other: Quad) -> Quad:
    """Of two outlines the one along which a rim shows."""
    clear = edges_along(image, sides_of(np.stack([one, other]))).mean(axis=(1, 2))
    return one if clear[0] >= clear[1] else other


def _nearer(image: Image, spot: Spot, found: _Way, drawings: Floats) -> Quad:
    """The place of a drawing found already, more exactly."""
    ways = _ways(image, spot, drawings, [found.drawing], NEAR_SIZES, NEAR_TURNS_DEG)
    return next(way.corners for way in ways if way.turned == found.turned)


def _ways(
    image: Image,
    spot: Spot,
    drawings: Floats,
    which: Sequence[int],
    sizes: Sequence[float],
    turns_deg: Sequence[float],
) -> list[_Way]:
    """Each of some drawings either way up in its best place, the one that goes along farthest first."""
    if not which:
        return []
    known = drawings[:, which].reshape(2 * len(which), -1)
    poses = [moved(spot.corners, size, turn) for size in sizes for turn in turns_deg]
    open_ = _open(spot)[..., None]
    along = np.stack(
        [_along(known, lines_of(cut(image, c, _WIDER, _WIDER_PX)) * open_) for c in poses], axis=1
    )
    best = along.reshape(len(known), -1).argmax(axis=1)
    ways = [
        _Way(float(along[k].flat[at]), which[k % len(which)], k >= len(which), _placed(poses, at))
        for k, at in enumerate(best.tolist())
    ]
    return sorted(ways, key=lambda way: -way.along)


def _along(known: Floats, seen: Floats) -> Floats:
    """(drawings, places): how far each drawing goes along with what is seen, wherever it may lie on it."""
    (w, h), rows = CLOSE, seen.reshape(len(seen), -1)
    parts = np.lib.stride_tricks.sliding_window_view(rows, (h, 3 * w))[:, ::3].reshape(-1, known.shape[1])
    strength = np.sqrt(np.einsum("np,np->n", parts, parts))
    return np.asarray(known @ parts.T / np.maximum(strength, 1e-9))


def _placed(poses: Sequence[Quad], at: int) -> Quad:
    """The corners of one pose, where the place with this number of all places is."""
    across, down = _WIDER_PX[0] - CLOSE[0] + 1, _WIDER_PX[1] - CLOSE[1] + 1
    pose, place = divmod(at, across * down)
    y, x = divmod(place, across)
    return shifted(poses[pose], np.array((x, y)) - _MIDDLE)


def drawing_of(picture: Image) -> Floats:
    """The lines of a picture that a deck keeps."""
    return lines_of(np.asarray(cv2.resize(picture, CLOSE, interpolation=cv2.INTER_AREA)))


def lines_of(picture: Image) -> Floats:
    """(rows, columns, 3): brightness and colours where they differ from their surroundings, everywhere as strong."""
    blue, green, red = cv2.split(np.log(picture.astype(np.float32) + np.float32(DARK)))
    layers = cv2.merge([(blue + green + red) / 3, red - green, blue - green])
    fine = layers - cv2.GaussianBlur(layers, (0, 0), FINE_PX)
    strength = cv2.GaussianBlur((fine * fine).sum(axis=2), (0, 0), AROUND_PX)
    return np.asarray(fine / np.sqrt(strength + FAINTEST**2)[..., None], np.float32)


def _wider() -> tuple[Box, tuple[int, int], Floats]:
    """The part of a card that is compared, as much larger as its outline may be off; and its size and its margin."""
    x0, y0, x1, y1 = BOX
    more = np.rint(np.array(BEYOND) / (x1 - x0, y1 - y0) * CLOSE).astype(int)
    beyond = more / CLOSE * (x1 - x0, y1 - y0)
    box = (x0 - beyond[0], y0 - beyond[1], x1 + beyond[0], y1 + beyond[1])
    return box, (CLOSE[0] + 2 * int(more[0]), CLOSE[1] + 2 * int(more[1])), more


_WIDER, _WIDER_PX, _MIDDLE = _wider()


def _open(spot: Spot) -> Floats:
    """1 where nothing covers the card on the wider picture, or beside it."""
    x0, y0, x1, y1 = _WIDER
    w, h = _WIDER_PX
    rows, columns = spot.seen.shape
    x = np.clip(np.floor((x0 + (np.arange(w) + 0.5) / w * (x1 - x0)) * columns).astype(int), 0, columns - 1)
    y = np.clip(np.floor((y0 + (np.arange(h) + 0.5) / h * (y1 - y0)) * rows).astype(int), 0, rows - 1)
    return spot.seen[np.ix_(y, x)].astype(np.float32)


def moved(corners: Quad, size: float, turn_deg: float) -> Quad:
    middle = corners.mean(axis=0)
    c, s = size * np.cos(np.radians(turn_deg)), size * np.sin(np.radians(turn_deg))
    return np.asarray((corners - middle) @ np.array([[c, s], [-s, c]]) + middle)


def shifted(corners: Quad, by_px: Floats) -> Quad:
    """Corners moved by pixels of the compared picture, along the card's own sides."""
    x0, y0, x1, y1 = BOX
    right, down = by_px / CLOSE * (x1 - x0, y1 - y0)
    a, b, c, d = corners
    return np.asarray(corners + right * (b + c - a - d) / 2 + down * (c + d - a - b) / 2)
