"""A board put together from stills keeps its paint and loses the shadows that lay elsewhere in each."""

import numpy as np

from referee.vision.shading import gentle, unshaded

SIZE = 160


def painted() -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    """A board with broad planks, in logarithms."""
    rows, columns = np.mgrid[0:SIZE, 0:SIZE]
    grey = 4.5 + 0.2 * np.sin(rows / 9) + 0.1 * (columns > SIZE // 2)
    return np.repeat(grey[..., None], 3, axis=2).astype(np.float32)


def test_a_shadow_that_two_stills_share_is_not_remembered_as_paint() -> None:
    true = painted()
    stills = np.repeat(true[None], 6, axis=0)
    for k in range(6):
        stills[k, 5 + 24 * k : 45 + 24 * k, 10 + 12 * k : 80 + 12 * k] -= 0.5
    hidden = np.zeros((6, SIZE, SIZE), bool)
    hidden[0, 60:100, 60:100] = True
    wrong = true.copy()
    wrong[40:80, 40:100] -= 0.5
    seen = unshaded(wrong, stills, hidden)
    off = (seen - true) - np.median(seen - true)
    away = np.ones((SIZE, SIZE), bool)
    away[34:86, 34:106] = False
    away[46:74, 46:94] = True
    assert np.abs(wrong - true).max() > 0.49
    assert np.abs(off[away]).max() < 0.06


def test_a_board_without_shadows_stays_as_it_is() -> None:
    true = painted()
    seen = unshaded(true, np.repeat(true[None], 4, axis=0), np.zeros((4, SIZE, SIZE), bool))
    assert np.abs(seen - true).max() < 0.02


def test_a_shade_remembered_wrongly_is_taken_off_and_a_pale_piece_stays() -> None:
    rows, columns = np.mgrid[0:80, 0:80].astype(np.float32)
    shade = 0.25 * np.exp(-((columns - 30) ** 2 + (rows - 40) ** 2) / (2 * 12.0**2))
    piece = 0.12 * (np.hypot(columns - 38, rows - 44) < 3.5)
    ratio = np.repeat((shade + piece)[..., None], 3, axis=2).astype(np.float32)
    left = (ratio - gentle(ratio, np.ones((80, 80), bool)))[..., 0]
    lying = piece > 0
    near = (np.hypot(columns - 38, rows - 44) < 12) & (np.hypot(columns - 38, rows - 44) > 5)
    assert np.abs(left[near] - np.median(left)).max() < 0.05
    assert left[lying].mean() - left[near].mean() > 0.09
