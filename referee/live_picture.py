"""The table as its camera sees it now, for the page."""

import threading
import time

import cv2

from referee.table import Table

WIDTH = 960
QUALITY = 70
EVERY_S = 0.08


class LivePicture:
    """Encoded at most a dozen times a second, however many look, and not at all when nobody does."""

    def __init__(self) -> None:
        self._made: tuple[float, bytes | None] = (0.0, None)
        self._encoding = threading.Lock()

    def jpeg(self, table: Table | None) -> bytes | None:
        """None while there is nothing to be seen, or nothing that everybody may see."""
        with self._encoding:
            made, jpeg = self._made
            if time.monotonic() - made >= EVERY_S:
                jpeg = _encoded(table)
                self._made = (time.monotonic(), jpeg)
            return jpeg


def _encoded(table: Table | None) -> bytes | None:
    frame = table.relay.latest if table is not None and table.relay is not None else None
    if table is None or frame is None or table.match.game.blind(table.match.state):
        return None
    image = table.eyes.veil(frame.image) if table.eyes is not None else frame.image
    height, width = image.shape[:2]
    small = cv2.resize(image, (WIDTH, WIDTH * height // width))
    done, jpeg = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return jpeg.tobytes() if done else None
