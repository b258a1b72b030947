"""Can the camera see the table? Asked of every frame, at next to no cost.

Compared with how the table looked when it was last seen well: too little light, too much, a covered lens, a picture
out of focus, something large in the way, and pictures that did not come.
"""

from dataclasses import dataclass, replace
from typing import cast

import cv2
import numpy as np

from hardware.cameras.watchdog import DARK, STEP
from hardware.frames import Frame, Image
from referee.happenings import SightLost
from referee.watch.stillness import Thumb, apart, thumb

LOOK_NS = 200_000_000
ROWS = 45
"""Of the picture that are looked at for edges."""
BACK_NS = 400_000_000
"""The table is seen again after it was seen for so long."""
SILENT_NS, SILENT_FRAMES = 1_000_000_000, 8
"""Pictures that do not come for so long, and for so many times the usual, are missed: a shot takes half of it."""
CALM_NS = 3_000_000_000
"""What looks otherwise and has not changed for so long is how the table looks now."""
CLEAREST = 0.002
"""Share of the picture in which its clearest edges lie: the sides of a single card are enough."""
COLLAPSED = 0.35
"""Of the contrast that edges had, less is left only where they are not to be seen."""
BURNT, WHITE = 0.5, 253
OTHER = 12.0
"""Grey levels by which a place looks otherwise."""
COVERED, SAME, CALM = 0.5, 0.003, 0.02
"""Shares of the picture that look otherwise: behind a cover, where it is only softer, and when nothing moves."""
SOFTER = (1.0, 2.0, 3.0, 5.0)
"""How far a lens out of focus may blur a thumbnail, in its pixels."""
TOO_DARK = "it is too dark"
TOO_BRIGHT = "it is too bright"
COVER = "the lens is covered"
BLURRED = "the picture is out of focus"
HIDDEN = "something hides the table, or the camera was moved"
WITHIN_NS = {
    TOO_DARK: 500_000_000,
    TOO_BRIGHT: 500_000_000,
    COVER: 500_000_000,
    BLURRED: 1_000_000_000,
    HIDDEN: 2_000_000_000,
}
"""How long it lasts before sight is lost: a hand may pass, a lens may look for its focus."""


@dataclass(frozen=True, slots=True, eq=False)
class Glance:
    """What one picture tells of how well the table is seen."""

    light: float
    """Mean brightness."""
    burnt: float
    """Share of pixels at full white."""
    contrast: float
    """Of the clearest edges, whatever the light."""
    small: Thumb


def glance(image: Image) -> Glance:
    rows = np.ascontiguousarray(image[:: max(1, image.shape[0] // ROWS)])
    grey = cv2.cvtColor(rows, cv2.COLOR_BGR2GRAY)
    reach = max(2, image.shape[1] // 200)
    edges = cv2.absdiff(grey[:, reach:], grey[:, :-reach])
    light, burnt = float(cv2.mean(grey)[0]), float((grey >= WHITE).mean())
    return Glance(light, burnt, _clearest(edges) / (light + OTHER), thumb(image))


def _clearest(edges: cv2.typing.MatLike) -> float:
    """The mean of the strongest."""
    counts = cv2.calcHist([edges], [0], None, [256], [0, 256]).ravel()[::-1]
    wanted = max(1, round(CLEAREST * edges.size))
    taken = np.diff(np.minimum(np.cumsum(counts), wanted), prepend=0)
    return float(taken @ np.arange(255, -1, -1)) / wanted


class Sight:
    """Feed it every frame; it says once when sight is lost, and `blind` whether this frame is worth a look."""

    def __init__(self) -> None:
        self.blind = False
        """Nothing can be told from the present picture."""
        self._lost = False
        self._usual: Glance | None = None
        self._last: Glance | None = None
        self._fed: tuple[int, int] | None = None
        self._usual_ns = 0
        self._looked_ns = self._calm_since_ns = self._seen_since_ns = 0
        self._why: str | None = None
        self._since = (0, 0)

    def expect_nothing(self) -> None:
        """No pictures are wanted until the next one comes: that none come is nobody's loss."""
        self._fed = None

    def see(self, frame: Frame) -> SightLost | None:
        """What there is to say after this frame: nearly always nothing."""
        missed = self._missed(frame)
        if self._too_dark(frame) or frame.t_ns - self._looked_ns >= LOOK_NS or self._usual is None:
            self._look(frame)
        if missed is not None:
            return missed
        return self._say(frame)

    def _missed(self, frame: Frame) -> SightLost | None:
        """Pictures that did not come."""
        before, self._fed = self._fed, (frame.index, frame.t_ns)
        if before is None:
            return None
        gap_ns = frame.t_ns - before[1]
        limit_ns = max(SILENT_NS, SILENT_FRAMES * self._usual_ns)
        if self._usual_ns and gap_ns > limit_ns:
            why = f"no picture came for {gap_ns / 1e9:.1f} s"
            return None if self._lost else SightLost((before[0], frame.index), frame.t_ns, why)
        self._usual_ns += (gap_ns - self._usual_ns) // (8 if self._usual_ns else 1)
        return None

    def _too_dark(self, frame: Frame) -> bool:
        """Asked of every frame: the first black one is worth nothing already."""
        return self._why is None and float(frame.image[::STEP, ::STEP].mean()) < DARK

    def _look(self, frame: Frame) -> None:
        now = glance(frame.image)
        self._looked_ns = frame.t_ns
        if self._last is None or _otherwise(now, self._last) > CALM:
            self._calm_since_ns = frame.t_ns
        self._last = now
        why = self._why_not(now, frame.t_ns)
        if why is not None and self._why is None:
            self._since = (frame.index, frame.t_ns)
        if why is None and self._why is not None:
            self._seen_since_ns = frame.t_ns
        self._why = why
        if why is None:
            self._remember(now, frame.t_ns)

    def _why_not(self, now: Glance, t_ns: int) -> str | None:
        if now.light < DARK:
            return TOO_DARK
        usual = self._usual
        if usual is None or usual.contrast < COLLAPSED * now.contrast:
            self._usual = now  # the table is seen for the first time: a cap was on the lens
            return None
        if now.contrast < COLLAPSED * usual.contrast:
            return _cover_or_blur(now, usual)
        calm = t_ns - self._calm_since_ns >= CALM_NS
        hidden = min(_otherwise(now, usual), float((apart(now.small, usual.small) > OTHER).mean())) > COVERED
        return HIDDEN if hidden and not calm else None

    def _remember(self, now: Glance, t_ns: int) -> None:
        """How the table looks when it is seen, without the hands that come and go."""
        usual = self._usual
        if usual is None or t_ns - self._calm_since_ns >= CALM_NS:
            self._usual = now
            return
        self._usual = replace(usual, contrast=(now.contrast + 9 * usual.contrast) / 10)

    def _say(self, frame: Frame) -> SightLost | None:
        if self._why is None:
            self._lost = self._lost and frame.t_ns - self._seen_since_ns < BACK_NS
            self.blind = self._lost
            return None
        lasts = frame.t_ns - self._since[1] >= WITHIN_NS[self._why]
        self.blind = self._lost or lasts or self._why != HIDDEN
        if self._lost or not lasts:
            return None
        self._lost = True
        return SightLost((self._since[0], frame.index), frame.t_ns, self._why)


def _otherwise(now: Glance, usual: Glance) -> float:
    """Share of the picture that looks otherwise."""
    return float((np.abs(cast(Thumb, now.small - usual.small)) > OTHER).mean())


def _cover_or_blur(now: Glance, usual: Glance) -> str | None:
    """Why no edge is clear; where only the things with the edges were taken away, that is no reason."""
    if now.burnt > BURNT:
        return TOO_BRIGHT
    if _otherwise(now, usual) > COVERED:
        return COVER
    return BLURRED if any(_is_softer(now, usual, sigma) for sigma in SOFTER) else None


def _is_softer(now: Glance, usual: Glance, sigma: float) -> bool:
    """Whether this is the usual picture, only blurred: what lay there left its traces all over."""
    soft = cv2.GaussianBlur(usual.small * (now.light / max(usual.light, 1.0)), (0, 0), sigma)
    traces = np.abs(soft - cv2.GaussianBlur(soft, (0, 0), 4 * sigma))
    return float(traces.max()) > 2 * OTHER and float((np.abs(now.small - soft) > OTHER).mean()) < SAME
