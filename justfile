# `just` lists the recipes. Nobody needs just: each recipe is a line or two that can be typed as it stands.

export PATH := justfile_directory() / ".venv/bin:" + env("PATH")

_default:
    @just --list --unsorted

# Make .venv with everything that the checks need
setup:
    python3 -m venv .venv
    .venv/bin/pip install --require-hashes -r requirements-dev.txt
    .venv/bin/pip install --no-deps --no-build-isolation -e .

# The one check: format, lint, types, imports, spelling, tests (arguments go to pytest)
check *args:
    scripts/check {{ args }}

# What a machine that knows nothing runs: the README's test command in a fresh environment
ci:
    .ci/run

# Format and repair what can be repaired without thinking
fmt:
    ruff format
    ruff check --fix

# Formatting and lint, changing nothing
lint:
    ruff format --check
    ruff check

# Static types
types:
    mypy

# Which module may import which
imports:
    lint-imports

# Spelling
spelling:
    codespell

# Tests alone, in one process; arguments go to pytest, e.g. `just test tests/rules -k taunt`
test *args:
    pytest {{ args }}

# Battles per second, each figure beside its checksum
bench *args:
    fracas machine bench {{ args }}

# The kernels against a C program of the same rules (needs gcc, and an idle machine)
yardstick *args:
    python benchmarks/yardstick/compare.py {{ args }}

# Build the documentation into site/ (in an environment of its own)
docs: _docs-tools
    .venv-docs/bin/zensical build

# Show the documentation in a browser while writing it
docs-serve: _docs-tools
    .venv-docs/bin/zensical serve

_docs-tools:
    test -d .venv-docs || python3 -m venv .venv-docs
    .venv-docs/bin/pip install --quiet zensical

# Write requirements*.txt anew (needs uv)
pins *args:
    scripts/pins {{ args }}
