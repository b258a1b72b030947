"""referee live [GAME] --seats A,B,C --camera webcam:0"""

import argparse
import socket
from contextlib import ExitStack, closing, suppress
from pathlib import Path

from hardware.buttons import Buttons, Lamp, read_pins
from hardware.displays import open_display
from hardware.voice import Voice
from referee.attachments import PlateMaker, Speaker, shown_on
from referee.commands.ending import Ending
from referee.config import Config, read_config
from referee.errors import TableError
from referee.host import Host
from referee.kiosk.app import Kiosk
from referee.kiosk.door import Door
from referee.kiosk.server import PageServer, network_address
from referee.sentences import LANGUAGES
from referee.stage import Stage
from referee.types import TABLE


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", help="a game's name; without it the page asks")
    parser.add_argument("--seats", default="", help="clockwise as seen from above: A,B,C")
    parser.add_argument(
        "--camera", help="webcam:0, picamera:0, stream:URL or footage:PATH; without it nothing is seen"
    )
    parser.add_argument("--profile", type=Path, help="calibration (profile.json or a folder with stills)")
    parser.add_argument("--deck", help="name or folder of the deck, for card games")
    parser.add_argument("--folder", type=Path, help="where matches and their footage are kept")
    parser.add_argument("--footage", type=Path, help="a footage folder that stands in for camera and table")
    parser.add_argument("--resume", action="store_true", help="take up the latest match")
    parser.add_argument("--no-record", action="store_true", help="keep no footage")
    parser.add_argument(
        "--display", action="append", default=[], help="terminal, or panel:ili9341; may be repeated"
    )
    parser.add_argument(
        "--buttons", default="", metavar="17=undo,27=end_turn", help="buttons on the Pi's pins"
    )
    parser.add_argument("--lamp", metavar="RED,GREEN,BLUE", help="pins of a lamp in the colour of the ruling")
    parser.add_argument(
        "--voice", choices=("off", "master", "all"), default="off", help="what espeak-ng speaks"
    )
    parser.add_argument(
        "--language", choices=LANGUAGES, help="that the voice speaks; en unless the settings say"
    )
    parser.add_argument(
        "--mqtt",
        metavar="[mqtts://][USER@]HOST[:PORT]",
        help="announce state and rulings on this broker; the password is in MQTT_PASSWORD or MQTT_PASSWORD_FILE",
    )
    parser.add_argument("--mqtt-ca", type=Path, metavar="FILE", help="certificates that vouch for the broker")
    parser.add_argument("--name", default=socket.gethostname(), help="this table's name on the broker")
    parser.add_argument("--host", default="0.0.0.0", help="127.0.0.1 keeps the page on this machine")
    parser.add_argument("--port", type=int, default=8642)


def run(args: argparse.Namespace) -> int:
    stage, door = Stage(), Door()
    _fill_in(args, read_config())
    host = Host(args.folder, stage)
    with Ending() as ending, closing(host), ExitStack() as parts:
        _attach(host, args, parts)
        _begin(host, args)
        _serve(host, args, door, ending)
    return 0


def _serve(host: Host, args: argparse.Namespace, door: Door, ending: Ending) -> None:
    with PageServer(Kiosk(host, host.stage, door).app(), args.host, args.port) as page:
        print(f"Table Referee is at {page.url}", flush=True)
        address = network_address() if args.host == "0.0.0.0" else None
        if address:
            print(f"on this network: http://{address}:{page.port}/   PIN {door.pin}", flush=True)
        ending.wait()


def _attach(host: Host, args: argparse.Namespace, parts: ExitStack) -> None:
    """Hang displays, lamp, voice and buttons on the table; what was asked for and is missing is refused."""
    lamp = parts.enter_context(closing(Lamp(*_lamp_pins(args.lamp)))) if args.lamp else None
    for name in args.display:
        display = parts.enter_context(closing(open_display(name)))
        host.stage.listen(shown_on(display, lamp.show if lamp else None), TABLE)
    if lamp and not args.display:
        host.stage.listen(PlateMaker(lambda plate: lamp.show(plate.tone)), TABLE)
    if args.voice != "off":
        voice = parts.enter_context(closing(Voice(args.language)))
        host.stage.listen(Speaker(voice.say, args.voice == "all", args.language), TABLE)
    if args.mqtt:
        from hardware.broker import read_address
        from referee.announcer import BrokerTable

        table = parts.enter_context(closing(BrokerTable(read_address(args.mqtt, args.mqtt_ca), args.name)))
        host.stage.listen(table.announcer, TABLE)
    if args.buttons:
        parts.enter_context(closing(Buttons(read_pins(args.buttons), lambda ev: _press(host, ev))))


def _press(host: Host, meaning: str) -> None:
    """A button means one event; where it does not fit nothing happens, as with any early press."""
    with suppress(TableError):
        host.act(host.button(meaning), None)


def _lamp_pins(words: str) -> tuple[int, int, int]:
    pins = words.split(",")
    if len(pins) != 3 or not all(pin.strip().isdigit() for pin in pins):
        raise TableError(f"a lamp is written as three pins like 5,6,13, not {words!r}")
    return int(pins[0]), int(pins[1]), int(pins[2])


def _fill_in(args: argparse.Namespace, config: Config) -> None:
    """What the options leave open comes from the house's settings."""
    args.folder = args.folder or config.matches_path()
    args.camera = args.camera or config.camera
    args.profile = args.profile or config.profile_path()
    args.display = args.display or list(config.displays)
    args.language = args.language or config.language


def _begin(host: Host, args: argparse.Namespace) -> None:
    if args.resume:
        latest = host.unfinished()
        if latest is not None:
            host.resume(latest)
            return
    if args.footage is not None:
        host.begin_recorded(args.footage, not args.no_record)
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
