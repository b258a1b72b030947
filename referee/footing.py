"""May the table be judged by the camera? Only while it sees, and stands where it was calibrated."""

from calibration.drift import DriftWatch, Standing
from calibration.profile import Profile
from hardware.frames import Frame
from referee.happenings import SightLost
from referee.watch.sight import Sight


class Footing:
    """Says once when the camera sees nothing any more, or does not stand where it stood."""

    def __init__(self, profile: Profile) -> None:
        self._sight, self._drift = Sight(), DriftWatch(profile)
        self._moved = self._told = False
        self.profile = profile
        """The one to measure with; it changes when a moved camera has been found again."""

    @property
    def firm(self) -> bool:
        """The present frame may be judged."""
        return not self._sight.blind and not self._moved

    def step(self, frame: Frame) -> SightLost | None:
        """What there is to tell after this frame: nearly always nothing."""
        lost = self._sight.see(frame)
        if not self._sight.blind:  # of a covered lens nobody learns where the board is
            lost = self._stand(frame) or lost
        new = None if self._told else lost
        self._told = not self.firm and (self._told or new is not None)
        return new

    def _stand(self, frame: Frame) -> SightLost | None:
        drift = self._drift.see(frame.image, frame.t_ns)
        self._moved, self.profile = drift.standing is Standing.MOVED, drift.profile
        return SightLost((frame.index, frame.index), frame.t_ns, drift.because) if self._moved else None
