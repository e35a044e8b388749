# Each target sets up what it needs in .venv; nothing has to be installed beforehand but Python and make.
# ARGS is handed on: make test ARGS="tests/store -x", make bench ARGS="--records 1000000".

SHELL := /bin/sh
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
ARGS ?=

# The first Python that runs and is new enough; another one: make test PYTHON=/path/to/python
PYTHON ?= $(shell for name in python3.11 python3 python3.14 python3.13 python3.12 python; do \
	"$$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 \
	&& { echo "$$name"; break; }; done)

.PHONY: demo test check check-static bench bench-peers clean

demo: $(VENV)/.runtime
	@$(BIN)/pinyon demo $(ARGS)

test: $(VENV)/.dev
	@$(BIN)/python -m pytest $(ARGS)

check: check-static
	@$(BIN)/python -m pytest -m "not slow" $(ARGS)

check-static: $(VENV)/.dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo --cache-dir $(VENV)/.import-linter

bench: $(VENV)/.dev
	@$(BIN)/python -m bench $(ARGS)

# The peers lie in an environment of their own. txtai brings torch, some gigabytes, and is installed
# with PEERS=peers,peers-torch only; a peer that is not there is said in the tables.
PEERS ?= peers

bench-peers:
	@$(MAKE) --no-print-directory VENV=$(VENV)-peers $(VENV)-peers/.$(PEERS)
	@$(VENV)-peers/bin/python -m bench.peers $(ARGS)

clean:
	rm -rf $(VENV) $(VENV)-peers build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.made:
	@if [ -z "$(PYTHON)" ]; then \
		echo "Pinyon needs Python 3.11 or newer; python3 here is $$(python3 --version 2>&1 || true)." >&2; \
		echo "Install a newer one, or name it: make PYTHON=/path/to/python3.11" >&2; exit 1; fi
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Pinyon needs Python 3.11 or newer; $(PYTHON) is $$("$(PYTHON)" --version 2>&1)." >&2; exit 1; }
	@"$(PYTHON)" -m venv $(VENV) || { \
		echo "Could not make $(VENV); on Debian and Ubuntu, install the package python3-venv." >&2; exit 1; }
	@touch $@

$(VENV)/.runtime: $(VENV)/.made pyproject.toml
	@echo "Installing Pinyon into $(VENV) ..." >&2
	@$(PIP) -e .
	@touch $@

# What developers need includes what users need, so both stamps are fresh afterwards.
$(VENV)/.dev: $(VENV)/.made pyproject.toml
	@echo "Installing Pinyon and its development tools into $(VENV) ..." >&2
	@$(PIP) -e '.[dev]'
	@touch $(VENV)/.runtime $@

$(VENV)/.$(PEERS): $(VENV)/.made pyproject.toml
	@echo "Installing Pinyon and its peers into $(VENV) ..." >&2
	@$(PIP) -e '.[$(PEERS)]' || { echo "Not all of them can be installed here." >&2; $(PIP) -e .; }
	@touch $@
