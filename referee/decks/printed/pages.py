"""Print-and-play pages: nine cards a page with cut marks, backs in mirror order for printing on both sides."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import cv2

from calibration.pdf import POINT_MM, pdf_file
from referee.decks.printed.canvas import HEIGHT_MM, WIDTH_MM
from referee.decks.printed.catalogue import PRINTED
from referee.errors import TableError
from referee.vision.cards.spot import Image

PAPERS_MM = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
COLUMNS, ROWS = 3, 3
MARK_MM = 4.0


def write_deck(game: str, path: Path, paper: str = "a4") -> int:
    """Write the deck of `game`; returns the number of cards."""
    if game not in PRINTED:
        raise TableError(f"no deck to print called {game!r}; decks: {', '.join(PRINTED)}")
    if paper not in PAPERS_MM:
        raise TableError(f"no paper called {paper!r}; papers: {', '.join(PAPERS_MM)}")
    deck = PRINTED[game]
    cards = [(card.front, card.back) for card in deck.cards for _ in range(card.copies)]
    path.write_bytes(_pdf(deck.draw(), cards, PAPERS_MM[paper]))
    return len(cards)


def _pdf(sides: Mapping[str, Image], cards: Sequence[tuple[str, str]], paper: tuple[float, float]) -> bytes:
    names = list(sides)
    pictures = [_picture(sides[name]) for name in names]
    pages = [_page(page, names, paper) for page in _pages(cards)]
    first_page = 3 + len(pictures)
    kids = " ".join(f"{first_page + 2 * i} 0 R" for i in range(len(pages)))
    shown = " ".join(f"/I{i} {3 + i} 0 R" for i in range(len(names)))
    size = " ".join(f"{mm / POINT_MM:.3f}" for mm in paper)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None /Duplex /DuplexFlipLongEdge >> >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        *pictures,
    ]
    for i, drawing in enumerate(pages):
        head = f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {size}] /Contents {first_page + 2 * i + 1} 0 R"
        objects.append(f"{head} /Resources << /XObject << {shown} >> >> >>".encode())
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawing), drawing))
    return pdf_file(objects)


def _picture(side: Image) -> bytes:
    h, w = side.shape[:2]
    jpeg = cv2.imencode(".jpg", side, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()
    head = f"<< /Type /XObject /Subtype /Image /Width {w} /Height {h} /ColorSpace /DeviceRGB"
    return (
        f"{head} /BitsPerComponent 8 /Filter /DCTDecode /Length {len(jpeg)} >>\nstream\n".encode()
        + jpeg
        + b"\nendstream"
    )


def _pages(cards: Sequence[tuple[str, str]]) -> Iterator[dict[tuple[int, int], str]]:
    """Fronts, then their backs, by column and row; the backs' columns run the other way."""
    full = COLUMNS * ROWS
    for start in range(0, len(cards), full):
        page = cards[start : start + full]
        places = [(i % COLUMNS, i // COLUMNS) for i in range(len(page))]
        yield {place: front for place, (front, _) in zip(places, page, strict=True)}
        yield {(COLUMNS - 1 - x, y): back for (x, y), (_, back) in zip(places, page, strict=True)}


def _page(sides: Mapping[tuple[int, int], str], names: Sequence[str], paper: tuple[float, float]) -> bytes:
    left, low = (paper[0] - COLUMNS * WIDTH_MM) / 2, (paper[1] - ROWS * HEIGHT_MM) / 2
    lines = [f"{1 / POINT_MM:.6f} 0 0 {1 / POINT_MM:.6f} 0 0 cm"]
    for (column, row), name in sides.items():
        x, y = left + column * WIDTH_MM, low + (ROWS - 1 - row) * HEIGHT_MM
        lines.append(f"q {WIDTH_MM} 0 0 {HEIGHT_MM} {x:.3f} {y:.3f} cm /I{names.index(name)} Do Q")
    return "\n".join([*lines, "0.1 w", *_cut_marks(left, low, paper)]).encode()


def _cut_marks(left: float, low: float, paper: tuple[float, float]) -> Iterator[str]:
    right, high = paper[0] - left, paper[1] - low
    for column in range(COLUMNS + 1):
        x = left + column * WIDTH_MM
        yield f"{x:.3f} {low - 1:.3f} m {x:.3f} {low - MARK_MM:.3f} l S"
        yield f"{x:.3f} {high + 1:.3f} m {x:.3f} {high + MARK_MM:.3f} l S"
    for row in range(ROWS + 1):
        y = low + row * HEIGHT_MM
        yield f"{left - 1:.3f} {y:.3f} m {left - MARK_MM:.3f} {y:.3f} l S"
        yield f"{right + 1:.3f} {y:.3f} m {right + MARK_MM:.3f} {y:.3f} l S"
