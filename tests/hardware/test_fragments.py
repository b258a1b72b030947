"""The times of a recorded segment are read from its heads, exactly as if all of it had been read."""

from pathlib import Path

import av
import pytest

from hardware.cameras.footage import FootageCamera
from hardware.cameras.fragments import is_swollen, read_heads
from hardware.errors import CameraError
from hardware.frames import Frame
from hardware.recorder import Recorder
from tests.hardware.videos import numbered, write_video


@pytest.fixture
def segment(tmp_path: Path) -> Path:
    """Frames that come as they please, and a fragment's end in the middle of nothing."""
    recorder = Recorder(tmp_path / "footage", lambda why: None)
    t_ns = 0
    for k in range(100):
        t_ns += 16_666_667 + (k % 7) * 3_000_000
        recorder.write(Frame(k, t_ns, numbered(k)))
    recorder.close()
    return tmp_path / "footage" / "000000.mp4"


def test_the_heads_tell_what_the_whole_film_tells(segment: Path) -> None:
    heads = read_heads(segment)
    with av.open(str(segment)) as video:
        packets = [p for p in video.demux(video=0) if p.size]
        base = video.streams.video[0].time_base
    assert heads is not None
    assert base is not None
    assert heads.ticks == 1 / base
    assert heads.pts == [p.pts for p in packets]
    assert heads.keys == [p.is_keyframe for p in packets]


def test_a_torn_film_and_one_of_another_make_are_read_whole(segment: Path, tmp_path: Path) -> None:
    whole = segment.read_bytes()
    for cut in (len(whole) - 9, len(whole) // 2, 900, 20, 3):
        segment.write_bytes(whole[:cut])
        assert read_heads(segment) is None
    segment.write_bytes(b"\0" * 64)
    assert read_heads(segment) is None
    write_video(tmp_path / "phone.mp4", [k * 33 for k in range(20)])
    assert read_heads(tmp_path / "phone.mp4") is None
    assert len(FootageCamera(str(tmp_path / "phone.mp4")).places()) == 20


def test_every_damaged_byte_of_a_head_is_survived(segment: Path) -> None:
    whole = segment.read_bytes()
    at = whole.index(b"moof") - 4
    for k in range(at, at + 120):
        segment.write_bytes(whole[:k] + b"\xff" + whole[k + 1 :])
        heads = read_heads(segment)
        assert heads is None or len(heads.pts) == len(heads.keys) < 10_000


def test_a_fragment_that_says_it_has_millions_of_frames_is_refused_before_room_is_made(segment: Path) -> None:
    whole = segment.read_bytes()
    run = whole.index(b"trun") + 4
    assert not is_swollen(segment)
    for flags in (whole[run : run + 4], bytes(4)):
        segment.write_bytes(whole[:run] + flags + (20_000_000).to_bytes(4, "big") + whole[run + 8 :])
        with pytest.raises(CameraError, match="more frames than it can hold"):
            FootageCamera(str(segment))


def test_a_fragment_later_than_any_clock_is_left_to_ffmpeg(segment: Path) -> None:
    raw = bytearray(segment.read_bytes())
    at = raw.index(b"tfdt") + 4
    assert raw[at] == 1  # a clock of eight bytes
    raw[at + 4 : at + 12] = b"\xff" * 8
    segment.write_bytes(raw)
    assert read_heads(segment) is None
