"""Parts of dice are no dice: a pip of a large one looks like a small one that shows a one, two pips like a two."""

from collections.abc import Sequence

import numpy as np

from referee.vision.die_reading import Sighting

PIP, PIPS, ON_FACE = 3.2, 2, 0.6
"""Edges of a die to that of the die for which one of its pips may be taken, how many must be, and how far from its
middle pips are."""
PART, BELIEVED, CLEAR = (1.25, 2.2), 2.0, 0.6
"""Edges of a die to that of a part of it; and from which belief in it and in its value on the part is none."""


def shows(s: Sighting) -> int:
    """The likeliest value."""
    return int(np.argmax(s.odds)) + 1


def whole(sightings: Sequence[Sighting]) -> list[Sighting]:
    """The sightings without pips, and without those that see only some of the pips of a face."""
    kept = _without_pips(sightings)
    return [s for s in kept if not any(_is_part(s, other) for other in kept)]


def _without_pips(sightings: Sequence[Sighting]) -> list[Sighting]:
    """Where some are found to be pips of a large die, none as small that shows a one is a die."""
    large = max((s.edge_px for s in sightings if sum(_is_pip(p, s) for p in sightings) >= PIPS), default=0.0)
    return [s for s in sightings if not (shows(s) == 1 and s.edge_px < large / PIP)]


def _is_pip(small: Sighting, large: Sighting) -> bool:
    return small.edge_px < large.edge_px / PIP and shows(small) == 1 < shows(large) and _on(small, large)


def _is_part(small: Sighting, large: Sighting) -> bool:
    plain = large.belief > BELIEVED and large.sure > CLEAR
    larger = PART[0] < large.edge_px / small.edge_px < PART[1] and shows(large) > shows(small)
    return plain and larger and _on(small, large)


def _on(small: Sighting, large: Sighting) -> bool:
    return bool(np.hypot(*np.subtract(small.px, large.px)) < ON_FACE * large.edge_px)
