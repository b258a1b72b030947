"""Today's eyes over old footage: which rulings would change, and why."""

import hashlib
import json
import os
import re
import socket
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from referee.errors import BadFolder, TableError
from referee.footage import Recording, covered_words, open_recording
from referee.reviewing import cache_place, review_recording
from referee.samples import referee_sample
from referee.told_again import judged_again
from referee.types import Ruling

TOLD_AGAIN = (
    "hands are covered in this recording: judged again from what was told then, not from the pictures"
)
KNOCK_S = 4.0
MOST_GREETING = 1_000_000
"""Bytes of a scheduler's greeting; anything else that speaks first says a far larger number here."""


@dataclass(frozen=True, slots=True)
class Change:
    """One ruling that would come out differently."""

    where: str
    was: str
    now: str


@dataclass(frozen=True, slots=True)
class Rejudged:
    """One recording, judged again."""

    folder: str
    rulings: int
    changes: tuple[Change, ...] = ()
    trouble: str = ""
    """Why it could not be judged; empty when it could."""
    note: str = ""
    """What was not looked at again."""


def rejudge(folder: Path) -> Rejudged:
    """Judge one recording again; a run that was stopped finds here what it had done before."""
    try:
        recording = open_recording(folder)
        if covered_words(recording) and recording.journal is not None:
            return _told_again(folder, recording.journal)
        kept = _kept_place(recording)
        known = _read(kept)
        if known is None:
            known = _compare(recording)
            _write(kept, known)
        return known
    except TableError as error:
        return Rejudged(str(folder), 0, trouble=str(error))


def rejudge_all(folders: Sequence[Path], jobs: int | None = None) -> Iterator[Rejudged]:
    """Each as it is done, on all cores."""
    many = max(1, min(jobs or os.cpu_count() or 1, len(folders)))
    with ProcessPoolExecutor(many, get_context("spawn")) as pool:
        for done in as_completed([pool.submit(rejudge, folder) for folder in folders]):
            yield done.result()


def rejudge_on_cluster(folders: Sequence[Path], address: str) -> Iterator[Rejudged]:
    """Each as it is done, by the workers of an existing Dask scheduler that see the same folders."""
    _knock(address)
    try:
        from dask.distributed import Client, as_completed
    except ImportError:
        raise TableError(
            "a cluster needs the package 'distributed': pip install table-referee[cluster]"
        ) from None
    try:
        client = Client(address, timeout="10s", set_as_default=False)
    except (OSError, ValueError) as error:
        raise TableError(f"there is no Dask scheduler at {address} ({error})") from error
    with client:
        for done in as_completed(client.map(rejudge, [f.resolve() for f in folders], pure=False)):
            yield done.result()


def _knock(address: str) -> None:
    """Refuse an address where nobody answers like a scheduler, before a client waits there for ever."""
    known = re.fullmatch(r"(?:(\w+)://)?(\[[0-9a-fA-F:]+\]|[^:/\[\]]+):(\d{1,5})", address)
    if known is None or int(known[3]) > 65535:
        raise TableError(f"a Dask scheduler is written like tcp://host:8786, not {address!r}")
    try:
        with socket.create_connection((known[2].strip("[]"), int(known[3])), KNOCK_S) as line:
            greeted = known[1] not in (None, "tcp") or _greets(line)
    except OSError as error:
        raise TableError(f"there is no Dask scheduler at {address} ({error})") from error
    if not greeted:
        raise TableError(f"somebody listens at {address}, but it is no Dask scheduler")


def _greets(line: socket.socket) -> bool:
    """A scheduler speaks first: how long its greeting is, in eight bytes."""
    try:
        head = line.recv(8, socket.MSG_WAITALL)
    except TimeoutError:
        return False
    return len(head) == 8 and 0 < int.from_bytes(head, "little") <= MOST_GREETING


def find_recordings(paths: Iterable[Path]) -> list[Path]:
    """The recordings among or below these folders."""
    found: list[Path] = []
    for path in paths:
        if not path.is_dir():
            raise BadFolder(f"there is no folder {path}")
        inside = {f.parent for name in ("expected.json", "journal.db") for f in path.rglob(name)}
        films = [f for f in inside if (f / "footage.mp4").is_file() or (f / "footage").is_dir()]
        found += sorted(films) or [path]
    return list(dict.fromkeys(found))


# --- Comparing ------------------------------------------------------------------------------------------


def _compare(recording: Recording) -> Rejudged:
    folder = recording.footage.path
    if recording.journal is not None:
        plain = review_recording(recording).plain
        return Rejudged(
            str(folder), len(plain["marks"]), tuple(compare_marks(plain["marks"], plain["today"]))
        )
    if (folder / "expected.json").is_file():
        return _as_expected(folder)
    raise BadFolder(f"{folder} has neither a journal nor expected rulings to compare with")


def _told_again(folder: Path, journal: Path) -> Rejudged:
    """Hands are covered, so eyes would see less: today's rules judge what the camera and the players told then."""
    judged = list(judged_again(journal))
    changes = [
        Change(f"entry {number}", _words(then), _words(today))
        for number, then, today in judged
        if [_call(r) for r in then] != [_call(r) for r in today]
    ]
    return Rejudged(str(folder), sum(len(then) for _, then, _ in judged), tuple(changes), note=TOLD_AGAIN)


def _call(ruling: Ruling) -> tuple[str, frozenset[str], str | None]:
    return str(ruling.code), frozenset(ruling.clauses), ruling.seat


def _words(rulings: Sequence[Ruling]) -> str:
    return "; ".join(f"{r.code} [{', '.join(r.clauses)}] {r.because}" for r in rulings) or "nothing is ruled"


def _as_expected(folder: Path) -> Rejudged:
    done = referee_sample(folder)
    changes = [Change("", "as expected", line.said) for line in done.lines if not line.as_expected]
    changes += [Change("", missing, "nothing of the kind") for missing in done.missing]
    return Rejudged(str(folder), len(done.lines), tuple(changes))


def compare_marks(then: Sequence[Any], today: Sequence[Any]) -> Iterator[Change]:
    """What the camera's rulings were and would be, matched by the frames that prove them."""
    old = [m for m in then if m["frames"] and not m["quiet"] and not m["corrects"]]
    new = [m for m in today if m["frames"] and not m["quiet"]]
    for mark in old:
        twin = next((m for m in new if _same_moment(m, mark) and m["code"] == mark["code"]), None)
        twin = twin or next((m for m in new if _same_moment(m, mark)), None)
        if twin is not None:
            new.remove(twin)
        if twin is None or _verdict(twin) != _verdict(mark):
            yield Change(_where(mark), _said(mark), _said(twin) if twin else "nothing is ruled")
    for mark in new:
        yield Change(_where(mark), "nothing was ruled", _said(mark))


def _same_moment(a: Any, b: Any) -> bool:
    return bool(a["frames"][0] <= b["frames"][1] and b["frames"][0] <= a["frames"][1])


def _verdict(mark: Any) -> tuple[str, frozenset[str], str | None]:
    return mark["code"], frozenset(c["id"] for c in mark["clauses"]), mark["seat"]


def _where(mark: Any) -> str:
    return f"frames {mark['frames'][0]}-{mark['frames'][1]}"


def _said(mark: Any) -> str:
    clauses = ", ".join(c["id"] for c in mark["clauses"])
    return f"{mark['code']} [{clauses}] {mark['because']}"


# --- What was done before -------------------------------------------------------------------------------


def _kept_place(recording: Recording) -> Path:
    """Changes with the footage, the eyes, and what it is compared with."""
    said = [f for n in ("journal.db", "expected.json") if (f := recording.footage.path / n).is_file()]
    content = hashlib.sha256(b"".join(f.read_bytes() for f in said)).hexdigest()[:16]
    place = cache_place(recording)
    return place.parent.parent / "rejudged" / f"{place.stem}-{content}.json"


def _read(place: Path) -> Rejudged | None:
    try:
        kept = json.loads(place.read_text(encoding="utf8"))
        return Rejudged(kept["folder"], kept["rulings"], tuple(Change(**c) for c in kept["changes"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _write(place: Path, done: Rejudged) -> None:
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(json.dumps(asdict(done)), encoding="utf8")
    except OSError:
        return
