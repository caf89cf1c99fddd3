# Two commands are enough: `make run` starts the service, `make demo` fills its day.
# Every target sets up what it needs; nothing is installed outside .venv.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help setup setup-test setup-node run demo test check bench clean

VENV := .venv
BIN := $(VENV)/bin
PINS := setup.cfg constraints.txt pyproject.toml
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
PYTHONS := python3.13 python3.12 python3.11 python3

# A candidate must really run, be new enough, and be able to make environments
# (Debian keeps that in a package of its own).
FITS := import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info < (3, 14))
FIND_PYTHON = for p in $(PYTHON) $(PYTHONS); do \
	$$p -c '$(FITS)' >/dev/null 2>&1 && { echo $$p; break; }; done

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

$(VENV)/.installed: $(PINS) | $(BIN)/python
	@echo "Installing glassflow's pinned dependencies (once, until they change) ..."
	@$(PIP) install -c constraints.txt -e '.[embedded,demo]'
	@touch $@

$(VENV)/.installed-test: $(PINS) | $(BIN)/python
	@echo "Installing the pinned dependencies and the test tools (once) ..."
	@$(PIP) install -c constraints.txt -e '.[embedded,test]'
	@touch $(VENV)/.installed $@

NODE := tests/node
$(NODE)/node_modules/.installed: $(NODE)/package.json $(NODE)/package-lock.json
	@echo "Installing the real socket.io-client for the tests (once) ..."
	@cd $(NODE) && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

setup: $(VENV)/.installed ## make .venv with what the service and the demo need
setup-test: $(VENV)/.installed-test ## the same, and the test tools
setup-node: ## the JavaScript client for the tests, if Node.js is here
	@if command -v node >/dev/null && command -v npm >/dev/null; then \
	  $(MAKE) --no-print-directory $(NODE)/node_modules/.installed; \
	else \
	  echo "Node.js and npm are not here: the tests with the real socket.io-client" \
	    "cannot run (Debian: apt-get install nodejs npm)."; \
	fi

run: setup ## the service on PORT, with its store and the demo workshop; Ctrl-C stops it
	@echo "Starting glassflow ..."
	@PREPARE=1 exec $(BIN)/gunicorn -c config/gunicorn.py wsgi:app

demo: setup ## a working day against the running service (or one of its own)
	@exec $(BIN)/python -m demo --url "http://127.0.0.1:$${PORT:-8000}"

test: setup-test setup-node ## everything
	@exec $(BIN)/pytest -n 2

check: setup-test ## lint, types, import contracts and the fast tests, in a minute
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/pytest -q -n 2 -m "not slow" --ignore=tests/faults --ignore=tests/browser

bench: setup-test ## the load programs
	@if [ -d bench ]; then exec $(BIN)/python -m bench; else echo "No benchmarks yet."; fi

clean: ## remove what was installed and generated; the data under var/ stays
	rm -rf $(VENV) $(NODE)/node_modules bench/fanout/node/node_modules build *.egg-info .pytest_cache .mypy_cache \
	  .ruff_cache .import_linter_cache .hypothesis .coverage htmlcov
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
