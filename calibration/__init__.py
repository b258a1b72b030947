"""Pixels to millimetres: lens, table plane, board outline, and how far to trust them. Knows no rules."""

from calibration.making import from_folder as from_folder
from calibration.profile import Profile as Profile
