"""Rims are looked for however many cards are supposed."""

import numpy as np

from referee.vision.cards.ownership import Ownership
from referee.vision.cards.refining import WIDE, fit


def test_rims_of_very_many_supposed_cards_are_looked_for_at_once() -> None:
    cloth = np.full((300, 400, 3), 90, np.uint8)
    card = np.array([[100.0, 100.0], [130.0, 100.0], [130.0, 142.0], [100.0, 142.0]])
    many = np.repeat(card[None], 1200, axis=0)
    nobody = Ownership(np.full((75, 100), -1), 4.0)
    corners, clear = fit(cloth, many, np.zeros(len(many), int), nobody, WIDE)
    assert corners.shape == many.shape
    assert clear.max() == 0
