"""referee report FOLDER [--out X.html|X.pdf]"""

import argparse
import shutil
import subprocess
import tempfile
from pathlib import Path

from referee.commands.recording import recorded_from, recording_arguments
from referee.errors import TableError
from referee.output import write_bytes, write_text
from referee.sentences import LANGUAGES

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
PRINT_S = 120


def arguments(parser: argparse.ArgumentParser) -> None:
    recording_arguments(parser)
    parser.add_argument("--out", type=Path, default=Path("report.html"), metavar="X.html|X.pdf")
    parser.add_argument("--language", choices=LANGUAGES, default="en")


def run(args: argparse.Namespace) -> int:
    if args.out.suffix not in (".html", ".pdf"):
        raise TableError(f"a report is .html or .pdf, not {args.out.name!r}")
    from referee.match_report import report_page

    with recorded_from(args) as recording:
        page = report_page(recording, args.language)
    if args.out.suffix == ".pdf":
        write_bytes(args.out, printed(page))
    else:
        write_text(args.out, page)
    print(args.out)
    return 0


def printed(page: str) -> bytes:
    """The page as a PDF, printed by Chromium."""
    browser = next((b for name in BROWSERS if (b := shutil.which(name))), None)
    if browser is None:
        raise TableError("a PDF needs Chromium; write .html and print it from any browser")
    with tempfile.TemporaryDirectory(prefix="referee-") as folder:
        source, target = Path(folder) / "report.html", Path(folder) / "report.pdf"
        source.write_text(page, encoding="utf8")
        words = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--no-pdf-header-footer"]
        place = [f"--user-data-dir={folder}/profile", f"--print-to-pdf={target}", source.as_uri()]
        done = subprocess.run([browser, *words, *place], capture_output=True, timeout=PRINT_S, check=False)
        if not target.is_file():
            raise TableError(
                f"Chromium could not print the report ({done.stderr[-200:].decode(errors='replace')})"
            )
        return target.read_bytes()
