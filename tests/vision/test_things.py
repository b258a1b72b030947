"""What a thing on the board may be: one piece or several, its lit part or all of it."""

import numpy as np

from referee.vision.board import Field, Mask
from referee.vision.shadows import Lamp, Thing, body_of, way_of
from referee.vision.steps import at_once
from referee.vision.things import find_things

MIDDLE, RADIUS = 30.0, 10.0


def disc(x: float = MIDDLE, y: float = MIDDLE, radius: float = RADIUS) -> Field:
    """1 within a circle, 0 without."""
    rows, columns = np.mgrid[0:60, 0:60].astype(float)
    return np.asarray(np.hypot(columns - x, rows - y) < radius, np.float32)


def grey(shade: Field) -> Field:
    return np.repeat(shade[..., None], 3, axis=2).astype(np.float32)


def half_dark(lit: float, highlight: float) -> Thing:
    """A round thing, dark on its right; on the lit side a highlight."""
    whole = disc() > 0
    shade = np.where(np.mgrid[0:60, 0:60][1] > MIDDLE + 2, -1.0, lit) * whole
    shade = np.where(disc(MIDDLE - 5, MIDDLE, 3) > 0, highlight, shade)
    light, dark = (whole & (shade > -0.6)).astype(np.uint8), (whole & (shade < -0.6)).astype(np.uint8)
    return Thing(np.zeros(2, np.int64), grey(np.asarray(shade, np.float32)), whole, whole, light, dark)


def test_the_lit_part_of_a_dark_thing_is_not_the_piece_because_of_its_highlight() -> None:
    lamp = Lamp(np.array([1.0, 0.0]), np.full(3, -1.0, np.float32))
    assert body_of(half_dark(lit=0.1, highlight=0.1), lamp) is not None
    assert body_of(half_dark(lit=-0.3, highlight=2.0), lamp) is None


def test_the_spots_of_a_round_thing_are_hardly_pieces_of_their_own() -> None:
    faint = -0.1 * disc()
    spots = disc(25, 25, 4) + disc(35, 26, 4) + disc(30, 36, 4)
    everywhere = np.ones((60, 60), bool)
    ratio = grey(np.asarray(faint - 0.5 * spots, np.float32))
    (readings,), _ = at_once(find_things(ratio, everywhere, everywhere, everywhere, scale=1.0))
    several = [r for r in readings if len(r.hulls) > 1]
    assert several
    assert max(r.credit for r in several) < min(r.credit for r in readings if len(r.hulls) == 1)


def test_of_a_piece_of_the_boards_colour_not_only_the_shadow_is_a_thing() -> None:
    crescent = disc() * (1 - disc(MIDDLE, MIDDLE + 3))
    ratio = grey(np.asarray(0.045 * disc() - 0.8 * crescent, np.float32))
    everywhere = np.ones((60, 60), bool)
    (readings,), _ = at_once(find_things(ratio, everywhere, everywhere, everywhere, scale=1.0))
    widest = max(float(np.ptp(hull[:, 1])) for r in readings for hull in r.hulls)
    assert widest > 1.7 * RADIUS


def test_a_soft_shadow_round_a_clear_piece_does_not_widen_it() -> None:
    ratio = grey(np.asarray(-0.045 * disc(MIDDLE, MIDDLE, 13) - 0.8 * disc(), np.float32))
    everywhere = np.ones((60, 60), bool)
    (readings,), _ = at_once(find_things(ratio, everywhere, everywhere, everywhere, scale=1.0))
    assert max(float(np.ptp(hull[:, 1])) for r in readings for hull in r.hulls) < 2.2 * RADIUS


def test_a_darker_side_with_something_darker_behind_it_belongs_to_its_piece() -> None:
    lamp = Lamp(np.array([1.0, 0.0]), np.full(3, -1.0, np.float32))
    columns = np.mgrid[0:60, 0:60][1]
    piece = disc() > 0
    whole = piece | (disc(MIDDLE + 4) > 0)
    tones = np.where(columns > MIDDLE + 3, -0.5, 0.3)

    def body(behind: float) -> int:
        shade = np.where(piece, tones, behind) * whole
        light, dark = (whole & (shade > 0)).astype(np.uint8), (whole & (shade < 0)).astype(np.uint8)
        thing = Thing(np.zeros(2, np.int64), grey(np.asarray(shade, np.float32)), whole, whole, light, dark)
        found = body_of(thing, lamp)
        return 0 if found is None else int(np.count_nonzero(found[piece]))

    assert body(behind=-1.2) > 0.9 * np.count_nonzero(piece)
    assert body(behind=-0.4) < 0.7 * np.count_nonzero(piece)


def test_a_speckled_piece_of_the_boards_own_colour_is_a_thing() -> None:
    rng = np.random.default_rng(3)
    everywhere = np.ones((60, 60), bool)
    noise = rng.normal(0, 0.003, (60, 60)).astype(np.float32)
    speckled = np.asarray(noise + disc() * 0.04 * rng.choice([-1.0, 1.0], (60, 60)), np.float32)
    found, _ = at_once(find_things(grey(speckled), everywhere, everywhere, everywhere, scale=1.0))
    bare, _ = at_once(find_things(grey(noise), everywhere, everywhere, everywhere, scale=1.0))
    assert len(found) == 1
    assert bare == []


def shaded(turn: float, light_from: float) -> tuple[Field, Mask]:
    """A dark round piece at half resolution with its highlight on one side."""
    rows, columns = np.mgrid[0:21, 0:21].astype(np.float32)
    way = np.cos(light_from), np.sin(light_from)
    shade = -1.2 + 0.03 * ((columns - 10) * way[0] + (rows - 10) * way[1])
    shade[np.hypot(columns - 10 - 3 * way[0], rows - 10 - 3 * way[1]) < 2] = 0.4
    return grey(shade), (np.hypot((columns - 10) * (1 + turn), rows - 10) < 8).astype(np.uint8)


def test_pieces_tell_which_way_their_shadows_fall_if_they_agree() -> None:
    way = way_of([shaded(turn, light_from=0.3) for turn in (0.0, 0.2, 0.4)])
    assert way is not None
    assert way @ [np.cos(0.3), np.sin(0.3)] < -0.95
    assert way_of([shaded(0.0, light_from=turn) for turn in (0.0, 2.1, 4.2)]) is None
