"""Styles and scripts of the pages that stand alone."""

from importlib.resources import files


def part(name: str) -> str:
    """The text of one of them."""
    return (files("referee.pages") / name).read_text(encoding="utf8")
