"""A deck is learned by laying its cards before a camera."""

from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from referee.cli import main
from referee.decks import store
from referee.decks.showing import Showing, fault, in_rows, upright
from referee.errors import TableError
from referee.vision.cards.spot import GRID, Image, Spot
from tests.decks.cards_drawn import COLOURS, SIZE, back, face, lay
from tests.instead import instead

LENGTH = 108


def table() -> Image:
    grain = np.random.default_rng(3).normal(0, 3, (720, 1280, 1))
    return np.clip(np.array((60, 95, 40)) + grain, 0, 255).astype(np.uint8)


def with_card(card: Image, place: tuple[int, int] = (640, 360), turn: float = 0) -> Image:
    shown = table()
    lay(shown, card, place, turn, LENGTH)
    return shown


def write_film(path: Path, pictures: Iterable[Image]) -> None:
    """A second of each picture, ten frames a second."""
    with av.open(str(path), "w") as video:
        stream = video.add_stream("libx264", rate=10, options={"crf": "12"})
        stream.width, stream.height, stream.pix_fmt = 1280, 720, "yuv420p"
        stream.codec_context.time_base = Fraction(1, 10)
        for k, picture in enumerate(p for p in pictures for _ in range(10)):
            frame = av.VideoFrame.from_ndarray(picture, format="bgr24")
            frame.pts, frame.time_base = k, Fraction(1, 10)
            video.mux(stream.encode(frame))
        video.mux(stream.encode(None))


def test_cards_laid_one_after_another_get_their_names_in_order() -> None:
    showing = Showing(("sun", "sea", "back"))
    for card in (face("sun"), face("sea"), back()):
        showing.look(with_card(card))
        showing.look(table())
    assert showing.deck().names == ("sun", "sea", "back")


def test_a_row_is_learned_from_the_left() -> None:
    shown = table()
    for i, name in enumerate(COLOURS):
        lay(shown, face(name), (180 + 200 * i, 270), 0, LENGTH)
    showing = Showing(tuple(COLOURS))
    assert [answer.name for answer in showing.look(shown)] == list(COLOURS)
    assert showing.is_complete


def test_a_card_shown_again_is_not_learned_twice() -> None:
    showing = Showing()
    showing.look(with_card(face("rose")))
    showing.look(table())
    (again,) = showing.look(with_card(face("rose"), (300, 300), 180))
    assert (again.sentence, showing.names) == ("card_1 again, known already", ["card_1"])


def test_a_blurred_card_is_asked_for_again() -> None:
    shown = with_card(face("sea"))
    half = np.array((LENGTH * SIZE[0] / SIZE[1], LENGTH)) / 2
    corners = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half + np.array((640, 360))
    spot = Spot(corners, np.ones((GRID[1], GRID[0]), bool), 1.0)
    assert fault(shown, spot) is None
    assert fault(np.asarray(cv2.GaussianBlur(shown, (0, 0), 3), np.uint8), spot) == "is blurred"


def test_a_deck_of_which_cards_are_missing_is_not_kept() -> None:
    showing = Showing(("sun", "sea"))
    showing.look(with_card(face("sun")))
    with pytest.raises(TableError, match="1 of 2 cards were shown; missing: sea"):
        showing.deck()


def test_the_command_learns_from_a_camera(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    instead(monkeypatch, store, store.shelf)(lambda: tmp_path / "shelf")
    film = tmp_path / "film.mp4"
    write_film(film, [table(), with_card(face("leaf")), table(), with_card(back()), table()])
    assert main(["learn", "ours", "--camera", f"footage:{film}", "--names", "leaf, back"]) == 0
    assert capsys.readouterr().out.splitlines()[:2] == [
        "leaf understood (1 of 2)",
        "back understood (2 of 2)",
    ]
    assert store.load("ours").names == ("leaf", "back")


def test_rows_are_read_from_the_top_and_the_left() -> None:
    def at(x: float, y: float) -> Spot:
        square = np.array([[-30, -42], [30, -42], [30, 42], [-30, 42]])
        return Spot(square + np.array((x, y)), np.ones((GRID[1], GRID[0]), bool), 1.0)

    spots = [at(300, 110), at(100, 300), at(100, 100), at(250, 290)]
    assert [spot.corners.mean(axis=0)[0] for spot in in_rows(spots)] == [100, 300, 100, 250]


def test_the_end_farther_up_the_picture_is_the_top() -> None:
    corners = np.array([[100.0, 200.0], [40.0, 200.0], [40.0, 116.0], [100.0, 116.0]])
    spot = Spot(corners, np.ones((GRID[1], GRID[0]), bool), 1.0)
    assert upright(spot).corners[0].tolist() == [40.0, 116.0]
