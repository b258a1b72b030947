"""Draw tables with cards from flat faces: the only pictures the card networks learn from."""

import random
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

LEVELS = (320, 160, 80, 48)


@dataclass
class Face:
    name: str
    deck: str
    levels: list  # BGRA at falling heights


def rounded(w, h, r):
    m = np.zeros((h, w), np.uint8)
    r = max(1, min(int(r), w // 2 - 1))
    cv2.rectangle(m, (r, 0), (w - r - 1, h - 1), 255, -1)
    cv2.rectangle(m, (0, r), (w - 1, h - r - 1), 255, -1)
    for x in (r, w - r - 1):
        for y in (r, h - r - 1):
            cv2.circle(m, (x, y), r, 255, -1, cv2.LINE_AA)
    return m


def pyramid(im):
    out = []
    for h in LEVELS:
        w = round(im.shape[1] * h / im.shape[0])
        out.append(cv2.resize(im, (w, h), interpolation=cv2.INTER_AREA) if h != im.shape[0] else im)
    return out


def load_faces(root):
    """Every face of every deck folder, cut to a rounded card on its own paper."""
    faces = []
    for d in sorted(Path(root).iterdir()):
        for p in sorted(d.glob("*.png")):
            im = cv2.imread(str(p), -1)
            a = im[..., 3:] / 255.0
            paper = np.array([250, 250, 250])
            bgr = (im[..., :3] * a + paper * (1 - a)).astype(np.uint8)
            h, w = bgr.shape[:2]
            faces.append(Face(p.stem, d.name, pyramid(np.dstack([bgr, rounded(w, h, w * 0.055)]))))
    return faces


def load_pictures(roots, side=700):
    out = []
    for root in roots:
        for p in sorted(Path(root).rglob("*")):
            if p.suffix not in (".jpg", ".png", ".webp"):
                continue
            im = cv2.imread(str(p), cv2.IMREAD_REDUCED_COLOR_4)
            if im is None or min(im.shape[:2]) < 150:
                continue
            s = side / max(im.shape[:2])
            out.append(cv2.resize(im, None, fx=s, fy=s, interpolation=cv2.INTER_AREA))
    return out


def rand_colour(rng, lo=0, hi=255):
    return np.array([rng.uniform(lo, hi) for _ in range(3)], np.float32)


def noise_field(rng, s, cell):
    n = (
        np.random.default_rng(rng.getrandbits(32))
        .standard_normal((max(2, s // cell + 2),) * 2)
        .astype(np.float32)
    )
    return cv2.resize(n, (s, s), interpolation=cv2.INTER_CUBIC)


class World:
    def __init__(self, faces, pictures, fonts, seed):
        self.faces, self.pictures, self.fonts = faces, pictures, fonts
        self.rng = random.Random(seed)
        self.np = np.random.default_rng(seed)
        self.by_deck = {}
        for f in faces:
            self.by_deck.setdefault(f.deck, []).append(f)
        self.decks = sorted(self.by_deck)

    # ---- tables -------------------------------------------------------------
    def background(self, s):
        r = self.rng
        kind = r.choices(
            ["photo", "plain", "stripes", "gingham", "wood", "flowers", "tiles"], [4, 2.5, 3, 3, 3, 3, 1]
        )[0]
        if kind == "photo" and self.pictures:
            im = r.choice(self.pictures)
            k = r.uniform(0.5, 1.6) * s / min(im.shape[:2])
            big = cv2.warpAffine(
                im,
                cv2.getRotationMatrix2D(
                    (im.shape[1] / 2, im.shape[0] / 2), r.uniform(0, 360), max(k, 1.2 * s / min(im.shape[:2]))
                ),
                (im.shape[1], im.shape[0]),
                borderMode=cv2.BORDER_REFLECT,
            )
            y, x = r.randint(0, max(0, big.shape[0] - s)), r.randint(0, max(0, big.shape[1] - s))
            out = big[y : y + s, x : x + s]
            out = out if out.shape[:2] == (s, s) else cv2.resize(out, (s, s))
            return out.astype(np.float32)
        base = rand_colour(r, 15, 225)
        if r.random() < 0.35:
            base = base.mean() * 0.7 + base * 0.3
        out = np.empty((s, s, 3), np.float32)
        out[:] = base
        yy, xx = np.mgrid[0:s, 0:s].astype(np.float32)
        t = r.uniform(0, np.pi)
        u, v = xx * np.cos(t) + yy * np.sin(t), -xx * np.sin(t) + yy * np.cos(t)
        if kind == "stripes":
            for _ in range(r.randint(1, 3)):
                per, duty = r.uniform(5, 90), r.uniform(0.1, 0.6)
                m = (u / per + r.random()) % 1 < duty
                out[m] = rand_colour(r, 10, 250)
        elif kind == "gingham":
            per, duty, c = r.uniform(6, 60), r.uniform(0.3, 0.6), rand_colour(r, 10, 250)
            a, b = (u / per % 1 < duty), (v / per % 1 < duty)
            k = (a.astype(np.float32) + b)[..., None] / 2
            out = (out if r.random() < 0.4 else np.full_like(out, r.uniform(170, 245))) * (1 - k) + c * k
        elif kind == "wood":
            base = np.array([r.uniform(20, 150), 0, 0], np.float32)
            base[1] = base[0] + r.uniform(10, 50)
            base[2] = base[1] + r.uniform(10, 60)
            w = u + 6 * noise_field(r, s, r.randint(20, 90))
            g = np.sin(w / r.uniform(0.8, 6) + 2 * noise_field(r, s, 30)) * r.uniform(2, 18)
            out[:] = base
            out += g[..., None]
            per = r.uniform(50, 200)
            if r.random() < 0.7:
                out[(u / per % 1) < 1.3 / per] *= 0.45
        elif kind == "flowers":
            step, rad, petals = r.uniform(14, 60), r.uniform(2.5, 14), r.randint(4, 8)
            col, eye, thin = rand_colour(r, 20, 250), rand_colour(r, 20, 250), r.uniform(0.25, 0.6)
            if r.random() < 0.4:
                col[:] = r.uniform(190, 250)
            loose = r.choice([0.05, 0.1, 0.5])
            for i in range(-int(s / step) - 1, int(s / step) + 2):
                for j in range(-int(s / step) - 1, int(s / step) + 2):
                    x, y = (i + 0.5 * (j % 2) + r.gauss(0, loose)) * step, (j + r.gauss(0, loose)) * step
                    x, y = s / 2 + x * np.cos(t) - y * np.sin(t), s / 2 + x * np.sin(t) + y * np.cos(t)
                    if not (-rad < x < s + rad and -rad < y < s + rad):
                        continue
                    spin = r.uniform(0, 6.28)
                    for k in range(petals):
                        a = spin + k * 6.283 / petals
                        c = (int(x + rad * 0.6 * np.cos(a)), int(y + rad * 0.6 * np.sin(a)))
                        cv2.ellipse(
                            out,
                            c,
                            (max(1, int(rad * 0.55)), max(1, int(rad * thin * 0.6))),
                            np.degrees(a),
                            0,
                            360,
                            col.tolist(),
                            -1,
                            cv2.LINE_AA,
                        )
                    cv2.circle(out, (int(x), int(y)), max(1, int(rad * 0.3)), eye.tolist(), -1, cv2.LINE_AA)
        elif kind == "tiles":
            per = r.uniform(15, 80)
            out[((u // per + v // (per * r.uniform(0.5, 2))) % 2 == 0)] = rand_colour(r, 10, 250)
        out += noise_field(r, s, r.randint(1, 8))[..., None] * r.uniform(0, 12)
        return out

    def text_block(self, w, h, paper, ink):
        im = Image.new("RGB", (w, h), tuple(int(c) for c in paper))
        d = ImageDraw.Draw(im)
        r = self.rng
        y = r.uniform(0, 10)
        while y < h:
            size = r.choice([7, 8, 9, 10, 12, 16, 24, 34])
            f = self.font(size)
            d.text(
                (r.uniform(1, 12), y),
                "".join(
                    r.choice("abcdefghijklmnopqrstuvwxyz  ABCDEJQKA 0123456789")
                    for _ in range(int(w / size * 1.8))
                ),
                fill=tuple(int(c) for c in ink),
                font=f,
            )
            y += size * r.uniform(1.1, 1.6)
        return np.array(im)[..., ::-1].astype(np.float32)

    def font(self, size):
        path = self.rng.choice(self.fonts)
        if (path, size) not in _fonts:
            _fonts[path, size] = ImageFont.truetype(path, size)
        return _fonts[path, size]

    def clutter(self, out, n):
        """Things that are not cards: papers, books, tins, pens, in odd shapes."""
        s = out.shape[0]
        r = self.rng
        for _ in range(n):
            c = np.array([r.uniform(-0.1, 1.1) * s, r.uniform(-0.1, 1.1) * s])
            kind = r.choice(["paper", "blob", "disc", "rod", "photo"])
            col = rand_colour(r, 5, 250) if r.random() < 0.6 else np.full(3, r.uniform(170, 255), np.float32)
            if kind in ("paper", "photo"):
                w, h = r.uniform(0.1, 0.9) * s, r.uniform(0.25, 1.1) * s
                if 0.5 < min(w, h) / max(w, h) < 0.86:
                    w *= 0.45
                w, h = int(max(8, w)), int(max(8, h))
                if kind == "photo" and self.pictures:
                    src = cv2.resize(r.choice(self.pictures), (w, h)).astype(np.float32)
                else:
                    src = (
                        self.text_block(w, h, col, rand_colour(r, 0, 120))
                        if r.random() < 0.7
                        else np.full((h, w, 3), col, np.float32)
                    )
                m = cv2.getRotationMatrix2D((w / 2, h / 2), r.uniform(0, 360), 1)
                m[:, 2] += c - (w / 2, h / 2)
                a = cv2.warpAffine(np.ones((h, w), np.float32), m, (s, s))
                out[:] = out * (1 - a[..., None]) + cv2.warpAffine(src, m, (s, s)) * a[..., None]
            elif kind == "disc":
                cv2.circle(
                    out, tuple(int(x) for x in c), int(r.uniform(3, 0.25 * s)), col.tolist(), -1, cv2.LINE_AA
                )
            elif kind == "rod":
                d = np.array([np.cos(a := r.uniform(0, 6.3)), np.sin(a)]) * r.uniform(0.1, 0.6) * s
                cv2.line(
                    out,
                    tuple(int(x) for x in c - d),
                    tuple(int(x) for x in c + d),
                    col.tolist(),
                    r.randint(2, 14),
                    cv2.LINE_AA,
                )
            else:
                k = r.randint(5, 9)
                rad = r.uniform(5, 0.25 * s)
                pts = [
                    (
                        c[0] + rad * r.uniform(0.4, 1) * np.cos(i * 6.283 / k),
                        c[1] + rad * r.uniform(0.4, 1) * np.sin(i * 6.283 / k),
                    )
                    for i in range(k)
                ]
                cv2.fillPoly(out, [np.array(pts, np.int32)], col.tolist(), cv2.LINE_AA)

    # ---- faces --------------------------------------------------------------
    def art_card(self):
        """A card of no deck at all: plain, patterned back, picture, portrait."""
        r = self.rng
        h, w = 160, r.choice([104, 110, 114, 114, 114, 118])
        paper = (
            np.full(3, r.choice([r.uniform(150, 255), r.uniform(15, 80)]), np.float32)
            if r.random() < 0.6
            else rand_colour(r, 20, 250)
        )
        im = np.empty((h, w, 3), np.float32)
        im[:] = paper
        b = r.choice([0, 0, 3, 5, 8, 12])
        inner = im[b : h - b, b : w - b]
        kind = r.choice(["plain", "plain", "photo", "back", "back", "back", "shapes", "shapes"])
        hh, ww = inner.shape[:2]
        if kind == "photo" and self.pictures:
            p = r.choice(self.pictures)
            y, x = r.randint(0, p.shape[0] - 140), r.randint(0, p.shape[1] - 100)
            inner[:] = cv2.resize(p[y : y + 140, x : x + 100], (ww, hh))
        elif kind == "back":
            c1, c2 = (
                rand_colour(r, 0, 255),
                (rand_colour(r, 0, 255) if r.random() < 0.4 else np.full(3, 245, np.float32)),
            )
            yy, xx = np.mgrid[0:hh, 0:ww].astype(np.float32)
            t, per = r.choice([0, 0.785, 0.785, r.uniform(0, 1.5)]), r.uniform(2.5, 26)
            u, v = xx * np.cos(t) + yy * np.sin(t), -xx * np.sin(t) + yy * np.cos(t)
            m = r.choice(
                [
                    lambda: np.sin(u * 6.283 / per) * np.sin(v * 6.283 / per),
                    lambda: np.sin(u * 6.283 / per) + np.sin(v * 6.283 / per),
                    lambda: np.maximum(np.sin(u * 6.283 / per), np.sin(v * 6.283 / per)) - 0.6,
                    lambda: np.full_like(u, 1.0),
                ]
            )()
            k = np.clip(m * 3 + 0.5, 0, 1)[..., None]
            inner[:] = c1 * (1 - k) + c2 * k
            if r.random() < 0.4:
                cv2.ellipse(
                    inner,
                    (ww // 2, hh // 2),
                    (int(ww * r.uniform(0.1, 0.35)), int(hh * r.uniform(0.1, 0.35))),
                    0,
                    0,
                    360,
                    rand_colour(r).tolist(),
                    -1,
                    cv2.LINE_AA,
                )
            if r.random() < 0.5:
                cv2.rectangle(inner, (4, 4), (ww - 5, hh - 5), c2.tolist(), r.randint(1, 4))
        elif kind == "shapes":
            inner[:] = rand_colour(r, 30, 255)
            for _ in range(r.randint(1, 8)):
                x, y, q = r.uniform(0, ww), r.uniform(0, hh), r.uniform(4, 45)
                col = rand_colour(r).tolist()
                if r.random() < 0.5:
                    cv2.ellipse(
                        inner,
                        (int(x), int(y)),
                        (int(q), int(q * r.uniform(0.5, 1.6))),
                        r.uniform(0, 180),
                        0,
                        360,
                        col,
                        -1,
                        cv2.LINE_AA,
                    )
                else:
                    cv2.rectangle(
                        inner, (int(x), int(y)), (int(x + q), int(y + q * r.uniform(0.3, 1.5))), col, -1
                    )
            if r.random() < 0.7:
                u8 = inner.clip(0, 255).astype(np.uint8)
                cv2.putText(
                    u8,
                    "".join(r.choice("ABCDEFGHIKLMNOPRSTUVW") for _ in range(r.randint(3, 9))),
                    (r.randint(4, 40), r.choice([16, hh - 8, hh // 2])),
                    r.choice([0, 1, 2, 3, 4]),
                    r.uniform(0.35, 0.8),
                    rand_colour(r, 0, 255).tolist(),
                    r.randint(1, 2),
                    cv2.LINE_AA,
                )
                inner[:] = u8
        if r.random() < 0.4:
            cv2.rectangle(im, (1, 1), (w - 2, h - 2), rand_colour(r, 0, 140).tolist(), 1)
        a = rounded(w, h, w * r.choice([0.0, 0.03, 0.055, 0.08]) + 1)
        big = np.dstack([im.clip(0, 255).astype(np.uint8), a])
        return Face(
            "art",
            "art",
            [big]
            + [cv2.resize(big, (round(w * q / h), q), interpolation=cv2.INTER_AREA) for q in LEVELS[2:]],
        )

    # ---- light and lens -----------------------------------------------------
    def develop(self, im, hard=1.0):
        r, s = self.rng, im.shape[0]
        yy, xx = np.mgrid[-1 : 1 : complex(0, s), -1 : 1 : complex(0, im.shape[1])].astype(np.float32)
        t = r.uniform(0, 6.283)
        g = 1 + r.uniform(0, 0.45) * (xx * np.cos(t) + yy * np.sin(t)) * 0.6
        if r.random() < 0.25:  # glare of a lamp
            cx, cy, q = r.uniform(-1, 1), r.uniform(-1, 1), r.uniform(0.05, 0.7)
            im = im + (r.uniform(20, 170) * np.exp(-((xx - cx) ** 2 + (yy - cy) ** 2) / q))[..., None]
        if r.random() < 0.2:  # the edge of a shadow
            t = r.uniform(0, 6.283)
            k = 1 / (
                1
                + np.exp(
                    np.clip(
                        (xx * np.cos(t) + yy * np.sin(t) - r.uniform(-0.6, 0.6)) * r.uniform(5, 60), -30, 30
                    )
                )
            )
            g = g * (1 - r.uniform(0.2, 0.55) * k)
        wb = np.array([r.uniform(0.78, 1.15), r.uniform(0.93, 1.05), r.uniform(0.85, 1.12)], np.float32)
        gain = np.exp(r.uniform(-0.75, 0.28))
        im = np.clip(im * g[..., None] * wb * gain, 0, 255) / 255
        if r.random() < 0.6:
            im = im ** r.uniform(0.7, 1.35)
        if r.random() < 0.3:  # milky
            k = r.uniform(0, 0.25)
            im = im * (1 - k) + k * r.uniform(0.3, 0.8)
        im = im * 255
        sig = abs(r.gauss(0, 0.55)) * hard
        if sig > 0.25:
            im = cv2.GaussianBlur(im, (0, 0), sig)
        if r.random() < 0.1 * hard:
            n = r.randint(2, 4)
            k = np.zeros((n, n), np.float32)
            cv2.line(k, (0, r.randint(0, n - 1)), (n - 1, r.randint(0, n - 1)), 1, 1)
            im = cv2.filter2D(im, -1, k / k.sum())
        if r.random() < 0.45:
            im = im + r.uniform(0.2, 1.2) * (im - cv2.GaussianBlur(im, (0, 0), 1.0))
        im = im + self.np.standard_normal(im.shape, dtype=np.float32) * abs(r.gauss(0, 3.5))
        im = np.clip(im, 0, 255).astype(np.uint8)
        if r.random() < 0.5:
            im = cv2.imdecode(cv2.imencode(".jpg", im, [cv2.IMWRITE_JPEG_QUALITY, r.randint(35, 95)])[1], 1)
        return im


_fonts = {}


def paint(out, ids, face, quad, ident, shade=1.0):
    """Lay a face on the picture with its corners (tl, tr, br, bl) at `quad`."""
    s_h, s_w = out.shape[:2]
    x0, y0 = np.floor(quad.min(0)).astype(int) - 1
    x1, y1 = np.ceil(quad.max(0)).astype(int) + 2
    x0, y0, x1, y1 = max(0, x0), max(0, y0), min(s_w, x1), min(s_h, y1)
    if x1 <= x0 or y1 <= y0:
        return
    long = max(np.linalg.norm(quad[3] - quad[0]), np.linalg.norm(quad[2] - quad[1]))
    img = next((i for i in reversed(face.levels) if i.shape[0] >= long * 0.9), face.levels[0])
    h, w = img.shape[:2]
    m = cv2.getPerspectiveTransform(
        np.float32([[0, 0], [w, 0], [w, h], [0, h]]) - 0.5, (quad - (x0, y0)).astype(np.float32)
    )
    patch = cv2.warpPerspective(img, m, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR)
    a = patch[..., 3:].astype(np.float32) / 255
    col = patch[..., :3].astype(np.float32)
    view = out[y0:y1, x0:x1]
    view[:] = view * (1 - a) + col * a * shade
    ids[y0:y1, x0:x1][a[..., 0] > 0.5] = ident


def cast_shadow(out, quad, offset, blur, strength):
    x0, y0 = np.floor(np.minimum(quad.min(0), quad.min(0) + offset)).astype(int) - int(3 * blur + 1)
    x1, y1 = np.ceil(np.maximum(quad.max(0), quad.max(0) + offset)).astype(int) + int(3 * blur + 2)
    x0, y0, x1, y1 = max(0, x0), max(0, y0), min(out.shape[1], x1), min(out.shape[0], y1)
    if x1 <= x0 or y1 <= y0:
        return
    m = np.zeros((y1 - y0, x1 - x0), np.float32)
    cv2.fillConvexPoly(m, np.round((quad + offset - (x0, y0)) * 8).astype(np.int32), 1.0, cv2.LINE_AA, 3)
    m = cv2.GaussianBlur(m, (0, 0), blur)
    out[y0:y1, x0:x1] *= 1 - strength * m[..., None]
