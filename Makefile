# Two commands are enough: `make run` starts the service, `make demo` fills its day.
# Every target sets up what it needs; nothing is installed outside .venv.

SHELL := /bin/bash
# Each process of the service and of the tests would compile all modules again.
unexport PYTHONDONTWRITEBYTECODE
.DEFAULT_GOAL := help
.PHONY: help setup setup-test setup-node setup-planner run demo test test-pages test-all coverage test-long \
	check lint pages .pages-with-node \
	test-file-names pages-lint format .fast-tests bench vendor sbom holidays house examples \
	pictures fuzz mutants clean

VENV := .venv
BIN := $(VENV)/bin
PINS := setup.cfg setup.py constraints.txt pyproject.toml
PIP_LOG := $(VENV)/pip.log
PYTHONS := python3.13 python3.12 python3.11 python3 /usr/bin/python3

# A candidate must run, be new enough, and be able to create environments (Debian has
# that in a separate package). It prints the seconds that it computes.
FITS := import sys, timeit, venv, ensurepip; \
	(3, 11) <= sys.version_info < (3, 14) or sys.exit(1); \
	print(min(timeit.repeat("sorted({str(n): [n] for n in range(999)}.items())", number=9, repeat=15)))
# The one that PYTHON names, or the first, unless a later one is much faster: one that was
# built without optimization takes half as much time again, for everything.
FIND_PYTHON = for p in $(PYTHON) $(PYTHONS); do \
	seconds=$$($$p -c '$(FITS)' 2>/dev/null) && echo "$$seconds $$p"; done \
	| awk '!best || $$1 < 0.85 * best && chosen != "$(PYTHON)" { best = $$1; chosen = $$2 } \
	END { print chosen }'

# pip repeats a warning for each package where a mirror lacks it or is slow. So its output
# goes to a file, which is shown if the installation fails three times.
PIP_INSTALL = for pause in 5 20 ""; do \
	  $(BIN)/python -m pip --disable-pip-version-check install \
	    -c constraints.txt -e '.[$(EXTRAS)]' >$(PIP_LOG) 2>&1 && break; \
	  [ -n "$$pause" ] || { cat $(PIP_LOG) >&2; exit 1; }; \
	  sleep $$pause; \
	done

# The extra `planning` alone, because it is optional: where there is no wheel of it for this
# platform, or for this Python, the service plans without it. Nothing is compiled.
PACKINGSOLVER := $(shell grep -o 'packingsolver==[0-9.]*' setup.cfg)
PLANNING_PYTHON = -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 12))' 2>/dev/null
PLANNING_INSTALL = -m pip --disable-pip-version-check install -q --retries 2 \
	--only-binary :all: $(PACKINGSOLVER)
INSTALL_PLANNING = ! $(BIN)/python $(PLANNING_PYTHON) || \
	$(BIN)/python $(PLANNING_INSTALL) >$(VENV)/planning.log 2>&1 || \
	echo "Cutting plans are made without $(PACKINGSOLVER), which cannot be installed here."

help: ## show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

$(BIN)/python:
	@python=$$($(FIND_PYTHON)); \
	if [ -z "$$python" ]; then \
	  echo "glassflow needs Python 3.11, 3.12 or 3.13 with its venv module; none found." >&2; \
	  echo "On Debian or Ubuntu: sudo apt-get install python3 python3-venv" >&2; \
	  echo "Elsewhere: make $(MAKECMDGOALS) PYTHON=/path/to/python3.12" >&2; \
	  exit 1; \
	fi; \
	echo "Making $(VENV) with $$($$python --version) ..."; \
	rm -rf $(VENV) && $$python -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

$(VENV)/.installed: EXTRAS := embedded,demo
$(VENV)/.installed: $(PINS) | $(BIN)/python
	@echo "Installing glassflow's pinned dependencies (once, until they change) ..."
	@$(PIP_INSTALL)
	@$(INSTALL_PLANNING)
	@touch $@

$(VENV)/.installed-test: EXTRAS := embedded,test
$(VENV)/.installed-test: $(PINS) | $(BIN)/python
	@echo "Installing the pinned dependencies and the test tools (once) ..."
	@$(PIP_INSTALL)
	@$(INSTALL_PLANNING)
	@touch $(VENV)/.installed $@

NODE := tests/node
# Our JavaScript and not the vendored; `make format` writes it, `make lint` checks it.
PRETTIER = $(NODE)/node_modules/.bin/prettier --config $(NODE)/prettier.config.mjs --log-level warn
SCRIPTS := glassflow/pages/sw.js 'glassflow/pages/static/{js,texts}/**/*.js' 'clients/js/*.js' \
	'tests/pages/js/*.mjs' 'tests/browser/*.mjs' 'tests/node/*.mjs' 'tools/{pages,vendor}/*.{js,mjs}' \
	'tests/node/types/{,static/vendor/,worker/}*.d.ts'
TSC := $(NODE)/node_modules/.bin/tsc
$(NODE)/node_modules/.installed: $(NODE)/package.json $(NODE)/package-lock.json
	@echo "Installing the packages for Node.js that tests and lint need (once) ..."
	@cd $(NODE) && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

# The pages in one file for each area (tools/pages/join.mjs): a load costs a browser half of the
# processor time. Folders count, because a module may have been removed.
JOIN := tools/pages
JOINED := glassflow/pages/joined/about.json
$(JOIN)/node_modules/.installed: $(JOIN)/package.json $(JOIN)/package-lock.json
	@echo "Installing what joins the modules of the pages (once) ..."
	@cd $(JOIN) && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null
	@touch $@

MODULES := clients/js glassflow/pages/static/js glassflow/pages/static/vendor
$(JOINED): $(JOIN)/join.mjs $(JOIN)/node_modules/.installed \
		$(shell find $(MODULES) -type d -o -name '*.js')
	@node $<

setup: $(VENV)/.installed ## make .venv with what the service and the demo need
setup-test: $(VENV)/.installed-test ## the same, and the test tools
setup-node: ## what tests and lint need of Node.js, if that is here
	@if command -v node >/dev/null && command -v npm >/dev/null; then \
	  $(MAKE) --no-print-directory $(NODE)/node_modules/.installed $(JOINED); \
	else \
	  echo "Node.js and npm are not here: the tests with the real socket.io-client and the" \
	    "checks of the pages cannot run (Debian: apt-get install nodejs npm)."; \
	fi

# The solver of cutting plans needs a newer Python than the service does. So its tests have an
# environment of their own: of the Python that PLANNER_PYTHON names, or the first that runs.
PLANNER := .venv-planner
PLANNER_PYTHONS = python3.14 python3.13 python3.12 \
	$$(ls -d "$$(pyenv root 2>/dev/null)"/versions/3.1[2-9]*/bin/python 2>/dev/null | sort -rV)
FIND_PLANNER_PYTHON = for p in $(or $(PLANNER_PYTHON),$(PLANNER_PYTHONS)); do \
	$$p $(PLANNING_PYTHON) && { echo $$p; break; }; done

setup-planner: ## what the tests of the solver of cutting plans need, if Python 3.12 is here
	@if [ "$$(cat $(PLANNER)/.installed 2>/dev/null)" = "$(PACKINGSOLVER)" ]; then exit 0; fi; \
	python=$$($(FIND_PLANNER_PYTHON)); \
	if [ -z "$$python" ]; then \
	  echo "Python 3.12 or newer is not here: the tests of the solver of cutting plans cannot" \
	    "run (or name it: make setup-planner PLANNER_PYTHON=/path/to/python3.12)."; \
	else \
	  echo "Making $(PLANNER) with $$($$python --version) ..."; \
	  rm -rf $(PLANNER) && $$python -m venv $(PLANNER) && \
	  $(PLANNER)/bin/python $(PLANNING_INSTALL) && \
	  echo "$(PACKINGSOLVER)" >$(PLANNER)/.installed || \
	  echo "$(PACKINGSOLVER) cannot be installed: the tests of the solver cannot run."; \
	fi

pages: $(JOINED) ## join the modules of the pages into one file for each area (needs Node.js, npm)

# The service serves the modules themselves where this is not possible.
.pages-with-node:
	@command -v node >/dev/null && command -v npm >/dev/null || \
	  { echo "Without Node.js and npm the pages load more slowly (Debian: apt-get install nodejs npm)."; exit 0; }; \
	$(MAKE) --no-print-directory pages || echo "The modules of the pages are served one by one."

run: setup .pages-with-node ## the service on PORT, with its store and the demo workshop; Ctrl-C stops it
	@echo "Starting glassflow ..."
	@PREPARE=1 exec $(BIN)/python -m glassflow.embedded.run

demo: setup ## a working day against the running service (or one of its own)
	@exec $(BIN)/python -m demo --url "http://127.0.0.1:$${PORT:-8000}"

# A file of tests stays in one process: its services start once. The longest start first.
# Three keep two cores busy; with more, each test takes longer and all take as long.
PYTEST := exec $(BIN)/pytest -n 3 --dist loadfile --no-loadscope-reorder --max-worker-restart 1

# A test that fails by chance passes the second time, and is shown; see docs/testing.md.
RERUNS := --reruns 1 --reruns-delay 2 --max-suite-reruns 3 --rerun-show-tracebacks

test: setup-test setup-node setup-planner ## the deterministic tests but those in a browser (docs/testing.md)
	@$(PYTEST) -p no:randomly -m "not long" --ignore=tests/browser $(RERUNS)

test-pages: setup-test setup-node ## the deterministic tests in a browser (needs Chromium)
	@$(PYTEST) -p no:randomly -m "not long" $(RERUNS) tests/browser

# One after the other: each keeps both cores busy. Side by side they take as long, and a test
# waits three times as long for its turn.
test-all: setup-test setup-node ## both, one after the other
	@$(MAKE) --no-print-directory test
	@$(MAKE) --no-print-directory test-pages

# The same tests; fails below the floor, which is `fail_under` in setup.cfg.
coverage: setup-test setup-node setup-planner ## the tests of `make test-all`, and which lines they do not run
	@$(PYTEST) -p no:randomly -m "not long" $(RERUNS) --cov --cov-report=term:skip-covered

# One after the other: what is measured or killed has the machine to itself.
test-long: setup-test setup-node setup-planner ## kills, soaks, many races and random input (SEED=N repeats a run)
	@seed=$${SEED:-$$RANDOM}; echo "Order and input of this run: make test-long SEED=$$seed"; \
	GLASSFLOW_LONG_TESTS=1 exec $(BIN)/pytest -n 0 -m "long or sized" \
	  --randomly-seed=$$seed --hypothesis-seed=$$seed

# The pure rules, the store and the kernel, and of the rest what a change breaks first: the
# contract, scans, rooms and the number of round trips. `make test` runs everything.
CHECKED := tests/domain tests/core tests/services/test_round_trips.py \
	tests/test_architecture_page.py tests/realtime/test_rooms.py \
	tests/realtime/test_message_routes.py $(addprefix tests/api/test_,$(addsuffix .py, \
	specification routes auth envelope scans))

# Beside the tests, which wait for a part of their time; the output of each is in one piece.
check: setup-test ## lint, types, import contracts and the fast tests, in about a minute
	@$(MAKE) --no-print-directory --jobs=2 --output-sync=target lint .fast-tests

lint: setup-test setup-node ## lint, format, types and import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	@$(MAKE) --no-print-directory test-file-names
	@$(MAKE) --no-print-directory pages-lint

test-file-names:
	@! find tests -name 'test_*.py' -printf '%f\n' | sort | uniq -d \
		| sed 's/$$/: two test files have this name, which pytest refuses/' | grep .

pages-lint:
	@if [ -e $(NODE)/node_modules/.installed ]; then \
	  set -x; $(PRETTIER) --check $(SCRIPTS) && $(TSC) -p $(NODE)/types && $(TSC) -p $(NODE)/types/worker; \
	else \
	  echo "The format and the types of the pages are not checked, without Node.js and npm."; \
	  [ -z "$$GLASSFLOW_REQUIRE_OPTIONAL_TOOLS" ]; \
	fi

format: setup-test setup-node ## write all Python and JavaScript in the format that lint asks for
	$(BIN)/ruff format .
	@[ ! -e $(NODE)/node_modules/.installed ] || $(PRETTIER) --write $(SCRIPTS)

.fast-tests:
	$(BIN)/pytest -q -n 2 -p no:randomly -m "not slow and not long" $(CHECKED)

bench: setup-test setup-node setup-planner ## the load programs; writes docs/performance.md (BENCH=--quick tries them)
	@exec $(BIN)/python -m bench $(BENCH)

vendor: ## fetch the libraries and fonts of the pages again (needs Node.js and npm)
	@node tools/vendor/vendor.mjs
	@node tools/vendor/docs_page.mjs

sbom: setup-test ## list what is delivered: docs/licences.md, build/glassflow.cdx.json
	@$(BIN)/python tools/bill_of_materials.py

# In an environment of its own: the package wants another python-dateutil than the tests.
holidays: | $(BIN)/python ## write Thailand's public holidays of six years, seeds/holidays-th.json
	@$(BIN)/python -m venv --clear build/holidays
	@build/holidays/bin/pip --disable-pip-version-check install -q holidays==0.109
	@build/holidays/bin/python tools/thai_holidays.py
	@rm -rf build/holidays

fuzz: setup-test ## send the API what it describes and what not, for an hour or so
	@FUZZ_EXAMPLES=$${EXAMPLES:-100} $(BIN)/pytest -q -n0 tests/api_docs/test_fuzzed_requests.py

# Not among the test tools, because nothing else needs its packages.
mutants: setup-test ## change the rules of the domain one by one, and run their tests
	@$(BIN)/pip install -q mutmut==3.8.1
	@$(BIN)/mutmut run --max-children 2 $(MUTANTS)
	@$(BIN)/mutmut results

house: setup-test ## how large the code is, and how many files a scan and a list run through
	@$(BIN)/python -m tools.house

examples: setup-test ## record the examples of the API's description again
	@GLASSFLOW_RECORD_EXAMPLES=1 $(BIN)/pytest -q -n0 -p no:randomly tests/api_docs/test_examples.py

pictures: setup-test setup-node ## take the pictures of README.md and docs again (needs Chromium)
	@GLASSFLOW_RECORD_PICTURES=1 $(BIN)/pytest -q -n0 tests/browser/test_pictures.py \
	  tests/browser/test_enquiry_to_invoice.py tests/browser/test_three_bad_days.py

clean: ## remove what was installed and generated; the data under var/ stays
	rm -rf $(VENV) $(PLANNER) $(NODE)/node_modules $(JOIN)/node_modules $(dir $(JOINED)) build *.egg-info .pytest_cache .mypy_cache \
	  .ruff_cache .import_linter_cache .hypothesis .coverage .coverage.* htmlcov mutants
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
