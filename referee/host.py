"""The host: sets tables, keeps each match in a folder of its own, and answers the page."""

import re
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hardware.frames import Image
from hardware.recorder import Recorder, Ring, last_recorded
from referee.authority import Authority
from referee.codec import from_plain, to_plain
from referee.errors import TableError
from referee.eyes import Plain
from referee.folder import MatchSheet, open_folder
from referee.footage import keep_calibration, keep_deck
from referee.game_sheets import game_sheet, match_sheet
from referee.games import GAMES, find_game
from referee.journal import Journal
from referee.kept_sheet import KeptSheet
from referee.ledger import may_see
from referee.live_picture import LivePicture
from referee.match import Match, open_match, resume_match
from referee.relay import Relay
from referee.rulebook import check_switches, read_rulebook
from referee.setup import FILE, Setup, carried_over, read_setup, write_setup
from referee.stage import Stage
from referee.table import Table
from referee.types import TABLE, Audience, Point

if TYPE_CHECKING:
    from referee.instant import Instant
    from referee.live_story import Story
    from referee.open_eyes import OpenEyes

_NAMED = re.compile(r"(\d{4}-\d\d-\d\d-\d{6})(?:\.(\d{1,6}))?-")
JOURNAL_PATIENCE_MS = 200
"""The judge waits no longer for another program: what cannot be written is kept and tried again."""


@dataclass(frozen=True, slots=True)
class _Moved:
    """Zones that were dragged on the picture."""

    moved_px: Mapping[str, tuple[float, float]]


class Host:
    """One table at a time, in `folder`."""

    def __init__(self, folder: Path, stage: Stage) -> None:
        self.folder, self.stage = folder, stage
        self.table: Table | None = None
        self.at: Path | None = None
        """Folder of the match being played."""
        self._journal: Journal | None = None
        self._lock = threading.Lock()
        self._picture = LivePicture()
        self._instant: tuple[int, Instant] | None = None
        self._replaying = threading.Lock()
        stage.show({"kind": "setup"})

    # --- What the page asks ----------------------------------------------------------------------------

    def games(self) -> Sequence[Plain]:
        return [game_sheet(name) for name in GAMES]

    def clauses(self, game: str) -> Mapping[str, str]:
        find_game(game)
        return {c.id: c.text for c in read_rulebook(GAMES[game]).clauses}

    def cameras(self) -> Sequence[str]:
        return [f"webcam:{p.name.removeprefix('video')}" for p in sorted(Path("/dev").glob("video*"))]

    def decks(self) -> Sequence[str]:
        from referee.decks.store import STANDARD, learned_names

        return [STANDARD, *learned_names()]

    def last(self) -> Plain:
        """How the latest match was set up, to begin the next one from."""
        folder = self.unfinished()
        return {} if folder is None else carried_over(folder)

    def begin(self, setup: Plain) -> None:
        wanted = from_plain(Setup, setup, "the set-up")
        check_switches(read_rulebook(GAMES[find_game(wanted.game).name]), wanted.switches)
        with self._lock:
            self._open(wanted, self._new_folder(wanted.game), resume=False)

    def preview(self, asked: Plain) -> Plain:
        """What the camera of a set-up sees, how exact it is, and where zones lie; `moved_px` moves some."""
        if self.table is not None:
            raise TableError("a match is being played: the camera is in use")
        from referee.preview import preview

        moved = from_plain(_Moved, {"moved_px": asked.get("moved_px") or {}}, "the preview").moved_px
        plain = {k: v for k, v in asked.items() if k != "moved_px"}
        setup = from_plain(Setup, plain, "the set-up")
        find_game(setup.game)
        if setup.camera is None:
            raise TableError("name a camera to look through")
        with self._lock:
            return preview(
                setup.game, setup.seats, setup.camera, setup.profile, setup.deck, setup.zones, moved
            )

    def begin_recorded(self, footage: Path, record: bool = False) -> None:
        """Play a footage folder as if it were the table."""
        sheet = open_folder(footage).match
        setup = Setup(sheet.game, sheet.seats, sheet.switches, footage=str(footage), record=record)
        with self._lock:
            self._open(setup, self._new_folder(sheet.game), resume=False)

    def resume(self, folder: Path) -> None:
        """Take a match up where it stopped."""
        with self._lock:
            self._open(read_setup(folder), folder, resume=True)

    def unfinished(self) -> Path | None:
        """The latest match in the folder, if there is one to take up."""
        folders = sorted(
            f.parent for f in self.folder.glob(f"*/{FILE}") if (f.parent / "journal.db").exists()
        )
        return folders[-1] if folders else None

    def act(self, plain: Plain, seat: str | None) -> Sequence[Plain]:
        if self.table is None:
            raise TableError("no match is being played: set one up first")
        rulings = self.table.act(plain, seat)
        if plain.get("ev") == "zone_placed" and self.table.eyes is not None:
            self._keep_zones(self.table.eyes.placed)
        return [to_plain(ruling) for ruling in rulings]

    def button(self, meaning: str) -> Plain:
        """The event a button means now: a choice that needs no further word, or one of the house's."""
        choices = self.table.match.choices() if self.table is not None else ()
        fitting = next((c for c in choices if c.event == meaning and not c.asks), None)
        return {"ev": meaning} if fitting is None else {"ev": meaning, **fitting.fields}

    def journal(self, audience: Audience, after: int) -> Sequence[Plain]:
        if self.table is None:
            return []
        entries = self.table.match.ledger.after(after)
        return [
            {"number": e.number, "hash": e.hash, **to_plain(e.note)}
            for e in entries
            if may_see(audience, e.note.audience)
        ]

    def instant(self, number: int) -> "Instant":
        """The replay of one ruling; the last one asked for is kept."""
        table = self.table
        if table is None or table.recorder is None:
            raise TableError("no camera looks at this table, so nothing can be shown again")
        from referee.instant import open_instant

        with self._replaying:
            if self._instant is None or self._instant[0] != number:
                ledger = [e for e in table.match.ledger.whole() if may_see(TABLE, e.note.audience)]
                self._forget_instant()
                self._instant = (
                    number,
                    open_instant(table.recorder.folder, ledger, number, self._shown, self._story),
                )
            return self._instant[1]

    def _shown(self, image: Image) -> Image | None:
        """A recorded picture as everybody may see it now."""
        table = self.table
        if table is None or table.match.game.blind(table.match.state):
            return None
        return table.eyes.veil(image) if table.eyes is not None else None

    def _story(self, frames: tuple[int, int]) -> "Story | None":
        eyes = self.table.eyes if self.table is not None else None
        return eyes.story(frames) if eyes is not None else None

    def _forget_instant(self) -> None:
        if self._instant is not None:
            self._instant[1].close()
            self._instant = None

    def picture(self) -> bytes | None:
        return self._picture.jpeg(self.table)

    def close(self) -> None:
        table, self.table = self.table, None
        if table is not None:
            table.close()
        if self._journal is not None:
            self._journal.close()
            self._journal = None

    def _new_folder(self, game: str) -> Path:
        """Named by the time and behind every earlier match, also when the clock was set back or two begin at once."""
        now = (time.strftime("%Y-%m-%d-%H%M%S"), 0)
        earlier = [(m[1], int(m[2] or 0)) for f in self.folder.glob("*") if (m := _NAMED.match(f.name))]
        stamp, count = max([now, *((when, count + 1) for when, count in earlier)])
        return self.folder / f"{stamp}{f'.{count:03d}' if count else ''}-{game}"

    # --- Setting a table -------------------------------------------------------------------------------

    def _open(self, setup: Setup, folder: Path, resume: bool) -> None:
        self.close()
        relay, seen = self._look_at(setup)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if not resume:
                write_setup(folder, setup)
            self._journal = Journal(folder / "journal.db", JOURNAL_PATIENCE_MS)
            match = _match(setup, self._journal, seen.given if seen else {})
        except (TableError, OSError) as error:
            if relay is not None:
                relay.close()
            self.close()
            raise (
                error if isinstance(error, TableError) else TableError(f"{folder} cannot be used ({error})")
            ) from error
        self.at = folder
        self.stage.clear()
        with self._replaying:
            self._forget_instant()
        keep_calibration(folder, setup.profile, setup.footage)
        if relay is not None:
            relay.count_from(max(last_recorded(folder / "footage"), _last_proof(match)) + 1)
        self.table = self._table(setup, folder, match, relay, seen)
        self.stage.show(match_sheet(setup) | {"begun": folder.name})
        self.table.start()

    def _table(
        self, setup: Setup, folder: Path, match: Match[Any, Any], relay: Relay | None, seen: "OpenEyes | None"
    ) -> Table:
        book, house = read_rulebook(GAMES[setup.game]), read_rulebook("referee", "house.toml")
        return Table(
            match,
            setup.seats,
            self.stage,
            seen.eyes if seen else None,
            relay,
            self._recorder(setup, folder) if relay is not None else None,
            Authority(setup.authority),
            lambda clause: book.text(clause) or house.text(clause) or clause,
            seen.declared if seen else (),
            keep_told=_kept_sheet(setup, folder, match).tell if relay is not None else None,
        )

    def _recorder(self, setup: Setup, folder: Path) -> Recorder:
        """Onto the disk, or the last moments in memory where nothing is to be kept."""
        if setup.record:
            return Recorder(folder / "footage", self._recording_changed)
        return Ring(self._recording_changed)

    def _look_at(self, setup: Setup) -> "tuple[Relay | None, OpenEyes | None]":
        """Open camera and eyes; the heavy libraries are loaded only now."""
        if setup.camera is None and setup.footage is None:
            return None, None
        from referee.open_eyes import open_eyes, open_recorded_eyes

        name = setup.camera if setup.footage is None else open_folder(Path(setup.footage)).camera_name
        relay = Relay(str(name), self._camera_changed)
        try:
            if setup.footage is not None:
                return relay, open_recorded_eyes(Path(setup.footage), relay.size, relay.first_picture)
            if setup.profile is None:
                raise TableError(
                    "this camera is not calibrated: run 'referee calibrate', then name the profile"
                )
            table = setup.game, setup.seats, Path(setup.profile), setup.deck, relay.size, setup.zones
            return relay, open_eyes(*table, relay.first_picture)
        except TableError:
            relay.close()
            raise

    def _keep_zones(self, placed: Mapping[str, Point]) -> None:
        """With the set-up, so that they lie there again after a crash, and in the next match."""
        if self.at is not None:
            write_setup(self.at, replace(read_setup(self.at), zones=placed))

    def _camera_changed(self, why: str | None) -> None:
        if self.table is not None:
            self.table.trouble("camera", why)

    def _recording_changed(self, why: str | None) -> None:
        if self.table is not None:
            self.table.trouble("recording", why)


def _match(setup: Setup, journal: Journal, found: Plain) -> Match[Any, Any]:
    game = find_game(setup.game)
    if journal.length():
        return resume_match(game, journal)
    return open_match(game, setup.seats, setup.switches, journal, {**found, **setup.state}, setup.overturn)


def _last_proof(match: Match[Any, Any]) -> int:
    """The last frame that anything in the journal points to."""
    return max((e.note.frames[1] for e in match.ledger.whole() if e.note.frames), default=-1)


def _kept_sheet(setup: Setup, folder: Path, match: Match[Any, Any]) -> KeptSheet:
    """The recorded folder as anybody may judge it again: how it began, and what was told."""
    state = {k: v for k, v in match.game.dump(match.begun).items() if k != "sw"}
    sheet = open_folder(Path(setup.footage)).match if setup.footage else None
    deck = sheet.deck if sheet else keep_deck(folder, setup.deck)
    if sheet and sheet.deck.folder:
        deck = keep_deck(folder, str(Path(str(setup.footage)) / sheet.deck.folder))
    kept = MatchSheet(setup.game, setup.seats, None, None, setup.switches, deck, setup.zones, state)
    return KeptSheet(folder, kept)
