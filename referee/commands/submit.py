"""referee submit FOLDER --ruling N [--out X.zip]"""

import argparse
from pathlib import Path

from referee.commands.recording import recorded_from, recording_arguments
from referee.output import write_bytes


def arguments(parser: argparse.ArgumentParser) -> None:
    recording_arguments(parser)
    parser.add_argument("--ruling", type=int, required=True, metavar="N")
    parser.add_argument("--out", type=Path, metavar="X.zip")


def run(args: argparse.Namespace) -> int:
    from referee.submission import submission

    with recorded_from(args) as recording:
        content = submission(recording, args.ruling)
    out = args.out or Path(f"ruling-{args.ruling}.zip")
    write_bytes(out, content)
    print(f"{out}: {len(content) / 1e6:.1f} MB; a footage folder that 'referee judge' takes")
    return 0
