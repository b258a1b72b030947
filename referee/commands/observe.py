"""referee observe FOLDER --json OUT.jsonl"""

import argparse
import json
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from hardware.cameras import open_camera
from hardware.frames import Frame, Image
from referee.codec import to_plain
from referee.folder import FootageFolder, open_folder
from referee.output import output_file, written
from referee.types import Observation

if TYPE_CHECKING:
    from calibration.profile import Profile
    from referee.vision.board import EmptyBoard


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path)
    parser.add_argument("--json", type=output_file, required=True, metavar="OUT.jsonl")


def run(args: argparse.Namespace) -> int:
    folder = open_folder(args.folder)
    seen = _pieces if folder.match.game == "rocca" else _cards
    with written(args.json) as out:
        for observation in seen(folder):
            out.write(json.dumps(to_plain(observation)) + "\n")
    return 0


def _pieces(folder: FootageFolder) -> Iterator[Observation]:
    import calibration
    from referee.vision.board import board_from_folder
    from referee.vision.large import has_balls

    with open_camera(folder.camera_name) as camera:
        profile = calibration.from_folder(folder.calibration, size=camera.size)
        board = board_from_folder(folder.calibration, profile)
        seen = _balls if has_balls(profile) else _on_a_board
        yield from seen(camera.frames(), profile, board, folder.match.seats)


def _on_a_board(
    frames: Iterator[Frame], profile: "Profile", board: "EmptyBoard | None", seats: tuple[str, ...]
) -> Iterator[Observation]:
    from referee.vision.board import must_be_plain
    from referee.vision.hands import HandSight
    from referee.vision.see import Eyes
    from referee.watch.hindsight import Hindsight
    from referee.watch.looking import Looker
    from referee.watch.underway import Underway

    eyes, hands, underway = Eyes(profile, board), HandSight(seats), Underway(profile)
    hindsight = Hindsight(profile, Looker(profile, board).look)
    for frame in frames:
        if board is None and frame.index == 0:
            must_be_plain(frame.image, profile)
        seen = eyes.see(frame, underway.places)
        if eyes.still is not None:
            moving = underway.see(eyes.looked_at, eyes.still, eyes.board, seen.pieces)
            over = hands.see(frame.image, eyes.still.image)
            seen = replace(seen, pieces=(*seen.pieces, *moving), hands=over)
        yield from hindsight.see(frame, seen)
    yield from hindsight.finish()


def _balls(
    frames: Iterator[Frame], profile: "Profile", board: "EmptyBoard | None", seats: tuple[str, ...]
) -> Iterator[Observation]:
    """Balls are told a few frames late: by then it is known which of them are any."""
    from referee.vision.hands import HandSight
    from referee.watch.rolling import SURE, Rolling, Sightings, named

    rolling, hands = Rolling(profile, board), HandSight(seats)
    waiting: deque[tuple[Observation, Sightings]] = deque()
    first: Image | None = None
    for frame in frames:
        first = frame.image if first is None else first
        seen = Observation(frame.index, frame.t_ns, hands=hands.see(frame.image, first))
        waiting.append((seen, rolling.see(frame)))
        if len(waiting) > SURE:
            seen, balls = waiting.popleft()
            yield replace(seen, pieces=named(balls))
    yield from (replace(seen, pieces=named(balls)) for seen, balls in waiting)


def _cards(folder: FootageFolder) -> Iterator[Observation]:
    """Cards and dice as they lay when the table was last settled, and the hands over it."""
    from referee.table_eyes import frames_of, open_eyes
    from referee.vision.hands import HandSight

    eyes, hands = open_eyes(folder), HandSight(folder.match.seats)
    settled: Image | None = None
    for frame in frames_of(folder):
        eyes.feed(frame)
        moving = eyes.watch.disturbed
        over = hands.see(frame.image, settled) if moving and settled is not None else ()
        settled = settled if moving else frame.image
        yield Observation(frame.index, frame.t_ns, hands=over, cards=eyes.watch.cards, dice=eyes.watch.dice)
