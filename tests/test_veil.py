"""Promises of the curtain: what not everybody may see is on no picture that is shown or kept."""

import threading
from pathlib import Path

import numpy as np

from calibration.points import from_points
from hardware.cameras.footage import FootageCamera
from hardware.frames import Frame, Image, as_image
from hardware.recorder import Recorder, Ring, forget_rings, numbers_of
from referee.reading import Secrets
from referee.relay import Taker
from referee.roll import Roll
from referee.table_eyes import eyes_over, hidden_px
from referee.veil import CURTAIN, Curtains, Places, covered
from referee.zones import Zone
from tests.untroubled import untroubled
from tests.watch.stage import Eyes as StageEyes

IMAGE = as_image(np.full((90, 160, 3), 200, np.uint8))
HAND: Places = (((0.0, 0.0), (80.0, 0.0), (80.0, 89.0), (0.0, 89.0)),)


def is_covered(image: Image | None, x: int) -> bool:
    assert image is not None
    return bool((image[45, x] == CURTAIN).all())


def test_a_hidden_place_is_covered_and_the_rest_is_as_it_was() -> None:
    shown = covered(IMAGE, HAND)
    assert (is_covered(shown, 40), is_covered(shown, 120)) == (True, False)
    assert not is_covered(IMAGE, 40)
    assert is_covered(covered(IMAGE, None), 120)


def test_a_frame_is_covered_as_the_eyes_had_it_then_however_late_it_is_kept() -> None:
    curtains = Curtains()
    curtains.note(3, HAND)
    curtains.note(10, ())
    assert [is_covered(curtains.draw(k, IMAGE, 0, 0), 40) for k in (3, 9, 10)] == [True, True, False]


def test_a_frame_the_eyes_have_not_looked_at_is_not_kept() -> None:
    curtains = Curtains()
    curtains.note(3, ())
    assert curtains.draw(4, IMAGE, 0, 0.01) is None
    assert Curtains().draw(0, IMAGE, 0, 0.01) is None


def test_where_nothing_is_secret_no_frame_waits_and_eyes_that_are_shut_still_count() -> None:
    curtains = Curtains(waits=False)
    assert curtains.draw(4, IMAGE, curtains.night, 0) is IMAGE
    before = curtains.night
    curtains.shut()
    assert curtains.draw(5, IMAGE, before, 0) is None


def test_a_frame_waits_for_the_eyes() -> None:
    curtains = Curtains()
    threading.Timer(0.05, lambda: curtains.note(7, HAND)).start()
    assert is_covered(curtains.draw(7, IMAGE, 0, 5), 40)


def test_what_waits_when_eyes_are_shut_is_thrown_away() -> None:
    curtains = Curtains()
    curtains.note(3, ())
    before = curtains.night
    threading.Timer(0.05, curtains.shut).start()
    assert curtains.draw(7, IMAGE, before, 5) is None
    curtains.note(20, ())
    assert curtains.draw(7, IMAGE, before, 5) is None


def test_before_the_first_settled_picture_nothing_is_kept() -> None:
    curtains = Curtains()
    curtains.note(0, None)
    assert curtains.draw(0, IMAGE, 0, 0) is None


def fill(recorder: Recorder, count: int) -> None:
    noise = np.random.default_rng(1)
    for k in range(count):
        image = noise.integers(0, 255, (90, 160, 3), dtype=np.uint8)
        recorder.write(Frame(k, k * 100_000_000, as_image(image)))


def test_the_last_moments_stay_in_memory_within_bounds_and_go_with_the_table() -> None:
    ring = Ring(untroubled, budget_bytes=400_000)
    fill(ring, 400)
    files = sorted(ring.folder.glob("*.mp4"))
    assert files
    assert sum(f.stat().st_size for f in files[:-1]) <= 400_000
    assert int(files[-1].stem) > len(files), "old moments were forgotten"
    assert FootageCamera(str(ring.folder)).places()
    ring.close()
    ring.close()
    assert not ring.folder.exists()


class StumblingRing(Ring):
    """Fails at one frame, by a fault of its own."""

    def write(self, frame: Frame) -> None:
        if frame.index == 3:
            raise RuntimeError("a fault of its own")
        super().write(frame)


def test_a_stumble_ends_a_segment_and_the_last_moments_stay() -> None:
    ring, frames, stumbles = StumblingRing(untroubled), Taker(20), list[Exception]()
    for k in range(8):
        frames.offer(Frame(k, k * 100_000_000, as_image(np.full((90, 160, 3), 30 * k, np.uint8))))
    frames.end(threading.Event())
    Roll(frames, ring, Curtains(waits=False), stumbles.append).run(threading.Event())
    segments = sorted(ring.folder.glob("*.mp4"))
    assert [numbers_of(s) for s in segments] == [[0, 1, 2], [4, 5, 6, 7]]
    assert len(stumbles) == 1
    ring.close()
    assert not ring.folder.exists()


def test_what_still_waits_when_the_table_is_closed_is_kept(tmp_path: Path) -> None:
    recorder, frames, closed = Recorder(tmp_path, untroubled), Taker(20), threading.Event()
    for k in range(8):
        frames.offer(Frame(k, k * 100_000_000, IMAGE))
    closed.set()
    Roll(frames, recorder, Curtains(waits=False), untroubled).run(closed)
    recorder.close()
    assert [n for s in sorted(tmp_path.glob("*.mp4")) for n in numbers_of(s)] == list(range(8))


def test_what_a_killed_table_left_in_memory_is_forgotten(tmp_path: Path) -> None:
    names = ("table-referee-4194999-x", "table-referee-1-x", "other-4194999")
    for name in names:
        (tmp_path / name).mkdir()
    forget_rings(tmp_path)
    assert {p.name for p in tmp_path.iterdir()} == {"table-referee-1-x", "other-4194999"}


def test_nothing_outside_the_open_table_is_on_a_picture() -> None:
    profile = from_points(
        (((0, 0), (0, 90)), ((160, 0), (160, 90)), ((160, 90), (160, 0)), ((0, 90), (0, 0))), (160, 90)
    )
    eyes = eyes_over(profile, ("A", "B", "C"), StageEyes())
    middle = Zone("TABLE", ((40.0, 20.0), (120.0, 20.0), (120.0, 70.0), (40.0, 70.0)))
    shown = covered(IMAGE, hidden_px(Secrets(shown=middle), eyes))
    assert [is_covered(shown, x) for x in (5, 35, 45, 80, 115, 125, 155)] == [
        True,
        True,
        False,
        False,
        False,
        True,
        True,
    ]
    assert covered(IMAGE, hidden_px(Secrets(), eyes)) is IMAGE
