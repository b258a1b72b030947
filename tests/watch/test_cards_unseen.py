"""A table of cards that was not seen for a while: what changed is told as that, and play goes on."""

import numpy as np

from hardware.frames import Frame, Image
from referee.card_happenings import CardPlaced
from referee.happenings import SightBack, SightLost
from referee.table_eyes import TableEyes, eyes_over
from tests.vision import table
from tests.watch.stage import Eyes, Laid, paint
from tests.watch.test_sight import FPS

FIRST = (Laid("red", (150.0, 150.0)), Laid("white", (400.0, 200.0)))
SECOND = (*FIRST, Laid("blue", (250.0, 90.0)))
THIRD = (*SECOND, Laid("back", (500.0, 100.0)))


class Filmed:
    """Feeds pictures to the eyes, and keeps what they say."""

    def __init__(self) -> None:
        self.cards = Eyes(FIRST)
        self.eyes: TableEyes = eyes_over(table.profile(), ("A", "B"), self.cards, dice=False)
        self.told: list[object] = []
        self.count = self.late_s = 0

    def show(self, laid: tuple[Laid, ...], frames: int, by: str = "") -> None:
        for k in range(frames):
            self.cards.cards = laid
            hand = (300.0, 330.0 - 12 * k) if by == "a hand" else None
            picture = paint(laid, hand, noise=self.count + 1)
            self._feed(np.asarray(picture * 0.02, np.uint8) if by == "darkness" else picture)

    def _feed(self, picture: Image) -> None:
        t_ns = self.count * 1_000_000_000 // FPS + self.late_s * 1_000_000_000
        self.told += self.eyes.feed(Frame(self.count, t_ns, picture))
        self.count += 1


def test_a_card_that_came_in_the_dark_was_not_seen_placed() -> None:
    film = Filmed()
    film.show(FIRST, 2 * FPS)
    film.show(SECOND, 2 * FPS, by="darkness")
    film.show(SECOND, 2 * FPS)
    lost, back = film.told
    assert isinstance(lost, SightLost)
    assert lost.why == "it is too dark"
    assert isinstance(back, SightBack)
    assert back.changed == "1 card came"
    film.show(THIRD, 10, by="a hand")
    film.show(THIRD, 2 * FPS)
    (placed,) = film.told[2:]
    assert isinstance(placed, CardPlaced)


def test_a_table_that_is_as_it_was_has_not_changed() -> None:
    film = Filmed()
    film.show(FIRST, 2 * FPS)
    film.show(FIRST, 2 * FPS, by="darkness")
    film.show(FIRST, 2 * FPS)
    assert [h.changed for h in film.told if isinstance(h, SightBack)] == [""]


def test_after_a_night_with_eyes_shut_all_that_changed_is_told_as_ever() -> None:
    film = Filmed()
    film.show(FIRST, 2 * FPS)
    film.eyes.shut()
    film.late_s = 20
    film.show(SECOND, 2 * FPS)
    assert [type(h) for h in film.told] == [CardPlaced]
    film.late_s = 40
    film.show(THIRD, 2 * FPS)
    assert [type(h) for h in film.told[1:]] == [SightLost, SightBack]
