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
