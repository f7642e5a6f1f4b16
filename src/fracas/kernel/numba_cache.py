"""Stores Numba's compiled functions on disk, one sealed file for each form (docs/adr/0005).

Numba's own cache trusts any file it finds and fails on disk errors.
"""

from __future__ import annotations

import importlib.util
import pickle
from contextlib import suppress
from pathlib import Path
from typing import Any

from blake3 import blake3
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from fracas.kernel.cache_files import ENDING, Damaged, read, tell, tell_once, write


class CodeCache(_Cache):  # type: ignore[misc]
    """The compiled forms of one function, in a folder that only you can write to; without one nothing is stored."""

    def __init__(self, ruleset: str, name: str, folder: Path | None) -> None:
        self.ruleset = ruleset
        self.name = name
        self.folder = folder
        self.latest: str | None = None
        """The file of the form loaded or written last; None if that failed."""

    @property
    def cache_path(self) -> str:
        """The cache folder."""
        return str(self.folder)

    def enable(self) -> None:
        """Does nothing: the cache is always enabled."""

    def disable(self) -> None:
        """Does nothing: the cache is always enabled."""

    def flush(self) -> None:
        """Remove all forms of the function."""
        for file in self.folder.glob(f"{self.name}-*{ENDING}") if self.folder is not None else ():
            file.unlink(missing_ok=True)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The form for a signature; None if it has to be compiled."""
        target_context.refresh()
        found = None
        file = self._file(sig, target_context.codegen())
        if file is not None:
            found = self._load(file, target_context)
            self.latest = None if found is None else file.name
        if found is None:
            tell(f"Compiling {self.name} of {self.ruleset} for this machine; it takes up to a minute.")
        return found

    def _load(self, file: Path, target_context: Any) -> Any:
        try:
            data = read(file)
            return None if data is None else CompileResult._rebuild(target_context, *pickle.loads(data))
        except Damaged as error:
            tell_once(f"{error}. The rules of {self.ruleset} are compiled again.")
        except Exception as error:
            why = f"{type(error).__name__}: {error}"
            tell_once(f"{file} cannot be loaded ({why}). The rules of {self.ruleset} are compiled again.")
        with suppress(OSError):
            file.unlink()
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store a form. If that fails, the next process compiles it again."""
        self.latest = None
        file = self._file(sig, data.codegen)
        if file is None or data.lifted or data.library.has_dynamic_globals:
            return
        try:
            write(file, dumps(data._reduce()))
            self.latest = file.name
        except OSError as error:
            why = error.strerror or str(error)
            tell_once(f"{self.folder} cannot be written ({why}): each process compiles the rules again.")

    def _file(self, sig: Any, codegen: Any) -> Path | None:
        if self.folder is None:
            return None
        form = blake3(repr((sig, codegen.magic_tuple())).encode()).hexdigest(16)
        return self.folder / f"{self.name}-{form}{ENDING}"


def skip_scipy_import() -> None:
    """Stop Numba from importing SciPy just to check for it, which would waste a quarter of a second.

    Code that needs SciPy still imports it when it is compiled.
    """
    from numba.np import linalg

    ensured = linalg.ensure_blas
    linalg.ensure_blas = _looked_for
    try:
        from numba.np import arraymath
    finally:
        linalg.ensure_blas = ensured
    if arraymath.ensure_blas is _looked_for:
        arraymath.ensure_blas = ensured


def _looked_for() -> None:
    if importlib.util.find_spec("scipy") is None:
        raise ImportError("scipy is not installed")
