"""What is seen of a piece at the moment of the strike, when hand and piece are one blob."""

import numpy as np

from referee.happenings import Doubt
from referee.types import Piece
from referee.vision.glimpses import Glimpse, Sketch
from referee.vision.steps import at_once
from referee.watch.following import HalfFrame, Sighting, Trail
from referee.watch.leaving import led_since, left_home
from referee.watch.movers import Mover, Place, bias_of, seen_to_rest
from referee.watch.shots import hastens, hidden, strays, strike
from referee.watch.tracks import seen_moving
from referee.watch.ways import (
    free_since,
    from_its_own_place,
    slides_on_to,
    without_a_dead_stop,
    without_a_lingerer,
    without_the_finger,
    without_the_hand,
)

HOME, RADIUS, FRAME_NS = np.zeros(2), 8.0, 16_666_667
FREE, AT_THE_HAND = 30.0, 1.0


def piece(x_mm: float) -> Piece:
    outline = ((x_mm + 8, 0.0), (x_mm, 8.0), (x_mm - 8, 0.0), (x_mm, -8.0))
    return Piece(id=1, px=(x_mm, 0.0), mm=(x_mm, 0.0), outline_mm=outline, on_board=True, sigma_mm=0.2)


def seen(*places: tuple[float, float, float]) -> list[Sighting]:
    """x, y and the space to the hand, a frame each."""
    return [Sighting(k, k * FRAME_NS, np.array([x, y]), reach, 1.0) for k, (x, y, reach) in enumerate(places)]


def test_a_finger_beside_the_way_is_not_taken_for_the_piece() -> None:
    way = seen((-22, -18, AT_THE_HAND), (14, 16, AT_THE_HAND), (20, 22, FREE), (25, 28, FREE))
    assert without_the_hand(way, HOME, RADIUS) == way[1:]


def test_the_finger_that_comes_to_a_piece_and_strikes_it_is_none_of_its_way() -> None:
    way = seen(
        (-60, -3, FREE), (-31, -2, FREE), (-30, -2, FREE), (-12, -1, FREE), (14, 1, FREE), (30, 2, FREE)
    )
    assert without_the_finger(way, HOME, RADIUS) == way[4:]


def test_a_finger_that_strikes_a_piece_at_its_rim_is_none_of_its_way_either() -> None:
    way = seen((30, -60, FREE), (32, -58, FREE), (6, -30, AT_THE_HAND), (9, 22, FREE), (14, 35, FREE))
    assert without_the_finger(way, HOME, RADIUS) == way[3:]


def test_a_piece_that_comes_to_rest_where_the_one_it_struck_had_lain_keeps_its_way() -> None:
    struck = Trail(np.array([60.0, 0.0]), RADIUS)
    struck.sightings = seen(*[(60, 0, FREE)] * 4, (62, 0, FREE))
    way = seen((20, 0, FREE), (40, 0, FREE), (52, 0, FREE), (59, 0, FREE), (60, 0, FREE))
    assert from_its_own_place(way, Trail(HOME, RADIUS), [struck]) == way
    mistaken = seen((60, 0, FREE), (60, 0, FREE), (60, 0, FREE), (70, 0, FREE), (80, 0, FREE))
    assert from_its_own_place(mistaken, Trail(HOME, RADIUS), [struck]) == mistaken[3:]


def test_a_piece_that_touched_the_one_beside_it_keeps_no_sighting_of_that_ones_place() -> None:
    beside = Trail(np.array([0.0, 18.0]), RADIUS)
    beside.sightings = seen(*[(0, 18, FREE)] * 8)
    both, other, way = (
        [(0.0, 9.0, FREE)] * 3,
        [(0.0, 17.0, FREE)] * 4,
        [(30.0, -4.0, FREE), (60.0, -8.0, FREE)],
    )
    followed_back = seen(*both, *other, *way)
    assert from_its_own_place(followed_back, Trail(HOME, RADIUS), [beside]) == followed_back[7:]
    soon = seen(*both[:1], *other[:1], *way)
    assert from_its_own_place(soon, Trail(HOME, RADIUS), [beside]) == soon


def test_a_piece_at_rest_half_under_the_hand_was_not_seen_on_its_way() -> None:
    under_it, rest = (-18.0, 0.0, -1.0), [(0.0, 0.0, FREE)] * 4
    assert not seen_moving(seen(under_it, *rest), RADIUS)
    assert seen_moving(seen((-18.0, 0.0, 2.0), *rest), RADIUS)


def test_a_trail_runs_free_from_where_it_leaves_hand_and_place() -> None:
    back = Trail(np.array([90.0, 0.0]), RADIUS)
    back.sightings = seen((10, 0, 1.0), (30, 0, 4.0), (50, 0, FREE), (70, 0, FREE), (90, 0, FREE))[::-1]
    assert free_since(back, HOME) == 2 * FRAME_NS
    back.sightings = back.sightings[-1:]
    assert free_since(back, HOME) > 10**18


def test_a_piece_whose_shadow_draws_its_blob_aside_is_still_in_its_place_and_on_its_way() -> None:
    lay, slid, rests = [(3.0, -1.0)] * 5, [(23.0 + 10 * k, -1.0) for k in range(6)], [(80.0, 0.0)] * 3
    spots, reach = np.array(lay + slid + rests), np.full(14, 40.0)
    true = spots + bias_of(spots, reach, piece(0.0), piece(80.0))
    assert np.abs(true[:5]).max() < 0.01
    assert np.abs(true[5:8] - [(20.0, 0.0), (30.0, 0.0), (40.0, 0.0)]).max() < 0.01
    assert np.abs(true[-3:] - (80.0, 0.0)).max() < 0.01


def test_a_piece_that_was_only_nudged_is_seen_where_it_lies_in_the_end() -> None:
    spots, reach = np.array([(1.0, 0.0)] * 3 + [(4.4, 0.0)] * 9), np.full(12, 40.0)
    assert np.abs(spots + bias_of(spots, reach, piece(0.0), piece(3.4)) - (3.4, 0.0))[-9:].max() < 0.01


def test_a_fast_piece_first_seen_far_from_its_place_keeps_its_way() -> None:
    way = seen((40, 0, FREE), (70, 0, FREE), (95, 0, FREE))
    assert without_the_finger(way, HOME, RADIUS) == way


def test_what_leads_straight_away_from_the_hand_is_kept() -> None:
    way = seen((9, 0, AT_THE_HAND), (18, 0, AT_THE_HAND), (26, 0, FREE))
    assert without_the_hand(way, HOME, RADIUS) == way


def test_a_piece_that_bounces_back_clear_of_the_hand_has_gone_the_long_way() -> None:
    way = seen((60, 0, FREE), (20, 0, FREE), (15, 0, FREE))
    assert without_the_hand(way, HOME, RADIUS) == way


def test_a_hand_that_darts_off_from_a_piece_at_rest_is_not_its_slide() -> None:
    way = seen((0, 160, AT_THE_HAND), (26, 170, AT_THE_HAND), (52, 180, AT_THE_HAND), (54, 181, FREE))
    assert without_a_dead_stop(way, RADIUS, scale_mm=1.0) == way[2:]


def test_a_shadow_that_lingers_before_the_piece_darts_off_is_none_of_its_way() -> None:
    lingers = [
        (-36, -1, 17),
        (-36, 9, 27),
        (-32, 9, 23),
        (-30, 8, 20),
        (-22, 6, 13),
        (-16, 6, FREE),
        (-22, 5, 13),
    ]
    darts = [(-7, 25, 16), (-4, 36, 20), (-8, 47, FREE), (-9, 52, FREE), (-12, 56, FREE)]
    way = seen(*lingers, *darts)
    assert without_a_lingerer(way, HOME, RADIUS) == way[7:]
    assert without_a_lingerer(way[7:], HOME, RADIUS) == way[7:]


def test_a_piece_that_comes_straight_back_and_one_led_by_the_hand_keep_their_ways() -> None:
    back = seen(*[(x, 0, FREE) for x in (20, 40, 55, 65, 58, 51, 45, 40, 36, 33)])
    led = seen(*[(x, 0, AT_THE_HAND) for x in (12, 14, 16, 18, 20, 22, 24)], (34, 0, FREE), (44, 0, FREE))
    assert without_a_lingerer(back, HOME, RADIUS) == back
    assert without_a_lingerer(led, HOME, RADIUS) == led


def test_a_slide_seen_before_a_hand_came_over_it_belongs_to_the_rest_seen_after() -> None:
    slide = seen((20, 0, FREE), (30, 0, FREE), (39, 0, FREE), (47, 0, FREE))
    rest = Sighting(20, 20 * FRAME_NS, np.array([60.0, 0.0]), FREE, 1.0)
    assert slides_on_to(slide, rest)
    too_soon = Sighting(4, 4 * FRAME_NS, np.array([90.0, 0.0]), FREE, 1.0)
    assert not slides_on_to(slide, too_soon)
    finger = seen((20, 0, FREE), (23, 0, FREE), (35, 0, FREE), (47, 0, FREE))
    assert not slides_on_to(finger, rest)
    assert not slides_on_to(slide[:2], rest)


def test_a_piece_that_trembles_at_rest_keeps_its_place() -> None:
    rests = seen(*[(60, 0, FREE)] * 7, (60.1, 0, FREE), (60, 0, FREE), (60.2, 0, FREE))
    assert without_a_lingerer(rests, HOME, RADIUS) == rests


def test_a_slide_that_friction_may_have_stopped_is_kept() -> None:
    slow = seen((0, 0, AT_THE_HAND), (4, 0, AT_THE_HAND), (7, 0, AT_THE_HAND), (9, 0, FREE))
    fast = seen((0, 0, AT_THE_HAND), (16, 0, AT_THE_HAND), (31, 0, FREE), (45, 0, FREE), (140, 0, FREE))
    assert without_a_dead_stop(slow, RADIUS, scale_mm=1.0) == slow
    assert without_a_dead_stop(fast, RADIUS, scale_mm=1.0) == fast


def test_a_piece_that_another_stopped_clear_of_the_hand_slid_all_the_same() -> None:
    way = seen((0, 0, FREE), (26, 0, FREE), (52, 0, FREE), (54, 0, FREE))
    assert without_a_dead_stop(way, RADIUS, scale_mm=1.0) == way


def test_a_way_never_seen_stays_unseen() -> None:
    assert without_the_hand([], HOME, RADIUS) == []
    assert without_a_dead_stop([], RADIUS, scale_mm=1.0) == []


def front_at(*along: float) -> list[Glimpse]:
    """Frames in which hand and piece are one blob that reaches so far along the way."""
    return [
        Glimpse((), np.column_stack([np.arange(-4.0, a), np.zeros(len(np.arange(-4.0, a)))])) for a in along
    ]


def left(*along: float) -> int | None:
    image = np.zeros((2, 2, 3), np.uint8)
    drawn = Sketch((0, 0, 0, 0), np.zeros((0, 0), np.uint8), 1.0)
    frames = [HalfFrame(k, k, image, (0, 0), drawn) for k in range(len(along))]
    return at_once(left_home(frames, front_at(*along), Trail(HOME, RADIUS), np.array([60.0, 0.0])))


def test_a_piece_that_is_led_left_when_its_front_went_on() -> None:
    assert left(8, 8, 8, 11, 14, 18, 23, 29, 36, 44) == 3


def test_a_hand_that_hovers_before_it_strikes_has_not_led_the_piece() -> None:
    assert left(8, 8, 8, *[14] * 15, 20, 28, 36, 44) == 17


def test_a_piece_first_seen_at_rest_with_the_hand_far_off_was_not_led_for_all_one_knows() -> None:
    start, end = piece(0.0), piece(80.0)

    def shot(reach_mm: float, t_ns: int) -> Doubt:
        here = Place(0, 0, (0.0, 0.0), 30.0)
        there = Place(9, t_ns, (80.0, 0.0), reach_mm)
        return strike(Mover(start, end, end.px, (there,), (here,), left_ns=0), FRAME_NS).guided

    assert shot(10.0, 200_000_000) is True
    assert shot(20.0, 200_000_000) is None
    assert shot(20.0, 400_000_000) is True
    assert shot(70.0, 100_000_000) is False
    assert shot(70.0, 400_000_000) is None


def test_a_piece_that_a_hand_uncovers_at_rest_while_it_darts_back_was_led() -> None:
    start, end = piece(0.0), piece(50.0)

    def shot(*reach_mm: float) -> Doubt:
        rest = [Place(40 + k, (40 + k) * FRAME_NS, (50.0, 0.0), reach) for k, reach in enumerate(reach_mm)]
        mover = Mover(start, end, end.px, tuple(rest), (Place(0, 0, (0.0, 0.0), 30.0),), left_ns=0)
        return strike(mover, FRAME_NS).guided

    assert shot(28.0, 45.0, 62.0) is True
    assert shot(28.0, 30.0, 32.0) is None


def test_a_hand_over_the_piece_before_it_slides_from_its_place_is_the_strike() -> None:
    start, end = piece(0.0), piece(112.0)

    def shot(*slide_mm: float) -> Doubt:
        """Something is seen beside the place, then nothing for two frames, then a slide."""
        beside = Place(5, 5 * FRAME_NS, (12.0, 0.0), 7.0)
        slide = [Place(8 + k, (8 + k) * FRAME_NS, (x, 0.0), 13.0 + x) for k, x in enumerate(slide_mm)]
        mover = Mover(start, end, end.px, (beside, *slide), (Place(0, 0, (0.0, 0.0), 30.0),), left_ns=0)
        return strike(mover, FRAME_NS).touched_moving

    assert shot(48.0, 62.0, 75.0, 86.0, 95.0) is False
    assert shot(48.0, 51.0, 54.0, 57.0, 60.0) is not False


def test_a_hand_over_the_shooter_far_on_its_way_is_a_touch_whatever_is_seen_afterwards() -> None:
    start, end = piece(0.0), piece(150.0)
    way = [Place(5 + k, (5 + k) * FRAME_NS, (20.0 + 8 * k, 0.0), 40.0 - 3 * k) for k in range(10)]
    later = [Place(40 + k, (40 + k) * FRAME_NS, (142.0 + 2 * k, 0.0), 11.0 + 30 * k) for k in range(5)]
    mover = Mover(start, end, end.px, (*way, *later), (Place(0, 0, (0.0, 0.0), 30.0),), left_ns=0)
    assert strike(mover, FRAME_NS).touched_moving is True


def test_of_a_long_way_that_nobody_saw_nobody_says_that_the_hand_led_it() -> None:
    def shot(far_mm: float, after_ns: int) -> Mover:
        start, end = piece(0.0), piece(far_mm + 60)
        way = [Place(k, after_ns + k * FRAME_NS, (far_mm + 10 * k, 0.0), 3.0 + k) for k in range(6)]
        rested = (Place(0, 0, (0.0, 0.0), 5.0),)
        return Mover(start, end, end.px, tuple(way), rested, left_ns=0)

    assert strike(shot(60, 300_000_000), FRAME_NS).guided is True
    assert strike(shot(160, 300_000_000), FRAME_NS).guided is None
    assert hidden(shot(160, 300_000_000), FRAME_NS)
    assert not hidden(shot(60, 300_000_000), FRAME_NS)
    assert not hidden(shot(160, 3 * FRAME_NS), FRAME_NS)


def test_a_hand_may_have_come_and_gone_while_the_piece_was_not_seen() -> None:
    start, end = piece(0.0), piece(80.0)

    def shot(gap_ns: int) -> Doubt:
        way = [Place(k, k * FRAME_NS, (10.0 + 10 * k, 0.0), 40.0) for k in range(5)]
        last = Place(99, 4 * FRAME_NS + gap_ns, (80.0, 0.0), 40.0)
        return strike(Mover(start, end, end.px, (*way, last), (), left_ns=0), FRAME_NS).touched_moving

    assert shot(FRAME_NS) is False
    assert shot(500_000_000) is None


def test_a_hand_held_what_stops_sooner_alone_and_unseen_than_any_friction_stops_it() -> None:
    way = tuple(Place(k, k * FRAME_NS, (10.0 + 12 * k - 0.4 * k * k, 0.0), 30.0) for k in range(8))

    def shot(end_mm: float, alone: bool = True) -> Doubt:
        start, end = piece(0.0), piece(end_mm)
        last = Place(99, 400_000_000, (end_mm, 0.0), 40.0)
        mover = Mover(start, end, end.px, (*way, last), (), left_ns=0)
        return strike(mover, FRAME_NS, alone=alone).touched_moving

    assert shot(way[-1].mm[0] + 6) is True
    assert shot(way[-1].mm[0] + 40) is None
    assert shot(way[-1].mm[0] + 6, alone=False) is None


def test_what_runs_faster_and_faster_does_not_slide() -> None:
    def mover(*x_mm: float) -> Mover:
        places = tuple(Place(k, k * FRAME_NS, (x, 0.0), 20.0) for k, x in enumerate(x_mm))
        return Mover(piece(0.0), None, None, places, ())

    assert hastens(mover(24, 31, 44, 62, 77, 99, 123))
    assert not hastens(mover(24, 44, 62, 77, 89, 98, 104))
    assert not hastens(mover(24, 44))


def test_what_goes_far_about_is_no_piece_that_slid() -> None:
    def mover(*x_mm: float) -> Mover:
        places = tuple(Place(k, k * FRAME_NS, (x, 0.0), 20.0) for k, x in enumerate(x_mm))
        return Mover(piece(0.0), piece(48.0), (0.0, 0.0), places, ())

    assert strays(mover(30, 60, 90, 120, 150, 120, 90, 60))
    assert not strays(mover(10, 20, 30, 38, 43, 46, 48))
    assert not strays(mover(20, 40, 60, 72, 66, 58, 50)), "it hit something and came back"


def film(count: int) -> list[HalfFrame]:
    image, drawn = np.zeros((2, 2, 3), np.uint8), Sketch((0, 0, 0, 0), np.zeros((0, 0), np.uint8), 1.0)
    return [HalfFrame(k, k * FRAME_NS, image, (0, 0), drawn) for k in range(count)]


def hands_at(*tips: float) -> list[Glimpse]:
    """A hand from behind the piece, whose tip reaches so far along the way."""
    rims = [[(x, y) for x in range(-20, int(tip) + 1, 2) for y in (-3, 3)] for tip in tips]
    return [Glimpse((np.array(rim, np.int32)[:, None],), np.zeros((0, 2))) for rim in rims]


def test_a_hand_that_goes_all_the_way_has_led_the_piece_and_one_that_flicked_it_has_not() -> None:
    home, toward = Trail(HOME, RADIUS), np.array([60.0, 0.0])
    home.lain_ns = 0
    led = hands_at(-4, 0, 6, 12, 18, 24, 30, 36, 42, 48)
    flicked = hands_at(-4, 0, 20, 38, 38, 38, 36, 30, 24, 18)
    followed = hands_at(-4, 0, 6, 12, 18, 22, 22, 22, 22, 22)
    assert led_since(film(10), led, home, toward) == FRAME_NS * 2
    assert led_since(film(10), flicked, home, toward) is None
    assert led_since(film(10), followed, home, toward) is None


def test_a_piece_that_came_to_rest_before_all_eyes_lies_there_though_it_is_hard_to_see() -> None:
    def end_of(*x_mm: float, reach_mm: float = 60.0) -> Piece | None:
        places = tuple(Place(k, k * FRAME_NS, (x, 0.0), reach_mm) for k, x in enumerate(x_mm))
        return seen_to_rest(piece(0.0), places, seen(*((x, 0.0, reach_mm) for x in x_mm)), RADIUS)

    end = end_of(20, 45, 60, 68, 70, 70, 70)
    assert end is not None
    assert end.mm == (70.0, 0.0)
    assert end.sigma_mm > 1.0
    assert max(x for x, _ in end.outline_mm) == 78.0
    assert end_of(20, 45, 60, 75, 90) is None
    assert end_of(20, 45, 60, 70, 70, 70, reach_mm=5.0) is None
    assert end_of(3, 2, 3, 3) is None
