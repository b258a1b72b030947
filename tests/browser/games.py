"""Matches to look at."""

from typing import Any

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
