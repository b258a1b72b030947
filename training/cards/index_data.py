"""Corners of cards with the index they bear, or none."""

import numpy as np
from corners import IDX_BOX, IDX_H, IDX_W, cut, label
from light import exposed, smeared, washed
from scenes import World, cast_shadow, noise_field, paint, rand_colour

MIDDLE = np.array([0.125, 0.165])
"""Of the patch, in card units."""
FOUR = {"dondorf", "kde_white"}
"""Decks with an index in every corner."""
LONGEST = (105, 190)
"""Half of the cards are small, as on a whole table."""
NONE = (13, 4)
UNSURE = (-1, -1)
"""So little of the index is open that the network is asked nothing."""


class Cut:
    """The piece of table about one corner: its size, its slant, and the light on it."""

    def __init__(self, w: World) -> None:
        r = w.rng
        self.long = np.exp(r.uniform(np.log(55), np.log(r.choice(LONGEST))))
        self.side = s = int(self.long * 0.72) + 6
        self.out = np.empty((s, s, 3), np.float32)
        self.out[:] = rand_colour(r, 10, 235)
        if r.random() < 0.3:
            self.out += noise_field(r, s, r.randint(2, 30))[..., None] * r.uniform(0, 30)
        self.ids = np.full((s, s), -1, np.int32)
        self.aspect = r.choice([63 / 88, 63 / 88, 57 / 88, 0.66])
        slant = np.array([[1, r.gauss(0, 0.04)], [0, 1 + r.gauss(0, 0.05)]])
        self.turn = spin(r.uniform(0, 6.283)) @ slant
        self.light_from = np.array([r.uniform(-1, 1), r.uniform(-1, 1)]) * self.long * 0.03
        self.blur, self.strong, self.tint = r.uniform(0.6, 3), r.uniform(0, 0.5), r.uniform(0.86, 1.03)

    def quad(self, at, dx=0.0, dy=0.0, turn=0.0):
        """Corners of a card whose point `at` is moved by (dx, dy) card lengths from the middle of the cut."""
        q = (np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float) - at) * (self.aspect, 1) * self.long
        return (q + np.array([dx, dy]) * self.long) @ spin(turn).T @ self.turn.T + self.side / 2

    def lay(self, face, quad, number, shadow=True):
        if shadow and self.strong > 0.1:
            cast_shadow(self.out, quad, self.light_from, self.blur, self.strong)
        paint(self.out, self.ids, face, quad, number, self.tint)


def spin(a):
    return np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])


def chosen(w: World, pool):
    """A face, and the point of it that is cut: now and then a back, a joker, or a place without an index."""
    r, roll, face = w.rng, w.rng.random(), w.rng.choice(pool)
    if roll < 0.07:
        return (r.choice(w.backs) if r.random() < 0.5 else w.art_card()), MIDDLE
    if roll < 0.11:
        return r.choice(w.jokers), MIDDLE
    if roll >= 0.2:
        return face, MIDDLE
    if r.random() < 0.6:
        at = np.array([r.uniform(0.1, 0.9), r.uniform(0.1, 0.9)])
        near = min(np.abs(at - MIDDLE).max(), np.abs(1 - at - MIDDLE).max()) < 0.22
        return face, np.array([0.5, 0.5]) if near else at
    return face, np.array([0.5, 0.5] if face.deck in FOUR else [0.875, 0.165])


def below(w: World, c: Cut, pool):
    r = w.rng
    at = np.array([r.uniform(0, 1), r.uniform(0, 1)])
    c.lay(r.choice(pool), c.quad(at, turn=r.choice([0, 0.2, 1.57, 3.1])), 3, shadow=False)


def above(w: World, c: Cut, pool):
    r = w.rng
    a, d = r.uniform(0, 6.283), r.uniform(0.05, 0.5) + 0.4
    turn = r.choice([0, 0, 1.57, r.uniform(0, 6)]) + r.gauss(0, 0.1)
    quad = c.quad(np.array([0.5, 0.5]), np.cos(a) * d, np.sin(a) * d, turn)
    c.lay(r.choice(pool) if r.random() < 0.8 else r.choice(w.backs), quad, 7)


def misjudged(w: World, quad, about, long):
    """The corners as a finder would give them, wrong about this place of a card so long."""
    r = w.rng
    sig = r.choice([0.012, 0.012, 0.012, 0.028, 0.04])
    m = np.eye(2) * (1 + r.gauss(0, 2 * sig)) + np.array(
        [[r.gauss(0, sig), r.gauss(0, 1.5 * sig)], [r.gauss(0, 1.5 * sig), r.gauss(0, sig)]]
    )
    return (quad - about) @ m.T + about + w.np.standard_normal(2) * long * sig


def sample(w: World, pool):
    """A corner, its rank and its suit."""
    r, c = w.rng, Cut(w)
    face, at = chosen(w, pool)
    if r.random() < 0.3:
        below(w, c, pool)
    quad = c.quad(at)
    c.lay(face, quad, 0)
    if r.random() < 0.3:
        above(w, c, pool)
    img = exposed(r, w.develop(smeared(w, c.out * washed(r)), 1.2))
    q = misjudged(w, quad, c.side / 2, c.long)
    if at is not MIDDLE:
        q = q + (c.turn @ ((at - MIDDLE) * (c.aspect, 1) * c.long))
        if r.random() < 0.3:
            q = np.roll(q, 1, axis=0)
    patch = cut(img, q, IDX_BOX, (IDX_W, IDX_H))
    if label(face.name) >= 52 or at is not MIDDLE:
        return patch, *NONE
    seen = (cut((c.ids == 0).astype(np.uint8) * 255, quad, (0.02, 0.02, 0.2, 0.28), (12, 18)) > 127).mean()
    if seen > 0.85:
        return patch, label(face.name) % 13, label(face.name) // 13
    return patch, *(UNSURE if seen > 0.5 else NONE)
