"""Matches to look at."""

from typing import Any

from calibration.points import from_points
from referee.live_story import Story

SEATS = ["Ann", "Ben", "Cem"]
AIM = {
    "phase": "AIM",
    "turn": "Ann",
    "bowls": {"Ann": 6, "Ben": 6, "Cem": 6},
    "board": 4,
    "hand": 0,
}
TOUCHED: dict[str, Any] = {
    "ev": "shot_result",
    "piece": "3",
    "start_inside": False,
    "through": True,
    "gate": ["1", "2"],
    "gate_contact": True,
    "other_contact": [],
    "off": [],
    "hand_pieces": 1,
    "motion": "single",
    "touched_moving": False,
    "hit_last": None,
    "margin_mm": 6.0,
}
VILLAGE = {
    "game": "rocca-monster",
    "seats": SEATS,
    "switches": {"count_seconds": 2},
    "camera": "standin:0",
}


def rocca(camera: str | None = "standin:0", **more: object) -> dict[str, object]:
    """A game in the middle of Ann's turn."""
    return {"game": "rocca", "seats": SEATS, "camera": camera, "state": AIM, **more}


CORNERS = (
    ((240.0, 120.0), (0.0, 260.0)),
    ((1040.0, 120.0), (400.0, 260.0)),
    ((1040.0, 640.0), (400.0, 0.0)),
    ((240.0, 640.0), (0.0, 0.0)),
)
"""Of the stand-in's board: pixels and millimetres."""


def ring(x: float, y: float, size: float) -> list[list[float]]:
    return [[x - size, y - size], [x + size, y - size], [x + size, y + size], [x - size, y + size]]


def told_shot(frames: tuple[int, int]) -> Story:
    """A close shot between the first two pieces, as the eyes of a board tell it."""
    first, last = frames
    pieces = [
        {"id": k, "px": [x, y], "outline_px": ring(x, y, 30), "outline_mm": ring(mm[0], mm[1], 15)}
        for k, x, y, mm in ((1, 420, 300, (90, 170)), (2, 640, 420, (200, 110)), (3, 820, 260, (290, 190)))
    ]
    step = {"mm": [250, 150], "px": [740, 340], "outline_px": ring(740, 340, 30), "gap_mm": 9.0}
    plain = {
        "frames": [first, last],
        "verdict": "review",
        "facts": {
            "clearance_mm": -0.4,
            "clearance_sigma_mm": 0.5,
            "gate_gap_mm": [9.0, 12.0],
            "gate_moved_mm": [0.0, 0.1],
            "hand_contact_ms": 40,
        },
        "confidence": 0.5,
        "shooter": {"id": 3},
        "outlines": pieces,
        "after": pieces,
        "posts": [1, 2],
        "band_mm": ring(145, 140, 40),
        "band_px": ring(530, 360, 80),
        "end_mm": ring(180, 150, 15),
        "way": [step | {"frame": first + k, "clearance_mm": k - 4.0} for k in range(3)],
        "touches": [{"id": 1, "px": [420, 300], "moved_mm": 0.1, "post": True}],
        "closest": last,
        "window_mm": [80, 80, 240, 220],
        "readings": [
            {"if": "The shooter is wholly through the band.", "then": "A legal shot.", "likely": 0.2},
            {"if": "A part of it still lies in the band.", "then": "A foul.", "likely": 0.8},
        ],
        "board_px": [[240, 120], [1040, 120], [1040, 640], [240, 640]],
    }
    return Story(plain, from_points(CORNERS, (1280, 720)))
