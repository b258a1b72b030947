"""Faces cut out where the finder sees them, rightly and wrongly, with its own errors of place, size and slant."""

from collections.abc import Sequence

import numpy as np
import torch
from close_lessons import NONE, Crop, straight, turned
from lessons import SEEN, Array, Lesson, Picture, anew
from torch.nn import functional as F
from upper_net import STRIDE, UpperNet

SUSPECTED = 0.12
UNIT_PX, LEAST_PX = 32.0, 7.0
HIT, NEAR = 0.33, 0.6
"""Edges from a true middle up to which a face is found, and from which on it is none."""
LIKE, UNLIKE = 0.6, 1.2
"""Octaves by which its size may differ, and from which on it is a pip or something round the die."""


def seen(net: UpperNet, pictures: Sequence[Picture]) -> list[Array]:
    """For each picture rows of a face's place, the way to its foot and its edge."""
    x = torch.from_numpy(np.stack(pictures)).permute(0, 3, 1, 2).float() / 255
    with torch.no_grad():
        out = net(x)
    heat = torch.sigmoid(out[:, :1])
    tops = ((heat == F.max_pool2d(heat, 3, 1, 1)) & (heat > SUSPECTED))[:, 0]
    found = []
    for grid, top in zip(out.numpy(), tops.numpy(), strict=True):
        rows, columns = np.nonzero(top)
        dx, dy, fx, fy, size = grid[1:6, rows, columns]
        edge = UNIT_PX * 2**size
        at = np.stack([columns, rows], 1) * float(STRIDE) + (STRIDE - 1) / 2
        shape = np.stack([dx, dy, fx, fy], 1) * edge[:, None]
        found.append(np.c_[at + shape[:, :2], shape[:, 2:], edge][edge > LEAST_PX].astype(float))
    return found


def answer(face: Array, dice: Array) -> int | None:
    """The value of the die whose upper face this is, NONE if it is of none, or nothing where one may argue."""
    if not len(dice):
        return NONE
    away = np.hypot(*(dice[:, 1:3] - face[:2]).T) / dice[:, 5]
    nearest = int(away.argmin())
    if away[nearest] > NEAR:
        return NONE
    octaves = abs(float(np.log2(dice[nearest, 5] / face[4])))
    if octaves > UNLIKE:
        return NONE
    found = away[nearest] < HIT and octaves < LIKE and dice[nearest, 6] >= SEEN
    return int(dice[nearest, 0]) - 1 if found else None


def crops(lessons: Sequence[Lesson], net: UpperNet, rng: np.random.Generator) -> list[Crop]:
    """What the finder would have read of some lessons shown anew."""
    shown = [anew(lesson, rng) for lesson in lessons]
    out = []
    for (picture, dice), faces in zip(shown, seen(net, [p for p, _ in shown]), strict=True):
        for face in faces:
            if (said := answer(face, dice)) is not None:
                crop = straight(picture, face[:2], face[2:4], float(face[4]))
                out.append((turned(crop, rng), said))
    return out
