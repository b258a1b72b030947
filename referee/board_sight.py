"""A Rocca board under a camera that may lose sight of it: the same live and on footage."""

from calibration.profile import Profile
from hardware.frames import Frame
from referee.footing import Footing
from referee.happenings import Happening
from referee.vision.board import EmptyBoard
from referee.watch.looking import Learning, Looker
from referee.watch.play import BoardWatch


class BoardSight:
    """Feeds the watch what is worth a look; what changes while nothing is seen is told as that."""

    def __init__(self, profile: Profile, board: EmptyBoard | Learning | None) -> None:
        self.profile, self._board = profile, board
        self._footing = Footing(profile)
        self.watch = self._fresh_watch()
        """It is another one after the camera was moved."""

    def feed(self, frame: Frame) -> list[Happening]:
        """Take the next frame."""
        lost = self._footing.step(frame)
        told: list[Happening] = [] if lost is None else [*self.watch.look_away(), lost]
        if not self._footing.firm:
            return told
        if self._footing.profile is not self.profile:
            self._stand_anew(self._footing.profile)
        return told + self.watch.feed(frame)

    def _stand_anew(self, profile: Profile) -> None:
        """The camera was moved and has been found again: the pieces are looked for by its new place."""
        self.profile = profile
        before, self.watch = self.watch, self._fresh_watch()
        self.watch.take_over(before)

    def _fresh_watch(self) -> BoardWatch:
        return BoardWatch(self.profile, Looker(self.profile, self._board).look)
