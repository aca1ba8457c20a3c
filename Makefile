# Everything runs in a virtual environment under VENV, made on first use and remade when pyproject.toml changes.
VENV ?= .venv
PYTHON ?= python3
PYTEST_ARGS ?= -n auto --maxprocesses 8 --dist loadfile

BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
RUN := $(VENV)/.stamp-run
DEV := $(VENV)/.stamp-dev

PYTHON_CODE := compiler tests docs packaging hatch_build.py

CORE := compiler/apet/core
CORE_SOURCES := $(wildcard $(CORE)/*.[ch]) hatch_build.py

.PHONY: help predict test slow measures test-lowest test-python test-suite-python campaigns losses lint types imports docs pytest core core-sanitized fuzz fuzz-guided large wheels \
  laws lock mutations benchmark reproduce release validation format clean

help:
	@echo "make predict    set up, then predict the shipped pi sample on a measured machine"
	@echo "make test       set up, then lint, check types and imports, build the docs and run every test"
	@echo "make slow       the tests that take long: tutorials' commands, sources of a JDK"
	@echo "make measures   the tests whose outcome depends on how fast this machine is, one at a time"
	@echo "make test-lowest     the tests of what other libraries take part in, on the lowest versions allowed"
	@echo "make test-python PYTHON=python3.13 VENV=build/venv-3.13   predict, the documentation and the core, on this Python"
	@echo "make test-suite-python PYTHON=python3.14 VENV=build/venv-3.14   predict, and all tests, on this Python"
	@echo "make campaigns       all cases of which make test takes some: 6,500 programs, 100,000 inputs, 50 kills"
	@echo "make losses          kill every command that writes a file 1,000 times: figures for docs/evidence/campaigns.md"
	@echo "make docs       build the documentation into docs/_build/html"
	@echo "make core       compile the C core into the checkout, as installing does"
	@echo "make fuzz       read 10,000,000 mutated inputs with all readers: docs/evidence/campaigns.md"
	@echo "make fuzz-guided     the same guided by coverage, ten minutes for each reader; needs atheris (Linux)"
	@echo "make large      read inputs of 10 MB with all readers, and say what time and memory each takes"
	@echo "make core-sanitized  run the tests of traces, and mutated traces, with the C core under sanitizers"
	@echo "make wheels     build wheels for Linux, macOS and Windows into dist, with the C compiler of ziglang"
	@echo "make release    build wheels and the source distribution, check and install them, list what they bring along"
	@echo "make lock       write the versions of libraries with which continuous integration runs: packaging/lock.txt"
	@echo "make benchmark  measure compile and predict times"
	@echo "make laws       run a million random programs against an event simulator: docs/evidence/campaigns.md (hours)"
	@echo "make mutations  try 200 small changes of the core on the tests, and list those that none notices (hours)"
	@echo "make reproduce  predict the published experiment: tables and plots in docs/_generated/reproduction"
	@echo "make validation measure this machine, run kernels and applications on it: docs/evidence/validation.md"
	@echo "make format     format the code with ruff"
	@echo "make clean      remove what was built, the virtual environment included"

predict: $(RUN)
	$(BIN)/apet predict samples/pamela/pi.pam --machines zen5-openjdk17 -P 1,2 --set n=2e7

# pytest comes last, so that its summary is the last thing on the screen; types and the documentation take one core each.
test:
	$(MAKE) --no-print-directory -j2 lint types imports docs
	$(MAKE) --no-print-directory pytest

lint: $(DEV)
	$(BIN)/ruff check $(PYTHON_CODE)
	$(BIN)/ruff format --check --quiet $(PYTHON_CODE)
	$(BIN)/codespell -D - -D docs/terms.txt

types: $(DEV)
	$(BIN)/mypy

imports: $(DEV)
	$(BIN)/lint-imports

docs: $(DEV)
	$(BIN)/sphinx-build -W --keep-going -q -b html docs docs/_build/html
	$(BIN)/sphinx-build -W --keep-going -q -b man -d docs/_build/html/.doctrees docs docs/_build/man

pytest: $(DEV)
	$(BIN)/python -m pytest $(PYTEST_ARGS)

slow: $(DEV)
	$(BIN)/python -m pytest $(PYTEST_ARGS) --slow -m "slow and not measures" --timeout 1800 --durations 10

# One at a time, and once more where something disturbed the machine.
measures: $(DEV)
	$(BIN)/python -m pytest --slow -m measures --timeout 1800 || \
	  $(BIN)/python -m pytest --slow -m measures --timeout 1800 --last-failed

# uv resolves the lowest versions; pip cannot. The packages that call libraries, and the pages of the documentation, whose
# blocks call every verb; laws with random examples call the libraries as the other tests do.
LOWEST := build/venv-lowest
LOWEST_TESTS := $(addprefix tests/,api docs/test_docs.py editor formula model questions queueing runs show)
test-lowest: $(DEV)
	$(PIP) "uv>=0.5"
	rm -rf $(LOWEST) && $(PYTHON) -m venv $(LOWEST)
	$(BIN)/uv pip compile --quiet --resolution lowest-direct --extra dev pyproject.toml -o build/lowest.txt
	$(BIN)/uv pip install --quiet --python $(LOWEST)/bin/python -r build/lowest.txt hatchling editables
	$(BIN)/uv pip install --quiet --python $(LOWEST)/bin/python --no-deps --no-build-isolation --editable .
	$(LOWEST)/bin/python -m pytest -q $(PYTEST_ARGS) -W ignore -k "not browser" -m "not hypothesis" $(LOWEST_TESTS)

# For another Python: make test-python PYTHON=python3.13 VENV=build/venv-3.13
test-python: predict $(DEV)
	$(BIN)/python -m pytest -q $(PYTEST_ARGS) -m "not hypothesis" $(addprefix tests/,docs/test_docs.py formula ground model)

# The whole suite on another Python, as before a release: make test-suite-python PYTHON=python3.14 VENV=build/venv-3.14
test-suite-python: predict $(DEV) pytest

# What `make test` does a twentieth of, or with one combination for each value, or leaves out (`tests.work`).
FUZZ := tests/fuzz
CAMPAIGNS := tests/laws tests/loss $(shell grep -lE 'tests.work import .*(crossed|thorough)' -r tests --include='test_*.py')
campaigns: $(DEV)
	APET_CAMPAIGNS=whole $(BIN)/python -m pytest $(PYTEST_ARGS) --timeout 0 $(CAMPAIGNS) $(FUZZ)

losses: $(DEV)
	$(BIN)/python -m tests.loss --kills 1000 --seed 1 --page docs/evidence/campaigns.md

core: $(RUN)

# Both take hours; findings are left in the folders.
fuzz: $(DEV)
	$(BIN)/python -m tests.fuzz --inputs 10000000 --jobs $$(nproc) --out build/fuzz --page docs/evidence/campaigns.md

fuzz-guided: $(DEV)
	$(PIP) --editable ".[fuzz]"
	$(BIN)/python -m tests.fuzz.guided all --seconds 600 --out build/fuzz-guided

large: $(DEV)
	$(BIN)/python -m tests.fuzz.large

# Without what measures memory, and what starts SimGrid: sanitizers take memory, and are preloaded into every process.
core-sanitized: $(DEV)
	$(BIN)/python -m tests.core.sanitized build/sanitized $(BIN)/python -m pytest $(PYTEST_ARGS) --timeout 0 \
	  -k "not smpirun and not simgrid and not memory" tests/core tests/traces
	$(BIN)/python -m tests.core.sanitized build/sanitized $(BIN)/python -m tests.core.allocations
	$(BIN)/python -m tests.fuzz --sanitized --inputs 1000000 --jobs $$(nproc) --out build/fuzz-core

wheels: $(DEV)
	$(PIP) "ziglang>=0.13,<1"
	$(BIN)/python hatch_build.py wheels

# Builds the wheels and the source distribution, and checks and installs them: docs/background/releasing.md
release: wheels
	$(BIN)/python -m build --sdist --no-isolation --outdir dist .
	$(PIP) "twine>=6,<8" "cyclonedx-bom>=5,<8"
	$(BIN)/python -m twine check --strict dist/*.whl dist/*.tar.gz
	$(BIN)/python -m tests.release dist

# What continuous integration installs, on every system and Python; uv resolves for all of them, pip for one.
lock: $(DEV)
	$(PIP) "uv>=0.5"
	$(BIN)/uv pip compile --quiet --universal --upgrade --python-version 3.11 --extra dev --extra docs --no-annotate \
	  --no-header pyproject.toml -o packaging/lock.txt

benchmark: $(DEV)
	$(BIN)/python -m tests.benchmarks

laws: $(DEV)
	@mkdir -p build
	$(BIN)/python -m tests.laws --programs 1000000 --seed 1 --out build/laws.json --page docs/evidence/campaigns.md

# Another draw: make mutations SEED=2 CHANGES=50
SEED := 1
CHANGES := 200
mutations: $(DEV)
	$(BIN)/python -m tests.mutations --seed $(SEED) --changes $(CHANGES) formula cost prediction model simulator

reproduce: $(DEV)
	$(BIN)/python -m tests.benchmarks.reproduce -o docs/_generated/reproduction

validation: $(DEV)
	@mkdir -p build
	$(BIN)/apet benchmark -o build/this.toml
	$(BIN)/apet validate tests/data/java/K_*.java samples/pasl/validation.toml --sizes tests/data/java/sizes.json \
	  --machines build/this.toml --forks 1 --page -o docs/evidence/validation.md

format: $(DEV)
	$(BIN)/ruff check --fix $(PYTHON_CODE)
	$(BIN)/ruff format $(PYTHON_CODE)

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
	$(PIP) --editable ".[full]"
	@touch $@

$(DEV): pyproject.toml $(CORE_SOURCES) | $(BIN)/python
	$(PIP) --editable ".[dev,docs]"
	@touch $@ $(RUN)
