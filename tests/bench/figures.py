"""What was measured, as the table of BENCHMARKS.md: `make bench` prints it, with WRITE=1 it is put into the file."""

import os
import platform
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

FILE = Path(__file__).parents[2] / "BENCHMARKS.md"
BEGIN, END = "<!-- figures: make bench WRITE=1 -->\n", "<!-- end of figures -->\n"


@dataclass
class Figures:
    rows: list[tuple[str, str, str, str]] = field(default_factory=list)

    def __call__(self, what: str, measured: str, bar: str, command: str) -> None:
        self.rows.append((what, measured, bar, command))
        print(f"\n{what}: {measured} (bar: {bar})")

    def table(self) -> str:
        head = "| what | measured | bar | command |\n|---|---|---|---|\n"
        return head + "".join(f"| {w} | {m} | {b} | `{c}` |\n" for w, m, b, c in self.rows)

    def machine(self) -> str:
        name = "an unnamed processor"
        cpu = Path("/proc/cpuinfo")
        if cpu.exists():
            names = [
                line.split(":")[1].strip() for line in cpu.read_text().splitlines() if "model name" in line
            ]
            name = names[0] if names else platform.machine()
        load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
        return (
            f"{time.strftime('%Y-%m-%d %H:%M')} UTC, {os.cpu_count()} cores of {name}, load {load:.1f} at the end, "
            f"Python {platform.python_version()}, {platform.system()} {platform.machine()}\n"
        )

    def write(self) -> None:
        text = FILE.read_text(encoding="utf8")
        before, _, rest = text.partition(BEGIN)
        _, _, after = rest.partition(END)
        FILE.write_text(f"{before}{BEGIN}\n{self.machine()}\n{self.table()}\n{END}{after}", encoding="utf8")


@pytest.fixture(scope="session")
def figure() -> Iterator[Callable[[str, str, str, str], None]]:
    """Note a figure: what, measured, bar, command."""
    figures = Figures()
    yield figures
    if figures.rows:
        print(f"\n\n{figures.machine()}\n{figures.table()}")
        if os.environ.get("BENCH_WRITE"):
            figures.write()
