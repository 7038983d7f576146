# Needs git, make and Python 3.11 to 3.14 with venv. All else goes into .venv/ and tests/js/node_modules/.
#
#   make site     the demo catalogue, in site/          make serve    the same, served and rebuilt on change
#   make test     lint and every test                   make check    reads and checks the input, writes nothing
#   make lint     the linters and type checkers         make bench    measures builds and search, audits pages
#   make fetch    data from the Hub, into data/         make lock     all locks anew
#   make fuzz     gives it hostile input for MINUTES=N (10) or EXAMPLES=N of each kind; SEED=WORD does so again
#   make publish  fetches, checks and builds the real catalogue for BASE_URL, keeping what is published there answered
#   make audit    asks the registries for known faults of pinned packages
#   make clean    removes all that make made
#
# DATA=DIR, OUT=DIR and PORT=N take another input, output and port, DEST=DIR another folder to fetch into;
# BASE_URL=https://... is the address of the site, PREVIOUS=FILE the urls.json of an earlier build; ZIP=1 also writes
# site.zip, as `make publish` does unless ZIP=0; FIRST=1 lets that ask the site for no earlier list,
# FETCH='--dataset OWNER/NAME --revision COMMIT' has options for the fetch, FORMAT=json or github is for the check.
# PYTHON=python3.13 takes another Python (after `make clean`), `make lock UPGRADE=1` the newest versions that
# pyproject.toml and package.json allow.

PYTHON ?= python3
DATA ?= content/demo
DEST ?= data
OUT ?= site
PORT ?= 8000
BASE_URL ?=
PREVIOUS ?=
ZIP ?=
FIRST ?=
FETCH ?=
FORMAT ?=
MINUTES ?= 10
EXAMPLES ?=
SEED ?=

VENV := .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip --quiet --disable-pip-version-check
SITEGEN := $(VENV)/bin/sitegen
NODE := $(PY) -m tests.tooling.node
NODE_MODULES := tests/js/node_modules
LIGHTHOUSE := tests/js/lighthouse/node_modules
PEERS := tests/bench/peers
UV := uv==0.13.9
PIP_AUDIT := pip-audit==2.10.1
# What the published site answers for, as `make previous` got it.
PUBLISHED := .cache/previous.json
INPUT = --data $(DATA)$(if $(BASE_URL), --base-url '$(BASE_URL)')$(if $(PREVIOUS), --previous '$(PREVIOUS)')$(if $(filter-out 0,$(ZIP)), --zip)
REAL = DATA=$(DEST) ZIP=$(or $(ZIP),1)

.PHONY: site test lint serve check fetch previous publish bench fuzz audit lock clean venv venv-test node chromium
.DELETE_ON_ERROR:

site: venv
	$(SITEGEN) build $(INPUT) --out $(OUT)

serve: venv
	$(SITEGEN) serve --data $(DATA) --out $(OUT) --port $(PORT) --watch

check: venv
	$(if $(FORMAT),@)$(SITEGEN) check $(INPUT)$(if $(FORMAT), --format $(FORMAT))

fetch: $(VENV)/.stamp-hub
	$(SITEGEN) fetch --dest $(DEST) $(FETCH)

# Without FIRST the list must be there, or plainly not: see the helper.
previous: $(VENV)/.stamp-hub
	$(if $(BASE_URL),,$(error Name the address of the site: make $@ BASE_URL=https://example.org/))
	@$(if $(PREVIOUS),mkdir -p .cache && cp '$(PREVIOUS)' $(PUBLISHED) && echo "$(PREVIOUS): taken as the earlier list",\
	  $(if $(FIRST),rm -f $(PUBLISHED) && echo "FIRST is set: no earlier list",\
	  $(PY) tests/tooling/published.py '$(BASE_URL)' $(PUBLISHED)))

# Each step is a `make` of its own, since what it does depends on what the one before it left.
publish:
	$(if $(BASE_URL),,$(error Name the address of the site: make $@ BASE_URL=https://example.org/))
	@echo "1 of 4: data and rankings from the Hub, into $(DEST)/"
	@$(MAKE) --no-print-directory fetch
	@echo "2 of 4: the addresses that are published"
	@$(MAKE) --no-print-directory previous
	@echo "3 of 4: the check"
	@$(MAKE) --no-print-directory check $(REAL) PREVIOUS="`ls $(PUBLISHED) 2>/dev/null`"
	@echo "4 of 4: the build, into $(OUT)/"
	@$(MAKE) --no-print-directory site $(REAL) PREVIOUS="`ls $(PUBLISHED) 2>/dev/null`"

# pytest comes last, so that its closing line is the last that is printed.
test: lint chromium
	$(NODE) node --test tests/js/*.test.mjs
	$(PY) -m pytest

lint: venv-test $(NODE_MODULES)/.stamp
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	$(NODE) $(NODE_MODULES)/.bin/eslint --config tests/js/eslint.config.mjs --max-warnings 0 static/js tests/js
	$(NODE) $(NODE_MODULES)/.bin/tsc --project tests/js/tsconfig.json

# The first command installs the other generators itself, into .cache/bench/, and only for parts that need them.
bench: venv-test chromium $(LIGHTHOUSE)/.stamp
	$(PY) -m tests.bench
	$(PY) -m tests.bench.audit

# What fails is saved in .cache/fuzz/.
fuzz: venv-test
	$(PY) -m tests.fuzz $(if $(EXAMPLES),--examples $(EXAMPLES),--minutes $(MINUTES))$(if $(SEED), --seed '$(SEED)')

# Asks registries, so it is no part of `make test`. What no registry answered for is said, and is no pass.
audit: node
	$(PYTHON) -m venv .cache/audit
	.cache/audit/bin/pip install --quiet --disable-pip-version-check $(PIP_AUDIT)
	@$(PY) -m tests.tooling.audit .cache/audit/bin/pip-audit

clean:
	rm -rf $(VENV) $(NODE_MODULES) $(LIGHTHOUSE) site site.*/ .*.sitegen-* .cache .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find sitegen tests -name __pycache__ -type d -prune -exec rm -rf {} +

# The environment. It is made again where it is missing, broken, or was made in another folder.

venv: $(VENV)/.stamp-run
venv-test: $(VENV)/.stamp-test

ifneq ($(shell test -x $(PY) && cat $(VENV)/.made-in 2>/dev/null),$(CURDIR))
.PHONY: $(VENV)/.stamp-run
endif

$(VENV)/.stamp-run: pyproject.toml requirements.lock tests/tooling/pins.py
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' || { \
	  echo "sitegen needs Python 3.11 to 3.14, and $(PYTHON) is not: `$(PYTHON) --version 2>&1`." >&2; \
	  echo "Name another one, for example: make PYTHON=python3.13" >&2; exit 1; }
	@if [ "`cat $(VENV)/.made-in 2>/dev/null`" != "$(CURDIR)" ] || ! $(PY) -c 'import pip' 2>/dev/null; then \
	  echo "Making $(VENV)/ with `$(PYTHON) --version`"; \
	  $(PYTHON) -m venv --clear $(VENV) && echo '$(CURDIR)' > $(VENV)/.made-in; fi
	$(PY) tests/tooling/pins.py build > $(VENV)/run.txt
	$(PIP) install --require-hashes -r $(VENV)/run.txt
	$(PIP) install --no-index --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.stamp-hub: $(VENV)/.stamp-run
	$(PY) tests/tooling/pins.py hub > $(VENV)/hub.txt
	$(PIP) install --require-hashes -r $(VENV)/hub.txt
	@touch $@

$(VENV)/.stamp-test: $(VENV)/.stamp-run
	$(PY) tests/tooling/pins.py build test > $(VENV)/test.txt
	$(PIP) install --require-hashes -r $(VENV)/test.txt
	@$(PIP) check
	@touch $@

# What the tests need besides Python: found on this machine, else installed, else said in plain words.

node: venv-test
	@$(NODE) --find-or-install

chromium: venv-test
	@$(PY) -m tests.tooling.chromium --find-or-install

$(NODE_MODULES)/.stamp: tests/js/package.json tests/js/package-lock.json | node
	$(NODE) npm ci --prefix tests/js --no-audit --no-fund --loglevel=error
	@touch $@

# Apart from the rest, since the tests need none of it.
$(LIGHTHOUSE)/.stamp: tests/js/lighthouse/package.json tests/js/lighthouse/package-lock.json | node
	$(NODE) npm ci --prefix tests/js/lighthouse --no-audit --no-fund --loglevel=error
	@touch $@

# The locks name no index and no host. uv resolves once for every Python and system that pyproject.toml allows.

lock:
	$(PYTHON) -m venv .cache/lock
	.cache/lock/bin/pip install --quiet --disable-pip-version-check $(UV)
	.cache/lock/bin/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --all-extras \
	  --generate-hashes --no-emit-index-url --custom-compile-command "make lock" \
	  $(if $(UPGRADE),--upgrade) --output-file requirements.lock
	.cache/lock/bin/uv pip compile $(PEERS)/requirements.in --quiet --universal --python-version 3.11 \
	  --generate-hashes --no-emit-index-url --custom-compile-command "make lock" \
	  $(if $(UPGRADE),--upgrade) --output-file $(PEERS)/requirements.txt
	$(MAKE) node
	for folder in tests/js tests/js/lighthouse $(PEERS); do \
	  $(NODE) npm $(if $(UPGRADE),update,install) --prefix $$folder --package-lock-only --no-audit --no-fund || exit 1; done
