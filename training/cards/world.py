"""Everything the card networks' teachers draw with: faces, pictures of rooms and landscapes, typefaces."""

import pickle
import subprocess
from pathlib import Path

from scenes import World, load_faces, load_pictures

LAB = Path("lab")
"""Where faces.py leaves the flat faces, and where this keeps what it has loaded."""
PICTURES = ("/usr/share/backgrounds", "/usr/share/wallpapers")


def fonts():
    out = subprocess.run(["fc-list", ":lang=en", "file"], capture_output=True, text=True, check=True).stdout
    paths = sorted({line.split(":")[0] for line in out.splitlines() if line.strip()})
    return [path for path in paths if path.endswith((".ttf", ".otf"))]


def make(seed):
    """A world to draw in; the same seed draws the same."""
    kept = LAB / "world.pkl"
    if not kept.exists():
        kept.write_bytes(pickle.dumps((load_faces(LAB / "faces"), load_pictures(PICTURES), fonts()), 5))
    return World(*pickle.loads(kept.read_bytes()), seed)
