"""Promises of recorded footage: every frame, its own time, exact seeking, torn files."""

import random
from itertools import pairwise
from pathlib import Path

import pytest

from hardware.cameras import open_camera
from hardware.cameras.footage import FootageCamera
from hardware.errors import CameraError
from tests.hardware.videos import SIZE, numbered, read_number, write_video

CONSTANT = [k * 40 for k in range(200)]
_rng = random.Random(4)
VARIABLE = [
    sum(steps) for steps in ([_rng.choice((16, 17, 33, 50, 120)) for _ in range(k)] for k in range(200))
]
VARIABLE = sorted(set(VARIABLE))


@pytest.fixture(params=["constant", "variable"])
def clip(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, list[int]]:
    times = CONSTANT if request.param == "constant" else VARIABLE
    write_video(tmp_path / "footage.mp4", times)
    return tmp_path / "footage.mp4", times


def test_all_frames_come_with_the_container_s_times(clip: tuple[Path, list[int]]) -> None:
    path, times = clip
    with open_camera(f"footage:{path}") as camera:
        assert camera.size == SIZE
        frames = list(camera.frames())
    assert [read_number(f.image) for f in frames] == list(range(len(times)))
    assert [f.index for f in frames] == list(range(len(times)))
    assert [round(f.t_ns / 1e6) for f in frames] == times


def test_no_frame_is_wrong_or_out_of_reach_when_sought(clip: tuple[Path, list[int]]) -> None:
    path, times = clip
    camera = FootageCamera(str(path))
    for index in random.Random(1).sample(range(len(times)), len(times)):
        frame = camera.frame_at(index)
        assert (read_number(frame.image), frame.index, round(frame.t_ns / 1e6)) == (
            index,
            index,
            times[index],
        )


def test_frames_cannot_be_changed_by_whoever_looks_at_them(clip: tuple[Path, list[int]]) -> None:
    frame = next(FootageCamera(str(clip[0])).frames())
    with pytest.raises(ValueError, match="read-only"):
        frame.image[0, 0] = 0


def test_segments_are_one_film_even_when_each_starts_its_own_clock(tmp_path: Path) -> None:
    write_video(tmp_path / "000000.mp4", CONSTANT[:30])
    write_video(tmp_path / "000001.mp4", CONSTANT[:20], first_number=30)
    camera = FootageCamera(str(tmp_path))
    frames = list(camera.frames())
    assert [read_number(f.image) for f in frames] == list(range(50))
    assert all(a.t_ns < b.t_ns for a, b in pairwise(frames))
    assert [p.t_ns for p in camera.places()] == [f.t_ns for f in frames]
    assert read_number(camera.frame_at(42).image) == 42


def test_a_frame_outside_the_footage_is_refused(clip: tuple[Path, list[int]]) -> None:
    with pytest.raises(CameraError, match="frame 5000 is not in the footage"):
        FootageCamera(str(clip[0])).frame_at(5000)


@pytest.mark.parametrize("content", [b"", b"not a video at all" * 50])
def test_a_file_that_is_no_video_is_refused_in_one_sentence(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "footage.mp4").write_bytes(content)
    with pytest.raises(CameraError, match=r"footage\.mp4 cannot be read as a video"):
        FootageCamera(str(tmp_path / "footage.mp4"))


def test_a_sound_file_has_no_video_in_it(tmp_path: Path) -> None:
    import av
    import numpy as np

    with av.open(str(tmp_path / "a.mp4"), "w") as sound:
        stream = sound.add_stream("aac", rate=44100)
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 4096), np.float32), format="fltp", layout="mono")
        frame.sample_rate = 44100
        sound.mux(stream.encode(frame))
        sound.mux(stream.encode(None))
    with pytest.raises(CameraError, match="has no video in it"):
        FootageCamera(str(tmp_path / "a.mp4"))


def test_footage_torn_before_its_first_picture_is_refused(tmp_path: Path) -> None:
    import av

    torn = tmp_path / "footage.mp4"
    with av.open(str(torn), "w", options={"movflags": "frag_keyframe+empty_moov"}) as video:
        stream = video.add_stream("libx264", rate=30)
        stream.width, stream.height = SIZE
        stream.pix_fmt = "yuv420p"
        video.mux(stream.encode(av.VideoFrame.from_ndarray(numbered(1), format="bgr24")))
        video.mux(stream.encode(None))
    whole = torn.read_bytes()
    torn.write_bytes(whole[: whole.index(b"moof") - 4])
    with pytest.raises(CameraError, match="not one whole picture"):
        list(FootageCamera(str(torn)).frames())


def test_an_unknown_camera_names_the_known_ones() -> None:
    with pytest.raises(CameraError, match="no camera called 'telescope:1'; cameras: footage"):
        open_camera("telescope:1")
