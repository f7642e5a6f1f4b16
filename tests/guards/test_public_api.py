"""The public names: the same in every list, importable, and documented in full."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import pytest
from tests.helpers import guards

import fracas
from fracas.errors import FracasError

FUNCTIONS = [name for name in fracas.__all__ if inspect.isfunction(getattr(fracas, name))]
CLASSES = [name for name in fracas.__all__ if inspect.isclass(getattr(fracas, name))]


def names_for_type_checkers() -> set[str]:
    tree = ast.parse(Path(fracas.__file__ or "").read_text())
    return {
        alias.name
        for branch in ast.walk(tree)
        if isinstance(branch, ast.If) and ast.unparse(branch.test) == "TYPE_CHECKING"
        for node in ast.walk(branch)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def test_the_public_names_are_the_lazy_names_and_those_that_type_checkers_see():
    assert set(fracas.__all__) == set(fracas._HOME_OF) == names_for_type_checkers()
    assert fracas.__all__ == sorted(fracas.__all__)


@pytest.mark.parametrize("name", fracas.__all__)
def test_every_public_name_is_there_under_its_own_name(name):
    assert getattr(fracas, name).__name__ == name
    assert name in dir(fracas)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'simulat'"):
        _ = fracas.simulat


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_public_function_documents_args_returns_raises_and_source(name):
    assert guards.missing_sections(getattr(fracas, name)) == []


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_argument_is_documented(name):
    function = getattr(fracas, name)
    for parameter in inspect.signature(function).parameters:
        assert f"{parameter}:" in (function.__doc__ or ""), parameter


@pytest.mark.parametrize("name", CLASSES)
def test_every_public_class_and_method_has_a_docstring(name):
    class_ = getattr(fracas, name)
    assert class_.__doc__
    for method, value in vars(class_).items():
        if not method.startswith("_") and callable(value):
            assert inspect.getdoc(value), method


def test_errors_are_one_tree():
    assert all(issubclass(getattr(fracas, name), FracasError) for name in ("InputError", "FaultError"))


def test_the_guard_of_sections_finds_a_planted_fault():
    def careless() -> None:
        """Does something.

        Args:
            nothing.
        """

    assert guards.missing_sections(careless) == ["Returns:", "Raises:", "Source:"]
