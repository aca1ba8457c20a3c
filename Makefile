# Everything runs in a virtual environment under VENV, made on first use and remade when pyproject.toml changes.
VENV ?= .venv
PYTHON ?= python3
PYTEST_ARGS ?= -n auto --maxprocesses 8 --dist loadgroup

BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
RUN := $(VENV)/.stamp-run
DEV := $(VENV)/.stamp-dev

CORE := compiler/apet/core
CORE_SOURCES := $(wildcard $(CORE)/*.[ch]) hatch_build.py

.PHONY: help predict test lint types imports docs pytest core wheels benchmark reproduce validation format clean

help:
	@echo "make predict    set up, then predict the shipped pi sample on the shipped machines"
	@echo "make test       set up, then lint, check types and imports, build the docs and run every test"
	@echo "make docs       build the documentation into docs/_build/html"
	@echo "make core       compile the C core into the checkout, as installing does"
	@echo "make wheels     build wheels for Linux, macOS and Windows into dist, with the C compiler of ziglang"
	@echo "make benchmark  measure compile and predict times"
	@echo "make reproduce  predict the published experiment: tables and plots in docs/_generated/reproduction"
	@echo "make validation measure this machine, run kernels and applications on it: docs/background/validation.md"
	@echo "make format     lay out the code with ruff"
	@echo "make clean      remove what was built, the virtual environment included"

predict: $(RUN)
	$(BIN)/apet predict samples/pamela/pi.pam --machines join-2005 -P 2:32:2x

# pytest comes last, so that its summary is the last thing on the screen.
test: lint types imports docs pytest

lint: $(DEV)
	$(BIN)/ruff check compiler tests docs

types: $(DEV)
	$(BIN)/mypy

imports: $(DEV)
	$(BIN)/lint-imports

docs: $(DEV)
	$(BIN)/sphinx-build -W --keep-going -q -b html docs docs/_build/html
	$(BIN)/sphinx-build -W --keep-going -q -b man -d docs/_build/html/.doctrees docs docs/_build/man

pytest: $(DEV)
	$(BIN)/python -m pytest $(PYTEST_ARGS)

core: $(RUN)

wheels: $(DEV)
	$(PIP) "ziglang>=0.13,<1"
	$(BIN)/python hatch_build.py wheels

benchmark: $(DEV)
	$(BIN)/python -m tests.benchmarks

reproduce: $(DEV)
	$(BIN)/python -m tests.benchmarks.reproduce -o docs/_generated/reproduction

validation: $(DEV)
	@mkdir -p build
	$(BIN)/apet benchmark -o build/this.toml
	$(BIN)/apet validate tests/data/java/K_*.java samples/pasl/validation.toml --sizes tests/data/java/sizes.json \
	  --machines build/this.toml --forks 1 --page -o docs/background/validation.md

format: $(DEV)
	$(BIN)/ruff check --fix compiler tests docs
	$(BIN)/ruff format compiler tests docs

clean:
	rm -rf $(VENV) build dist docs/_build docs/_generated $(CORE)/apet_core.*
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache .benchmarks
	find compiler tests docs -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "APET needs Python 3.11 or newer as '$(PYTHON)'. Name another: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "'$(PYTHON)' makes no virtual environments. On Debian or Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

# An editable install compiles the C core, so a change of its sources is a reason to install again.
$(RUN): pyproject.toml $(CORE_SOURCES) | $(BIN)/python
	$(PIP) --editable .
	@touch $@

$(DEV): pyproject.toml $(CORE_SOURCES) | $(BIN)/python
	$(PIP) --editable ".[dev,docs]"
	@touch $@ $(RUN)
