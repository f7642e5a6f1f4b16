"""Compiled kernels as parts of their entry point, and nothing else (docs/adr/0016).

Left to itself Numba makes every function that compiled code calls fit to be called from outside: optimised together
with all that it calls in turn, translated to machine code, wrapped for Python. What stands ten calls below the entry
point is so compiled eleven times over. A kernel is called by compiled code alone. Here it stays the intermediate code
that its callers link in, and what has become one with the entry point is optimised and translated once.

This touches parts of Numba that may change between versions. It is switched on for those that it was tried with.
"""

from __future__ import annotations

from typing import Any

from llvmlite.binding import Linkage
from llvmlite.binding.newpassmanagers import create_new_module_pass_manager
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


class EntryLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of an entry point and of all kernels that it calls, which nobody else can call.

    So LLVM may change how they are called: pass on no argument that is always the same, and no word about exceptions
    of kernels that raise none. Numba would have it keep them as they are, in case another library wants to link them.
    """

    def _optimize_final_module(self) -> None:
        """Optimise, drop what kernels need not tell each other, and optimise what that has made simpler.

        Numba's own way is the same, but that it drops nothing in between.
        """
        for function in self._final_module.functions:
            if function.linkage == Linkage.linkonce_odr and not function.is_declaration and "fracas" in function.name:
                function.linkage = Linkage.internal
                # `kernel_apart` says that a kernel is called, even if from one place alone.
                if not any(b"alwaysinline" in attributes for attributes in function.attributes):
                    function.add_function_attribute("noinline")
        codegen = self._codegen
        passes, builder = codegen._module_pass_manager(slp_vectorize=False, cost="cheap")
        passes.run(self._final_module, builder)
        _dropping().run(self._final_module, codegen._pass_builder())
        passes, builder = codegen._module_pass_manager()
        passes.run(self._final_module, builder)


def _dropping() -> Any:
    """What drops arguments and results that are always the same; twice, since one reveals the next."""
    passes = create_new_module_pass_manager()
    for _ in range(2):
        passes.add_ipsccp_pass()
        passes.add_dead_arg_elimination_pass()
        passes.add_sroa_pass()
        passes.add_instruction_combine_pass()
        passes.add_simplify_cfg_pass()
    return passes


class _ChooseLibrary(LoweringPass):  # type: ignore[misc]
    """Have the next pass write into a library of a kind of ours."""

    kind: type[Any]

    def __init__(self) -> None:
        LoweringPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Put the library there before Numba makes one of its own kind."""
        state.library = self.kind(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return True


@register_pass(mutates_CFG=False, analysis_only=False)
class _ChooseInnerLibrary(_ChooseLibrary):
    _name = "choose_inner_library"
    kind = InnerLibrary


@register_pass(mutates_CFG=False, analysis_only=False)
class _ChooseEntryLibrary(_ChooseLibrary):
    _name = "choose_entry_library"
    kind = EntryLibrary


class InnerCompiler(CompilerBase):  # type: ignore[misc]
    """Numba's usual steps from Python to intermediate code, and none after that."""

    choice: type[_ChooseLibrary] = _ChooseInnerLibrary

    def define_pipelines(self) -> list[Any]:
        """Give the one way to compile."""
        pipeline = DefaultPassBuilder.define_nopython_pipeline(self.state)
        pipeline.add_pass_after(self.choice, typed_passes.AnnotateTypes)
        pipeline.finalize()
        return [pipeline]


class EntryCompiler(InnerCompiler):
    """Numba's usual steps, with all kernels made one with their entry point."""

    choice = _ChooseEntryLibrary
