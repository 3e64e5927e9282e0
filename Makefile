# `make demo` and `make test` need make and a Python from 3.11 on; they set up the rest themselves,
# in .venv, whenever pyproject.toml has changed.

PYTHON ?= $(shell for python in python3.11 python3.12 python3.13 python3.14 python3 python; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& echo $$python && break; done)
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# Their output is committed: all specs of our own, and the most telling of the published designs.
SPECS := $(wildcard specs/*.yaml) specs/aws/package_delivery_app.yaml \
	$(addprefix specs/designs/,bank_payments.yaml instagram.yaml online_shop.yaml tournament_matches.yaml)
DESIGNS := $(filter-out $(SPECS),$(wildcard specs/aws/*.yaml specs/designs/*.yaml))
# Features that once did not go together; nobody would commit what these make.
ODD := $(wildcard tests/suite/odd/*.yaml) tests/suite/kitchen_sink.yaml tests/suite/staff.yaml

.PHONY: demo test lint unit examples designs mutants engines build bench soak clean

demo: $(READY)  ## Build a spec, run its suite, show what each pattern reads.
	$(BIN)/dyngen prove specs/pet_documents.yaml

test: lint examples unit designs  ## Everything that CI runs.

lint: $(READY)  ## Format, lint and types of this project.
	$(BIN)/black --check codegen tests benchmarks
	$(BIN)/ruff check codegen tests benchmarks
	$(BIN)/mypy

unit: $(READY)  ## The tests of the compiler and of the runtime.
	$(BIN)/pytest -n auto

examples: $(READY)  ## The committed output is up to date, and its suites pass.
	$(BIN)/dyngen lint $(SPECS)
	$(BIN)/dyngen build --check $(SPECS)
	$(BIN)/pytest -n auto --dist loadscope generated_examples

designs: $(READY)  ## The other published designs and odd specs build, and their suites pass.
	$(BIN)/dyngen lint $(DESIGNS)
	$(BIN)/dyngen build --out build/designs $(DESIGNS) $(ODD)
	$(BIN)/pytest -n auto --dist loadscope build/designs

mutants: $(READY)  ## Every fault that a package can have, in all specs: its suite must notice each.
	$(BIN)/python -m tests.mutants $(SPECS) $(DESIGNS) tests/python/library.yaml

engines: $(READY)  ## Other DynamoDB engines, in .engines; the tests use them where they are there.
	$(BIN)/python tests/engines/installed.py

build: $(READY)  ## Build every spec into generated_examples.
	$(BIN)/dyngen build $(SPECS)

bench: $(READY)  ## Speed, next to other packages and to the goals, for benchmarks/RESULTS.md.
	$(BIN)/python -m benchmarks

soak: $(READY) engines  ## Threads, tasks and faults against dynoxide, ten minutes; for benchmarks/SOAK.md.
	$(BIN)/python -m benchmarks.soak

clean:  ## Remove what this file has set up.
	rm -rf $(VENV) .engines .bench build

$(READY): pyproject.toml
	@test -n "$(PYTHON)" || { echo "dyngen needs Python 3.11 or newer" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@
