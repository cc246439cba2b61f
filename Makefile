# make run    set up, build the sample collection, serve it
# make test   set up, then all that CI checks
# make bench  the measurements behind the figures in README.md
# make lock   renew constraints.txt

SHELL := /bin/bash
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
KINDRED := $(BIN)/kindred

.PHONY: run test bench lock clean

run: $(VENV)/run.stamp
	@scripts/debian wordnet-base /usr/share/wordnet/data.noun || true
	@$(KINDRED) ingest --sample
	@$(KINDRED) build
	@$(KINDRED) paths import --sample
	@$(KINDRED) serve

test: $(VENV)/test.stamp
	@scripts/debian chromium /usr/bin/chromium || true
	@scripts/debian chromium-driver /usr/bin/chromedriver || true
	@scripts/debian wordnet-base /usr/share/wordnet/data.noun || true
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -n 2 --dist worksteal --cov

bench: $(VENV)/test.stamp
	$(BIN)/pip install --quiet --constraint constraints.txt --editable '.[bench]'
	$(BIN)/python -m bench

lock:
	scripts/lock $(PYTHON)

clean:
	rm -rf $(VENV) .kindred

# A venv that was killed on the way has a python without pip: only the stamp says that it is whole.
$(VENV)/venv.stamp:
	@scripts/debian python3-venv
	$(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear $(VENV)
	@$(BIN)/python -m pip --version >/dev/null
	@touch $@

$(VENV)/run.stamp: $(VENV)/venv.stamp pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

$(VENV)/test.stamp: $(VENV)/venv.stamp pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@ $(VENV)/run.stamp
