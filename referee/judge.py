"""referee judge: the footage of a Rocca board in, rulings with the facts behind them out."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import calibration
from calibration.profile import Profile
from hardware.cameras import open_camera
from hardware.frames import Frame
from referee.board_sight import BoardSight
from referee.codec import plain_event, to_plain
from referee.errors import BadFolder, TableError
from referee.folder import FootageFolder, MatchSheet, open_folder
from referee.games import find_game
from referee.games.rocca.events import Event
from referee.games.rocca.reading import read
from referee.games.rocca.state import State
from referee.happenings import Happening, PiecesDropped, PieceTaken, ShotSeen, Sighted
from referee.house import HouseEvent, house_event
from referee.ledger import CAMERA, Cause
from referee.match import Match, open_match
from referee.report import ShotReport, report_shot
from referee.types import TABLE, Piece, Point, Ruling
from referee.vision.board import EmptyBoard, board_from_folder, must_be_plain
from referee.watch.play import BoardWatch

VERSION = 1


@dataclass(slots=True)
class Judgement:
    """Everything that was seen and said."""

    profile: Profile
    shots: list[ShotReport] = field(default_factory=list)
    drops: list[PiecesDropped] = field(default_factory=list)
    happenings: list[Happening] = field(default_factory=list)
    boards: list[tuple[tuple[Piece, ...], tuple[Piece, ...]]] = field(default_factory=list)
    """The pieces before and after each shot."""
    events: list[dict[str, object]] = field(default_factory=list)
    rulings: list[Ruling] = field(default_factory=list)
    scores: list[tuple[int, tuple[tuple[str, str], ...]]] = field(default_factory=list)
    """What everybody had after the frame of each happening."""
    state: dict[str, object] = field(default_factory=dict)
    pieces: tuple[Piece, ...] = ()
    off_board: int = 0


def judge_folder(path: Path, each_frame: Callable[[Frame], None] | None = None) -> Judgement:
    """Watch the footage of a folder and judge it."""
    return judge_footage(open_folder(path), each_frame)


def judge_footage(folder: FootageFolder, each_frame: Callable[[Frame], None] | None = None) -> Judgement:
    """Watch footage with its calibration, wherever they lie, and judge it."""
    if folder.match.game != "rocca":
        raise BadFolder(f"judging from footage knows rocca, not {folder.match.game}")
    with open_camera(folder.camera_name) as camera:
        profile = calibration.from_folder(folder.calibration, size=camera.size, board=True)
        board = board_from_folder(folder.calibration, profile)
        return judge_frames(folder.match, camera.frames(), profile, board, each_frame)


def judge_frames(
    sheet: MatchSheet,
    frames: Iterable[Frame],
    profile: Profile,
    board: EmptyBoard | None,
    each_frame: Callable[[Frame], None] | None = None,
) -> Judgement:
    """Watch frames of a calibrated board and judge them."""
    sight, bench = BoardSight(profile, board), Bench(sheet, Judgement(profile))
    for frame in frames:
        if board is None and frame.index == 0:
            must_be_plain(frame.image, profile)
        bench.tell_declared(frame.index, sight.watch)
        if each_frame is not None:
            each_frame(frame)
        for happening in sight.feed(frame):
            bench.hear(happening, sight.watch)
    for happening in sight.watch.finish():
        bench.hear(happening, sight.watch)
    return bench.close(sight.watch)


class Bench:
    """Turns happenings into events, events into rulings, and keeps the record."""

    def __init__(self, sheet: MatchSheet, record: Judgement) -> None:
        self._sheet = sheet
        self._record = record
        self._declared = list(sheet.declared)
        self._match: Match[State, Event] | None = None
        self._early: list[Sighted] = []

    def tell_declared(self, frame: int, watch: BoardWatch) -> None:
        """What players touched on the live picture up to this frame."""
        while self._declared and int(str(self._declared[0]["frame"])) <= frame:
            told = self._declared.pop(0)
            if told["event"] == "gate_called" and "a" not in told:
                watch.called_at(_two_points(told))
            elif self._match is not None or "phase" in self._sheet.state:
                self._tell(told, watch)

    def _tell(self, told: Mapping[str, object], watch: BoardWatch) -> None:
        """Judge what a player declared; what no table can say is refused then as now."""
        event = {"ev": told["event"], **{k: v for k, v in told.items() if k not in ("event", "frame")}}
        seat = told.get("seat")
        with suppress(TableError):
            match = self._match or self._open(None, watch)
            read = match.read(event)
            self._record.events.append(event)
            self._record.rulings += match.feed(read, Cause("seat", seat if isinstance(seat, str) else None))

    def hear(self, happening: Happening, watch: BoardWatch) -> None:
        """Judge one happening."""
        self._record.happenings.append(happening)
        if isinstance(happening, Sighted) and self._match is None:
            self._early.append(happening)  # it does not tell in which phase the footage begins
            return
        match = self._match or self._open(happening, watch)
        before = match.state
        if isinstance(happening, Sighted):
            self._feed(match, match.read(house_event(happening)), happening)
        for event in read(happening, match.state):
            self._feed(match, event, happening)
        self._record.scores.append((happening.frames[1], match.view(TABLE).scores))
        if isinstance(happening, ShotSeen):
            self._record.shots.append(report_shot(happening, before))
            self._record.boards.append((watch.pieces_before, watch.pieces))
        if isinstance(happening, PiecesDropped):
            self._record.drops.append(happening)
            self._record.off_board += happening.off_board

    def _feed(self, match: Match[State, Event], event: Event | HouseEvent, happening: Happening) -> None:
        told = plain_event(event) if isinstance(event, HouseEvent) else match.game.plain(event)
        self._record.events.append(told)
        self._record.rulings += match.feed(event, CAMERA, frames=happening.frames, t_ns=happening.t_ns)

    def close(self, watch: BoardWatch) -> Judgement:
        """The record, with the board as it lies at the end."""
        if self._early and self._match is None:
            self._open(None, watch)
        self._record.pieces = watch.pieces
        if self._match is not None:
            self._record.state = self._match.game.dump(self._match.state)
        self._record.off_board += sum(len(s.shot.off) for s in self._record.shots)
        return self._record

    def _open(self, happening: Happening | None, watch: BoardWatch) -> Match[State, Event]:
        """Begin where the footage begins: what lies on the board, and whose turn the sheet says."""
        seats = self._sheet.seats or ("A", "B", "C")
        given = {**self._given(happening, watch), **self._sheet.state}
        self._match = open_match(find_game("rocca"), seats, self._sheet.switches, given=given)
        for sighted in self._early:
            self._feed(self._match, self._match.read(house_event(sighted)), sighted)
        return self._match

    def _given(self, happening: Happening | None, watch: BoardWatch) -> dict[str, object]:
        seats = self._sheet.seats or ("A", "B", "C")
        turn = self._sheet.turn or seats[0]
        if isinstance(happening, PiecesDropped):
            dropped = happening.on_board + happening.off_board - watch.count_before
            return {"turn": turn, "phase": "DROP", "board": watch.count_before, "hand": max(0, dropped)}
        lying = len([p for p in watch.pieces if p.on_board])
        return {"turn": turn, "phase": "AIM", "board": watch.count_before if happening else lying}


def _two_points(declared: Mapping[str, object]) -> tuple[Point, Point]:
    at = declared.get("at_px")
    if not isinstance(at, list | tuple) or len(at) != 2:
        raise BadFolder(f"match.toml: gate_called at frame {declared['frame']} needs at_px with two points")
    try:
        (ax, ay), (bx, by) = ((float(x), float(y)) for x, y in at)
    except (TypeError, ValueError) as error:
        raise BadFolder(f"match.toml: gate_called at_px is {at!r}, not two points") from error
    return (ax, ay), (bx, by)


def as_json(done: Judgement) -> dict[str, Any]:
    """The contract's shape."""
    return {
        "version": VERSION,
        "game": "rocca",
        "calibration": {
            "reprojection_px": done.profile.reprojection_px,
            "plane_error_mm": done.profile.plane_error_mm,
        },
        "shots": [shot.as_json() for shot in done.shots],
        "drops": [_drop(d) for d in done.drops],
        "taken": [to_plain(h) for h in done.happenings if isinstance(h, PieceTaken)],
        "events": done.events,
        "rulings": [to_plain(r) for r in done.rulings],
        "state": done.state,
        "final_board": {"pieces": [_piece(p) for p in done.pieces], "off_board": done.off_board},
    }


def _drop(drop: PiecesDropped) -> dict[str, object]:
    return {
        "frames": list(drop.frames),
        "on_board": drop.on_board,
        "off_board": drop.off_board,
        "at_once": drop.at_once,
    }


def _piece(piece: Piece) -> dict[str, object]:
    return {
        "id": piece.id,
        "px": list(piece.px),
        "mm": list(piece.mm),
        "outline_mm": [list(p) for p in piece.outline_mm],
    }
