"""What is looked at again after a passage of play."""

import cv2
import numpy as np
import pytest

from hardware.frames import Image
from referee.vision.board import Window
from referee.vision.motion import half
from referee.vision.pieces import search
from referee.vision.steps import at_once
from referee.watch import looking
from referee.watch.looking import Looker, _changed
from referee.watch.scenes import Still
from tests.instead import never
from tests.vision import table
from tests.vision.test_pieces import known_board

WHOLE = Window(0, 0, 320, 240)


def letters(piece: tuple[int, int]) -> Image:
    picture = np.full((240, 320, 3), (120, 90, 50), np.uint8)
    cv2.putText(picture, "STONES", (20, 120), cv2.FONT_HERSHEY_SIMPLEX, 2.0, (200, 210, 215), 9, cv2.LINE_AA)
    cv2.circle(picture, piece, 9, (25, 25, 30), -1, cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.9), np.uint8)


def still(picture: Image, moved_px: float = 0.0) -> Still:
    warp = np.array([[1, 0, moved_px], [0, 1, -moved_px]], np.float32)
    image = cv2.warpAffine(picture, warp, (320, 240), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE)
    return Still((0, 12), 0, np.asarray(image, np.uint8), half(np.asarray(image, np.uint8)))


def test_edges_that_compression_moved_by_a_hair_are_not_looked_at_again() -> None:
    assert not _changed(still(letters((60, 190))), still(letters((60, 190)), 0.12), WHOLE).any()


def test_where_a_piece_lay_and_where_it_lies_is_looked_at_again() -> None:
    changed = _changed(still(letters((60, 190))), still(letters((250, 190)), 0.12), WHOLE)
    assert changed[95, 30] and changed[95, 125]
    assert not changed[20:70].any()


def test_a_board_on_which_nothing_changed_is_not_searched_again(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = table.laid((250, 200, 14, 12, (40, 40, 120)), (380, 260, 14, 12, (40, 120, 40)))
    rest = Still((0, 12), 0, picture, half(picture))
    looker = Looker(table.profile(), None)
    first = at_once(looker.look(rest))
    never(monkeypatch, looking, search, "nothing changed")
    assert len(first) == 2
    assert at_once(looker.look(rest)) == first


def test_a_missed_piece_is_looked_for_all_over_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of nearly the board's colour changes it so little that the search where it changed passes it by."""
    seed, bean = (40.0, 40.0, 120.0), (148.0, 187.0, 212.0)
    before = table.laid((250, 200, 14, 12, seed), (380, 260, 14, 12, seed))
    after = table.laid((250, 200, 14, 12, seed), (180, 330, 14, 12, bean))
    looker = Looker(table.profile(), known_board())
    assert len(at_once(looker.look(Still((0, 12), 0, before, half(before))))) == 2
    where_it_lay = np.zeros((half(before).shape[0], half(before).shape[1]), np.uint8)
    cv2.circle(where_it_lay, (190, 130), 12, 255, -1)
    window = known_board().window
    monkeypatch.setattr(
        looking, "_changed", lambda *_: np.ascontiguousarray(_halved(window).of(where_it_lay))
    )
    found = at_once(looker.look(Still((20, 32), 1, after, half(after))))
    assert sorted(round(p.px[0], -1) for p in found) == [180, 250]


def _halved(window: Window) -> Window:
    return Window(window.x // 2, window.y // 2, window.width // 2, window.height // 2)
