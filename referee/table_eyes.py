"""The watch over one table of cards and dice: camera, calibration, deck and seats joined."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np

import calibration
from calibration.profile import Profile
from hardware.cameras import open_camera
from hardware.frames import Frame, Image
from referee.card_eyes import DeckEyes, deck_eyes
from referee.card_happenings import Happening
from referee.folder import FootageFolder
from referee.happenings import SightBack, Sighted
from referee.reading import Reader, Secrets, Table
from referee.types import Die, Outline, Point
from referee.veil import Places
from referee.vision.dice import find_dice
from referee.vision.die_reading import DIE_MM
from referee.vision.motion import Mask
from referee.watch.sight import Sight
from referee.watch.table import CardEyes, DieEyes, TableWatch
from referee.watch.unseen import changed_unseen
from referee.zones import Seating, Zone, moved, seat_round, sides

EDGE = 1.1
"""Of the way from the middle to the edge of the visible table: a hand held there is covered too."""
CARD_GAMES = ("rocca-monster", "monster-my-neighbour", "shisogari", "rise-against-monsters")


@dataclass(slots=True)
class TableEyes:
    """A table's camera with memory; `seating` is found from the first settled picture."""

    profile: Profile
    watch: TableWatch
    seats: tuple[str, ...]
    seating: Seating
    _seated: bool = field(default=False)
    _sight: Sight = field(default_factory=Sight)
    _away: bool = False

    @property
    def settled(self) -> bool:
        """The first picture has been looked at."""
        return self._seated

    @property
    def table(self) -> Table:
        return Table(self.watch.cards, self.watch.dice, self.seating)

    def shut(self) -> None:
        """Eyes are shut at the table: that nothing is seen now is as it should be."""
        self._sight.expect_nothing()

    def feed(self, frame: Frame) -> tuple[Happening | Sighted, ...]:
        """What was found to have happened, now that this frame came."""
        lost = self._sight.see(frame)
        if lost is not None:
            self.watch.look_away()
            self._away = True
        found = () if self._sight.blind else self.watch.feed(frame)
        if not self._seated and self.watch.began:
            self._seated = True
            self.seating = seat_round(
                self.seats,
                [c.mm for c in self.watch.cards if c.mm],
                self.seating.half_mm,
                self.seating.middle_mm,
            )
        return (lost,) if lost is not None else self._unseen(frame, found) if self._away else found

    def finish(self) -> tuple[Happening, ...]:
        """What was found to have happened, now that no frame follows."""
        return () if self._sight.blind or self._away else self.watch.finish()

    def _unseen(self, frame: Frame, found: tuple[Happening, ...]) -> tuple[Sighted, ...]:
        """The first rest after nothing was seen: nobody knows how what is found came about."""
        if self.watch.disturbed or self._sight.blind:
            return ()
        self._away = False
        return (SightBack((frame.index, frame.index), frame.t_ns, changed_unseen(found)),)

    def upright(self, px: Point) -> float:
        return self.seating.upright_deg(to_mm(self.profile)(px))


def keep_secrets(eyes: TableEyes, reader: Reader[Any], state: Any, placed: Mapping[str, Point]) -> None:
    """Make the eyes blind to what must not be read now, in zones where people put them."""
    cards = eyes.watch.card_eyes
    if isinstance(cards, DeckEyes):
        secrets = reader.secrets(state, eyes.table)
        wanted = replace(secrets, zones=moved(secrets.zones, placed))
        if wanted != cards.secrets:
            cards.secrets = wanted
            eyes.watch.forget_ahead()


def open_eyes(folder: FootageFolder, cards: CardEyes | None = None, dice: bool = True) -> TableEyes:
    """Eyes for the table of a footage folder; its own deck is read unless other `cards` eyes are given."""
    with open_camera(folder.camera_name) as camera:
        profile = calibration.from_folder(folder.calibration, size=camera.size, board=False)
    seats = folder.match.seats or ("A", "B", "C", "D")
    return eyes_over(profile, seats, cards or deck_eyes(folder, profile), dice)


def eyes_over(profile: Profile, seats: tuple[str, ...], cards: CardEyes, dice: bool = True) -> TableEyes:
    """Eyes for a calibrated table with these players."""
    half, middle = visible_table(profile)
    seating = seat_round(seats, (), half, middle)
    dies = _die_eyes(profile) if dice else _no_dice
    watch = TableWatch(cards, dies, die_px(profile), profile=profile, to_mm=to_mm(profile))
    eyes = TableEyes(profile, watch, seats, seating)
    watch.upright = eyes.upright
    return eyes


def hidden_px(secrets: Secrets, eyes: TableEyes) -> Places:
    """What is covered, in raw pixels: hidden zones as far as where cards are held, and all that is not shown."""
    zones = tuple(_outline_px(_to_the_edge(zone, eyes.seating), eyes.profile) for zone in secrets.zones)
    return (*zones, _round_about(secrets.shown, eyes.profile)) if secrets.shown else zones


def _round_about(zone: Zone, profile: Profile) -> Outline:
    """The whole picture but this zone, as one outline: round the picture, in to the zone and round it, out again."""
    width, height = profile.image_size
    outer = ((-1.0, -1.0), (width + 1.0, -1.0), (width + 1.0, height + 1.0), (-1.0, height + 1.0))
    inner = _outline_px(_finely(zone.outline_mm), profile)
    return (*outer, outer[0], *inner, inner[0], outer[0])


def _finely(outline: Outline, steps: int = 8) -> Outline:
    """With points between its corners: a straight edge of the table is bent by the lens."""
    return tuple(
        (ax + k / steps * (bx - ax), ay + k / steps * (by - ay))
        for (ax, ay), (bx, by) in sides(outline)
        for k in range(steps)
    )


def _to_the_edge(zone: Zone, seating: Seating) -> Outline:
    if zone.seat is None:
        return zone.outline_mm
    right, towards = seating.from_seat(zone.seat, zone.middle_mm)
    beyond = max(0.0, EDGE * seating.reach_mm(zone.seat) - towards)
    x, y = seating.to_table(zone.seat, right, towards + beyond)
    dx, dy = x - zone.middle_mm[0], y - zone.middle_mm[1]
    both = [*zone.outline_mm, *((a + dx, b + dy) for a, b in zone.outline_mm)]
    hull = cv2.convexHull(np.array(both, np.float32)).reshape(-1, 2)
    return tuple((float(a), float(b)) for a, b in hull)


def _outline_px(outline: Outline, profile: Profile) -> Outline:
    return tuple((float(x), float(y)) for x, y in np.round(profile.to_pixels(np.array(outline)), 1))


def frames_of(folder: FootageFolder) -> Iterator[Frame]:
    with open_camera(folder.camera_name) as camera:
        yield from camera.frames()


def to_mm(profile: Profile) -> Callable[[Point], Point]:
    def place(px: Point) -> Point:
        x, y = profile.to_board(np.array([px]))[0].tolist()
        return x, y

    return place


def _die_eyes(profile: Profile) -> DieEyes:
    return lambda image, where: find_dice(image, profile, where=where)


def _no_dice(_image: Image, _where: Mask | None) -> tuple[Die, ...]:
    return ()


def die_px(profile: Profile) -> float:
    """The edge of a common die in the middle of the picture."""
    x, y = visible_table(profile)[1]
    ends = profile.to_pixels(np.array([[x - DIE_MM / 2, y], [x + DIE_MM / 2, y]]), DIE_MM)
    return float(np.hypot(*(ends[1] - ends[0])))


def visible_table(profile: Profile) -> tuple[tuple[float, float], Point]:
    """Half the width and height of the table that the camera sees, and its middle."""
    w, h = profile.image_size
    left, right, top, bottom = profile.to_board(
        np.array([[0, h / 2], [w, h / 2], [w / 2, 0], [w / 2, h]], float)
    )
    half = abs(right[0] - left[0]) / 2, abs(top[1] - bottom[1]) / 2
    return (float(half[0]), float(half[1])), (float(left[0] + right[0]) / 2, float(top[1] + bottom[1]) / 2)
