"""Whole cards, cut upright from drawn tables, with what each is and which parts of it are open."""

import cv2
import numpy as np
from corners import cut, label
from finder_data import die, hand, plane, project
from light import exposed, smeared, washed
from scenes import World, cast_shadow, paint

SIZE = (64, 96)
BOX = (-0.06, -0.045, 1.06, 1.045)
GRID = (16, 22)
JOKER, BACK, NONE = 13, 14, 15
"""Kinds beside the thirteen ranks."""
ASPECTS = (63 / 88, 63 / 88, 57 / 88, 0.66)


def sample(w: World, pool):
    """Two shots of one drawn scene: picture with a fourth channel of what is open, kind, suit."""
    r = w.rng
    long = np.exp(r.uniform(np.log(56), np.log(135)))
    s = int(long * 1.5) + 8
    scene = Scene(w, w.background(s), plane(r, s, long), long)
    if r.random() < 0.1:
        w.clutter(scene.out, 2)
    turn = r.uniform(0, 6.28)
    if r.random() < 0.3:
        scene.lay(r.choice(pool), r.uniform(-0.5, 0.5), r.uniform(-0.5, 0.5), turn + quarter(r), 5)
    face, kind, suit = chosen(w, pool)
    quad = scene.lay(face, 0, 0, turn, 0) if kind != NONE else scene.nowhere(pool, turn)
    cover(scene, pool, turn)
    return [shot(w, scene, quad, kind, suit) for _ in range(2)]


class Scene:
    """A small table on which cards are laid."""

    def __init__(self, w, out, to_px, long):
        r = w.rng
        self.w, self.out, self.to_px, self.long = w, out, to_px, long
        self.ids = np.full(out.shape[:2], -1, np.int32)
        self.aspect = r.choice(ASPECTS)
        self.off = np.array([r.uniform(-1, 1), r.uniform(-1, 1)]) * long * r.uniform(0, 0.05)
        self.blur, self.strong, self.tint = (
            r.uniform(0.6, 1 + long * 0.02),
            r.uniform(0, 0.5),
            r.uniform(0.86, 1.03),
        )

    def quad(self, x, y, t):
        u, v = np.array([np.cos(t), np.sin(t)]) * self.aspect / 2, np.array([-np.sin(t), np.cos(t)]) / 2
        c = np.array([x, y])
        return project(self.to_px, np.array([c - u - v, c + u - v, c + u + v, c - u + v]))

    def lay(self, face, x, y, t, ident):
        q = self.quad(x, y, t)
        if self.strong > 0.05:
            cast_shadow(self.out, q, self.off, self.blur, self.strong)
        paint(self.out, self.ids, face, q, ident, self.tint)
        return q

    def nowhere(self, pool, t):
        """Corners that hold no card: the table, or bits of cards that lie otherwise."""
        r = self.w.rng
        for _ in range(r.choice([0, 0, 1, 2])):
            a, d = r.uniform(0, 6.28), r.uniform(0.45, 0.9)
            self.lay(r.choice(pool), d * np.cos(a), d * np.sin(a), t + r.uniform(0.4, 2.7), 5)
        return self.quad(0, 0, t)


def chosen(w, pool):
    """A face with its kind and suit."""
    r = w.rng
    roll = r.random()
    if roll < 0.05:
        return None, NONE, -1
    if roll < 0.13:
        return (recoloured(r, r.choice(w.backs)) if r.random() < 0.6 else w.art_card()), BACK, -1
    if roll < 0.18:
        return r.choice(w.jokers), JOKER, -1
    face = r.choice(pool)
    number = label(face.name)
    return face, number % 13, number // 13


def recoloured(r, face):
    """The same back in other colours of ink."""
    if r.random() < 0.4:
        return face
    order = r.sample(range(3), 3)
    return type(face)(face.name, face.deck, [np.dstack([im[..., order], im[..., 3]]) for im in face.levels])


def quarter(r):
    return r.choice([0, 0, np.pi, np.pi / 2, r.uniform(0, 6.28)]) + r.gauss(0, 0.1)


def cover(scene, pool, turn):
    """Often other cards lie on it, now and then a hand or a die."""
    w, r = scene.w, scene.w.rng
    if r.random() < 0.45:
        for _ in range(r.choice([1, 1, 2])):
            a, d = r.uniform(0, 6.28), r.uniform(0.3, 0.95)
            top = r.choice(pool) if r.random() < 0.8 else r.choice(w.backs)
            scene.lay(top, d * np.cos(a), d * np.sin(a), turn + quarter(r), 7)
    if r.random() < 0.08:
        hand(w, scene.out, scene.ids, scene.long)
    if r.random() < 0.08:
        die(w, scene.out, scene.ids, scene.long)


def shot(w, scene, quad, kind, suit):
    r, long = w.rng, scene.long
    seen = cut((scene.ids == 0).astype(np.uint8) * 255, quad, (0, 0, 1, 1), GRID) > 127
    if kind == NONE:
        seen[:] = True
    img = exposed(r, w.develop(smeared(w, scene.out * washed(r)), 1.25))
    q = misjudged(w, quad, long, seen.mean())
    turn = r.choice([0, 2])
    picture = cut(img, np.roll(q, -turn, axis=0), BOX, SIZE)
    grid = doubted(w, seen if turn == 0 else seen[::-1, ::-1])
    return np.dstack([picture, open_layer(grid)]), kind, suit


def misjudged(w, quad, long, seen):
    """The corners as a finder would give them: worse when sides are hidden."""
    r = w.rng
    sig = r.choice([0.006, 0.012, 0.012, 0.025]) * (1.0 if seen > 0.8 else 1.6)
    m = np.eye(2) * (1 + r.gauss(0, sig)) + w.np.standard_normal((2, 2)) * sig
    c = quad.mean(0)
    return (
        (quad - c) @ m.T
        + c
        + w.np.standard_normal(2) * long * sig
        + w.np.standard_normal((4, 2)) * long * sig * 0.6
    )


def doubted(w, seen):
    """What is open, as a finder would give it: grown, shrunk, shifted, wrong in places, or not known at all."""
    r = w.rng
    if r.random() < 0.12:
        return np.ones_like(seen)
    grid = seen.astype(np.uint8)
    roll = r.random()
    if roll < 0.3:
        grid = cv2.dilate(grid, np.ones((3, 3), np.uint8))
    elif roll < 0.5:
        grid = cv2.erode(grid, np.ones((3, 3), np.uint8), borderValue=1)
    if r.random() < 0.3:
        grid = np.roll(grid, (r.randint(-1, 1), r.randint(-1, 1)), (0, 1))
    if r.random() < 0.3:
        x, y = r.randint(0, GRID[0] - 3), r.randint(0, GRID[1] - 3)
        grid[y : y + r.randint(1, 4), x : x + r.randint(1, 4)] ^= 1
    return grid > 0


def open_layer(grid):
    """The grid of open cells over the picture's box; outside of the card nothing is said to be open."""
    x0, y0, x1, y1 = BOX
    w, h = SIZE
    x = (x0 + (np.arange(w) + 0.5) / w * (x1 - x0)) * GRID[0]
    y = (y0 + (np.arange(h) + 0.5) / h * (y1 - y0)) * GRID[1]
    inside = np.outer((y >= 0) & (y < GRID[1]), (x >= 0) & (x < GRID[0]))
    columns, rows = np.clip(x.astype(int), 0, GRID[0] - 1), np.clip(y.astype(int), 0, GRID[1] - 1)
    return (grid[np.ix_(rows, columns)] & inside).astype(np.uint8) * 255
