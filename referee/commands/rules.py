"""referee rules GAME"""

import argparse
import textwrap

from referee.games import GAMES, find_game
from referee.rulebook import Clause, Switch, read_rulebook


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", help=f"one of {', '.join(GAMES)}")


def run(args: argparse.Namespace) -> int:
    find_game(args.game)
    book = read_rulebook(GAMES[args.game])
    print(f"{book.title}\n")
    if book.summary:
        print(textwrap.fill(book.summary, 100) + "\n")
    print("Clauses")
    for clause in (*book.clauses, *read_rulebook("referee", "house.toml").clauses):
        print(_clause(clause))
    print("\nHouse rules, with their defaults")
    for switch in book.switches:
        print(_switch(switch))
    return 0


def _clause(clause: Clause) -> str:
    note = "" if clause.tag == "PUBLIC" else f" [{clause.tag.lower()}]"
    return _entry(clause.id, clause.text + note)


def _switch(switch: Switch) -> str:
    default = str(switch.default).lower() if isinstance(switch.default, bool) else str(switch.default)
    among = (
        f" (or {', '.join(c for c in switch.choices if c != switch.default)})"
        if len(switch.choices) > 1
        else ""
    )
    gap = f" [{switch.gap}]" if switch.gap else ""
    return f"  {switch.name} = {default}{among}{gap}\n" + _entry("", switch.question)


def _entry(name: str, text: str) -> str:
    return textwrap.fill(text, 100, initial_indent=f"  {name:7s} ", subsequent_indent=" " * 10)
