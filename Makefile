# Two commands: make demo, make test. Everything they need is set up in .venv and reused while pyproject.toml is unchanged.
VENV   ?= .venv
PYTHON ?= python3
BIN     = $(VENV)/bin
STAMP   = $(VENV)/.ready

.PHONY: demo test check format bench soak setup parts clean test-picamera pictures wheel test-arm audit
.DEFAULT_GOAL := help

help:
	@echo "make demo       set up and referee the bundled footage"
	@echo "make test       set up and run every check and test"
	@echo "make check      lint, format, types (of the tests too) and import contracts only"
	@echo "make format     rewrite the code in the house style"
	@echo "make bench      measure speed"
	@echo "make soak       the long tests"
	@echo "make pictures   draw the documentation's pictures anew"
	@echo "make wheel      build the wheel into dist"
	@echo "make clean      remove what was built"
	@echo "make audit      known weaknesses of what we depend on"
	@echo "make test-picamera  the Pi's camera library on a virtual camera"
	@echo "make test-arm   the tests on an emulated 64-bit Pi"

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' || \
	  { echo "Python 3.11 to 3.13 is needed, and $(PYTHON) is not: try make PYTHON=python3.12"; exit 2; }
	@if command -v uv >/dev/null 2>&1; then \
	  echo "Setting up $(VENV) with uv ..."; \
	  uv venv --quiet --allow-existing --python $(PYTHON) $(VENV) && uv pip install --quiet --python $(BIN)/python -e '.[dev]'; \
	else \
	  echo "Setting up $(VENV) with venv and pip (a few minutes the first time) ..."; \
	  $(PYTHON) -m venv $(VENV) && $(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'; \
	fi
	@touch $@

setup: $(STAMP)

$(VENV)/.soak: $(STAMP)
	@if command -v uv >/dev/null 2>&1; then uv pip install --quiet --python $(BIN)/python -e '.[dev,soak]'; \
	else $(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev,soak]'; fi
	@touch $@

demo: setup
	@$(BIN)/referee demo

check: setup
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check . || { echo "run 'make format'"; exit 1; }
	@$(BIN)/mypy --no-error-summary
	@$(BIN)/lint-imports --no-cache > .lint-imports.log 2>&1 || { cat .lint-imports.log; exit 1; }
	@echo "checks passed"

parts:
	@sh tests/parts.sh

# Three workers for two cores: many tests wait.
test: check parts
	@$(BIN)/python -m pytest -n 3 --dist loadfile -m "not bench and not soak"

format: setup
	@$(BIN)/ruff check --quiet --fix . ; $(BIN)/ruff format --quiet .

bench: setup
	@BENCH_WRITE=$(WRITE) $(BIN)/python -m pytest -q -s -m bench

soak: $(VENV)/.soak
	@$(BIN)/python -m pytest -q -m soak

wheel: setup
	@$(PYTHON) -m pip wheel --quiet --no-deps . --wheel-dir dist && ls dist

pictures: setup
	@$(BIN)/python tools/pictures.py

test-picamera:
	@bash hardware/pi/virtual_camera/run.sh

# The same on aarch64 by emulation: ten minutes the first time, and outside make test.
test-arm: setup
	@bash tests/arm/run.sh

# Are known holes in what we depend on? Asks the package index.
audit: $(VENV)/.soak
	@$(BIN)/python tools/audit.py

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache dist
