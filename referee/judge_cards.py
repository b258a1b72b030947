"""Referee judge for the card games: footage in, events and rulings out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from referee.card_eyes import DeckEyes
from referee.card_happenings import Happening
from referee.codec import to_plain
from referee.errors import BadEvent
from referee.folder import FootageFolder, open_folder
from referee.folding import plain_ruling
from referee.games import find_game, find_reader
from referee.ledger import CAMERA, REFEREE, Cause
from referee.match import Match
from referee.reading import Read, Reader, Table
from referee.table_eyes import TableEyes, frames_of, open_eyes
from referee.types import Ruling
from referee.watch.report import happening_plain
from referee.watch.table import CardEyes

VERSION = 1


@dataclass(slots=True)
class CardBench:
    """Turns happenings into events and events into rulings, and keeps the record."""

    folder: FootageFolder
    reader: Reader[Any]
    match: Match[Any, Any] | None = None
    happenings: list[Happening] = field(default_factory=list)
    events: list[dict[str, object]] = field(default_factory=list)
    rulings: list[Ruling] = field(default_factory=list)
    _declared: list[Mapping[str, object]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._declared = sorted(self.folder.match.declared, key=lambda d: int(str(d["frame"])))

    @property
    def blind(self) -> bool:
        """Eyes are shut at the table: no picture is looked at."""
        return self.match is not None and self.match.game.blind(self.match.state)

    def begin(self, table: Table) -> None:
        """Open the match with what the players entered and what lies on the table."""
        sheet = self.folder.match
        game = find_game(sheet.game)
        given: dict[str, object] = {**sheet.state}
        given.setdefault("players", list(sheet.seats))
        if sheet.switches:
            given.setdefault("sw", dict(sheet.switches))
        fields = game.dump(game.begin(sheet.seats, sheet.switches))
        if sheet.turn and "turn" in fields:
            given.setdefault("turn", sheet.turn)
        found = self.reader.begin(table, given)
        self.match = Match(game, game.load({**found, **given}))
        self.look(table)

    def look(self, table: Table) -> None:
        """What the table tells as it lies."""
        if self.match is not None and not self.blind:
            for read in self.reader.standing(self.match.state, table):
                self.tell(read)

    def hear(self, batch: tuple[Happening, ...], table: Table) -> None:
        """One visit of hands, read and judged."""
        if self.match is None or self.blind:
            return
        self.happenings += batch
        for read in self.reader.read(self.match.state, batch, table):
            self.tell(read)
        self.look(table)

    def keep_secrets(self, eyes: TableEyes) -> None:
        """Make the eyes blind to what must not be read now."""
        cards = eyes.watch.card_eyes
        if self.match is not None and isinstance(cards, DeckEyes):
            cards.secrets = self.reader.secrets(self.match.state, eyes.table)

    def declare(self, frame: int, eyes: TableEyes) -> None:
        """What players told the referee up to this frame."""
        while self.match is not None and self._declared and int(str(self._declared[0]["frame"])) <= frame:
            told = dict(self._declared.pop(0))
            event = {
                "ev": told.pop("event"),
                **{k: v for k, v in told.items() if k not in ("frame", "at_px")},
            }
            self.reader.declared(event)
            self.tell(Read(event), _told_by(event), frame)
            self.look(eyes.table)
            self.keep_secrets(eyes)

    def tell(self, read: Read, cause: Cause = CAMERA, frame: int | None = None) -> None:
        assert self.match is not None
        try:
            event = self.match.game.event(read.event)
        except BadEvent as error:
            # The eyes read something that this game does not have: it is shown, and nothing is ruled by it.
            self.events.append({**read.event, **read.also, "unread": str(error)})
            return
        frames = (read.at.began, read.at.frame) if read.at else None
        before = self.match.state
        rulings = self.match.feed(event, cause, frames, read.at.t_ns if read.at else None)
        self.rulings += rulings
        where = read.at.frame if read.at else frame
        at = {} if where is None else {"frame": where}
        self.events.append(
            {**read.event, **at, **read.also, **self.reader.outcome(read.event, before, self.match.state)}
        )


def _told_by(event: Mapping[str, object]) -> Cause:
    seat = event.get("seat")
    return Cause("seat", seat) if isinstance(seat, str) else REFEREE


def judge_cards(path: Path, cards: CardEyes | None = None) -> tuple[CardBench, TableEyes]:
    """Watch the footage of a card game's folder and judge it."""
    folder = open_folder(path)
    eyes = open_eyes(folder, cards)
    bench = CardBench(folder, find_reader(folder.match.game))
    for frame in frames_of(folder):
        if not bench.blind:
            _follow(bench, eyes, eyes.feed(frame))
        bench.declare(frame.index, eyes)
    return bench, eyes


def _follow(bench: CardBench, eyes: TableEyes, batch: tuple[Happening, ...]) -> None:
    if bench.match is None and eyes.settled:
        bench.begin(eyes.table)
        bench.keep_secrets(eyes)
    if batch:
        bench.hear(batch, eyes.table)
        bench.keep_secrets(eyes)


def as_json(bench: CardBench, eyes: TableEyes) -> dict[str, object]:
    profile = eyes.profile
    quality = {"reprojection_px": profile.reprojection_px, "plane_error_mm": profile.plane_error_mm}
    state = bench.match.game.dump(bench.match.state) if bench.match else {}
    return {
        "version": VERSION,
        "game": bench.folder.match.game,
        "calibration": quality,
        "happenings": [p for h in bench.happenings if (p := happening_plain(h))],
        "events": to_plain(bench.events),
        "rulings": [plain_ruling(r) for r in bench.rulings],
        "state": state,
    }
