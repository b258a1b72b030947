"""referee judge FOLDER --json OUT.json [--draw OUT.mp4|OUT.png]"""

import argparse
import json
import sys
from pathlib import Path

from referee.errors import TableError
from referee.folder import open_folder
from referee.footage import covered_words, open_recording
from referee.happenings import Sighted, SightLost
from referee.output import output_file, write_text
from referee.sheet import check_sheet


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, help="footage folder: footage.mp4, match.toml, calibration")
    parser.add_argument(
        "--draw", type=output_file, metavar="OUT.mp4|OUT.png", help="draw it over the picture"
    )
    parser.add_argument("--json", type=output_file, metavar="OUT.json", help="write rulings and facts here")


def run(args: argparse.Namespace) -> int:
    sheet = open_folder(args.folder).match
    check_sheet(sheet)
    hidden = covered_words(open_recording(args.folder))
    if hidden:
        print(f"referee: {hidden}", file=sys.stderr)
    return _run_board(args) if sheet.game == "rocca" else _run_cards(args)


def _run_board(args: argparse.Namespace) -> int:
    from referee.draw import draw_folder
    from referee.judge import as_json, judge_folder

    done = judge_folder(args.folder)
    if args.json is not None:
        write_text(args.json, json.dumps(as_json(done), indent=1) + "\n")
    if args.draw is not None:
        draw_folder(args.folder, done, args.draw)
    for shot in done.shots:
        clauses = f" ({', '.join(shot.clauses)})" if shot.clauses else ""
        print(f"{shot.verdict}{clauses}: {shot.because}")
    for drop in done.drops:
        print(f"drop: {drop.on_board} on the board, {drop.off_board} beside it")
    for happening in done.happenings:
        if isinstance(happening, Sighted):
            print(_sight(happening))
    return 0


def _sight(happening: Sighted) -> str:
    first, last = happening.frames
    if isinstance(happening, SightLost):
        return f"not seen (from frame {first}): {happening.why}"
    return f"seen again (frame {last}){f', otherwise than before: {happening.changed}' if happening.changed else ''}"


def _run_cards(args: argparse.Namespace) -> int:
    from referee import judge_cards

    if args.draw is not None:
        raise TableError("--draw is for boards of Rocca; cards are told in words and with --json")
    bench = judge_cards.judge_cards(args.folder)
    if args.json is not None:
        write_text(args.json, json.dumps(judge_cards.as_json(bench), indent=1) + "\n")
    for ruling in bench.rulings:
        print(f"{ruling.code} ({', '.join(ruling.clauses)}): {ruling.because}")
    return 0
