"""Compiled kernels as parts of their entry point, and nothing else (docs/adr/0016).

Left to itself Numba makes every function that compiled code calls fit to be called from outside: optimised together
with all that it calls in turn, translated to machine code, wrapped for Python. What stands ten calls below the entry
point is so compiled eleven times over. A kernel is called by compiled code alone. Here it stays the intermediate code
that its callers link in, and what has become one with the entry point is optimised and translated once.

This touches parts of Numba that may change between versions. It is switched on for those that it was tried with.
"""

from __future__ import annotations

from typing import Any

from numba.core import typed_passes
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import LoweringPass, register_pass


class _NoEnvironment:
    """A code generator that leaves a function's environment alone: kernels have no use for one, they never raise."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, name: str, environment: Any) -> None:
        """Note nothing down: there is no machine code that could look for it."""


class InnerLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of one kernel and of those it calls, for linking into others only."""

    @property
    def codegen(self) -> Any:
        """The code generator."""
        return _NoEnvironment(self._codegen)

    def _optimize_final_module(self) -> None:
        """Leave it to the entry point."""

    def _finalize_final_module(self) -> None:
        """Leave the translation to machine code to the entry point as well."""
        self._finalize_dynamic_globals()
        self._finalized = True


@register_pass(mutates_CFG=False, analysis_only=False)
class _ChooseLibrary(LoweringPass):  # type: ignore[misc]
    """Have the next pass write into a library of the kind above."""

    _name = "choose_inner_library"

    def __init__(self) -> None:
        LoweringPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Put the library there before Numba makes one of its own kind."""
        state.library = InnerLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return True


class InnerCompiler(CompilerBase):  # type: ignore[misc]
    """Numba's usual steps from Python to intermediate code, and none after that."""

    def define_pipelines(self) -> list[Any]:
        """Give the one way to compile."""
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.add_pass_after(_ChooseLibrary, typed_passes.AnnotateTypes)
        pipeline.finalize()
        return [pipeline]
