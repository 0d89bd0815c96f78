# Needs python3 (3.11 or newer), pip, git and make; everything else goes into .venv.

PYTHON ?= python3
JOBS   ?= auto
ROUNDS ?= 20
KILLS  ?= 1000

PY    := .venv/bin/python
SETUP := pyproject.toml setup.py scripts/bootstrap.py

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z][a-z-]*:.*## / { printf "  make %-21s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.venv/run.stamp: requirements.txt $(SETUP)
	@$(PYTHON) scripts/bootstrap.py run

.venv/dev.stamp: requirements-dev.txt $(SETUP)
	@$(PYTHON) scripts/bootstrap.py dev

.PHONY: review
review: .venv/run.stamp ## install into .venv and open the workbench on the example
	@$(PY) -m tui

.PHONY: test
test: .venv/dev.stamp ## install into .venv and pass the tests
	@$(PY) -m pytest -n $(JOBS)

.PHONY: setup
setup: .venv/dev.stamp ## install into .venv all that working on the project needs

.PHONY: lint
lint: .venv/dev.stamp ## lint, format, types and the import contract
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	.venv/bin/lint-imports

.PHONY: format
format: .venv/dev.stamp ## put the code into its format, mend what lint can mend
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .

.PHONY: wheel
wheel: .venv/dev.stamp ## build the wheel into dist/ and try it away from the checkout
	@$(PY) scripts/try_wheel.py

.PHONY: bench
bench: .venv/dev.stamp ## measure speed and scale beside the naive way
	@$(PY) scripts/bench.py

.PHONY: soak
soak: .venv/dev.stamp ## the long rounds: KILLS killed programs, properties from ROUNDS fresh seeds
	@$(PY) scripts/soak.py --kills $(KILLS) --rounds $(ROUNDS)

.PHONY: snapshots
snapshots: .venv/dev.stamp ## take the screens' snapshots and the documents' pictures anew
	@$(PY) -m pytest --snapshot-update tests/tui
	@$(PY) scripts/pictures.py

.PHONY: pins
pins: .venv/dev.stamp ## pin the requirements anew (UPGRADE=1: newest versions that fit)
	@scripts/pin.sh

-include campaign.mk
