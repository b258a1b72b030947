"""Pixels to millimetres: lens, table plane, board outline, and how far to trust them. Knows no rules."""
