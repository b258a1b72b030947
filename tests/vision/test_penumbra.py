"""A dark piece in a soft light is outlined without the shadow that is as dark as itself."""

from dataclasses import replace

import numpy as np

from referee.vision.board import Field
from referee.vision.contact import Fellows, meetings
from referee.vision.outline import Traced
from referee.vision.ovals import RAYS, TOWARDS, Points
from referee.vision.penumbra import without_penumbra
from referee.vision.pieces import without_any_shadow
from tests.vision import shadowed

MIDDLE, RADIUS, REACH = np.array([40.0, 40.0]), 14.0, 12.0
AWAY = np.array([0.6, 0.8])
"""Where the shadow falls."""


def dark_piece(shadow: float) -> Field:
    """Picture over board: darkest under the averted rim, the shadow lighter and lighter from there."""
    rows, columns = np.mgrid[0:80, 0:80].astype(float)
    off = np.stack([columns, rows], axis=2) - MIDDLE
    far = np.hypot(off[..., 0], off[..., 1])
    averted = np.clip((off @ AWAY) / np.maximum(far, 1), 0, 1)
    piece = -0.7 - 0.6 * averted * np.clip((far - 4) / (RADIUS - 4), 0, 1)
    ground = -shadow * np.sqrt(averted) * np.clip(1 - (far - RADIUS) / REACH, 0, 1)
    shade = np.where(far < RADIUS, piece, ground)
    return np.repeat(shade[..., None], 3, axis=2).astype(np.float32)


def outline(radii: Points) -> Traced:
    return Traced(MIDDLE, MIDDLE + radii[:, None] * TOWARDS, contrast=0.5, sigma_px=0.4, vague=0.0)


def rim(traced: Traced) -> Points:
    return np.asarray(np.hypot(*(traced.points - MIDDLE).T), float)


def test_an_outline_that_ran_out_into_a_soft_shadow_comes_back_to_the_rim() -> None:
    ran_out = outline(RADIUS + 6 * np.clip(TOWARDS @ AWAY, 0, 1) ** 2)
    back = without_penumbra(ran_out, dark_piece(shadow=1.1))
    assert np.abs(rim(ran_out) - RADIUS).max() > 5
    assert np.abs(rim(back) - RADIUS).max() < 2
    assert back.sigma_px > ran_out.sigma_px


def test_a_piece_that_ends_in_a_step_keeps_its_outline() -> None:
    right = outline(np.full(RAYS, RADIUS))
    assert without_penumbra(right, dark_piece(shadow=0.2)) is right
    assert without_penumbra(right, dark_piece(shadow=1.1)) is right


def test_a_soft_shadow_is_taken_only_off_outlines_without_the_shadow_all_pieces_throw() -> None:
    took_it, did_not = (
        replace(one, bare=replace(one, sigma_px=9.0)) for one in (shadowed.round_both(), shadowed.round_one())
    )
    met = meetings([took_it], shadowed.lying(-0.6, -1.1), shadowed.WAY)[0]
    bare = without_any_shadow([took_it] * 3 + [did_not], [met] * 3 + [None], Fellows())
    assert bare[3] is did_not.bare
    assert all(shadowed.rim(one).max() < shadowed.RADIUS + 2 and one.sigma_px < 9.0 for one in bare[:3])
