# make run    set up and solve the hardest 8-puzzle
# make test   set up and run every check: lint, types, layers, tests
# make test-full   the same, with the tests that take long: before a release
# make format the style that lint asks for
# make docs   build the site from docs/
# make fuzz   five minutes of inputs that look for new paths through the readers and searches
# make bench  the figures of docs/performance.md, measured here
# make load   the page's server under 200 clients, alone and beside 300 slow ones
# make soak   server and laboratory for 20 minutes under load, kills and other faults
# make compilers   the native engine built and tested with every supported compiler
# make sanitize   the native engine under sanitizers
# make mutation   planted defects, in the native engine and in Python

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CPP := $(shell find cpp -name '*.?pp')
BUILT_FROM := pyproject.toml CMakeLists.txt $(shell find cpp/include cpp/src cpp/bind -name '*.?pp')

.PHONY: run test test-full tests all-tests checks lint style types format browser bubblewrap screenshots docs fuzz fuzz-nightly bench load soak stubs clean
.DEFAULT_GOAL := run

run: $(VENV)/.installed
	$(BIN)/tilewise solve "8b6 547 231" --pretty
	@echo
	@$(BIN)/tilewise
	@echo
	@echo "The program is $(BIN)/tilewise (source $(BIN)/activate to have it as tilewise)."

# Python keeps what it has compiled, or each process of the tests would compile the package again
unexport PYTHONDONTWRITEBYTECODE

# more than cores: tests wait for servers, browsers and other processes. Each process of the tests
# collects all of them, which takes it six seconds.
TESTS_AT_ONCE ?= $(shell expr $$(nproc 2>/dev/null || echo 2) + 2)
PYTEST := $(BIN)/python -m pytest -n $(TESTS_AT_ONCE) --dist worksteal

test: checks
	@$(MAKE) --no-print-directory --jobs=2 types tests

test-full: checks
	@$(MAKE) --no-print-directory --jobs=2 types all-tests

# beside the types, which take one core
tests: $(VENV)/.installed-dev
	$(PYTEST) -m "not full"

all-tests: $(VENV)/.installed-dev
	$(PYTEST)

# beside each other: installing waits for the network
checks:
	@$(MAKE) --no-print-directory --jobs=3 style browser bubblewrap

lint: style types

style: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run --Werror $(CPP)

types: $(VENV)/.installed-dev
	$(BIN)/mypy

# what ruff and clang-format can put right
format: $(VENV)/.installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(CPP)

# the page is tested in Chromium: installed here as root on Debian, else one that is there
browser: $(VENV)/bin/python
	@$(BIN)/python tests/web/chromium.py

# students' programs are contained by bubblewrap: installed here as root on Debian, which installs
# one package at a time
bubblewrap: $(VENV)/.installed-dev browser
	@$(BIN)/python tests/grading/bubblewrap.py

# the screenshots of the documents
screenshots: $(VENV)/.installed-dev browser
	$(BIN)/python docs/screenshots.py

docs: $(VENV)/.installed-docs
	$(BIN)/python docs/generate.py --check
	$(BIN)/python -m sphinx -W -q -b html docs build/docs
	@echo "The site is build/docs/index.html."

# coverage-guided; what it finds is kept in build/fuzz, what fails as well
FUZZ_SECONDS ?= 300
FUZZ_JOBS ?= 2
FUZZ_TARGETS ?=
fuzz: $(VENV)/.installed-fuzz
	$(BIN)/python tests/fuzz/fuzz.py --seconds $(FUZZ_SECONDS) --jobs $(FUZZ_JOBS) $(FUZZ_TARGETS)

fuzz-nightly:
	$(MAKE) fuzz FUZZ_SECONDS=28800

bench: $(VENV)/.installed-dev
	$(BIN)/python benchmarks/bench.py
	$(BIN)/python benchmarks/startup.py --plain
	$(BIN)/python benchmarks/proofs.py

load: $(VENV)/.installed-dev
	$(BIN)/python benchmarks/load.py
	$(BIN)/python benchmarks/load.py --slow 300

soak: $(VENV)/.installed-dev
	$(BIN)/python -m benchmarks.soak

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "tilewise needs Python 3.11 or newer: make PYTHON=python3.12 ..."; exit 1; }
	$(PYTHON) -m venv $(VENV)

# a plain installation starts faster than an editable one
$(VENV)/.installed: $(VENV)/bin/python $(BUILT_FROM) $(shell find src -name '*.py')
	$(BIN)/python -m pip install --quiet --disable-pip-version-check .
	@touch $@

# in two parts, which `make test` installs beside each other: what it needs takes one core
$(VENV)/.installed-dev: $(VENV)/.needed-dev $(VENV)/.built
	@touch $@ $(VENV)/.installed

$(VENV)/.needed-dev: $(VENV)/bin/python pyproject.toml
	$(BIN)/python building/needed.py dev > $(VENV)/needed.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement $(VENV)/needed.txt
	@touch $@

$(VENV)/.built: $(VENV)/bin/python $(BUILT_FROM)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@

$(VENV)/.installed-docs: $(VENV)/bin/python $(BUILT_FROM)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[docs]'
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-fuzz: $(VENV)/.installed-dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,fuzz]'
	@touch $@

# the signatures of the native module, for editors and mypy
stubs: $(VENV)/.installed-dev
	$(BIN)/python -m pip install --quiet --disable-pip-version-check nanobind
	$(BIN)/python -m nanobind.stubgen -m tilewise.native._native -o src/tilewise/native/_native.pyi

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

# ---- the native engine on its own: C++ tests, sanitizers; planted defects

.PHONY: core compilers sanitize mutation
ENGINES := tests/native/test_engines.py -k "not all_of_3x3 and not every_small_state"
CONFIGURE := CXX=$(CXX) $(BIN)/cmake -S . -DTILEWISE_TESTS=ON
ASAN := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all
TSAN := -O1 -g -fsanitize=thread

# the tests of the C++ core, and every header alone
core: $(VENV)/.installed-dev
	$(CONFIGURE) -B build/core -DTILEWISE_MODULE=OFF
	$(BIN)/cmake --build build/core --parallel 2
	$(BIN)/ctest --test-dir build/core --output-on-failure --parallel 2

# core, tests and module with each of g++ 11 to 14 and clang 14 to 22 that can be had
compilers: $(VENV)/.installed-dev
	$(BIN)/python tests/native/compilers.py

# the same tests and the comparison of engines; -S: an editable installation would come first
sanitize: $(VENV)/.installed-dev
	$(CONFIGURE) -B build/asan -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS="$(ASAN)" \
		-DPython_EXECUTABLE=$(CURDIR)/$(BIN)/python -Dnanobind_DIR=$$($(BIN)/python -m nanobind --cmake_dir)
	$(BIN)/cmake --build build/asan --parallel 2
	build/asan/core_tests
	build/asan/loop_tests
	build/asan/table_tests
	build/asan/learned_tests
	rm -rf build/asan/package && mkdir build/asan/package
	cp -r src/tilewise build/asan/_native.*.so build/asan/package
	mv build/asan/package/_native.*.so build/asan/package/tilewise/native
	env LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)" \
		ASAN_OPTIONS=detect_leaks=0 PYTHONPATH=$(CURDIR)/build/asan/package:$$($(BIN)/python -c \
		'import sysconfig; print(sysconfig.get_path("purelib"))') \
		$(BIN)/python -S -m pytest -p no:cacheprovider -o pythonpath="build/asan/package tests" $(ENGINES)
	$(CONFIGURE) -B build/tsan -DTILEWISE_MODULE=OFF -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS="$(TSAN)"
	$(BIN)/cmake --build build/tsan --parallel 2
	build/tsan/core_tests
	build/tsan/loop_tests
	build/tsan/table_tests
	build/tsan/learned_tests

# every planted defect must be found, in the native engine and in Python
mutation: $(VENV)/.installed-dev
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python tests/mutation/mutate.py
	$(BIN)/python tests/mutation/mutate_python.py
