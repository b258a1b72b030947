"""Cameras by name: `footage:PATH`, `webcam:0`, `stream:URL`, `picamera:0`."""

from importlib import import_module

from hardware.errors import CameraError
from hardware.frames import Camera

CAMERAS = {
    "footage": "hardware.cameras.footage:FootageCamera",
}
"""Driver name -> "module:Class"; a driver's vendor library is imported only when it is named."""


def open_camera(name: str) -> Camera:
    """Open the camera called `driver:address`."""
    driver, _, address = name.partition(":")
    if driver not in CAMERAS:
        raise CameraError(f"no camera driver called {driver!r}; drivers: {', '.join(CAMERAS)}")
    module, _, cls = CAMERAS[driver].partition(":")
    camera: Camera = getattr(import_module(module), cls)(address)
    return camera
