"""Cameras by name: `footage:PATH`, `webcam:0`, `stream:URL`, `picamera:0`."""

from importlib import import_module

from hardware.errors import CameraError
from hardware.frames import Camera

CAMERAS = {
    "footage": "hardware.cameras.footage:FootageCamera",
    "webcam": "hardware.cameras.webcam:Webcam",
    "stream": "hardware.cameras.stream:StreamCamera",
    "picamera": "hardware.cameras.picamera:PiCamera",
}
"""Driver name -> "module:Class"; a driver's vendor library is imported only when it is named."""


def open_camera(name: str) -> Camera:
    """Open the camera called `driver:address`, or say why not; never another one instead."""
    driver, _, address = name.partition(":")
    if driver not in CAMERAS or not address:
        names = ", ".join(f"{d}:..." for d in CAMERAS)
        raise CameraError(f"no camera called {name!r}; cameras: {names}")
    module, _, cls = CAMERAS[driver].partition(":")
    camera: Camera = getattr(import_module(module), cls)(address)
    return camera
