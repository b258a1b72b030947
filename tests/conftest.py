"""Settings for all tests."""

import os

# As every command does, before NumPy is loaded: a figure of one thread must not wait for others.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from hypothesis import settings

# A busy machine is no failure: examples are bounded in number, not in time.
settings.register_profile("table", deadline=None)
settings.load_profile("table")

pytest_plugins = ["tests.bench.figures"]
