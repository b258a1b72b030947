"""Spots of cards for tests that need no picture."""

import numpy as np

from referee.vision.cards.spot import GRID, Spot


def card(x: float, share: float = 1.0) -> Spot:
    """A card at x whose left `share` is open."""
    columns, rows = GRID
    seen = np.zeros((rows, columns), bool)
    seen[:, : round(columns * share)] = True
    corners = np.array([[x, 20], [x + 63, 20], [x + 63, 108], [x, 108]], np.float64)
    return Spot(corners, seen, 1.0)
