"""A camera that outlives its cable: opened again, by itself, when it vanished."""

import time
from collections.abc import Callable, Iterator

from hardware.cameras import open_camera
from hardware.errors import CameraError, CameraLost
from hardware.frames import Camera, Frame

RETRY_S = 1.0


def lasting_frames(
    name: str,
    on_change: Callable[[str | None], None],
    first: Camera | None = None,
    reopen: Callable[[str], Camera] = open_camera,
    sleep: Callable[[float], None] = time.sleep,
) -> Iterator[Frame]:
    """Frames with one running number; `on_change` hears why the camera is gone, and None when it is back."""
    index, camera, size = 0, first or reopen(name), None
    while True:
        size = size or camera.size
        try:
            for frame in camera.frames():
                yield Frame(index, frame.t_ns, frame.image)
                index += 1
            return
        except CameraLost as lost:
            camera.close()
            on_change(str(lost))
            camera = _wait_for(name, size, reopen, sleep)
            on_change(None)


def _wait_for(
    name: str,
    size: tuple[int, int],
    reopen: Callable[[str], Camera],
    sleep: Callable[[float], None],
) -> Camera:
    """Try until the same camera answers; one with another picture size would void the calibration."""
    while True:
        sleep(RETRY_S)
        try:
            camera = reopen(name)
        except CameraError:
            continue
        if camera.size == size:
            return camera
        camera.close()
