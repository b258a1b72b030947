"""The page full screen on the machine's own display: Chromium in kiosk mode."""

import shutil
import subprocess
import tempfile
from pathlib import Path

from hardware.errors import TableError
from hardware.plates import Plate

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--kiosk",
    "--noerrdialogs",
    "--disable-infobars",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-pinch",
    "--overscroll-history-navigation=0",
    "--autoplay-policy=no-user-gesture-required",
    "--check-for-update-interval=31536000",
)


class KioskDisplay:
    """`address` is the page's; the page shows everything itself, so plates are not needed."""

    def __init__(self, address: str) -> None:
        self._profile = tempfile.TemporaryDirectory(prefix="table-referee-", ignore_cleanup_errors=True)
        self._browser = subprocess.Popen(
            kiosk_command(address, Path(self._profile.name)),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def show(self, plate: Plate) -> None:
        pass

    @property
    def is_open(self) -> bool:
        return self._browser.poll() is None

    def wait(self) -> None:
        """Until somebody closes the browser."""
        self._browser.wait()

    def close(self) -> None:
        if self.is_open:
            self._browser.terminate()
            self._browser.wait(10)
        self._profile.cleanup()


def kiosk_command(address: str, profile: Path) -> list[str]:
    """How the browser is started; a fresh profile, so that it never asks to restore pages."""
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        raise TableError("no Chromium here: sudo apt install chromium, or open the page on another device")
    return [browser, *FLAGS, f"--user-data-dir={profile}", f"--app={address}"]
