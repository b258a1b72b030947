"""Settings for all tests."""

from hypothesis import settings

# A busy machine is no failure: examples are bounded in number, not in time.
settings.register_profile("table", deadline=None)
settings.load_profile("table")

pytest_plugins = ["tests.bench.figures"]
