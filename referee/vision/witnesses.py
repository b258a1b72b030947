"""Two witnesses of the dice in a picture taken by hand: the readers of close faces, and the net that knows upper faces.

What both say is believed sooner than what one says alone; where they deny each other nothing is sure.
"""

from collections.abc import Sequence

import numpy as np

from referee.vision.die_reading import Sighting
from referee.vision.upper import Upper

SAME, LIKE = 0.75, 1.8
"""Edges between the middles of a die that both see, and by how much they may differ about its size."""
ASIDE = 0.35
"""From this share of an upright edge in the picture on, 20 degrees, readers may take another face for the upper one."""
HEARD, HEARD_ASIDE = 0.6, 0.25
"""How much the readers count for the value beside the net, seen from above and from aside."""
SELDOM = 0.02
"""No witness is surer than this of a value that it does not see."""
DENIED, PLAIN = 0.85, 0.7
"""How sure a die can be that one of them denies, or does not see as plainly as this."""
FOUND, FOUND_BY_CARDS = 0.5, 0.7
"""How sure the net must be of a die and its value to be believed alone: cards have pips, too;"""
READERS, READERS_ASIDE = 0.7, 0.8
"""how sure the readers must be, seen from above and from aside, of dice so small that the net may overlook them: of
others which it does not see most are parts of dice, or none;"""
TOGETHER = 0.4
"""and how sure both of them."""


def both(
    readers: Sequence[Sighting], faces: Sequence[Upper], small_px: float, by_cards: bool
) -> list[Sighting]:
    """The dice that one or both of them see, as far as they are believed, the surest first.

    The net may overlook dice that are smaller than some edge.
    """
    left, out = list(readers), []
    for face in faces:
        near = sorted((s for s in left if _is_same(s, face)), key=lambda s: -s.sure)
        alone = FOUND_BY_CARDS if by_cards else FOUND
        if near and (joined := _joined(near[0], face, by_cards)).sure > TOGETHER:
            left = [s for s in left if s not in near]
            if _agree(near[0], face) or max(near[0].sure, face.sure) > alone:
                out.append(joined)
        elif face.sure > alone:
            out.append(_alone(face))
    # Beside dice that the net sees, what is far smaller is a pip of a card, however sure the readers are.
    small = [s for s in left if s.edge_px < small_px and (not out or any(_is_like(s, die) for die in out))]
    out += [s for s in small if s.sure > (READERS_ASIDE if s.aside else READERS)]
    return sorted(out, key=lambda s: -s.sure)


def _is_same(s: Sighting, face: Upper) -> bool:
    away = float(np.hypot(*np.subtract(s.px, face.px)))
    return _is_like(s, face) and away < SAME * max(s.edge_px, face.edge_px)


def _is_like(s: Sighting, other: Sighting | Upper) -> bool:
    small, large = sorted((s.edge_px, other.edge_px))
    return large < LIKE * small


def _agree(s: Sighting, face: Upper) -> bool:
    """Whether both read the same value."""
    return bool(np.argmax(s.odds) == np.argmax(face.odds))


def _aside(face: Upper) -> bool:
    return bool(np.hypot(*face.upright) > ASIDE * face.edge_px)


def _joined(s: Sighting, face: Upper, by_cards: bool) -> Sighting:
    heard = HEARD_ASIDE if _aside(face) else HEARD
    readers, net = (np.log(np.maximum(np.array(odds), SELDOM)) for odds in (s.odds, face.odds))
    odds = np.exp(heard * readers + net)
    found = 1 - (1 - s.found) * (1 - face.found)
    if not _agree(s, face) or min(s.sure, face.sure) < PLAIN:
        found = min(found, DENIED)
    if by_cards and not _agree(s, face) and s.sure > face.sure:
        # Cards tell the readers how large dice are, and they know faces of that size best.
        odds = np.array(s.odds)
    shown = tuple((odds / odds.sum()).tolist())
    return Sighting(face.px, face.edge_px, shown, found, s.belief, s.leans, _aside(face))


def _alone(face: Upper) -> Sighting:
    return Sighting(face.px, face.edge_px, face.odds, min(face.found, DENIED), aside=_aside(face))
