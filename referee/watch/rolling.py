"""Balls on a large table, by name from frame to frame: at rest, rolling, and as streaks too fast to have a rim.

They are found anew in every frame, whatever else moves: a player leans in for most of a shot. Who is who is told by
where each should be, reckoned as on a billiard table, and by its colour.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from calibration.profile import Profile
from hardware.frames import Frame, Image
from referee.types import Piece
from referee.vision.ball_table import CIRCLE, SIGMA_PX, BallTable, ball_table, off_cloth
from referee.vision.balls import APART, MIDST, RIM, Ball, find_balls, mean_in, rims_of
from referee.vision.board import EmptyBoard, Field, board_from_picture
from referee.vision.ovals import Points
from referee.vision.pairing import cheapest_pairs
from referee.vision.see import lies_on_board
from referee.vision.streaks import ROOM, Cloth, covered, with_streaks
from referee.watch.colliding import foreseen
from referee.watch.following import Trail

IN_PLACE = 0.4
"""Radii by which a ball at rest seems to move at most."""
REACH, FAST = 2.2, 0.8
"""Radii, and share of its way since the frame before, by which a ball may be off the place where it should be."""
SHARE = 0.25, 1.1
"""Of the colour of a ball that is seen in its streak."""
STRUCK_SHARE = 0.08
"""Of the longest side of the table: the way of a ball struck hard, in a thirtieth of a second."""
STRUCK_COST = 3.0
"""How unlikely that is, in radii."""
COLOUR = 4.0
"""Radii that a difference of one in the logarithms of colours counts as much as."""
OTHER = 0.9
"""Difference that no turning and no shade makes of one ball."""
BLURRED, BLUR = 0.5, 0.5
"""Radii that a ball without a rim has gone since the frame before, at least, and share of its blur."""
ASKEW = 0.8
"""Cosine between a streak and the way of its ball."""
VANISHED = 4
"""Frames after which a hidden ball may be no farther off."""
SURE = 3
"""Frames one after the other in which a ball must be seen: then it is told in all of them."""
SAME = 0.12
"""Difference of colours in the place of a ball that lies there still."""
KNOWN_AGAIN = 0.35
"""Difference of colours of a ball that comes out from where it was hidden."""
RESTS_PX = 0.5
"""Pixels that the place of a ball at rest seems to change by."""
STEADY = 8
"""Frames over which that place is averaged."""
IMPOSSIBLE = 1e3
UNNAMED = -1


@dataclass(slots=True, eq=False)
class Track:
    """One ball through the film, in the pixels in which it is looked for."""

    trail: Trail
    colour: Points
    name: int | None = None
    count: int = 1
    """Frames in which it was seen."""
    seen: bool = True
    """In the present frame."""
    streak: bool = False
    """It was last seen as one."""
    lately: deque[Points] = field(default_factory=lambda: deque(maxlen=STEADY))

    def follow(self, ball: Ball) -> None:
        """It is seen there."""
        trail = self.trail
        trail.velocity = (ball.spot - trail.spot) / (1 + trail.lost)
        trail.spot, trail.lost, self.seen, self.streak = ball.spot, 0, True, ball.rim == 0
        self.count += 1
        if not self.streak:
            self.colour = self.colour + (ball.colour - self.colour) * 0.3
        if self.streak or (self.lately and np.linalg.norm(ball.spot - self.place) > RESTS_PX):
            self.lately.clear()
        self.lately.append(ball.spot)

    @property
    def place(self) -> Points:
        """Where it is, steadied while it rests."""
        return np.asarray(np.mean(self.lately, axis=0), float)

    @property
    def rests(self) -> bool:
        return len(self.lately) > 1 and not self.streak


Sightings = list[tuple[Track, Piece]]
"""Each with the ball it is of, which may get its name later."""


def named(sightings: Sightings) -> tuple[Piece, ...]:
    """Those that are sure by now, under their names."""
    return tuple(replace(piece, id=track.name) for track, piece in sightings if track.name is not None)


class Rolling:
    """Feed every frame; each gives the balls that are seen, with names that stay."""

    def __init__(self, profile: Profile, board: EmptyBoard | None = None) -> None:
        self._profile, self._board = profile, board
        self._table: BallTable | None = None
        self._cloth: Cloth | None = None
        self._tracks: list[Track] = []
        self._radius = self._length = 1.0
        self._bare = np.zeros(3)
        """The colour of the cloth."""
        self._names = 0

    def see(self, frame: Frame) -> Sightings:
        """The balls in one frame, of which some are sure only when they have been seen again."""
        table, cloth = self._begun(frame.image)
        log = table.log(frame.image)
        # An arm that rested for long was learned with the cloth: what hangs on it would seem to be loose.
        balls = find_balls(log, rims_of(log), off_cloth(log, table.bare), table.radius, table.within)
        for track in self._tracks:
            track.seen = False
        loose = self._stay(list(balls))
        lying = [ball for ball in balls if all(ball is not other for other in loose)]
        lying += self._still_there(log, loose)
        loose = with_streaks(log, off_cloth(log, cloth.log), loose, lying, table.radius, table.within)
        self._begin_tracks(self._go_on(loose))
        if not self._tracks:
            # A table without balls does not tell how large they are.
            self._table = None
        places = [Ball(t.trail.spot, t.colour) for t in self._tracks if t.name is not None]
        cloth.learn(log, frame.t_ns, covered(log.shape, (*loose, *places), ROOM * table.radius))
        return [(track, self._piece(track, table)) for track in self._tracks if track.seen]

    def _begun(self, image: Image) -> tuple[BallTable, Cloth]:
        """The first frame tells how large balls are, and what the cloth is like."""
        if self._table is None or self._cloth is None:
            board = self._board or board_from_picture(image, self._profile)
            self._table = ball_table(image, board, self._profile)
            self._radius, self._length = self._table.radius, self._table.length
            self._cloth = Cloth(self._table.bare)
            self._bare = self._cloth.colour
        return self._table, self._cloth

    def _begin_tracks(self, balls: Sequence[Ball]) -> None:
        """Take up balls that are nobody's, give up what was seen but once, and name what is sure."""
        for track in self._tracks:
            track.trail.lost += not track.seen
        self._tracks = [t for t in self._tracks if t.name is not None or t.seen]
        self._tracks += [_begun(ball, self._radius) for ball in balls if ball.rim]
        for track in [t for t in self._tracks if t.name is None and t.count >= SURE]:
            self._christen(track)

    def _stay(self, balls: list[Ball]) -> list[Ball]:
        """Balls at rest where they were; gives the others."""
        for track in self._tracks:
            near = [b for b in balls if self._in_place(track, b)]
            if near:
                track.follow(near[0])
                balls = [b for b in balls if b is not near[0]]
        return balls

    def _still_there(self, log: Field, others: list[Ball]) -> list[Ball]:
        """Balls at rest of which no rim was found, but their colour; not where another would lie in the same place."""
        found = []
        for track in self._tracks:
            if not track.seen and track.name is not None and len(track.lately) >= SURE and not track.streak:
                colour = mean_in(log, track.place, MIDST * self._radius)
                far = [float(np.linalg.norm(b.spot - track.place)) for b in others]
                alike = float(np.linalg.norm(colour - track.colour)) < SAME
                if alike and min(far, default=np.inf) > APART * self._radius:
                    found.append(Ball(track.place, colour, RIM))
                    track.follow(found[-1])
        return found

    def _in_place(self, track: Track, ball: Ball) -> bool:
        slow = float(np.linalg.norm(track.trail.velocity)) < self._radius
        near = float(np.linalg.norm(ball.spot - track.trail.spot)) < IN_PLACE * self._radius
        return slow and near and ball.rim > 0 and _apart(track, ball) < OTHER

    def _go_on(self, balls: list[Ball]) -> list[Ball]:
        """Balls under way, each where it should be; gives the others."""
        places = foreseen([t.trail for t in self._tracks])
        going = [(t, place) for t, place in zip(self._tracks, places, strict=True) if not t.seen]
        cost = [[self._unlikely(track, place, ball) for ball in balls] for track, place in going]
        pairs = [(row, column) for row, column in cheapest_pairs(cost) if cost[row][column] < IMPOSSIBLE]
        for row, column in pairs:
            going[row][0].follow(balls[column])
        taken = {column for _, column in pairs}
        return [ball for k, ball in enumerate(balls) if k not in taken]

    def _unlikely(self, track: Track, expected: Points, ball: Ball) -> float:
        """How little speaks for a ball being this one."""
        if ball.streak is not None and not self._flew(track, ball, ball.streak):
            return IMPOSSIBLE
        trail, colour = track.trail, self._unlike(track, ball)
        lost = 1 + min(trail.lost, VANISHED)
        off, way = (float(np.linalg.norm(v)) for v in (ball.spot - expected, trail.velocity))
        if off < REACH * self._radius + FAST * way * lost and colour < OTHER:
            return off / self._radius + COLOUR * colour
        if off < STRUCK_SHARE * self._length * lost and colour < KNOWN_AGAIN:
            return STRUCK_COST + off / self._radius + COLOUR * colour
        return IMPOSSIBLE

    def _flew(self, track: Track, ball: Ball, streak: Points) -> bool:
        """Whether a streak is one that the way of this ball leaves."""
        way = (ball.spot - track.trail.spot) / (1 + track.trail.lost)
        far, half = float(np.linalg.norm(way)), float(np.linalg.norm(streak))
        blur = max(half - self._radius, 0.0)
        if far < max(BLURRED * self._radius, 2 * BLUR * blur):
            return False
        return blur < 0.5 * self._radius or abs(float(way @ streak)) > ASKEW * far * half

    def _unlike(self, track: Track, ball: Ball) -> float:
        """Difference of colours; a streak has some of that of the cloth."""
        if ball.streak is None:
            return _apart(track, ball)
        own, seen = track.colour - self._bare, ball.colour - self._bare
        share = float(np.clip(own @ seen / max(float(own @ own), 1e-6), *SHARE))
        return float(np.linalg.norm(seen - share * own))

    def _christen(self, track: Track) -> None:
        """The name of a ball that was out of sight, if it is like one; or a new name."""
        away = [t for t in self._tracks if t.name is not None and not t.seen]
        like = [t for t in away if float(np.linalg.norm(t.colour - track.colour)) < KNOWN_AGAIN]
        if like:
            old = min(like, key=lambda t: float(np.linalg.norm(t.trail.spot - track.trail.spot)))
            track.name = old.name
            self._tracks = [t for t in self._tracks if t is not old]
        else:
            track.name, self._names = self._names, self._names + 1

    def _piece(self, track: Track, table: BallTable) -> Piece:
        """The ball in pixels and millimetres of the camera."""
        profile, px = self._profile, table.to_raw(track.place)
        rim = profile.to_board(table.to_raw(track.place + table.radius * CIRCLE))
        radius_mm = float(np.ptp(rim, axis=0).mean()) / 2
        (x, y), *_ = profile.to_board(px[None], radius_mm).tolist()
        outline = tuple(
            (round(x + a * radius_mm, 3), round(y + b * radius_mm, 3)) for a, b in CIRCLE.tolist()
        )
        return Piece(
            id=UNNAMED,
            px=(round(float(px[0]), 2), round(float(px[1]), 2)),
            mm=(round(x, 3), round(y, 3)),
            outline_mm=outline,
            moving=not track.rests,
            on_board=lies_on_board((x, y), profile),
            sigma_mm=round(SIGMA_PX * radius_mm * table.scale / table.radius, 3),
        )


def _begun(ball: Ball, radius: float) -> Track:
    return Track(Trail(ball.spot, radius), ball.colour, lately=deque([ball.spot], STEADY))


def _apart(track: Track, ball: Ball) -> float:
    return float(np.linalg.norm(track.colour - ball.colour))
