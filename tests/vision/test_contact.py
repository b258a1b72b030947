"""On the side that is turned from the light a dark piece ends where its shadow begins."""

import numpy as np

from referee.vision.board import Field
from referee.vision.contact import Fellows, Meeting, meeting, without_cast
from referee.vision.outline import Traced
from referee.vision.ovals import RAYS, TOWARDS, Points

MIDDLE, RADIUS, LENGTH = np.array([50.0, 50.0]), 14.0, 7.0
WAY = np.array([0.6, 0.8])
"""Where the shadow falls."""


def lying(piece: float, shadow: float, tint: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Field:
    """Picture over board: a round piece of one shade, and its hard shadow."""
    rows, columns = np.mgrid[0:100, 0:100].astype(float)
    off = np.stack([columns, rows], axis=2) - MIDDLE
    along = off @ WAY
    nearest = off - np.clip(along, 0, LENGTH)[..., None] * WAY
    cast = np.clip(RADIUS + 0.5 - np.hypot(nearest[..., 0], nearest[..., 1]), 0, 1)[..., None]
    solid = np.clip(RADIUS + 0.5 - np.hypot(off[..., 0], off[..., 1]), 0, 1)[..., None]
    ground = cast * (shadow + np.array(tint))
    return np.asarray(ground * (1 - solid) + piece * solid, np.float32)


def round_both() -> Traced:
    """An outline that took the shadow in."""
    middle = MIDDLE + LENGTH / 2 * WAY
    along = np.abs(TOWARDS @ WAY)
    radii = RADIUS + LENGTH / 2 * along
    return Traced(middle, middle + radii[:, None] * TOWARDS, contrast=0.5, sigma_px=0.4, vague=0.0)


def round_one() -> Traced:
    return Traced(
        MIDDLE, MIDDLE + np.full((RAYS, 1), RADIUS) * TOWARDS, contrast=0.5, sigma_px=0.4, vague=0.0
    )


def rim(traced: Traced) -> Points:
    return np.asarray(np.hypot(*(traced.points - MIDDLE).T), float)


def test_outlines_give_back_the_shadows_that_are_darker_than_the_pieces() -> None:
    traced = round_both()
    met = meeting(traced, lying(-0.6, -1.1), WAY)
    back = without_cast([traced] * 3, [met] * 3, Fellows())[0]
    assert rim(traced).max() > RADIUS + 5
    assert np.abs(rim(back) - RADIUS).max() < 2.0
    assert back.sigma_px > traced.sigma_px


def test_a_piece_without_a_shadow_keeps_its_outline() -> None:
    assert meeting(round_one(), lying(-0.6, 0.0), WAY) is None


def test_what_is_dark_but_coloured_is_no_shadow() -> None:
    assert meeting(round_both(), lying(-0.6, -1.1, tint=(-0.5, 0.0, 0.5)), WAY) is None


def test_a_piece_to_which_little_points_gives_back_its_shadow_when_its_fellows_did() -> None:
    traced = round_both()
    met = meeting(traced, lying(-0.6, -1.1), WAY)
    assert met is not None
    doubtful = Meeting(met.middle, met.radii, met.beyond_px, likely=0.0)
    fellows = Fellows()
    assert without_cast([traced], [doubtful], fellows) == [traced]
    without_cast([traced] * 4, [met] * 4, fellows)
    assert without_cast([traced], [doubtful], fellows) != [traced]
