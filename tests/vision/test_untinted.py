"""The tint of a dyed piece ends where the piece ends, and not where its thin, hard shadow does."""

import cv2
import numpy as np

from referee.vision.board import Field
from referee.vision.contact import Fellows
from referee.vision.outline import Traced
from referee.vision.untinted import without_untinted
from tests.vision.shadowed import MIDDLE, RADIUS, WAY, beyond_px, in_a_row, round_one

RED, GREY, SHADOW = (-1.2, -1.0, -0.1), (-0.8, -0.8, -0.8), -0.9
LIGHT, DIM = 5.0, 3.2
"""The board in a good light, and one so dark that no tint shows on it."""
TOOK_PX = 2.5
"""Width of the shadow that an outline took in."""
SMEAR = (9, 9)


def dyed(colour: tuple[float, float, float], took_px: float = TOOK_PX) -> Field:
    """One piece of a colour and the thin shadow beside it, over the board, with the tint smeared."""
    rows, columns = np.mgrid[0:100, 0:100].astype(float)
    spots = np.stack([columns, rows], axis=-1)
    ratio = np.zeros((100, 100, 3), np.float32)
    ratio[np.linalg.norm(spots - MIDDLE - took_px * WAY, axis=2) < RADIUS] = SHADOW
    ratio[np.linalg.norm(spots - MIDDLE, axis=2) < RADIUS] = colour
    shade = ratio.mean(axis=2, keepdims=True)
    return np.asarray(cv2.blur(ratio - shade, SMEAR) + cv2.blur(shade, (3, 3))[..., None], np.float32)


def laid(pictures: list[Field]) -> tuple[list[Traced], Field]:
    """Outlines that took the shadow in, one a piece of a row, and the picture over the board."""
    return in_a_row([round_one(TOOK_PX)] * len(pictures)), np.hstack(pictures)


def told(pictures: list[Field], light: float = LIGHT, fellows: Fellows | None = None) -> list[float]:
    """How far each outline reaches beyond its piece where the shadow falls, once the shadows are taken off."""
    placed, ratio = laid(pictures)
    bare = without_untinted(placed, ratio, ratio + np.float32(light), WAY, fellows or Fellows())
    return [beyond_px(one, k) for k, one in enumerate(bare)]


def test_dyed_pieces_give_back_the_thin_shadows_that_have_none_of_their_tint() -> None:
    assert min(told([dyed(GREY)] * 4)) > TOOK_PX - 0.5
    assert max(told([dyed(RED)] * 4)) < 1.0


def test_what_was_taken_off_is_doubted() -> None:
    placed, ratio = laid([dyed(RED)] * 4)
    bare = without_untinted(placed, ratio, ratio + np.float32(LIGHT), WAY, Fellows())
    assert all(now.sigma_px > 1.3 * one.sigma_px for now, one in zip(bare, placed, strict=True))


def test_pieces_too_dark_for_any_tint_keep_their_outlines() -> None:
    assert min(told([dyed(RED)] * 4, DIM)) > TOOK_PX - 0.5


def test_one_dyed_piece_alone_is_not_believed_until_its_fellows_say_the_same() -> None:
    fellows = Fellows()
    assert told([dyed(RED)], fellows=fellows)[0] > TOOK_PX - 0.5
    told([dyed(RED)] * 4, fellows=fellows)
    assert told([dyed(RED)], fellows=fellows)[0] < 1.0


def test_dyed_pieces_that_mostly_have_no_such_shadow_are_all_left_alone() -> None:
    bare = dyed(RED, 0.0)
    placed, ratio = laid([dyed(RED), dyed(RED), *[bare] * 5])
    outlines = [*placed[:2], *in_a_row([round_one()] * len(placed))[2:]]
    assert without_untinted(outlines, ratio, ratio + np.float32(LIGHT), WAY, Fellows()) == outlines
