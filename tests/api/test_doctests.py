"""The examples of docstrings do what they show."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest
from tests.helpers.guards import ROOT

import fracas
import fracas.api


def modules() -> list[str]:
    """Every module of the package; those of the command line are examples of commands, and Alembic alone runs one."""
    found = (info.name for info in pkgutil.walk_packages(fracas.__path__, "fracas."))
    programs = ("fracas.cli", "fracas.__main__", "fracas.server.database.migrations.env")
    return sorted(["fracas", *(name for name in found if not name.startswith(programs))])


# Old places warn when they are imported; they are tested in tests/plugins.
@pytest.mark.filterwarnings("ignore:fracas.* has moved. import from:DeprecationWarning")
@pytest.mark.parametrize("name", modules())
def test_docstrings_show_what_happens(name, monkeypatch):
    monkeypatch.chdir(ROOT)
    results = doctest.testmod(importlib.import_module(name), raise_on_error=True)
    assert results.failed == 0


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
