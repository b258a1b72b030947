"""Recorded footage as a camera: frame times come from the container."""

from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self, cast

import av

from hardware.errors import CameraError
from hardware.frames import Frame, Image


class FootageCamera:
    """One video file, or a folder of segments read in the order of their names."""

    def __init__(self, address: str) -> None:
        path = Path(address)
        self._files = sorted(path.glob("*.mp4")) if path.is_dir() else [path]
        if not self._files or not self._files[0].is_file():
            raise CameraError(f"no footage at {address}")
        with self._open(self._files[0]) as video:
            stream = video.streams.video[0]
            self._size = (stream.width, stream.height)

    @property
    def size(self) -> tuple[int, int]:
        return self._size

    def frames(self) -> Iterator[Frame]:
        index = 0
        for file in self._files:
            with self._open(file) as video:
                for picture in video.decode(video=0):
                    yield Frame(index, _t_ns(picture), _bgr(picture))
                    index += 1

    def close(self) -> None:
        pass

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @staticmethod
    def _open(file: Path) -> av.container.InputContainer:
        try:
            video = av.open(str(file))
        except av.FFmpegError as error:
            raise CameraError(f"{file.name} cannot be read as a video: {error.strerror}") from error
        if not video.streams.video:
            raise CameraError(f"{file.name} has no video in it")
        return video


def _t_ns(picture: av.VideoFrame) -> int:
    if picture.pts is None or picture.time_base is None:
        raise CameraError("a frame of the footage has no time")
    return int(picture.pts * picture.time_base * 1_000_000_000)


def _bgr(picture: av.VideoFrame) -> Image:
    image = cast(Image, picture.to_ndarray(format="bgr24"))
    image.flags.writeable = False
    return image
