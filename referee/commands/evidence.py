"""referee evidence FOLDER --ruling N --out X.html"""

import argparse
import json
from pathlib import Path

from referee.commands.recording import recorded_from, recording_arguments
from referee.output import write_text
from referee.sentences import LANGUAGES


def arguments(parser: argparse.ArgumentParser) -> None:
    recording_arguments(parser)
    parser.add_argument(
        "--ruling", type=int, required=True, metavar="N", help="its number on the page or in the journal"
    )
    parser.add_argument(
        "--out", type=Path, metavar="X.html", help="the page; the same as JSON is put beside it"
    )
    parser.add_argument("--language", choices=LANGUAGES, default="en")


def run(args: argparse.Namespace) -> int:
    from referee.evidence import gather
    from referee.evidence_page import evidence_page

    with recorded_from(args) as recording:
        evidence = gather(recording, args.ruling)
    out = args.out or Path(f"ruling-{args.ruling}.evidence.html")
    write_text(out, evidence_page(evidence, args.language))
    beside = out.with_suffix(".json")
    write_text(beside, json.dumps(evidence.sealed(), indent=1, ensure_ascii=False) + "\n")
    print(f"{out} and {beside.name}: {len(evidence.clip)} frames, sealed {evidence.sealed()['seal'][:16]}")
    return 0
