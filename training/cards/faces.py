"""Cut the sheets of free SVG decks (Debian: gnome-cards-data, rendered by rsvg-convert) into flat faces.

    for f in /usr/share/aisleriot/cards/*.svgz; do
        rsvg-convert --unlimited -w 3276 -o lab/sheets/$(basename $f .svgz).png $f
    done
    python faces.py

Decks of npm packages (svg-cards, cardsJS, @letele/playing-cards and others) were rendered card by card into
lab/faces/<deck>/<card>.png in the same form. None of their art is kept in this repository.
"""

from pathlib import Path

import cv2
import numpy as np

LAB = Path("lab")
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = "CDHS"
HEIGHT = 320


def save(deck, name, picture):
    """Keep one face without its transparent rim."""
    solid = picture[..., 3] > 128
    if solid.mean() < 0.3:
        return
    rows, columns = np.where(solid)
    face = picture[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
    size = (round(face.shape[1] * HEIGHT / face.shape[0]), HEIGHT)
    folder = LAB / "faces" / deck
    folder.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(folder / f"{name}.png"), cv2.resize(face, size, interpolation=cv2.INTER_AREA))


def cut_sheet(path):
    """Thirteen columns; rows of clubs, diamonds, hearts, spades, and jokers with the back."""
    sheet = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    h, w = sheet.shape[0] / 5, sheet.shape[1] / 13
    last = ("joker_black", "joker_red", "back")
    names = [[rank + suit for rank in RANKS] for suit in SUITS] + [last]
    for row, line in enumerate(names):
        for column, name in enumerate(line):
            cell = sheet[round(row * h) : round((row + 1) * h), round(column * w) : round((column + 1) * w)]
            save(path.stem, name, cell)


if __name__ == "__main__":
    for sheet in sorted((LAB / "sheets").glob("*.png")):
        cut_sheet(sheet)
