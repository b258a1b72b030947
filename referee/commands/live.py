"""referee live [GAME] --seats A,B,C --camera webcam:0"""

import argparse
import signal
import threading
from pathlib import Path

from platformdirs import user_data_path

from referee.errors import TableError
from referee.host import Host
from referee.kiosk.app import Kiosk
from referee.kiosk.door import Door
from referee.kiosk.server import PageServer, network_address
from referee.stage import Stage


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", help="a game's name; without it the page asks")
    parser.add_argument("--seats", default="", help="clockwise as seen from above: A,B,C")
    parser.add_argument(
        "--camera", help="webcam:0, picamera:0, stream:URL or footage:PATH; without it nothing is seen"
    )
    parser.add_argument("--profile", type=Path, help="calibration (profile.json or a folder with stills)")
    parser.add_argument("--deck", help="name or folder of the deck, for card games")
    parser.add_argument("--folder", type=Path, default=user_data_path("table-referee") / "matches")
    parser.add_argument("--resume", action="store_true", help="take up the latest match")
    parser.add_argument("--no-record", action="store_true", help="keep no footage")
    parser.add_argument("--host", default="0.0.0.0", help="127.0.0.1 keeps the page on this machine")
    parser.add_argument("--port", type=int, default=8642)


def run(args: argparse.Namespace) -> int:
    stage, door = Stage(), Door()
    host = Host(args.folder, stage)
    stop = threading.Event()
    for sign in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sign, lambda *_: stop.set())
    try:
        _begin(host, args)
        with PageServer(Kiosk(host, stage, door).app(), args.host, args.port) as page:
            print(f"Table Referee is at {page.url}", flush=True)
            address = network_address() if args.host == "0.0.0.0" else None
            if address:
                print(f"on this network: http://{address}:{page.port}/   PIN {door.pin}", flush=True)
            stop.wait()
    finally:
        host.close()
    return 0


def _begin(host: Host, args: argparse.Namespace) -> None:
    if args.resume:
        latest = host.unfinished()
        if latest is not None:
            host.resume(latest)
            return
    if args.game is None:
        if args.seats:
            raise TableError("seats without a game: say which game, or set it up on the page")
        return
    host.begin(
        {
            "game": args.game,
            "seats": [s.strip() for s in args.seats.split(",") if s.strip()],
            "camera": args.camera,
            "profile": str(args.profile) if args.profile else None,
            "deck": args.deck,
            "record": not args.no_record,
        }
    )
