"""referee hall --mqtt HOST"""

import argparse
from contextlib import closing
from pathlib import Path

from hardware.broker import Broker, read_address
from referee.commands.ending import Ending
from referee.kiosk.hall import Hall
from referee.kiosk.server import PageServer


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--mqtt", required=True, metavar="[mqtts://][USER@]HOST[:PORT]", help="the broker of all tables"
    )
    parser.add_argument("--mqtt-ca", type=Path, metavar="FILE", help="certificates that vouch for the broker")
    parser.add_argument("--host", default="0.0.0.0", help="127.0.0.1 keeps the page on this machine")
    parser.add_argument("--port", type=int, default=8643)


def run(args: argparse.Namespace) -> int:
    hall = Hall()
    with (
        Ending() as ending,
        closing(Broker(read_address(args.mqtt, args.mqtt_ca)).open()) as broker,
        PageServer(hall.app(), args.host, args.port) as page,
    ):
        broker.hear(hall.pattern, hall.hear)
        print(f"All tables are at {page.url}", flush=True)
        ending.wait()
    return 0
