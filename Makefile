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

.PHONY: demo test check check-static browser pictures faults bench soak lock bench-peers clean

demo: $(VENV)/.runtime
	@$(BIN)/pinyon demo $(ARGS)

test: $(VENV)/.dev browser
	@$(BIN)/python -m pytest $(ARGS)

check: check-static
	@$(BIN)/python -m pytest -m "not slow" $(ARGS)

check-static: $(VENV)/.dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo --cache-dir $(VENV)/.import-linter

# The attacks of tests/faults and tests/fuzz at full length: many minutes. A kill that went wrong is
# repeated with the seed that the failure names: make faults ARGS="-k kill" PINYON_SEED=17
faults: $(VENV)/.dev
	@PINYON_FAULTS=long $(BIN)/python -m pytest -m "" -rP tests/faults $(wildcard tests/fuzz) $(ARGS)

# The tests of the page drive the system's own Chromium. Where it cannot be installed they are left out,
# and with CI=true they then fail if it could have been.
browser:
	@if command -v chromium >/dev/null || command -v chromium-browser >/dev/null \
		|| command -v google-chrome >/dev/null; then exit 0; fi; \
	if command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
		echo "Installing Chromium for the tests of the page ..." >&2; \
		{ apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
			apt-get install -y -qq --no-install-recommends chromium; } >/dev/null && exit 0; fi; \
	echo "No Chromium, and it cannot be installed here: the tests of the page are left out." >&2

pictures: $(VENV)/.dev browser
	@$(BIN)/python -m tests.surfaces.page.pictures

bench: $(VENV)/.dev
	@$(BIN)/python -m bench $(ARGS)

# Memory, file handles and threads over a hundred thousand searches and ten thousand saves.
soak: $(VENV)/.dev
	@$(BIN)/python -m bench.soak $(ARGS)

# requirements.lock: what users get, with hashes, on any system. It is read by
# `pip install --require-hashes -r` and by `pip-audit -r`.
lock: $(VENV)/.dev
	@"$(PYTHON)" -m venv $(VENV)-lock
	@$(VENV)-lock/bin/python -m pip install --quiet --disable-pip-version-check uv
	@$(VENV)-lock/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --custom-compile-command "make lock" --extra documents $(ARGS) \
		pyproject.toml --output-file requirements.lock
	@$(BIN)/python -m tests.docs.dependencies

# The peers lie in an environment of their own. txtai brings torch, some gigabytes, and is installed
# with PEERS=peers,peers-torch only; a peer that is not there is said in the tables.
PEERS ?= peers

bench-peers:
	@$(MAKE) --no-print-directory VENV=$(VENV)-peers $(VENV)-peers/.$(PEERS)
	@$(VENV)-peers/bin/python -m bench.peers $(ARGS)

clean:
	rm -rf $(VENV) $(VENV)-peers $(VENV)-lock build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
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
