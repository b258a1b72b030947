"""The watcher of a Rocca board: frames in, happenings out.

Work after a scene is done a slice a frame, so that no frame of the live picture has to wait for it.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np

from calibration.profile import Profile
from hardware.frames import Frame
from referee.happenings import (
    BoardDisturbed,
    Happening,
    PiecesDropped,
    PieceTaken,
    Pointed,
    ShotSeen,
    SightBack,
    SightLost,
)
from referee.types import Piece, Point
from referee.vision.board import Window, board_window
from referee.vision.glimpses import Glimpse
from referee.vision.steps import Steps
from referee.watch.changes import Changes, compare, half_area
from referee.watch.drops import came_at_once
from referee.watch.finding_again import OVER_PIECES, found_again, hides
from referee.watch.following import glimpses
from referee.watch.looking import Looking
from referee.watch.movers import Mover
from referee.watch.pointing import pointed
from referee.watch.replaced import without_replaced
from referee.watch.scenes import Scene, SceneCutter, Still
from referee.watch.sheet import shot_sheet
from referee.watch.shots import shooter_of, started
from referee.watch.slid_off import slid_off
from referee.watch.tracks import ends_of_ways, moving_plate, track
from referee.watch.unrest import AT_FIRST_NS, BRIEF_NS, LASTS_NS

STEP_NS = 16_000_000
MOST_STEPS = 2
HURRY = 2
"""Times as many steps when another scene waits already."""
MOST_WAITING = 2
"""Scenes that may wait: each holds its frames."""
HAND_OF_PIECES = 4.0
"""A hand is larger than so many pieces."""
BESIDE = 0.15
"""Room round the board in which play is looked for, as a share of its width."""
SETTLING_NS = 2_500_000_000
BROKEN_OFF = "the pictures end before everything rests"

PiecesIn = Callable[[Still], Looking]
"""The pieces at rest in the next still picture, found a little at a time."""
Work = Steps[list[Happening]]
Heed = Callable[[Scene, tuple[Mover, ...]], None]
"""Told of every passage from rest to rest, and of the ways of the pieces that moved in it."""


class BoardWatch:
    """Feed frames; happenings come out once everything rests and has been understood."""

    def __init__(self, profile: Profile, pieces_in: PiecesIn, heed: Heed | None = None) -> None:
        self._profile, self._pieces_in, self._heed = profile, pieces_in, heed
        self._cutter = SceneCutter(_window(profile))
        self._pieces: tuple[Piece, ...] | None = None
        self._work: list[Work] = []
        self._next_id = 1
        self._t_ns = 0
        self._call: Pointed | None = None
        self._told_ns: int | None = None
        self._away = self._hidden = False
        self._called_px: tuple[Point, Point] | None = None
        self.pieces_before: tuple[Piece, ...] = ()
        self.count_before = 0
        """Pieces on the board before what was told last."""

    @property
    def pieces(self) -> tuple[Piece, ...]:
        """The pieces at the last rest that has been understood."""
        return self._pieces or ()

    @property
    def still(self) -> Still | None:
        """The last picture in which everything rested."""
        return self._cutter.last

    @property
    def began(self) -> bool:
        """The first still has been understood."""
        return self._pieces is not None

    def called_at(self, px: tuple[Point, Point]) -> None:
        """The players touched two pieces on the live picture: the gate of the next shot."""
        self._called_px = px

    def feed(self, frame: Frame) -> list[Happening]:
        """Take the next frame."""
        steps, self._t_ns = _steps(frame.t_ns - self._t_ns), frame.t_ns
        late = self._restless(BRIEF_NS) if self._cutter.last is None else None
        scene = self._cutter.feed(frame)
        if late is not None and self._cutter.last is not None:
            self._away = True  # the first rest came so late that something may have happened before
            return [late]
        lost = self._restless(LASTS_NS if self._cutter.last is not None else AT_FIRST_NS)
        if lost is not None:
            return self._give_up(lost)
        if scene is not None:
            self._work.append(self._understand(scene))
        elif (self._pieces is None or self._away) and self._cutter.last is not None and not self._work:
            self._work.append(self._find(self._cutter.last))
        # A still was put together in this frame: that was work enough for one step.
        steps = 1 if scene is not None else steps * self._hurry
        return [told for _ in range(steps) for told in self._advance()]

    def finish(self) -> list[Happening]:
        """The footage is over: finish all work."""
        lost = self._restless_to_the_end()
        if lost is not None:
            return self._give_up(lost)
        scene = self._cutter.finish()
        if scene is not None and not self._hidden:
            self._work.append(self._understand(scene))
        elif self._cutter.last is not None:
            self._work.append(self._find(self._cutter.last))
        return self._finished()

    def _restless(self, least_ns: int) -> SightLost | None:
        """What there is to say of a picture that does not come to rest, unless a loss has been told already."""
        return None if self._away or self._hidden else self._cutter.unrest.lost(least_ns)

    def _restless_to_the_end(self) -> SightLost | None:
        """The same of pictures that end meanwhile."""
        never = self._cutter.last is None and not self._away
        return self._restless(BRIEF_NS) or (self._cutter.unrest.lasting(BROKEN_OFF) if never else None)

    def _give_up(self, lost: SightLost) -> list[Happening]:
        """Nothing comes to rest any more: tell what was understood, and make nothing of the rest."""
        done = self._finished()
        self._cutter.forget()
        self._away = True
        return [*done, lost]

    def look_away(self) -> list[Happening]:
        """Nothing is seen any more: tell what was seen until then, and forget what was going on."""
        done = self._finished()
        self._cutter = SceneCutter(_window(self._profile))
        self._away = True
        return done

    def _hide(self, scene: Scene) -> list[Happening]:
        """Something came to lie over pieces and stays: of those nobody knows anything until it is gone."""
        self._cutter.take_back(scene)
        told = [] if self._hidden else [SightLost(_span(scene), scene.after.t_ns, OVER_PIECES)]
        self._hidden = True
        return [*told]

    def take_over(self, before: "BoardWatch") -> None:
        """Go on where another watch left off, once the board has been looked at."""
        self._pieces, self._next_id, self._away = before._pieces, before._next_id, True
        self._call, self._called_px = before._call, before._called_px
        self.pieces_before, self.count_before = before.pieces_before, before.count_before

    def _finished(self) -> list[Happening]:
        done: list[Happening] = []
        while self._work:
            done += self._advance()
        return done

    @property
    def busy(self) -> bool:
        """Something seen is still being understood."""
        return bool(self._work)

    @property
    def settled(self) -> bool:
        """Nothing moves, and all that did has been understood."""
        return not self._work and not self._cutter.stirred

    def think(self) -> list[Happening]:
        """Go on understanding between two frames."""
        return self._advance()

    @property
    def _hurry(self) -> int:
        return HURRY if len(self._work) > 1 else 1

    def _advance(self) -> list[Happening]:
        """A slice of work, and all that too many scenes wait for: a slow camera would pile them up without end."""
        done = self._slice()
        while len(self._work) > MOST_WAITING:
            done += self._slice()
        return done

    def _slice(self) -> list[Happening]:
        if not self._work:
            return []
        try:
            next(self._work[0])
        except StopIteration as end:
            self._work.pop(0)
            return list(end.value)
        return []

    def _learn(self, still: Still) -> Work:
        """Learn the pieces of the first still."""
        if self._pieces is None:
            yield
            found = yield from self._pieces_in(still)
            self._pieces = self._named(found)
        return []

    def _find(self, still: Still) -> Work:
        """Learn the pieces, or find them again: whatever was done to them unseen is told, and not guessed."""
        if not self._away:
            return (yield from self._learn(still))
        self._away = False
        found = yield from self._pieces_in(still)
        return self._back(still, found)

    def _back(self, still: Still, found: tuple[Piece, ...]) -> list[Happening]:
        self._hidden = False
        again = found_again(self._pieces or (), found)
        if self._pieces is not None and again.changed:
            self._call = self._called_px = None
        words = again.changed if self._pieces is not None else ""
        self._pieces = (*again.same, *self._named(again.others))
        return [SightBack(still.frames, still.t_ns, words)]

    def _named(self, pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
        named = tuple(replace(p, id=self._next_id + k) for k, p in enumerate(pieces))
        self._next_id += len(named)
        return named

    def _understand(self, scene: Scene) -> Work:
        """Turn a scene into happenings, yielding between slices of work."""
        if self._pieces is None:
            yield from self._learn(scene.before)
        assert self._pieces is not None
        found = yield from self._pieces_in(scene.after)
        board = self._on_board(self._pieces)
        if hides(scene.over, board, found):
            return self._hide(scene)
        if self._hidden:
            return self._back(scene.after, found)
        compared = yield from compare(scene.before, scene.after, board, found, self._profile)
        hand_area = self._hand_area(self._pieces + found)
        compared = yield from without_replaced(scene, compared, hand_area, self._profile)
        changes = self._adopted(compared)
        yield
        plate = moving_plate(scene, changes, self._profile)
        yield
        seen = yield from glimpses(scene.frames, plate, hand_area, ends_of_ways(changes))
        moved = yield from track(scene, plate, seen, changes, self._profile)
        if self._heed is not None and not scene.unfinished:
            self._heed(scene, moved)
        yield
        self.pieces_before = self._pieces
        self.count_before = len(self._on_board(self._pieces))
        happenings = yield from self._tell(scene, seen, changes, moved)
        if scene.unfinished:
            return _broken_off(scene, happenings)
        self._pieces = self._after(changes, moved)
        self._told_ns = scene.after.t_ns
        return happenings

    def _adopted(self, changes: Changes) -> Changes:
        """Pieces that were overlooked before get a name and a place among those that lay there."""
        overlooked = [k for k in changes.kept if k.before.id < 0]
        named = self._named(tuple(k.before for k in overlooked))
        self._pieces = (*(self._pieces or ()), *named)
        known = {k.before.id: piece for k, piece in zip(overlooked, named, strict=True)}
        kept = tuple(replace(k, before=known.get(k.before.id, k.before)) for k in changes.kept)
        return replace(changes, kept=kept)

    def _on_board(self, pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
        return tuple(p for p in pieces if p.on_board)

    def _hand_area(self, pieces: tuple[Piece, ...]) -> float:
        areas = [half_area(p.outline_mm, self._profile) for p in pieces]
        return HAND_OF_PIECES * float(max(areas, default=150.0))

    def _after(self, changes: Changes, moved: tuple[Mover, ...]) -> tuple[Piece, ...]:
        """The pieces as they lie now, with the ids they had."""
        kept = [replace(k.after, id=k.before.id) for k in changes.kept]
        slid = [replace(m.end, id=m.id) for m in moved if m.end is not None]
        known = {p.px for p in kept + slid}
        new = self._named(tuple(p for p in changes.come if p.px not in known))
        return (*kept, *(p for p in slid if all(p.id != k.id for k in kept)), *new)

    def _tell(
        self, scene: Scene, seen: tuple[Glimpse, ...], changes: Changes, moved: tuple[Mover, ...]
    ) -> Work:
        """What the scene was: a drop, a removal, a shot, a disturbance, or only a hand."""
        span = _span(scene)
        t_ns = scene.after.t_ns
        arrived = len(changes.come) + len(changes.fallen_px)
        by_hand = any(sight.hands for sight in seen)
        if arrived > len(changes.gone) and (by_hand or changes.come):
            return [(yield from self._drop(scene, changes, span))]
        board = self._profile.board_outline_mm
        slid = tuple(m for m in moved if m.end is not None or m.end_px is not None or slid_off(m, board))
        taken = tuple(m for m in moved if m not in slid)
        if moved and not by_hand:
            return self._without_hand(moved, span, t_ns)
        if slid:
            called = yield from self._called(scene, seen, slid)
            yield
            board_before = self._on_board(self.pieces)
            sheet = yield from shot_sheet(scene, changes, slid, board_before, called, _frame_ns(scene))
            # Nobody takes a piece off during a shot: one that is gone was overlooked, and may be the shooter's end.
            lost = ("a piece was not found again",) if taken else ()
            return [replace(sheet, unseen=(*sheet.unseen, *lost), unknown=sheet.unknown or bool(taken))]
        if taken:
            return [PieceTaken(span, t_ns, tuple(m.id for m in taken), tuple(m.start.px for m in taken))]
        call = yield from pointed(scene.frames, seen, self.pieces, t_ns, self._profile)
        self._call = call or self._call
        return [call] if call is not None else []

    def _without_hand(self, moved: tuple[Mover, ...], span: tuple[int, int], t_ns: int) -> list[Happening]:
        """Pieces that move by themselves are still settling, or the table was bumped."""
        settling = self._told_ns is not None and t_ns - self._told_ns < SETTLING_NS
        return [] if settling else [BoardDisturbed(span, t_ns, tuple(m.id for m in moved))]

    def _pointed_before(
        self, scene: Scene, seen: tuple[Glimpse, ...], slid: tuple[Mover, ...], frame_ns: int
    ) -> Steps[Pointed | None]:
        """The gate pointed at before the strike; the finger also rests beside the shooter, which is no post."""
        shooter = shooter_of(slid, None)
        assert shooter is not None
        posts = tuple(p for p in self._on_board(self.pieces) if p.id != shooter.id)
        until_ns = started(shooter, frame_ns)[0]
        return (yield from pointed(scene.frames, seen, posts, until_ns, self._profile))

    def _touched(self) -> tuple[int, int] | None:
        """The ids of the pieces nearest to where the picture was touched."""
        if self._called_px is None:
            return None
        pieces = self._on_board(self.pieces)
        posts = [_nearest(pieces, px) for px in self._called_px]
        if posts[0] is None or posts[1] is None or posts[0].id == posts[1].id:
            return None
        return posts[0].id, posts[1].id

    def _drop(self, scene: Scene, changes: Changes, span: tuple[int, int]) -> Steps[PiecesDropped]:
        on_board = len(changes.kept) + len(changes.come)
        off = len(changes.fallen_px)
        together = yield from came_at_once(scene, changes.come, self._profile)
        return PiecesDropped(span, scene.after.t_ns, on_board, off, together)

    def _called(
        self, scene: Scene, seen: tuple[Glimpse, ...], slid: tuple[Mover, ...]
    ) -> Steps[tuple[int, int] | None]:
        """The gate of this shot: touched on the screen, or pointed at before the strike."""
        called = self._touched()
        if called is None:
            call = (yield from self._pointed_before(scene, seen, slid, _frame_ns(scene))) or self._call
            called = (call.a, call.b) if call else None
        self._called_px = self._call = None
        return called


def _broken_off(scene: Scene, told: list[Happening]) -> list[Happening]:
    """Of what has no end in the pictures nobody knows more than that it was a shot, or that something happened."""
    shots = [
        replace(h, unseen=(*h.unseen, BROKEN_OFF), unknown=True) for h in told if isinstance(h, ShotSeen)
    ]
    if shots or all(isinstance(h, Pointed) for h in told):
        return [*shots] or told
    return [SightLost(_span(scene), scene.after.t_ns, BROKEN_OFF)]


def _window(profile: Profile) -> Window:
    """The part of the picture in which play is looked for, on the grid of quarter pixels."""
    outline = np.array(profile.board_outline_mm or ((0.0, 0.0),))
    seen = board_window(profile, BESIDE * float(np.ptp(outline, axis=0).max()))
    x, y = seen.x // 4 * 4, seen.y // 4 * 4
    return Window(x, y, (seen.x + seen.width - x) // 4 * 4, (seen.y + seen.height - y) // 4 * 4)


def _span(scene: Scene) -> tuple[int, int]:
    """From the first movement to the rest."""
    return (scene.frames[0].index, scene.after.frames[0]) if scene.frames else scene.after.frames


def _steps(since_ns: int) -> int:
    """Steps of work for one frame: as many as there is time for before the next."""
    return min(max(since_ns // STEP_NS, 1), MOST_STEPS)


def _nearest(pieces: tuple[Piece, ...], px: Point) -> Piece | None:
    return min(pieces, key=lambda p: math.dist(p.px, px), default=None)


def _frame_ns(scene: Scene) -> int:
    """Time between frames: the middle one, for a camera may drop some."""
    times = [f.t_ns for f in scene.frames]
    steps = [b - a for a, b in pairwise(times)]
    return int(np.median(steps)) if steps else 16_666_667
