"""What plug-ins import has one place with names that stay, and its old places for one more release."""

from __future__ import annotations

import importlib

import pytest

from fracas.kernel import jit
from fracas.kernel.jit import kernels
from fracas.plugins import api

OLD = {
    "fracas.kernel.fixed": {"divided": "floor_div", "within_limits": "clamp", "percent": "percent"},
}


@pytest.mark.parametrize("name", api.__all__)
def test_everything_but_the_decorator_can_be_called_from_compiled_code(name):
    function = getattr(api, name)
    assert function is api.kernel or function in kernels() or function in jit._by_dice


@pytest.mark.parametrize("module", OLD)
def test_the_old_places_give_the_same_functions_and_say_where_to_go(module):
    with pytest.warns(DeprecationWarning, match=r"import from fracas\.plugins\.api"):
        shim = importlib.reload(imported(module))
    for old, new in OLD[module].items():
        assert getattr(shim, old) is getattr(api, new)
    assert set(OLD[module]) <= set(shim.__all__)


def imported(module):
    with pytest.warns(DeprecationWarning, match="has moved"):
        return importlib.reload(importlib.import_module(module))
