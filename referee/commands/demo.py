"""referee demo"""

import argparse
import json
from pathlib import Path
from typing import Any

from referee.errors import TableError
from referee.folding import plain_ruling
from referee.games import find_game
from referee.match import open_match
from referee.terminal import ruling_line, view_lines
from referee.types import TABLE, Ruling

SAMPLES = Path(__file__).parents[2] / "sample_footage"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--samples", type=Path, default=SAMPLES, help=argparse.SUPPRESS)


def run(args: argparse.Namespace) -> int:
    """Referee every recorded match and compare with what is expected of it; exit 1 when one differs."""
    records = sorted(args.samples.glob("*/*/events.json"))
    if not records:
        raise TableError(f"there is no recorded match in {args.samples}")
    differing = [path for path in records if not _referee(path)]
    for path in differing:
        print(f"{path.parent.name}: not the rulings that are expected")
    return 1 if differing else 0


def _referee(path: Path) -> bool:
    record = json.loads(path.read_text(encoding="utf8"))
    match = open_match(find_game(record["game"]), tuple(record["seats"]), record.get("switches", {}))
    print(f"-- {path.parent.parent.name}: {path.parent.name.replace('-', ' ')}")
    rulings: list[Ruling] = []
    for plain in record["events"]:
        said = match.tell(plain)
        rulings += said
        for ruling in said:
            print(ruling_line(ruling))
    print("\n".join(view_lines(match.view(TABLE), ())))
    return bool(_brief(rulings) == record["expected"])


def _brief(rulings: list[Ruling]) -> list[dict[str, Any]]:
    """What a recording expects: code, clauses and seat; the sentences may change."""
    keys = ("code", "clauses", "seat")
    return [{k: v for k, v in plain_ruling(r).items() if k in keys} for r in rulings]
