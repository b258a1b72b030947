"""Light, lens and sensor: what happens to a drawn table before it is a picture."""

import cv2
import numpy as np


def develop(w, im: np.ndarray, hard: float = 1.0) -> np.ndarray:
    """The drawn table as a camera would store it, uint8."""
    r = w.rng
    im = expose(r, light(r, im))
    im = blur(r, im, hard)
    im = im + w.np.standard_normal(im.shape, dtype=np.float32) * abs(r.gauss(0, 3.5))
    im = np.clip(im, 0, 255).astype(np.uint8)
    if r.random() < 0.5:
        im = cv2.imdecode(cv2.imencode(".jpg", im, [cv2.IMWRITE_JPEG_QUALITY, r.randint(35, 95)])[1], 1)
    return im


def light(r, im: np.ndarray) -> np.ndarray:
    """Uneven light, the shine of a lamp, the edge of a shadow."""
    h, w = im.shape[:2]
    y, x = np.mgrid[-1 : 1 : complex(0, h), -1 : 1 : complex(0, w)].astype(np.float32)
    t = r.uniform(0, 2 * np.pi)
    gain = 1 + r.uniform(0, 0.27) * (x * np.cos(t) + y * np.sin(t))
    if r.random() < 0.3:
        cx, cy, size = r.uniform(-1, 1), r.uniform(-1, 1), r.uniform(0.03, 0.7)
        im = im + (r.uniform(20, 220) * np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / size))[..., None]
    if r.random() < 0.2:
        t = r.uniform(0, 2 * np.pi)
        across = (x * np.cos(t) + y * np.sin(t) - r.uniform(-0.6, 0.6)) * r.uniform(5, 60)
        gain = gain * (1 - r.uniform(0.2, 0.55) / (1 + np.exp(np.clip(across, -30, 30))))
    return im * gain[..., None]


def expose(r, im: np.ndarray) -> np.ndarray:
    white = np.array([r.uniform(0.7, 1.15), r.uniform(0.92, 1.05), r.uniform(0.85, 1.12)], np.float32)
    im = np.clip(im * white * np.exp(r.uniform(-0.75, 0.28)), 0, 255) / 255
    if r.random() < 0.6:
        im = im ** r.uniform(0.7, 1.35)
    if r.random() < 0.25:  # milky
        k = r.uniform(0, 0.25)
        im = im * (1 - k) + k * r.uniform(0.3, 0.8)
    return im * 255


def blur(r, im: np.ndarray, hard: float) -> np.ndarray:
    """Out of focus or shaken, then sharpened by the camera."""
    sigma = abs(r.gauss(0, 0.55)) * hard
    if sigma > 0.25:
        im = cv2.GaussianBlur(im, (0, 0), sigma)
    if r.random() < 0.1 * hard:
        n = r.randint(2, 4)
        shake = np.zeros((n, n), np.float32)
        cv2.line(shake, (0, r.randint(0, n - 1)), (n - 1, r.randint(0, n - 1)), 1, 1)
        im = cv2.filter2D(im, -1, shake / shake.sum())
    if r.random() < 0.45:
        im = im + r.uniform(0.2, 1.2) * (im - cv2.GaussianBlur(im, (0, 0), 1.0))
    return im


def cast_shadow(out: np.ndarray, quad: np.ndarray, offset: np.ndarray, blur: float, strength: float) -> None:
    """Darken what lies beside a card on the side away from the light."""
    both = np.concatenate([quad, quad + offset])
    margin = int(3 * blur + 1)
    x0, y0 = np.maximum(0, np.floor(both.min(0)).astype(int) - margin)
    x1, y1 = np.minimum(out.shape[1::-1], np.ceil(both.max(0)).astype(int) + margin)
    if x1 <= x0 or y1 <= y0:
        return
    m = np.zeros((y1 - y0, x1 - x0), np.float32)
    cv2.fillConvexPoly(m, np.round((quad + offset - (x0, y0)) * 8).astype(np.int32), 1.0, cv2.LINE_AA, 3)
    out[y0:y1, x0:x1] *= 1 - strength * cv2.GaussianBlur(m, (0, 0), blur)[..., None]


def washed(r):
    """A lamp too bright for the camera now and then."""
    return r.uniform(1.1, 2.2) if r.random() < 0.15 else 1.0


def smeared(w, im: np.ndarray) -> np.ndarray:
    """Now and then what a camera leaves of fine print when it takes the grain out of a dim picture."""
    r = w.rng
    if r.random() > 0.35:
        return im
    im = im + w.np.standard_normal(im.shape, dtype=np.float32) * r.uniform(0, 14)
    if r.random() < 0.3:
        return cv2.medianBlur(im.clip(0, 255).astype(np.uint8), 3).astype(np.float32)
    return cv2.bilateralFilter(im.astype(np.float32), 5, r.uniform(20, 90), r.uniform(0.8, 1.8))


def exposed(r, img):
    """Little contrast now and then: far too dark, or a pale veil."""
    roll = r.random()
    if roll < 0.06:
        return (img * r.uniform(0.25, 0.6)).astype(np.uint8)
    if roll < 0.14:
        k = r.uniform(0.2, 0.85)
        veil = 255 * r.uniform(0.7, 1) * np.array([r.uniform(0.85, 1), r.uniform(0.93, 1), 1])
        return (img * (1 - k) + k * veil).astype(np.uint8)
    if roll < 0.26:
        k = r.uniform(0.4, 1.0) * lamp(r, img.shape[:2])
        return np.clip(img * (1 - 0.8 * k) + 300 * k, 0, 255).astype(np.uint8)
    return img


def lamp(r, shape):
    """The reflection of a lamp somewhere on the picture, 0 to 1."""
    h, w = shape
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    wide, tall = r.uniform(0.12, 0.5) * w, r.uniform(0.12, 0.5) * h
    away = ((x - r.uniform(0.2, 0.8) * w) / wide) ** 2 + ((y - r.uniform(0.2, 0.8) * h) / tall) ** 2
    return np.exp(-away / 2)[..., None]
