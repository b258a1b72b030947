"""A camera that outlives its cable: opened again, by itself, when it vanished."""

import time
from collections.abc import Callable, Iterator

from hardware.cameras import open_camera
from hardware.errors import CameraError, CameraLost
from hardware.frames import Camera, Frame

RETRY_S = 1.0
Heard = Callable[[str | None], None]


def lasting_frames(
    name: str,
    on_change: Heard,
    first: Camera | None = None,
    reopen: Callable[[str], Camera] = open_camera,
    sleep: Callable[[float], None] = time.sleep,
) -> Iterator[Frame]:
    """Frames with one running number; `on_change` hears why the camera is gone, and None when it is back."""
    index, camera = 0, first or reopen(name)
    size = camera.size
    while True:
        try:
            for frame in camera.frames():
                _check_size(name, frame, size)
                yield Frame(index, frame.t_ns, frame.image)
                index += 1
            return
        except Exception as lost:  # vendors' libraries raise what they like; the camera is gone all the same
            camera.close()
            on_change(str(lost) if isinstance(lost, CameraError) else f"{name} broke off ({lost})")
            sleep(RETRY_S)
            camera = wait_for(name, size, on_change, reopen, sleep)


def wait_for(
    name: str,
    size: tuple[int, int],
    on_change: Heard,
    reopen: Callable[[str], Camera] = open_camera,
    sleep: Callable[[float], None] = time.sleep,
) -> Camera:
    """Try until the same camera answers; one with another picture size would void the calibration."""
    while True:
        try:
            camera = reopen(name)
        except CameraError as error:
            on_change(str(error))
        else:
            if camera.size == size:
                on_change(None)
                return camera
            camera.close()
            on_change(f"{name} has other pictures than before: the calibration does not fit them")
        sleep(RETRY_S)


def _check_size(name: str, frame: Frame, size: tuple[int, int]) -> None:
    if frame.image.shape[1::-1] != size:
        raise CameraLost(f"{name} changed the size of its pictures")
