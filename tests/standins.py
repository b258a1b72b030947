"""A camera, eyes and a host that stand in for a real table."""

import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from queue import Empty, Queue
from types import TracebackType
from typing import Any, ClassVar, Self

import cv2
import numpy as np

from hardware.frames import Frame, Image, as_image
from hardware.stills import KeptStill
from referee.eyes import Plain, Sighting
from referee.host import Host
from referee.live_story import Story
from referee.open_eyes import OpenEyes
from referee.relay import Relay
from referee.setup import Setup
from referee.types import Point
from referee.veil import Places

SIZE = (1280, 720)
STEP_S = 1 / 12
PIECES: Sequence[tuple[int, int, int]] = ((1, 420, 300), (2, 640, 420), (3, 820, 260), (4, 520, 520))
"""Id, x, y in pixels."""
RADIUS_PX = 34


class StandInCamera:
    """A driver like any other; it counts what it delivers."""

    delivered: ClassVar[int] = 0
    open_now: ClassVar[int] = 0

    def __init__(self, address: str) -> None:
        self.size = SIZE
        self._closed = threading.Event()
        type(self).open_now += 1

    def frames(self) -> Iterator[Frame]:
        index = 0
        while not self._closed.wait(STEP_S):
            type(self).delivered += 1
            yield Frame(index, time.monotonic_ns(), as_image(table_picture(index)))
            index += 1

    def close(self) -> None:
        if not self._closed.is_set():
            self._closed.set()
            type(self).open_now -= 1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def table_picture(index: int) -> Image:
    """Stones on a board; a mark in the corner moves with the frame."""
    image = np.full((SIZE[1], SIZE[0], 3), (74, 98, 122), np.uint8)
    cv2.rectangle(image, (240, 120), (1040, 640), (120, 150, 180), -1)
    for _, x, y in PIECES:
        cv2.circle(image, (x, y), RADIUS_PX, (60, 70, 80), -1)
    cv2.circle(image, (20 + index % 200, 20), 8, (0, 0, 255), -1)
    return image


class StandInEyes:
    """Tells what a test puts into its mouth, at the next frame."""

    zones: ClassVar[Mapping[str, Point]] = {}
    """What a test draws: `hand` and `pile`, and where."""

    def __init__(self) -> None:
        self._placed: dict[str, Point] = {}
        self._told: Queue[Plain] = Queue()
        self.heard: list[Plain] = []
        self.seen = 0

    def tell(self, event: Plain) -> None:
        self._told.put(event)

    def feed(self, frame: Frame, state: Any) -> Sequence[Sighting]:
        self.seen += 1
        try:
            return [Sighting(self._told.get_nowait(), (frame.index, frame.index), frame.t_ns)]
        except Empty:
            return []

    busy = False

    def shut(self) -> None:
        return None

    def think(self, state: Any) -> Sequence[Sighting]:
        return []

    def look(self, state: Any) -> Sequence[Sighting]:
        return []

    def finish(self, state: Any) -> Sequence[Sighting]:
        return []

    def hear(self, event: Plain) -> Plain:
        self.heard.append(event)
        taps = event.get("at_px")
        if taps is None:
            return event
        a, b = (min(PIECES, key=lambda p: abs(p[1] - x) + abs(p[2] - y))[0] for x, y in taps)
        return {**{k: v for k, v in event.items() if k != "at_px"}, "a": a, "b": b}

    def scene(self) -> Plain:
        turns = np.linspace(0, 2 * np.pi, 12, endpoint=False)
        ring = np.stack([np.cos(turns), np.sin(turns)], 1) * RADIUS_PX
        return {
            "size": list(SIZE),
            "zones": [self._zone("hand"), self._zone("pile")] if self.zones else [],
            "board_px": [[240, 120], [1040, 120], [1040, 640], [240, 640]],
            "pieces": [
                {"id": k, "px": [x, y], "outline_px": np.add(ring, (x, y)).round(1).tolist()}
                for k, x, y in PIECES
            ],
        }

    def _zone(self, name: str) -> Plain:
        x, y = self._placed.get(name, self.zones[name])
        corners = [[x - 60, y - 40], [x + 60, y - 40], [x + 60, y + 40], [x - 60, y + 40]]
        return {"name": name, "outline_px": corners, "read": name != "hand"}

    def place(self, zone: str, to_px: Point) -> None:
        self._placed[zone] = to_px

    @property
    def placed(self) -> Mapping[str, Point]:
        return dict(self._placed)

    @staticmethod
    def told(frames: tuple[int, int]) -> Story | None:
        """What a test wants to be drawn over a disputed shot."""
        return None

    def story(self, frames: tuple[int, int]) -> Story | None:
        return self.told(frames)

    def veil(self, image: Image) -> Image:
        return image

    @property
    def still(self) -> KeptStill | None:
        return None

    @property
    def secretive(self) -> bool:
        return True

    @property
    def hidden(self) -> Places | None:
        return ()


class StandInHost(Host):
    """A host whose cameras have stand-in eyes; `given` is what they find on the table."""

    eyes: StandInEyes
    given: Plain = {}

    def _look_at(self, setup: Setup) -> tuple[Relay | None, OpenEyes | None]:
        if setup.camera is None:
            return None, None
        self.eyes = StandInEyes()
        return Relay(setup.camera, self._camera_changed), OpenEyes(self.eyes, self.given)
