"""A third look at the dice in pictures taken by hand: their upper faces are pulled straight and read from close by."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.vision.close_faces import AT_PX, EDGE_PX, SIDE_PX, closely, straight
from referee.vision.upper import Upper
from referee.vision.upper_faces import upper_faces

PICTURES = Path(__file__).parent / "dice"
NO_IDEA = (1 / 6,) * 6


def aside(edge_px: float, way_deg: float) -> tuple[Upper, np.ndarray]:
    """A face seen from 50 degrees aside, the foot that way, and the places of its corners in the picture."""
    sine, cosine = np.sin(np.radians(50)), np.cos(np.radians(50))
    way = np.array([np.cos(np.radians(way_deg)), np.sin(np.radians(way_deg))])
    across = np.array([way[1], -way[0]])
    middle = np.array([200.0, 190.0])
    corners = [
        middle + edge_px / 2 * (a * across + b * cosine * way)
        for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    upright = edge_px * sine * way
    return Upper((200.0, 190.0), (upright[0], upright[1]), edge_px, 0.5, NO_IDEA), np.array(corners)


@pytest.mark.parametrize("edge_px", [20.0, 50.0, 120.0])
@pytest.mark.parametrize("way_deg", [90.0, 60.0, 115.0])
def test_a_face_seen_from_aside_becomes_a_square_of_always_the_same_size(
    edge_px: float, way_deg: float
) -> None:
    face, corners = aside(edge_px, way_deg)
    fine = np.zeros((3200, 3200, 3), np.uint8)
    cv2.fillConvexPoly(fine, np.round((corners + 0.5) * 8 - 0.5).astype(np.int32), (255, 255, 255))
    picture = np.asarray(cv2.resize(fine, (400, 400), interpolation=cv2.INTER_AREA), np.uint8)
    seen = straight(picture, face)[..., 0] > 127
    left, top = (round(at - EDGE_PX / 2 + 0.5) for at in AT_PX)
    want = np.zeros((SIDE_PX, SIDE_PX), bool)
    want[top : top + round(EDGE_PX), left : left + round(EDGE_PX)] = True
    assert (seen & want).sum() / (seen | want).sum() > 0.9


@pytest.mark.parametrize("name", ["near-grey_2", "near-ivory_4", "near-orange_1", "near-wood_6"])
def test_the_third_look_reads_a_face_by_itself(name: str) -> None:
    picture = np.asarray(cv2.imread(str(PICTURES / f"{name}.jpg")), np.uint8)
    found = upper_faces(picture)[0]
    (read,) = closely(picture, [Upper(found.face, found.upright, found.edge_px, 0.5, NO_IDEA)])
    assert int(np.argmax(read.odds)) + 1 == int(name.split("_")[1])
    assert max(read.odds) > 0.8
    assert read.found > 0.6


def test_the_third_look_takes_trust_from_what_is_no_upper_face() -> None:
    table = np.full((300, 400, 3), (90, 120, 150), np.uint8)
    cv2.circle(table, (200, 150), 9, (20, 20, 20), -1, cv2.LINE_AA)
    (read,) = closely(table, [Upper((200.0, 150.0), (0.0, 30.0), 60.0, 0.8, NO_IDEA)])
    assert read.found < 0.4


def test_no_dice_need_no_look() -> None:
    assert closely(np.zeros((40, 40, 3), np.uint8), []) == []
