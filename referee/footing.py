"""Does the camera still stand where it was calibrated? While it does not, nothing is ruled by it."""

from calibration.drift import DriftWatch, Standing
from calibration.profile import Profile
from hardware.frames import Frame
from referee.eyes import Sighting


class Footing:
    """Turns drift into the house's own events: the camera is blocked, the camera sees again."""

    def __init__(self, profile: Profile) -> None:
        self._drift = DriftWatch(profile)
        self.firm = True
        """Geometry may be judged."""
        self.profile = profile
        """The one to measure with; it changes when a moved camera has been found again."""

    def step(self, frame: Frame) -> tuple[Sighting, ...]:
        """What there is to tell after this frame: nearly always nothing."""
        drift = self._drift.see(frame.image, frame.t_ns)
        firm = drift.standing is not Standing.MOVED
        self.profile = drift.profile
        if firm == self.firm:
            return ()
        self.firm = firm
        event = {"ev": "camera_clear"} if firm else {"ev": "camera_blocked", "why": drift.because}
        return (Sighting(event, (frame.index, frame.index), frame.t_ns),)
