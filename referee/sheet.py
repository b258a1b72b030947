"""What the players entered, held against the game before any picture is looked at."""

from referee.errors import BadFolder, TableError
from referee.folder import MatchSheet
from referee.games import GAMES, find_game
from referee.match import check_seats
from referee.rulebook import check_switches, read_rulebook


def check_sheet(sheet: MatchSheet) -> None:
    """Refuse a match.toml whose game, seats, turn or house rules cannot be."""
    try:
        game = find_game(sheet.game)
        if sheet.seats:
            check_seats(game, sheet.seats)
        check_switches(read_rulebook(GAMES[sheet.game]), sheet.switches)
    except TableError as error:
        raise BadFolder(f"match.toml: {error}") from error
    if sheet.turn is not None and sheet.seats and sheet.turn not in sheet.seats:
        raise BadFolder(f"match.toml: turn is {sheet.turn!r}, and the seats are {', '.join(sheet.seats)}")
