"""The bundled recordings: each a folder with footage or events, and what the referee should say to it."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.errors import TableError
from referee.folding import plain_ruling
from referee.games import find_game
from referee.match import open_match

Plain = Mapping[str, Any]
NOT_COMPARED = ("action", "frame", "note", "ruling", "clause")
"""Fields of an expected event that tell about the recording, not about the game."""


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that was said, and whether it is what was expected."""

    said: str
    clauses: str = ""
    margin: str = ""
    as_expected: bool = True


@dataclass(frozen=True, slots=True)
class Refereed:
    """A sample with what the referee said to it."""

    game: str
    name: str
    lines: tuple[Line, ...]
    missing: tuple[str, ...] = ()
    """What was expected and not said."""
    not_yet: tuple[str, ...] = ()
    """What happened in the recording and is known not to be told yet."""

    @property
    def as_expected(self) -> bool:
        return not self.missing and all(line.as_expected for line in self.lines)


def find_samples(folder: Path, game: str | None = None) -> list[Path]:
    """Every sample below `folder`, by game and name."""
    if game is not None:
        find_game(game)
    found = sorted(p.parent for p in folder.glob(f"{game or '*'}/*/expected.json"))
    if not found:
        raise TableError(f"there is no recording {f'of {game} ' if game else ''}in {folder}")
    return found


def referee_sample(path: Path) -> Refereed:
    """Referee one recording through the real pipeline and compare."""
    game, name = path.parent.name, path.name.replace("-", " ")
    expected = json.loads((path / "expected.json").read_text(encoding="utf8"))
    lines, missing = _pipeline(path, game)(path, expected)
    return Refereed(
        game, name, tuple(lines), tuple(missing), tuple(_told_as(e) for e in expected.get("not_yet", ()))
    )


Compared = tuple[Sequence[Line], Sequence[str]]


def _pipeline(path: Path, game: str) -> Callable[[Path, Plain], Compared]:
    if (path / "events.json").exists():
        return _told
    return _board if game == "rocca" else _cards


def _told(path: Path, expected: Plain) -> Compared:
    """A match told by hand: every ruling must be the one expected."""
    record = json.loads((path / "events.json").read_text(encoding="utf8"))
    match = open_match(find_game(record["game"]), tuple(record["seats"]), record.get("switches", {}))
    rulings: list[Plain] = [plain_ruling(r) for plain in record["events"] for r in match.tell(plain)]
    wanted = [*expected["rulings"], *[None] * len(rulings)]
    lines = [
        Line(str(said["because"]), ", ".join(said["clauses"]), "", _brief(said) == want)
        for said, want in zip(rulings, wanted, strict=False)
    ]
    return lines, [str(want) for want in expected["rulings"][len(rulings) :]]


def _brief(ruling: Plain) -> Plain:
    """What a recording expects: code, clauses and seat; the sentences may change."""
    return {k: v for k, v in ruling.items() if k in ("code", "clauses", "seat")}


def _board(path: Path, expected: Plain) -> Compared:
    from referee.judge import as_json, judge_folder

    said = as_json(judge_folder(path))
    lines = [
        _shot_line(shot, want)
        for shot, want in zip(said["shots"], _padded(expected["shots"], len(said["shots"])), strict=False)
    ]
    lines += [
        _drop_line(d, w) for d, w in zip(said["drops"], _padded(expected.get("drops", ()), 9), strict=False)
    ]
    if not lines:
        lines = [Line("no shot", as_expected=not expected["shots"])]
    missing = [f"a shot: {want['verdict']}" for want in expected["shots"][len(said["shots"]) :]]
    missing += ["a drop" for _ in expected.get("drops", ())[len(said["drops"]) :]]
    return lines, missing


def _padded(wanted: Iterable[Plain], count: int) -> list[Plain | None]:
    return [*wanted, *[None] * count]


def _shot_line(shot: Plain, want: Plain | None) -> Line:
    right = want is not None and shot["verdict"] == want["verdict"]
    if right and want is not None and want["clauses"]:
        right = bool(shot["clauses"]) and set(shot["clauses"]) <= set(want["clauses"])
    facts = shot["facts"]
    margin = ""
    if facts.get("clearance_mm") is not None:
        margin = f"{facts['clearance_mm']:+.1f} ± {facts['clearance_sigma_mm']:.1f} mm"
    return Line(f"{shot['verdict']}: {shot['because']}", ", ".join(shot["clauses"]), margin, right)


def _drop_line(drop: Plain, want: Plain | None) -> Line:
    said = f"drop: {drop['on_board']} on the board, {drop['off_board']} beside it"
    return Line(said, as_expected=want is not None and drop["off_board"] == want["off_board"])


def _cards(path: Path, expected: Plain) -> Compared:
    from referee.judge_cards import as_json, judge_cards

    said = as_json(judge_cards(path))
    lines = [Line(str(r["because"]), ", ".join(r["clauses"])) for r in _rulings(said) if r["code"] != "INFO"]
    return lines, list(_not_told(said, [e for e in expected["events"] if "frame" in e]))


def _rulings(said: Plain) -> list[Plain]:
    return list(said["rulings"])


def _not_told(said: Plain, wanted: Sequence[Plain]) -> Iterator[str]:
    """Expected events that are not among the events told, in their order."""
    events: list[Plain] = list(said["events"])
    at = 0
    for want in wanted:
        fields = {k: v for k, v in want.items() if k not in NOT_COMPARED and v is not None}
        place = next((k for k in range(at, len(events)) if _has(events[k], fields)), None)
        if place is None:
            yield _told_as(want)
            continue
        at = place + 1
        if want.get("ruling") and not _ruled(said, want):
            yield f"{want['ruling']} by {want.get('clause')}"


def _told_as(event: Plain) -> str:
    words = (str(v) for k, v in event.items() if k not in (*NOT_COMPARED, "ev") and isinstance(v, str | int))
    return " ".join((str(event["ev"]), *words))


def _has(event: Plain, fields: Plain) -> bool:
    return all(event.get(k) == v for k, v in fields.items())


def _ruled(said: Plain, want: Plain) -> bool:
    return any(r["code"] == want["ruling"] and want.get("clause") in r["clauses"] for r in _rulings(said))
