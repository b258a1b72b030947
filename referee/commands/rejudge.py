"""referee rejudge FOLDER..."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from referee.rejudging import Rejudged


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="recordings, or an archive")
    parser.add_argument("--jobs", type=int, help="processes; all cores unless told")
    parser.add_argument("--dask", metavar="ADDRESS", help="an existing Dask scheduler, tcp://host:8786")


def run(args: argparse.Namespace) -> int:
    """Exit 1 when any ruling would change, 2 when a recording could not be judged."""
    from referee.rejudging import find_recordings, rejudge_all, rejudge_on_cluster

    folders = find_recordings(args.folders)
    done: list[Rejudged] = []
    results = rejudge_on_cluster(folders, args.dask) if args.dask else rejudge_all(folders, args.jobs)
    for one in results:
        done.append(one)
        _show(one)
        _progress(len(done), len(folders))
    changed = sum(bool(one.changes) for one in done)
    rulings = sum(one.rulings for one in done)
    print(f"{len(done)} recordings, {rulings} rulings: {changed or 'none'} would change")
    if any(one.trouble for one in done):
        return 2
    return 1 if changed else 0


def _show(one: "Rejudged") -> None:
    if one.trouble:
        print(f"referee: {one.folder}: {one.trouble}", file=sys.stderr)
        return
    print(f"{'≠' if one.changes else '='} {one.folder}{f'   ({one.note})' if one.note else ''}")
    for change in one.changes:
        print(f"    {change.where}".rstrip())
        print(f"      was: {change.was}")
        print(f"      now: {change.now}")


def _progress(done: int, of: int) -> None:
    if sys.stderr.isatty() and done < of:
        print(f"[{'█' * (24 * done // of):24s}] {done}/{of}", end="\r", file=sys.stderr, flush=True)
