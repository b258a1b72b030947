"""Small networks, run by OpenCV."""

from pathlib import Path

import cv2

ENGINE = {"engine": cv2.dnn.ENGINE_CLASSIC} if hasattr(cv2.dnn, "ENGINE_CLASSIC") else {}
"""OpenCV 5 has two engines; the older one runs these networks in two thirds of the time."""


def open_net(path: Path) -> cv2.dnn.Net:
    return cv2.dnn.readNetFromONNX(str(path), **ENGINE)
