"""Kernels are compiled as parts of their entry point only, and that changes nothing but how long it takes."""

from __future__ import annotations

from typing import Any

import numba
import pytest

from fracas.kernel import jit
from fracas.kernel.inline_compiler import InnerLibrary


def compiled(monkeypatch: pytest.MonkeyPatch, *, newest: tuple[int, int] | None = None) -> tuple[Any, Any]:
    """An entry point that calls two kernels, and its library."""

    def doubled(value: int) -> int:
        return 2 * value

    def doubled_and_one(value: int) -> int:
        return doubled(value) + 1

    def entry(value: int) -> int:
        return doubled_and_one(value) * doubled(value)

    monkeypatch.setattr(jit, "_kernels", [doubled, doubled_and_one])
    monkeypatch.setattr(jit, "_enabled", set())
    monkeypatch.setattr(jit, "_twin_modules", [])
    if newest is not None:
        monkeypatch.setattr(jit, "NEWEST_NUMBA_TRIED", newest)
    native = jit.enable().njit(entry)
    native(3)
    (signature,) = native.signatures
    return native, native.overloads[signature].library


def inner(library: Any) -> list[InnerLibrary]:
    """The libraries of kernels that were linked into another."""
    return [each for each in library._linking_libraries if isinstance(each, InnerLibrary)]


def test_the_installed_numba_is_one_that_this_was_tried_with() -> None:
    """After a new pin: run the tests with it, compare `fracas machine compile` before and after, raise the number."""
    assert numba.version_info.short <= jit.NEWEST_NUMBA_TRIED


def test_kernels_are_linked_in_and_have_no_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    native, library = compiled(monkeypatch)
    assert native(3) == 7 * 6
    assert len(inner(library)) == 2
    engine = library.codegen._engine
    names = [function.name for each in inner(library) for function in each.get_defined_functions()]
    assert len(names) >= 2
    assert not any(engine.is_symbol_defined(name) for name in names)


def test_a_newer_numba_compiles_in_its_own_way(monkeypatch: pytest.MonkeyPatch) -> None:
    native, library = compiled(monkeypatch, newest=(0, 0))
    assert native(3) == 7 * 6
    assert inner(library) == []
