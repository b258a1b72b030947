"""Cut out what the finder wrongly takes for upper faces: python mine_close.py OUT.npz FINDER.pt PICTURES...

PICTURES are folders of any without dice: wallpapers, tables of cards. Each is looked at in several sizes and turns.
"""

import sys
from pathlib import Path

import cv2
import numpy as np
import torch
from close_lessons import straight
from close_peaks import seen
from lessons import SIDE_PX, Picture
from upper_net import UpperNet

LOOKS, AT_ONCE = 24, 12
"""Parts of each picture."""


def part(picture: Picture, rng: np.random.Generator) -> Picture:
    """Somewhere, in any size, turned and mirrored."""
    h, w = picture.shape[:2]
    side = float(np.clip(2 ** rng.uniform(5.5, 10), 48, min(h, w)))
    at = rng.uniform(side / 2, np.array([w, h]) - side / 2 + 1e-6)
    scale, turn = SIDE_PX / side, rng.uniform(0, 2 * np.pi)
    c, s = scale * np.cos(turn), scale * np.sin(turn)
    move = np.array([[c, -s], [s, c]])
    if scale < 0.75:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.35 / scale), np.uint8)
    out = cv2.warpAffine(
        picture, np.c_[move, SIDE_PX / 2 - move @ at], (SIDE_PX, SIDE_PX), borderMode=cv2.BORDER_REFLECT
    )
    return np.asarray(out, np.uint8)


def main() -> None:
    out, finder, *folders = sys.argv[1:]
    cv2.setNumThreads(1)
    torch.set_num_threads(1)
    net = UpperNet()
    net.load_state_dict(torch.load(finder))
    net.eval()
    rng = np.random.default_rng(8)
    kept: list[Picture] = []
    for path in (p for folder in folders for p in sorted(Path(folder).rglob("*.*g"))):
        picture = np.asarray(cv2.imread(str(path)), np.uint8)
        for _ in range(LOOKS // AT_ONCE):
            parts = [part(picture, rng) for _ in range(AT_ONCE)]
            for each, faces in zip(parts, seen(net, parts), strict=True):
                kept += [straight(each, f[:2], f[2:4], float(f[4])) for f in faces]
    np.savez(out, faces=np.stack(kept))
    print(len(kept))


if __name__ == "__main__":
    main()
