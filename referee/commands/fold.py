"""referee fold GAME --json < in.json"""

import argparse
import json
import sys

from referee.errors import BadEvent
from referee.folding import fold
from referee.games import find_game


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game")
    parser.add_argument(
        "--json", action="store_true", help="JSON on standard output (the only form there is)"
    )


def run(args: argparse.Namespace) -> int:
    answer = fold(find_game(args.game), _asked())
    print(json.dumps(answer))
    return 0


def _asked() -> object:
    try:
        return json.loads(sys.stdin.buffer.read())
    except (ValueError, RecursionError) as error:
        raise BadEvent(f"standard input is not JSON: {error}") from error
