"""A standard deck that nobody has shown is read: whole, turned, covered, in poor light and with other letters."""

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np
import pytest

from referee.decks.printed import PRINTED
from referee.decks.printed.canvas import HEIGHT_MM, WHITE, WIDTH_MM, Canvas, blank, upside_down
from referee.decks.printed.suits import COLOURS, pip, standard_faces
from referee.vision.cards import Reading, StandardDeck, standard
from referee.vision.cards.spot import GRID, Image, Quad, Spot, cuts
from referee.vision.cards.standard import NAMES, Chances, End, _face_evidence, _Indices
from tests.decks.cards_drawn import green_table, lay
from tests.instead import instead

LENGTH_PX = 96.0
SURE = 0.9
ROWS = [(100 + 72 * (i % 13), 130 + 118 * (i // 13)) for i in range(52)]


@cache
def faces() -> dict[str, Image]:
    """A deck of our own drawing: the network never learned from it."""
    return standard_faces()


def spot(x: float, y: float, turn_deg: float, seen: np.ndarray | None = None) -> Spot:
    t = np.radians(turn_deg)
    up, right = np.array([-np.sin(t), -np.cos(t)]), np.array([np.cos(t), -np.sin(t)])
    tall, wide = up * LENGTH_PX / 2, right * LENGTH_PX * 315 / 440 / 2
    middle = np.array([x, y])
    corners: Quad = np.array(
        [middle + tall - wide, middle + tall + wide, middle - tall + wide, middle - tall - wide]
    )
    return Spot(corners, np.ones(GRID[::-1], bool) if seen is None else seen, 1.0)


def filmed(table: Image, light: float = 1.0) -> Image:
    """As a camera sees it: a little soft, a little noisy, brighter or darker."""
    soft = cv2.GaussianBlur(table, (0, 0), 0.6) * light
    return np.clip(soft + np.random.default_rng(2).normal(0, 3, table.shape), 0, 255).astype(np.uint8)


def read_all(turn_deg: float, light: float) -> list[tuple[str, Reading]]:
    table = green_table()
    for face, (x, y) in zip(faces().values(), ROWS, strict=True):
        lay(table, face, (x, y), turn_deg, LENGTH_PX)
    spots = [spot(x, y, turn_deg) for x, y in ROWS]
    return list(zip(faces(), StandardDeck().read(filmed(table, light), spots), strict=True))


def test_a_card_with_plain_indices_is_known_without_its_face(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at = 0

    def look(image: Image, spots: Sequence[Spot]) -> list[np.ndarray]:
        nonlocal looked_at
        looked_at += len(spots)
        return face_evidence(image, spots)

    face_evidence = standard._face_evidence
    monkeypatch.setattr(standard, "_face_evidence", look)
    right = [reading.name == name for name, reading in read_all(0, 1.0)]
    assert sum(right) >= 50
    assert looked_at < 40


@pytest.mark.parametrize(("turn_deg", "light"), [(0, 1.0), (180, 1.0), (4, 0.45), (-3, 1.15)])
def test_the_cards_of_an_unknown_deck_are_read(turn_deg: float, light: float) -> None:
    told = read_all(turn_deg, light)
    wrong = [(name, r) for name, r in told if r.name != name]
    assert len(wrong) <= 2, wrong
    assert all(r.confidence < SURE for _, r in wrong), wrong


@pytest.mark.parametrize("name", ["10H", "6C", "8D"])
def test_a_covered_card_is_sure_only_if_an_index_is_open(name: str) -> None:
    table = green_table()
    lay(table, faces()[name], (300, 300), 0, LENGTH_PX)
    middle = np.zeros(GRID[::-1], bool)
    middle[7:15] = True  # both indices lie under other cards
    open_end = np.zeros(GRID[::-1], bool)
    open_end[:15] = True
    hidden, shown = StandardDeck().read(
        filmed(table), [spot(300, 300, 0, middle), spot(300, 300, 0, open_end)]
    )
    assert hidden.confidence < SURE < shown.confidence
    assert shown.name == name


def test_a_back_is_a_card_face_down() -> None:
    table = green_table()
    lay(table, PRINTED["standard"].draw()["back"], (300, 300), 10, LENGTH_PX)
    (reading,) = StandardDeck().read(filmed(table), [spot(300, 300, 10)])
    assert (reading.name, reading.face) == ("back", "down")


@pytest.mark.parametrize("name", ["7H", "10C", "4S", "9D"])
def test_a_card_half_covered_is_read_by_what_is_open(name: str) -> None:
    table = green_table()
    lay(table, faces()[name], (300, 300), 0, LENGTH_PX)
    lay(table, faces()["2C"], (300 + LENGTH_PX * 0.4, 300), 0, LENGTH_PX)
    seen = np.zeros(GRID[::-1], bool)
    seen[:, : round(GRID[0] * 0.55)] = True
    (reading,) = StandardDeck().read(filmed(table), [spot(300, 300, 0, seen)])
    assert reading.name == name


def court(letter: str, suit: str) -> Image:
    """A court of a deck with letters of another language."""
    half = blank(WHITE)
    half.words(letter, 8.2, 8.5, 8.5, COLOURS[suit])
    pip(half, suit, 8.2, 19.0, 4.2)
    both = Canvas(np.minimum(half.image, upside_down(half.image)))
    both.oval(WIDTH_MM / 2, HEIGHT_MM / 2, 14, 26, (200, 160, 60))
    both.shape([(20, 60), (43, 60), (40, 30), (31, 22), (23, 30)], (60, 60, 170))
    return both.bar(20, 40, 43, 48, COLOURS[suit]).image


@pytest.mark.parametrize(
    ("letters", "letter", "name"),
    [
        ("german", "D", "DS"),
        ("german", "K", "KH"),
        ("french", "V", "VC"),
    ],
)
def test_courts_with_german_and_french_letters_are_named_in_them(
    letters: str, letter: str, name: str
) -> None:
    table = green_table()
    lay(table, court(letter, name[-1]), (300, 300), 0, LENGTH_PX * 1.4)
    whole = spot(300, 300, 0)
    large = Spot((whole.corners - 300) * 1.4 + 300, whole.seen, 1.0)
    (reading,) = StandardDeck(letters).read(filmed(table), [large])
    assert reading.name == name


def bube(suit: str) -> Image:
    """The jack of the printable deck with a German letter."""
    jack = Canvas(faces()["J" + suit].copy())
    for _ in range(2):
        jack.bar(1.5, 3.0, 14.5, 13.5, WHITE)
        jack.words("B", 8.2, 8.5, 8.5, COLOURS[suit])
        jack = Canvas(upside_down(jack.image))
    return jack.image


@pytest.mark.parametrize("suit", "CHS")
def test_a_german_jack_is_a_bube_although_its_letter_looks_like_an_eight(suit: str) -> None:
    table = green_table()
    lay(table, bube(suit), (300, 300), 0, LENGTH_PX)
    (reading,) = StandardDeck("german").read(filmed(table), [spot(300, 300, 0)])
    assert reading.name == "B" + suit


def test_an_eight_stays_an_eight_in_a_german_deck() -> None:
    table = green_table()
    for k, suit in enumerate("CDHS"):
        lay(table, faces()["8" + suit], (150 + 130 * k, 300), 0, LENGTH_PX)
    spots = [spot(150 + 130 * k, 300, 0) for k in range(4)]
    assert [r.name for r in StandardDeck("german").read(filmed(table), spots)] == ["8C", "8D", "8H", "8S"]


def test_a_bare_table_is_no_card_that_could_be_named_surely() -> None:
    (reading,) = StandardDeck().read(filmed(green_table()), [spot(300, 300, 0)])
    assert reading.name in (None, "back") and (reading.name is None or reading.confidence < SURE)


def said(chance: float, name: str | None) -> Chances:
    """What speaks for one card with this chance, and for all others alike."""
    rest = np.full(len(NAMES) + 1, np.log((1 - chance) / len(NAMES)))
    rest[NAMES.index(name) if name else -1] = np.log(chance)
    return rest


def told(monkeypatch: pytest.MonkeyPatch, index: Chances, open_: float = 1.0, face: float = 0.99) -> Reading:
    """What is read of a card whose face says the seven of hearts, whose indices say this, and that is so far open."""

    def faces(image: Image, spots: Sequence[Spot]) -> list[Chances]:
        return [said(face, "7H") for _ in spots]

    def indices(self: _Indices, ends: Sequence[End]) -> list[Chances]:
        return [index for _ in ends]

    seen = np.zeros(GRID[::-1], bool)
    seen[: round(len(seen) * open_)] = True
    instead(monkeypatch, standard, _face_evidence)(faces)
    instead(monkeypatch, _Indices, _Indices.at)(indices)
    (reading,) = StandardDeck().read(green_table(), [spot(100, 130, 0, seen)])
    assert reading.name == "7H"
    return reading


def test_asked_for_the_index_of_a_joker_none_shows() -> None:
    """A strip of a nine was taken for a joker that lay on it, and asked for its index."""
    table = green_table()
    lay(table, faces()["9C"], (150, 150), 0, LENGTH_PX)
    index = StandardDeck().index
    pictures = cuts(table, np.stack([spot(150, 150, 0).corners] * 2), index.box, index.size)
    its_own, jokers = index.names(pictures, ["9C", "JOKER"])
    assert its_own > SURE
    assert jokers == 0


@pytest.mark.parametrize(("index", "surely"), [("7H", True), ("8H", False), (None, False)])
def test_a_face_that_is_not_quite_clear_is_sure_only_if_an_index_confirms_it(
    index: str | None, surely: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (told(monkeypatch, said(0.3, index)).confidence >= SURE) == surely


@pytest.mark.parametrize(
    ("index", "chance", "surely"),
    [("7H", 0.8, True), (None, 0.8, True), ("8H", 0.3, True), ("8H", 0.55, False), ("8H", 0.8, False)],
)
def test_a_clear_face_is_not_sure_if_an_index_names_another_card(
    index: str | None, chance: float, surely: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (told(monkeypatch, said(chance, index), face=0.9999).confidence >= SURE) == surely


@pytest.mark.parametrize(("chance", "surely"), [(0.6, False), (0.95, True)])
def test_a_card_whose_pips_may_be_hidden_is_sure_only_if_an_index_says_so_plainly(
    chance: float, surely: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (told(monkeypatch, said(chance, "7H"), open_=0.5).confidence >= SURE) == surely
