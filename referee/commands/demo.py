"""referee demo [--game GAME]"""

import argparse
import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from referee.cli import main
from referee.samples import Refereed, find_samples, referee_sample

SAMPLES = Path(__file__).parents[2] / "sample_footage"
BUNDLED = Path(__file__).parents[1] / "sample"
"""The one small clip inside the wheel."""
MOST_TELLING = "too-close-to-call"
"""The recording whose review page opens after the demo."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--game", help="only this game's recordings")
    parser.add_argument("--no-page", action="store_true", help="do not open the review page afterwards")
    parser.add_argument(
        "--samples", type=Path, help="another folder of recordings, laid out like sample_footage"
    )


def run(args: argparse.Namespace) -> int:
    """Referee every recording and compare with what is expected of it; exit 1 when one differs."""
    folder = args.samples or (SAMPLES if SAMPLES.is_dir() else BUNDLED)
    samples = find_samples(folder, args.game)
    began = time.monotonic()
    done = list(_refereed(samples))
    differing = [sample for sample in done if not sample.as_expected]
    seconds = time.monotonic() - began
    recordings = "recording" if len(done) == 1 else "recordings"
    print(f"\n{len(done)} {recordings} in {seconds:.0f} s, {len(done) - len(differing)} ruled as expected")
    _look_again(samples, page=sys.stdout.isatty() and not args.no_page)
    return 1 if differing else 0


def _look_again(samples: list[Path], *, page: bool) -> None:
    """Open the review page of a recording before people; in a script only say how."""
    first = next((sample for sample in samples if sample.name == MOST_TELLING), samples[0])
    print(f"Look at any of them frame by frame: referee replay {os.path.relpath(first)}")
    if page:
        main(["replay", str(first)])


def _refereed(samples: list[Path]) -> Iterator[Refereed]:
    """As they finish in order, each printed at once, on all cores."""
    _progress(0, len(samples))
    with ProcessPoolExecutor(max_workers=min(len(samples), os.cpu_count() or 1)) as pool:
        for number, sample in enumerate(pool.map(referee_sample, samples), 1):
            _clear_progress()
            _show(sample)
            _progress(number, len(samples))
            yield sample
    _clear_progress()


def _show(sample: Refereed) -> None:
    print(f"{'✓' if sample.as_expected else '✗'} {sample.game}: {sample.name}")
    for line in sample.lines:
        tail = "  ".join(part for part in (line.margin, f"[{line.clauses}]" if line.clauses else "") if part)
        mark = " " if line.as_expected else "≠"
        print(f"   {mark} {line.said}  {tail}".rstrip())
    for missing in sample.missing:
        print(f"   ≠ expected and not said: {missing}")
    for gap in sample.not_yet:
        print(f"   · happened, and is not told yet: {gap}")


def _progress(done: int, of: int) -> None:
    if sys.stdout.isatty() and done < of:
        bar = "█" * (24 * done // of)
        print(f"[{bar:24s}] {done}/{of}", end="\r", flush=True)


def _clear_progress() -> None:
    if sys.stdout.isatty():
        print(" " * 40, end="\r")
