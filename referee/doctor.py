"""Is everything there and good enough? Each thing with a tick or the one thing to do."""

import importlib.util
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from calibration.profile import Profile
from hardware.cameras import open_camera
from hardware.errors import TableError
from hardware.health import CameraHealth, examine
from hardware.recorder import free_bytes

WATCHED = 120
GIGABYTE = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Finding:
    what: str
    ok: bool
    says: str
    """What was found; when not ok, the one thing to do."""


def examine_table(camera: str | None, profile: Path | None, recordings: Path) -> Iterator[Finding]:
    """All findings, in the order a person would mend them."""
    yield from _camera(camera) if camera else (_cameras_found(),)
    yield _profile(profile)
    yield _disk(recordings)
    yield _display()
    yield _buttons()
    yield _voice()


def _cameras_found() -> Finding:
    devices = sorted(p.name for p in Path("/dev").glob("video*"))
    pi = importlib.util.find_spec("picamera2") is not None
    names = [f"webcam:{d.removeprefix('video')}" for d in devices] + (["picamera:0"] if pi else [])
    if names:
        return Finding("cameras", True, f"you may try {', '.join(names)}")
    return Finding("cameras", False, "none found: plug in a USB camera, or use stream:URL of a phone")


def _camera(name: str) -> Iterator[Finding]:
    try:
        with open_camera(name) as camera:
            health = examine(camera.frames(), WATCHED)
    except TableError as error:
        yield Finding(name, False, str(error))
        return
    yield _rate(name, health)
    yield _sharpness(health)
    yield _exposure(health)
    yield _flicker(health)


def _rate(name: str, health: CameraHealth) -> Finding:
    rate = f"{health.fps:.0f} frames a second, {health.dropped} gaps in {WATCHED}"
    if health.fps < 25:
        return Finding(name, False, f"{rate}: use MJPG or a smaller picture (?size=1280x720), and more light")
    if health.dropped > WATCHED // 20:
        return Finding(name, False, f"{rate}: close other programs, or lower the rate (?fps=30)")
    return Finding(name, True, rate)


def _sharpness(health: CameraHealth) -> Finding:
    if health.blur > 0.62:
        return Finding(
            "sharpness", False, f"blur {health.blur:.2f}: turn the lens or set ?focus= until edges are crisp"
        )
    return Finding("sharpness", True, f"blur {health.blur:.2f}")


def _exposure(health: CameraHealth) -> Finding:
    says = f"{health.burnt:.1%} burnt out, {health.dark:.1%} black"
    if health.burnt > 0.05:
        return Finding("exposure", False, f"{says}: less light or a shorter exposure (?exposure_us=4000)")
    if health.dark > 0.5:
        return Finding("exposure", False, f"{says}: more light on the table")
    return Finding("exposure", True, says)


def _flicker(health: CameraHealth) -> Finding:
    if health.flicker > 0.015:
        advice = "set the exposure to a multiple of 10 ms (50 Hz mains) or 8.3 ms (60 Hz), or another lamp"
        return Finding("flicker", False, f"light swings by {health.flicker:.1%}: {advice}")
    return Finding("flicker", True, f"light steady within {health.flicker:.1%}")


def _profile(path: Path | None) -> Finding:
    if path is None or not path.exists():
        return Finding(
            "calibration", False, "no profile yet: run 'referee print sheet', then 'referee calibrate'"
        )
    try:
        profile = Profile.load(path)
    except TableError as error:
        return Finding("calibration", False, str(error))
    days = (time.time() - path.stat().st_mtime) / 86_400
    says = f"{profile.plane_error_mm:.2f} mm, decides from {profile.smallest_margin_mm:.1f} mm, {days:.0f} days old"
    if profile.smallest_margin_mm > 2:
        return Finding("calibration", False, f"{says}: take sharper stills with the sheet in more corners")
    return Finding("calibration", True, says)


def _disk(folder: Path) -> Finding:
    while not folder.exists():
        folder = folder.parent
    free = free_bytes(folder)
    hours = free / (2 * GIGABYTE)
    says = f"{free / GIGABYTE:.0f} GB free, about {hours:.0f} hours of footage"
    if free < 2 * GIGABYTE:
        return Finding("disk", False, f"{says}: delete old recordings")
    return Finding("disk", True, says)


def _display() -> Finding:
    browser = next(
        (b for b in ("chromium", "chromium-browser", "google-chrome", "firefox") if shutil.which(b)), None
    )
    if browser:
        return Finding("display", True, f"{browser} can show the page; so can any phone on this network")
    return Finding("display", True, "no browser here: open the page on a phone or another computer")


def _buttons() -> Finding:
    if importlib.util.find_spec("gpiozero") is None:
        return Finding("buttons", True, "none (optional: pip install 'table-referee[pi]')")
    return Finding("buttons", True, "gpiozero is here; wiring is in hardware/pi")


def _voice() -> Finding:
    if shutil.which("espeak-ng"):
        return Finding("voice", True, "espeak-ng speaks")
    return Finding("voice", True, "the browser speaks (optional: sudo apt install espeak-ng)")
