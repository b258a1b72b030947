"""Whether anything we depend on has a known hole: pip-audit over what is installed, said in one line."""

import json
import subprocess
import sys
import tempfile
from importlib.metadata import distributions
from pathlib import Path


def main() -> int:
    """Exit 1 when there is a known hole; an index that does not answer is said, not passed over."""
    with tempfile.TemporaryDirectory() as folder:
        needs = Path(folder) / "needs.txt"
        installed = {(d.name, d.version) for d in distributions() if d.name != "table-referee"}
        needs.write_text("".join(f"{name}=={version}\n" for name, version in sorted(installed)))
        words = [
            "-m",
            "pip_audit",
            "-r",
            str(needs),
            "--no-deps",
            "--disable-pip",
            "-f",
            "json",
            "--progress-spinner=off",
        ]
        done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)
    try:
        asked = json.loads(done.stdout)["dependencies"]
    except ValueError:
        print(f"SKIPPED audit: {(done.stderr.strip() or 'pip-audit said nothing').splitlines()[-1]}")
        return 0
    return _tell([d for d in asked if "skip_reason" not in d], len(asked))


def _tell(audited: list[dict[str, object]], asked: int) -> int:
    if not audited:
        print(
            f"SKIPPED audit: the advisory service knows none of {asked} packages from here; nothing was audited"
        )
        return 0
    holes = [d for d in audited if d["vulns"]]
    for hole in holes:
        names = ", ".join(v["id"] for v in hole["vulns"])  # type: ignore[attr-defined]  # JSON
        print(f"{hole['name']} {hole['version']}: {names}")
    print(f"{len(audited)} of {asked} packages audited, {len(holes) or 'none'} with a known hole")
    return 1 if holes else 0


if __name__ == "__main__":
    sys.exit(main())
