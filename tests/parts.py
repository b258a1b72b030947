"""Programs a test needs beside Python. Missing ones are skipped and said aloud; in CI they are a failure."""

import os
import shutil

import pytest


def need(program: str) -> str:
    """The program's path; without it the test is skipped with the reason, and fails where CI is set."""
    found = shutil.which(program) or shutil.which(program, path="/usr/sbin:/usr/local/sbin")
    if found is None:
        missing = f"{program} is not installed here (Debian: apt-get install {program})"
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)
    return found
