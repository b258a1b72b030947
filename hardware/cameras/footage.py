"""Recorded footage as a camera: frame times come from the container, never from a frame rate.

Segments are read in the order of their names. A segment whose own clock starts again continues where the
one before ended; a segment torn by a power cut is read to its last whole frame.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import cast

import av
import cv2
from av.container import InputContainer

from hardware.cameras.closing import Closing
from hardware.cameras.fragments import is_swollen, read_heads
from hardware.cameras.places import NS, Places, Shown, shift_behind
from hardware.errors import CameraError
from hardware.frames import Frame, Image, as_image
from hardware.recorder import NUMBERS, numbers_of
from hardware.seals import sealed_names
from hardware.stills import KeptStills

MOST_PIXELS = 7680 * 4320
"""8K; a file that asks for more asks for all of the memory."""
OLD_COLOURS, FULL_RANGE = (2, 5, 6), 2
"""FFmpeg's numbers for the colours of BT.601, named or not, which the recorder writes; and for levels up to 255."""


class FootageCamera(Closing):
    """One video file, or a folder of segments."""

    def __init__(self, address: str, files: Sequence[Path] | None = None) -> None:
        """`files`: only these segments of a folder."""
        path = Path(address)
        self._files = list(files) if files else sorted(path.glob("*.mp4")) if path.is_dir() else [path]
        if not self._files or not self._files[0].is_file():
            raise CameraError(f"there is no footage at {address}")
        self._index: Places | None = None
        self._closed = False
        self._stills = KeptStills(self._files[0].parent)
        self._size = self._first_size()

    @property
    def size(self) -> tuple[int, int]:
        return self._size

    def frames(self) -> Iterator[Frame]:
        index, shift, last = 0, 0, -1
        for file, is_last in self._segments():
            first, numbers = True, iter(numbers_of(file))
            for picture in _pictures(file, may_be_torn=is_last):
                t_ns = _t_ns(picture)
                if first:
                    shift, first = shift_behind(last, t_ns), False
                last = t_ns + shift
                yield Frame(index, last, self._bgr(picture, file, next(numbers, None)))
                index += 1
                if self._closed:
                    return
        if not index:
            raise CameraError(f"{self._files[0].name} has not one whole picture in it")

    def frame_at(self, index: int) -> Frame:
        """Exactly the frame with this number, found by its time in the container."""
        for frame in self.frames_from(index):
            return frame
        raise CameraError(f"frame {index} cannot be decoded")

    def frames_from(self, index: int) -> Iterator[Frame]:
        """Exactly the frames from this number on, sought by their times in the container."""
        places = self.places()
        if not 0 <= index < len(places):
            raise CameraError(f"frame {index} is not in the footage; it has frames 0 to {len(places) - 1}")
        while index < len(places):
            here = index
            for frame in self._sought(here, places):
                yield frame
                index = frame.index + 1
            if index == here:
                raise CameraError(f"frame {index} cannot be decoded from {places[index].file.name}")

    def _sought(self, index: int, places: Places) -> Iterator[Frame]:
        """The frames of one file from `index` to its end; the container's times say which is which."""
        file, frames = places.segment_of(index)
        numbers = dict(zip(frames, numbers_of(file), strict=False))
        for picture in _pictures_from(file, places[index].key_dts):
            if index not in frames:
                return
            place = places[index]
            if picture.pts is None or picture.pts > place.pts:
                return
            if picture.pts == place.pts:
                yield Frame(index, place.t_ns, self._bgr(picture, file, numbers.get(index)))
                index += 1

    def places(self) -> Places:
        """Where and when every frame is; read once, without decoding."""
        if self._index is None:
            self._index = Places((f, _shown(f, may_be_torn=is_last)) for f, is_last in self._segments())
        return self._index

    def counted(self) -> list[tuple[Path, int]]:
        """Each segment with how many frames it has."""
        return [(segment.file, len(segment.frames)) for segment in self.places().segments]

    def close(self) -> None:
        self._closed = True

    def _segments(self) -> Iterator[tuple[Path, bool]]:
        """Every segment, and whether it may be torn: the last, and any that a recording left without its seal."""
        sealed = sealed_names(self._files[0].parent)
        for k, file in enumerate(self._files):
            recorded = file.with_suffix(NUMBERS).is_file()
            yield file, k == len(self._files) - 1 or (recorded and file.name not in sealed)

    def _first_size(self) -> tuple[int, int]:
        for file, may_be_torn in self._segments():
            try:
                with _open(file) as video:
                    stream = video.streams.video[0]
                    return stream.width, stream.height
            except CameraError:
                if not may_be_torn or file == self._files[-1]:
                    raise
        raise AssertionError("the last segment is opened, or the reason why not is raised")

    def _bgr(self, picture: av.VideoFrame, file: Path, number: int | None) -> Image:
        if (picture.width, picture.height) != self._size:
            raise CameraError(f"{file.name} is {picture.width}x{picture.height}, unlike what came before it")
        still = None if number is None else self._stills.at(number, self._size)
        return as_image(_colours(picture)) if still is None else still


def _colours(picture: av.VideoFrame) -> object:
    """The picture in BGR; what the recorder wrote by the way it was written, so that no grey level is lost."""
    ours = picture.format.name == "yuv420p" and picture.colorspace in OLD_COLOURS
    if not ours or picture.color_range == FULL_RANGE or picture.width % 2 or picture.height % 2:
        return picture.to_ndarray(format="bgr24")
    return cv2.cvtColor(picture.to_ndarray(), cv2.COLOR_YUV2BGR_I420)


def _open(file: Path) -> InputContainer:
    if is_swollen(file):
        raise CameraError(f"{file.name} is damaged (a fragment says it has more frames than it can hold)")
    try:
        video = av.open(str(file), metadata_errors="ignore")
    except (OSError, av.FFmpegError) as error:
        why = getattr(error, "strerror", None) or error
        raise CameraError(f"{file.name} cannot be read as a video ({why})") from error
    refusal = _refusal(video)
    if refusal is not None:
        video.close()
        raise CameraError(f"{file.name} {refusal}")
    return video


def _refusal(video: InputContainer) -> str | None:
    """Why this is no video to be judged; checked before a picture is decoded, which may fill the memory."""
    if not video.streams.video:
        return "has no video in it"
    kind = video.format.name
    if kind == "image2" or kind.endswith("_pipe"):  # FFmpeg would play it for ever, or as a film of one frame
        return "is a picture, not a video"
    stream = video.streams.video[0]
    # A stream without a codec that is known here has neither a decoder nor a size.
    if not stream.codec_context or not stream.codec_context.width or stream.time_base is None:
        return "has no video in it that can be decoded"
    if stream.width * stream.height > MOST_PIXELS:
        return f"has pictures of {stream.width}x{stream.height}, larger than any camera's"
    # What the pictures themselves say of their size is held to the same bound.
    stream.codec_context.options = {"max_pixels": str(MOST_PIXELS)}
    return None


def _pictures(file: Path, may_be_torn: bool) -> Iterator[av.VideoFrame]:
    """Whole frames with a time; what a tear left of the last segment is not an error."""
    try:
        with _open(file) as video:
            video.streams.video[0].thread_type = "AUTO"
            for picture in video.decode(video=0):
                if picture.pts is not None and not picture.is_corrupt:
                    yield picture
    except (CameraError, OSError, av.FFmpegError) as error:
        if not may_be_torn:
            raise CameraError(f"{file.name} is damaged ({error})") from error


def _pictures_from(file: Path, key_dts: int) -> Iterator[av.VideoFrame]:
    """What can be decoded of a file behind a key frame."""
    try:
        with _open(file) as video:
            stream = video.streams.video[0]
            stream.thread_type = "AUTO"
            video.seek(key_dts, stream=stream, backward=True, any_frame=False)
            yield from video.decode(stream)
    except (OSError, av.FFmpegError):
        return


def _shown(file: Path, may_be_torn: bool) -> Shown:
    """The frames of a file in the order in which they are shown, without decoding."""
    heads = None if may_be_torn else read_heads(file)
    if heads is not None:
        return Shown(Fraction(1, heads.ticks), heads.pts, heads.pts, heads.keys)
    base, shown = Fraction(1, NS), list[tuple[int, int, bool]]()
    try:
        with _open(file) as video:
            stream = video.streams.video[0]
            base = cast(Fraction, stream.time_base)
            for packet in video.demux(stream):
                if packet.pts is not None and packet.size and not packet.is_discard:
                    dts = packet.pts if packet.dts is None else packet.dts
                    shown.append((packet.pts, dts, packet.is_keyframe))
    except (CameraError, OSError, av.FFmpegError) as error:
        if not may_be_torn:
            raise CameraError(f"{file.name} is damaged ({error})") from error
    shown.sort()
    return Shown(base, [s[0] for s in shown], [s[1] for s in shown], [s[2] for s in shown])


def _t_ns(picture: av.VideoFrame) -> int:
    base = cast(Fraction, picture.time_base)
    return cast(int, picture.pts) * base.numerator * NS // base.denominator
