"""referee kiosk [ADDRESS]"""

import argparse

from hardware.displays.kiosk import KioskDisplay


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("address", nargs="?", default="http://127.0.0.1:8642/", help="the page to show")


def run(args: argparse.Namespace) -> int:
    display = KioskDisplay(args.address)
    try:
        display.wait()
    except KeyboardInterrupt:
        pass
    finally:
        display.close()
    return 0
