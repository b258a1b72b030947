"""Referee judge for the card games: footage in, events and rulings out."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hardware.frames import Frame
from referee.card_happenings import Happening
from referee.card_table import CardTable
from referee.codec import to_plain
from referee.errors import BadEvent
from referee.folder import FootageFolder, MatchSheet, open_folder
from referee.folding import plain_ruling
from referee.games import find_game, find_reader, rolls_dice
from referee.happenings import Sighted
from referee.ledger import CAMERA, REFEREE, Cause
from referee.match import Match
from referee.reading import Read
from referee.table_eyes import frames_of, open_eyes
from referee.types import Ruling
from referee.watch.report import happening_plain
from referee.watch.table import CardEyes

VERSION = 1


@dataclass(slots=True)
class CardBench:
    """Judges what a table tells, and keeps the record."""

    folder: FootageFolder
    table: CardTable
    match: Match[Any, Any] | None = None
    happenings: list[Happening | Sighted] = field(default_factory=list)
    events: list[dict[str, object]] = field(default_factory=list)
    rulings: list[Ruling] = field(default_factory=list)
    _declared: list[Mapping[str, object]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._declared = sorted(self.folder.match.declared, key=lambda d: int(str(d["frame"])))

    @property
    def state(self) -> Any:
        return None if self.match is None else self.match.state

    @property
    def blind(self) -> bool:
        """Eyes are shut at the table: no picture is looked at."""
        return self.match is not None and self.match.game.blind(self.match.state)

    def begin(self) -> None:
        """Open the match with what the players entered and what lies on the table."""
        self.match = Match(
            find_game(self.folder.match.game), first_state(self.folder.match, self.table.begin)
        )
        self.table.keep_secrets(self.match.state)
        self.look_again()

    def look_again(self) -> None:
        """What the table tells as it lies, in this phase."""
        if self.match is not None and not self.blind:
            for read in self.table.standing(self.match.state):
                self.tell(read)

    def hear(self, reads: tuple[Read, ...]) -> None:
        """One visit of hands, read and judged."""
        self.happenings += self.table.batch
        for read in reads:
            self.tell(read)
        if self.table.batch:
            self.look_again()
            self.table.keep_secrets(self.state)

    def declare(self, frame: int) -> None:
        """What players told the referee up to this frame."""
        while self.match is not None and self._declared and int(str(self._declared[0]["frame"])) <= frame:
            told = dict(self._declared.pop(0))
            event = {
                "ev": told.pop("event"),
                **{k: v for k, v in told.items() if k not in ("frame", "at_px")},
            }
            self.tell(Read(self.table.hear(event)), _told_by(event), frame)
            self.look_again()
            self.table.keep_secrets(self.state)

    def tell(self, read: Read, cause: Cause = CAMERA, frame: int | None = None) -> None:
        assert self.match is not None
        try:
            event = self.match.read(read.event)
        except BadEvent as error:
            # The eyes read something that this game does not have: it is shown, and nothing is ruled by it.
            self.events.append({**read.event, **read.also, "unread": str(error)})
            return
        frames = (read.at.began, read.at.frame) if read.at else None
        before = self.match.state
        self.rulings += self.match.feed(event, cause, frames, read.at.t_ns if read.at else None)
        where = read.at.frame if read.at else frame
        at = {} if where is None else {"frame": where}
        outcome = self.table.reader.outcome(read.event, before, self.match.state)
        self.events.append({**read.event, **at, **read.also, **outcome})


def first_state(sheet: MatchSheet, begin: Callable[[dict[str, object]], Mapping[str, object]]) -> Any:
    """The state that the sheet and the first settled picture tell together; `begin` reads the picture."""
    game = find_game(sheet.game)
    given: dict[str, object] = {"players": list(sheet.seats), **sheet.state}
    if sheet.switches:
        given.setdefault("sw", dict(sheet.switches))
    if sheet.turn and "turn" in game.dump(game.begin(sheet.seats, sheet.switches)):
        given.setdefault("turn", sheet.turn)
    return game.load({**begin(given), **given})


def _told_by(event: Mapping[str, object]) -> Cause:
    seat = event.get("seat")
    return Cause("seat", seat) if isinstance(seat, str) else REFEREE


def judge_cards(path: Path, cards: CardEyes | None = None) -> CardBench:
    """Watch the footage of a card game's folder and judge it."""
    return judge_card_footage(open_folder(path), cards)


def judge_card_footage(
    folder: FootageFolder,
    cards: CardEyes | None = None,
    each_frame: Callable[[Frame, CardBench], None] | None = None,
) -> CardBench:
    """Watch footage of a card game with its calibration and judge it."""
    game = folder.match.game
    table = CardTable(open_eyes(folder, cards, rolls_dice(game)), find_reader(game), folder.match.zones)
    bench = CardBench(folder, table)
    for frame in frames_of(folder):
        if not bench.blind:
            reads = bench.table.look(frame, bench.state)
            if bench.match is None and bench.table.eyes.settled:
                bench.begin()
            bench.hear(reads)
        else:
            bench.table.eyes.shut()
        bench.declare(frame.index)
        if each_frame is not None:
            each_frame(frame, bench)
    if not bench.blind:
        bench.hear(bench.table.finish(bench.state))
    return bench


def as_json(bench: CardBench) -> dict[str, object]:
    """The record as `referee judge` writes it."""
    profile = bench.table.eyes.profile
    quality = {"reprojection_px": profile.reprojection_px, "plane_error_mm": profile.plane_error_mm}
    state = bench.match.game.dump(bench.match.state) if bench.match else {}
    return {
        "version": VERSION,
        "game": bench.folder.match.game,
        "calibration": quality,
        "happenings": [plain for h in bench.happenings if (plain := happening_plain(h))],
        "events": to_plain(bench.events),
        "rulings": [plain_ruling(r) for r in bench.rulings],
        "state": state,
    }
