"""Dice: on a calibrated table their size is known; in a picture taken by hand a net knows their upper faces."""

from collections.abc import Sequence

from calibration.profile import Profile
from hardware.frames import Image
from referee.types import Card, Die
from referee.vision.dice_by_hand import dice_by_hand
from referee.vision.dice_on_table import Mask, dice_on_table


def find_dice(
    image: Image,
    profile: Profile | None = None,
    cards: Sequence[Card] = (),
    where: Mask | None = None,
) -> tuple[Die, ...]:
    """The dice in a picture, the surest first; cards say how large dice can be where no profile does.

    With a profile and a mask of any size only dice near to where it is set are looked for.
    """
    return dice_by_hand(image, cards) if profile is None else dice_on_table(image, profile, where)
