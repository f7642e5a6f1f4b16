"""Compiles kernels only as parts of their entry point, which saves most of the compile time (docs/adr/0016).

By default Numba makes every function that compiled code calls usable from outside: optimised together with all its
callees, translated to machine code, wrapped for Python. A function ten calls below the entry point is compiled eleven
times. But only compiled code calls kernels. So here a kernel stays intermediate code that its callers link in, and the
entry point is optimised and translated once.

This uses internals of Numba that may change between versions. It is enabled only for tested versions.
"""

from __future__ import annotations

from typing import Any

from numba.core import typed_passes
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import LoweringPass, register_pass


class _NoEnvironment:
    """A code generator that leaves a function's environment alone, which kernels do not need: they never raise."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, name: str, environment: Any) -> None:
        """Do nothing: no machine code exists that could look it up."""


class InnerLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of one kernel and its callees, only for linking into others."""

    @property
    def codegen(self) -> Any:
        """The code generator."""
        return _NoEnvironment(self._codegen)

    def _optimize_final_module(self) -> None:
        """Do nothing: the entry point is optimised instead."""

    def _finalize_final_module(self) -> None:
        """Do nothing: the entry point is translated instead."""
        self._finalize_dynamic_globals()
        self._finalized = True


@register_pass(mutates_CFG=False, analysis_only=False)
class _ChooseLibrary(LoweringPass):  # type: ignore[misc]
    """Makes the next pass write into an InnerLibrary."""

    _name = "choose_inner_library"

    def __init__(self) -> None:
        LoweringPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Set the library before Numba creates its own."""
        state.library = InnerLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return True


class InnerCompiler(CompilerBase):  # type: ignore[misc]
    """Numba's usual pipeline from Python to intermediate code, without the later steps."""

    def define_pipelines(self) -> list[Any]:
        """The only pipeline of this compiler."""
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.add_pass_after(_ChooseLibrary, typed_passes.AnnotateTypes)
        pipeline.finalize()
        return [pipeline]
