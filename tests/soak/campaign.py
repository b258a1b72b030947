"""One reader under atheris, led by coverage: `python -m tests.soak.campaign READER SECONDS`."""

import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["referee", "calibration", "hardware"]):
    from referee.errors import TableError
    from tests.fuzz.readers import READERS, read_alone

MOST_MB = 2048
MOST_S = 30


def main(name: str, seconds: str) -> None:
    def once(raw: bytes) -> None:
        try:
            read_alone(name, raw)
        except TableError as error:
            assert str(error)

    with tempfile.TemporaryDirectory() as corpus:
        for number, seed in enumerate(READERS[name].seeds()):
            (Path(corpus) / f"{number:03d}").write_bytes(seed)
        limits = [
            f"-rss_limit_mb={MOST_MB}",
            f"-timeout={MOST_S}",
            f"-max_total_time={seconds}",
            "-max_len=400000",
        ]
        atheris.Setup([sys.argv[0], *limits, "-print_final_stats=1", corpus], once)
        atheris.Fuzz()


if __name__ == "__main__":
    main(*sys.argv[1:3])
