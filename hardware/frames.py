"""What every camera delivers."""

from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    index: int
    t_ns: int
    """On the camera's own clock."""
    image: Image
    """BGR, read-only."""


def as_image(picture: object) -> Image:
    """The picture as a read-only BGR image; nothing is copied."""
    image = np.asarray(picture, dtype=np.uint8)
    image.flags.writeable = False
    return image


class Camera(Protocol):
    """Anything that delivers frames; closing it twice is harmless."""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""

    def frames(self) -> Iterator[Frame]:
        """Frames in order of time until the camera ends or is closed."""

    def close(self) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
