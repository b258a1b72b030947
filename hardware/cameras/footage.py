"""Recorded footage as a camera: frame times come from the container, never from a frame rate.

Segments are read in the order of their names. A segment whose own clock starts again continues where the
one before ended; a segment torn by a power cut is read to its last whole frame.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple, cast

import av
import cv2
from av.container import InputContainer

from hardware.cameras.closing import Closing
from hardware.cameras.fragments import is_swollen, read_heads
from hardware.errors import CameraError
from hardware.frames import Frame, Image, as_image
from hardware.recorder import NUMBERS, numbers_of
from hardware.seals import sealed_names
from hardware.stills import KeptStills

NS = 1_000_000_000
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
        self._index: tuple[_Place, ...] | None = None
        self._begins: dict[Path, int] = {}
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
                    shift, first = _shift(last, t_ns), False
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

    def _sought(self, index: int, places: tuple["_Place", ...]) -> Iterator[Frame]:
        """The frames of one file from `index` to its end; the container's times say which is which."""
        file = places[index].file
        numbers = dict(enumerate(numbers_of(file), self._begins[file]))
        for picture in _pictures_from(file, places[index].key_dts):
            if index == len(places) or places[index].file != file:
                return
            if picture.pts is None or picture.pts > places[index].pts:
                return
            if picture.pts == places[index].pts:
                yield Frame(index, places[index].t_ns, self._bgr(picture, file, numbers.get(index)))
                index += 1

    def places(self) -> tuple["_Place", ...]:
        """Where and when every frame is; read once, without decoding."""
        if self._index is None:
            self._index = tuple(self._survey())
        return self._index

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

    def _survey(self) -> Iterator["_Place"]:
        last, count = -1, 0
        for file, is_last in self._segments():
            shown = _shown(file, may_be_torn=is_last)
            if not shown.pts:
                continue
            base, key_dts = shown.base, shown.dts[0]
            shift = _shift(last, _ns(shown.pts[0], base))
            self._begins[file] = count
            count += len(shown.pts)
            per, ticks = base.numerator * NS, base.denominator
            for pts, dts, is_key in zip(shown.pts, shown.dts, shown.keys, strict=True):
                if is_key:
                    key_dts = dts
                last = pts * per // ticks + shift
                yield _Place(file, pts, last, key_dts)

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


class _Place(NamedTuple):
    file: Path
    pts: int
    t_ns: int
    key_dts: int
    """Where decoding must begin: FFmpeg seeks by decode times, and a frame may be shown before the key frame that
    was decoded before it."""


class _Shown(NamedTuple):
    """The clock of a file, and of each of its frames when it is shown, when it is decoded, and whether it is a key."""

    base: Fraction
    pts: list[int]
    dts: list[int]
    keys: list[bool]


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


def _shown(file: Path, may_be_torn: bool) -> _Shown:
    """The frames of a file in the order in which they are shown, without decoding."""
    heads = None if may_be_torn else read_heads(file)
    if heads is not None:
        return _Shown(Fraction(1, heads.ticks), heads.pts, heads.pts, heads.keys)
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
    return _Shown(base, [s[0] for s in shown], [s[1] for s in shown], [s[2] for s in shown])


def _t_ns(picture: av.VideoFrame) -> int:
    return _ns(cast(int, picture.pts), cast(Fraction, picture.time_base))


def _ns(pts: int, base: Fraction) -> int:
    """In whole numbers: an hour has a hundred thousand frames, and fractions are slow."""
    return pts * base.numerator * NS // base.denominator


def _shift(last: int, first: int) -> int:
    """A clock that starts again goes on where it stood, one nanosecond later."""
    return 0 if first > last else last + 1 - first
