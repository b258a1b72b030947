"""referee doctor [--camera NAME] [--profile FILE]"""

import argparse
from pathlib import Path

from referee.doctor import examine_table


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--camera", help="a camera to watch for two seconds, e.g. webcam:0")
    parser.add_argument("--profile", type=Path, help="the calibration profile in use")
    parser.add_argument("--recordings", type=Path, default=Path.home(), help="where footage is to be kept")


def run(args: argparse.Namespace) -> int:
    findings = []
    for finding in examine_table(args.camera, args.profile, args.recordings):
        print(f"{'✓' if finding.ok else '✗'} {finding.what:12s} {finding.says}", flush=True)
        findings.append(finding)
    return 0 if all(f.ok for f in findings) else 1
