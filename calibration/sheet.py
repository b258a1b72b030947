"""The printable sheet: exact-size PDF pages with the pattern and a 100 mm ruler, drawn as vectors."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np

from calibration.charuco import COLUMNS, ROWS, SQUARE_MM, pattern
from calibration.pdf import POINT_MM, pdf_file
from hardware.errors import TableError

PAPERS_MM = {"a4": (297.0, 210.0), "letter": (279.4, 215.9)}
RULER_MM = 100.0
CELLS = 3430
"""Samples across the pattern: 14 per millimetre, whole numbers for squares, margins and bits alike."""


def write_sheet(path: Path, paper: str = "a4") -> None:
    """One landscape page; the pattern lies in the middle, the ruler in the margin below it."""
    if paper not in PAPERS_MM:
        raise TableError(f"no paper called {paper!r}; papers: {', '.join(PAPERS_MM)}")
    try:
        path.write_bytes(_pdf(PAPERS_MM[paper]))
    except OSError as error:
        raise TableError(f"the sheet cannot be written to {path}: {error.strerror}") from error


def ruler_scale(measured_mm: float) -> float:
    """How much larger than meant the sheet came out of the printer; refuses what no printer does."""
    if not 80 <= measured_mm <= 120:
        raise TableError(
            f"the ruler on the sheet cannot measure {measured_mm:g} mm: it should be 100 mm; print again at 100 %"
        )
    return measured_mm / RULER_MM


def _pdf(paper_mm: tuple[float, float]) -> bytes:
    drawing = "\n".join(_drawing(paper_mm)).encode("ascii")
    width, height = (mm / POINT_MM for mm in paper_mm)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R /ViewerPreferences << /PrintScaling /None >> >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %.3f %.3f] /Contents 4 0 R" % (width, height)
        + b" /Resources << /Font << /F 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawing), drawing),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    return pdf_file(objects)


def _drawing(paper_mm: tuple[float, float]) -> Iterator[str]:
    """Everything in millimetres from the lower left corner of the page."""
    left, low = (paper_mm[0] - COLUMNS * SQUARE_MM) / 2, (paper_mm[1] - ROWS * SQUARE_MM) / 2
    yield f"{1 / POINT_MM:.6f} 0 0 {1 / POINT_MM:.6f} 0 0 cm 0 g"
    for x, y, width, height in _black():
        yield f"{left + x:.4f} {low + y:.4f} {width:.4f} {height:.4f} re"
    yield "f"
    yield from _ruler(left, low)


def _black() -> Iterator[tuple[float, float, float, float]]:
    """The dark cells of the pattern as few rectangles: runs along a row, merged over equal rows."""
    rows = CELLS * ROWS // COLUMNS
    dark = pattern().generateImage((CELLS, rows), marginSize=0) < 128
    per_mm = CELLS / (COLUMNS * SQUARE_MM)
    changes = [0, *(np.nonzero((dark[1:] != dark[:-1]).any(1))[0] + 1), rows]
    for top, bottom in pairwise(changes):
        line = np.concatenate([[0], dark[top].astype(int), [0]])
        edges = np.nonzero(np.diff(line))[0]
        for start, end in zip(edges[::2], edges[1::2], strict=True):
            yield start / per_mm, (rows - bottom) / per_mm, (end - start) / per_mm, (bottom - top) / per_mm


def _ruler(left: float, low: float) -> Iterator[str]:
    y = low - 7.0
    yield f"0.2 w {left:.3f} {y:.3f} m {left + RULER_MM:.3f} {y:.3f} l S"
    for mm in range(0, int(RULER_MM) + 1, 5):
        tick = 4.0 if mm % 50 == 0 else 2.5 if mm % 10 == 0 else 1.5
        yield f"{left + mm:.3f} {y:.3f} m {left + mm:.3f} {y + tick:.3f} l S"
    words = (
        "This line must measure 100 mm: print at 100 %, not 'fit to page'. Table Referee calibration sheet."
    )
    escaped = words.replace("(", r"\(").replace(")", r"\)")
    yield f"BT /F 3.2 Tf {left + RULER_MM + 5:.3f} {y:.3f} Td ({escaped}) Tj ET"
