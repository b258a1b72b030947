"""Cameras, displays, buttons, lamp, voice and recorder. Knows no board and no rules."""
