"""Paint pictures of dice taken by hand, or of tables without dice.

python paint_lessons.py OUT.npz COUNT SEED GROUNDS CARDS [--bare]    (GROUNDS and CARDS: folders of pictures)
"""

import sys
from pathlib import Path

import cv2
import numpy as np
from by_hand import ByHand


def main() -> None:
    cv2.setNumThreads(1)
    out, count, seed, grounds, cards = sys.argv[1:6]
    painter = ByHand(*(sorted(Path(p).rglob("*.*g")) for p in (grounds, cards)), int(seed))
    pictures, dice, slants = [], [], []
    for number in range(int(count)):
        picture, told, slant = painter.picture(bare="--bare" in sys.argv)
        pictures.append(picture)
        slants.append(slant)
        dice += [(number, d.value, *d.upper, *d.upright, d.edge_px, d.seen) for d in told]
    np.savez(
        out,
        pictures=np.stack(pictures),
        dice=np.array(dice, np.float32).reshape(-1, 8),
        slants=np.array(slants),
    )


if __name__ == "__main__":
    main()
