"""referee replay FOLDER|VIDEO"""

import argparse
import webbrowser
from contextlib import closing

from referee.commands.ending import Ending
from referee.commands.recording import recorded_from, recording_arguments
from referee.footage import Recording


def arguments(parser: argparse.ArgumentParser) -> None:
    recording_arguments(parser)
    parser.add_argument("--host", default="127.0.0.1", help="0.0.0.0 shows it to the network, too")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--no-browser", action="store_true", help="only say where the page is")


def run(args: argparse.Namespace) -> int:
    with Ending() as ending, recorded_from(args) as recording:
        return _review(recording, args, ending)


def _review(recording: Recording, args: argparse.Namespace, ending: Ending) -> int:
    from referee.kiosk.review import review_app
    from referee.kiosk.server import PageServer
    from referee.screening import Screening

    with closing(Screening(recording)) as screening:
        screening.start()
        with PageServer(review_app(screening), args.host, args.port) as page:
            print(f"The review is at {page.url}   (Ctrl-C ends it)", flush=True)
            if not args.no_browser:
                webbrowser.open(page.url)
            ending.wait()
    return 0
