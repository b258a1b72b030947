"""A table on which nothing changes costs almost nothing."""

import time
from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from hardware.frames import Frame, Image
from referee.types import Card, Die, Outline
from referee.watch.table import TableWatch

MAY_COST_MS = 1.0


class EmptyTable:
    """Eyes that are only asked when something changed."""

    asked = 0

    def see(self, image: Image, where: Image | None = None) -> tuple[Card, ...]:
        self.asked += 1
        return ()

    def real(self, dice: Sequence[Die], image: Image, cards: Sequence[Card]) -> tuple[Die, ...]:
        return tuple(dice)

    def read_at(self, image: Image, corners: Outline) -> Card | None:
        return None


def noisy_pictures(height: int, width: int) -> list[Image]:
    rng = np.random.default_rng(1)
    table = cv2.GaussianBlur(rng.integers(0, 255, (height, width, 3), np.uint8), (0, 0), 3)
    return [np.clip(table + rng.normal(0, 2, table.shape), 0, 255).astype(np.uint8) for _ in range(4)]


@pytest.mark.bench
@pytest.mark.parametrize("size", [(720, 1280), (1080, 1920)])
def test_a_frame_on_which_nothing_changes_costs_no_more_than_a_millisecond(size: tuple[int, int]) -> None:
    before = cv2.getNumThreads()
    cv2.setNumThreads(1)
    pictures, eyes, costs = noisy_pictures(*size), EmptyTable(), []
    watch = TableWatch(eyes, lambda _, __: (), 20.0)
    for k in range(240):
        began = time.process_time()
        watch.feed(Frame(k, k * 33_000_000, pictures[k % 4]))
        costs.append((time.process_time() - began) * 1000)
    cv2.setNumThreads(before)
    print(f"\n{size}: {np.median(costs[60:]):.2f} ms")
    assert eyes.asked == 1
    assert np.median(costs[60:]) < MAY_COST_MS
