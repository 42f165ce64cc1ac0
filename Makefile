# make run    set up and solve the hardest 8-puzzle
# make test   set up and run every check: lint, types, layers, tests
# make docs   build the site from docs/
# make fuzz   100,000 random and mutated inputs
# make bench  the figures of docs/performance.md, measured here

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
BUILT_FROM := pyproject.toml CMakeLists.txt $(shell find cpp -name '*.?pp')

.PHONY: run test lint docs fuzz bench stubs clean
.DEFAULT_GOAL := run

run: $(VENV)/.installed
	$(BIN)/tilewise solve "8b6 547 231" --pretty
	@echo
	@$(BIN)/tilewise
	@echo
	@echo "The program is $(BIN)/tilewise (source $(BIN)/activate to have it as tilewise)."

test: lint
	$(BIN)/python -m pytest -n 2 --dist worksteal

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: $(VENV)/.installed-docs
	$(BIN)/python docs/generate.py --check
	$(BIN)/python -m sphinx -W -q -b html docs build/docs
	@echo "The site is build/docs/index.html."

fuzz: $(VENV)/.installed-dev
	$(BIN)/python tests/fuzz/fuzz_inputs.py 100000

bench: $(VENV)/.installed-dev
	$(BIN)/python benchmarks/bench.py

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "tilewise needs Python 3.11 or newer: make PYTHON=python3.12 ..."; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(VENV)/bin/python $(BUILT_FROM)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/bin/python $(BUILT_FROM)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-docs: $(VENV)/bin/python $(BUILT_FROM)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	@touch $@ $(VENV)/.installed

# the signatures of the native module, for editors and mypy
stubs: $(VENV)/.installed-dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check nanobind
	$(BIN)/python -m nanobind.stubgen -m tilewise._native -o src/tilewise/_native.pyi

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
