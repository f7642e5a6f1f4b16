"""The examples of docstrings do what they show."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest
from tests.helpers import guards
from tests.helpers.guards import ROOT

import fracas
import fracas.api


def modules() -> dict[str, str]:
    """Every module of the package; those of the command line are examples of commands, and Alembic alone runs its."""
    programs = ("fracas.cli", "fracas.__main__", "fracas.server.database.migrations.")
    return {name: text for name, text in guards.module_sources().items() if not name.startswith(programs)}


MODULES = modules()
WITH_EXAMPLES = sorted(name for name, text in MODULES.items() if ">>>" in text)


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_docstrings_show_what_happens(name, monkeypatch):
    monkeypatch.chdir(ROOT)
    results = doctest.testmod(importlib.import_module(name), raise_on_error=True)
    assert results.attempted > 0
    assert results.failed == 0


# Old places warn when they are imported; they are tested in tests/plugins.
@pytest.mark.filterwarnings("ignore:fracas.* has moved. import from:DeprecationWarning")
@pytest.mark.parametrize("part", sorted({name.split(".")[1] for name in MODULES if "." in name}))
def test_every_module_can_be_imported(part):
    for name in MODULES:
        # scripts/soak/training_libraries.py installs what the adapter needs, and imports it.
        if name.split(".")[1:2] == [part] and name != "fracas.envs.sb3":
            importlib.import_module(name)


def test_the_api_has_an_example_for_what_is_called_most(monkeypatch):
    monkeypatch.chdir(ROOT)
    finder = doctest.DocTestFinder(exclude_empty=True)
    shown = {
        test.name.rpartition(".")[2]
        for module in pkgutil.iter_modules(fracas.api.__path__, "fracas.api.")
        for test in finder.find(importlib.import_module(module.name))
        if test.examples
    }
    assert {"load", "run", "run_many", "simulate", "ladder", "share_codes"} <= shown
