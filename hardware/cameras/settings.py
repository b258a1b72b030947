"""What may be written behind a camera's address: `webcam:0?size=1280x720&fps=60`."""

from dataclasses import dataclass, fields
from urllib.parse import parse_qsl

from hardware.errors import CameraError


@dataclass(frozen=True, slots=True)
class Settings:
    size: tuple[int, int] = (1280, 720)
    fps: float = 60.0
    exposure_us: int | None = None
    """None leaves it to the camera."""
    gain: float | None = None
    focus: float | None = None
    """In dioptres, where the lens can; None leaves it where it is."""


def split_address(address: str) -> tuple[str, Settings]:
    """The address proper and its settings."""
    place, _, query = address.partition("?")
    known = {f.name for f in fields(Settings)}
    values: dict[str, object] = {}
    for key, text in parse_qsl(query, keep_blank_values=True):
        if key not in known:
            raise CameraError(f"no camera setting called {key!r}; settings: {', '.join(sorted(known))}")
        values[key] = _cast(key, text)
    return place, Settings(**values)  # type: ignore[arg-type]  # every value was cast by its key above


def _cast(key: str, text: str) -> object:
    try:
        if key == "size":
            width, height = text.lower().split("x")
            return (int(width), int(height))
        return int(text) if key == "exposure_us" else float(text)
    except ValueError:
        raise CameraError(f"camera setting {key}={text!r} is not {_WANTED.get(key, 'a number')}") from None


_WANTED = {"size": "a size like 1280x720", "exposure_us": "a whole number of microseconds"}
