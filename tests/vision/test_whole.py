"""Parts of a die are not told as dice of their own."""

from referee.vision.die_reading import Sighting
from referee.vision.whole import whole


def seen(
    value: int, at: tuple[float, float], edge_px: float, belief: float = 3.0, sure: float = 0.95
) -> Sighting:
    odds = tuple(sure if v == value else (1 - sure) / 5 for v in range(1, 7))
    return Sighting(at, edge_px, odds, 0.98, belief)


def test_pips_of_a_large_die_are_no_small_dice_however_plain_they_are() -> None:
    die = seen(4, (100, 100), 100, belief=1.0)
    pips = [seen(1, (75, 75), 22, belief=6.0), seen(1, (125, 75), 22, belief=6.0)]
    beside = seen(1, (300, 100), 22, belief=6.0)
    assert whole([*pips, beside, die]) == [die]


def test_dice_that_show_ones_stay_beside_a_larger_sighting_of_a_one() -> None:
    ones = [seen(1, (75, 75), 22), seen(1, (125, 75), 22)]
    blur = seen(1, (100, 100), 100)
    assert whole([*ones, blur]) == [*ones, blur]


def test_a_die_that_shows_a_one_stays_on_a_print_that_looks_like_a_large_face() -> None:
    one, print_ = seen(1, (75, 75), 40), seen(4, (100, 100), 250)
    assert whole([one, print_]) == [one, print_]


def test_two_pips_of_a_four_are_no_die_beside_the_whole_face() -> None:
    part, face = seen(2, (60, 55), 40, belief=6.0), seen(4, (66, 50), 60, belief=4.0)
    assert whole([part, face]) == [face]


def test_a_doubtful_larger_face_takes_nothing_away() -> None:
    die = seen(2, (60, 55), 40)
    vague, unbelieved = (
        seen(5, (66, 50), 60, sure=0.4),
        seen(5, (66, 50), 60, belief=0.0),
    )
    assert whole([die, vague, unbelieved])[0] == die


def test_dice_side_by_side_are_all_kept() -> None:
    dice = [seen(v, (60.0 * v, 50), 40 + 4 * v) for v in range(1, 7)]
    assert whole(dice) == dice
