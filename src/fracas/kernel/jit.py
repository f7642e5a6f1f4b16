"""Runs kernels as plain Python or as compiled code, from one source.

A kernel is an ordinary Python function. `@kernel` registers it and returns it unchanged, so calling it plays the rules
in plain Python: under a debugger, in coverage, without importing Numba. `native(entry)` returns the compiled twin of an
entry point: every registered kernel becomes callable from compiled code, and the entry point with everything it calls
is compiled, or loaded from a cache folder named after a hash of all its sources.

    FRACAS_JIT        0 never compile, 1 always, wasm play the WebAssembly modules; auto or unset: whichever is done
                      soonest (engine/execution_mode.py)
    FRACAS_CACHE_DIR  the folder for compiled kernels; only you may have write access
"""

from __future__ import annotations

import importlib
import os
import platform
import threading
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast

from fracas.errors import InputError
from fracas.kernel.cache_files import make_private, tell_once, why_untrusted
from fracas.kernel.identity import Identity, game_of

Function = TypeVar("Function", bound=Callable[..., Any])

# inline_compiler.py and `without_refcounts` use internals of Numba that other versions may have changed.
NEWEST_NUMBA_TRIED = (0, 68)

# The rooms of a ruleset that are compiled. All of their files decide the cache key.
COMPILED_ROOMS = ("rules", "solver")
# What is compiled for a game besides its own rules, which its rules hash stands for.
GAME_ROOMS = ("kernel", "kit")

_kernels: list[Callable[..., Any]] = []
_apart: set[Callable[..., Any]] = set()
_without_refcounts: set[Callable[..., Any]] = set()
_twin_modules: list[str] = []
_by_dice: dict[Callable[..., Any], tuple[Callable[..., Any], Callable[..., Any]]] = {}
_dispatchers: dict[Callable[..., Any], Any] = {}
_enabled: set[Callable[..., Any]] = set()
_loaded: set[tuple[Callable[..., Any], str]] = set()
# Held while kernels are declared to Numba, which threads must not do at the same time, and never while they compile.
_declaring = threading.RLock()


def kernel(function: Function) -> Function:
    """Register a function as callable from compiled code; the function itself stays plain Python."""
    _kernels.append(function)
    return function


def kernel_noinline(function: Function) -> Function:
    """Like `kernel`, for a large function with many callers: it is compiled once, not inlined into each."""
    _apart.add(function)
    return kernel(function)


def without_refcounts(entry: Function) -> Function:
    """Register an entry point that makes no arrays and keeps none: compiled, it does not count references to them.

    Numba counts with atomic operations wherever an array is passed on. Where kernels are short, that takes most of the
    time, and threads wait for each other's counts.
    """
    _without_refcounts.add(entry)
    return entry


def native_implementation(module: str) -> Callable[[Function], Function]:
    """Like `kernel`, for a function whose compiled form is handwritten in another module."""

    def note(function: Function) -> Function:
        if module not in _twin_modules:
            _twin_modules.append(module)
        return function

    return note


def register_enumerating(chosen: Callable[..., Any], words: Callable[..., Any], branching: Callable[..., Any]) -> None:
    """Register that `chosen` stands for one of two kernels, depending on the kind of dice in its first argument."""
    _by_dice[chosen] = (words, branching)


def kernels() -> tuple[Callable[..., Any], ...]:
    """Every function registered with `kernel` so far."""
    return tuple(_kernels)


def jit_setting() -> str:
    """The setting in FRACAS_JIT: `never`, `always`, `wasm` or `auto`. Without a WebAssembly module `wasm` means `auto`.

    Raises:
        InputError: FRACAS_JIT is set to something else.
    """
    value = os.environ.get("FRACAS_JIT", "")
    settings = {"": "auto", "0": "never", "1": "always", "wasm": "wasm", "auto": "auto"}
    if value not in settings:
        raise InputError.of("FRACAS_JIT", f'"{value}" is not one of 0, 1, wasm and auto')
    return settings[value]


def forget_kernels(identity: Identity) -> None:
    """Drop the kernels of a game that nobody uses any more, so that they are not declared again."""
    _kernels[:] = [function for function in _kernels if game_of(function) != identity]


def enable(game: Identity | None = None) -> Any:
    """Register the kernels of Fracas, and of one game, with Numba, which is imported here for the first time.

    The kernels of other games stay unknown to Numba until somebody plays them.
    """
    import numba
    from numba.extending import register_jitable

    with _declaring:
        # Plug-ins are tuples of first-class functions by design (docs/adr/0007).
        warnings.filterwarnings("ignore", message="First-class function type feature is experimental")
        options = _inner_options(numba)
        if not _enabled and options:
            from fracas.kernel.numba_cache import skip_scipy_import

            skip_scipy_import()
        # Kernels inlined into their entry point are 50% faster but take longer to compile.
        for function in _kernels:
            if function not in _enabled and game_of(function) in (None, game):
                register_jitable(forceinline=function not in _apart, **options)(function)
                _enabled.add(function)
        for chosen, forms in _by_dice.items():
            if chosen not in _enabled:
                _enable_by_dice(chosen, *forms, options)
                _enabled.add(chosen)
        for module in _twin_modules:
            importlib.import_module(module)
    return numba


def _enable_by_dice(
    chosen: Callable[..., Any], words: Callable[..., Any], branching: Callable[..., Any], options: dict[str, Any]
) -> None:
    """Let compiled code choose between two kernels by the record type of the first argument."""
    from numba.extending import overload

    def by_type(holder: Any, *rest: Any) -> Callable[..., Any]:
        fields = holder.fields
        if "dice" in fields:
            fields = fields["dice"].type.fields
        return branching if "told" in fields else words

    settings = {"forceinline": words not in _apart, **options}
    overload(chosen, jit_options=settings, strict=False)(by_type)


def _inner_options(numba: Any) -> dict[str, Any]:
    """Options for kernels called by other kernels; newer versions of Numba use their own way, which takes longer."""
    if not _is_tried(numba):
        return {}
    from fracas.kernel.inline_compiler import InnerCompiler

    return {"pipeline_class": InnerCompiler, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def _is_tried(numba: Any) -> bool:
    """Whether internals of this version of Numba are known."""
    return bool(numba.version_info.short <= NEWEST_NUMBA_TRIED)


def native(entry: Function) -> Function:
    """The compiled twin of an entry point, cached on disk; compiles on the first call with a new set of types.

    Raises:
        FracasError: never; without a writable cache folder, every process compiles again.
    """
    if entry not in _dispatchers:
        with _declaring:
            if entry not in _dispatchers:
                numba = enable(game_of(entry))
                options = {"_nrt": False} if entry in _without_refcounts and _is_tried(numba) else {}
                dispatcher = numba.njit(nogil=True, **options)(entry)
                dispatcher._cache = _kept_code(entry)
                _dispatchers[entry] = dispatcher
    return cast(Function, _dispatchers[entry])


def native_for(entry: Function, *arguments: Any) -> Function:
    """The compiled twin of an entry point for the types of these arguments only, which it does not look up again."""
    from numba import typeof

    dispatcher: Any = native(entry)
    types = tuple(map(typeof, arguments))
    dispatcher.compile(types)
    return cast(Function, dispatcher.overloads[types].entry_point)


def native_alone(function: Callable[..., Any], signature: Any, entry: Callable[..., Any], identity: str | None) -> Any:
    """Compile a user's function for one signature (or only its arguments), to be passed to an entry point.

    It is cached beside the entry point under `identity`, the function's; None caches it for this process only.
    """
    dispatcher = enable(game_of(entry)).njit(nogil=True, forceinline=True)(function)
    if identity is not None:
        dispatcher._cache = _kept_code(entry, f"plugin-{identity[:32]}")
    dispatcher.compile(signature)
    dispatcher.disable_compile()
    return dispatcher


def _kept_code(entry: Callable[..., Any], name: str = "") -> Any:
    """The cache for an entry point's compiled forms; warns if they cannot be stored safely."""
    from fracas.kernel.numba_cache import CodeCache

    folder = cache_folder(entry)
    reason = why_untrusted(folder)
    if reason is not None:
        tell_once(f"Compiled rules are neither read nor stored: {reason}.")
    name = name or cast(FunctionType, entry).__name__
    return CodeCache(identity_of(entry).name, name, folder if make_private(folder) else None)


class _Typed(tuple[Any, ...]):
    """A tuple of tuples of compiled functions that knows its Numba type."""

    numba_type: Any


def typed(functions: tuple[Any, ...]) -> tuple[Any, ...]:
    """The same compiled functions with their type recorded: Numba needs milliseconds to infer it at every call."""
    noted = _Typed(functions)
    noted.numba_type = _typeof()(functions)
    return noted


@cache
def _typeof() -> Callable[[Any], Any]:
    from numba import typeof
    from numba.extending import typeof_impl

    def known(value: _Typed, context: Any) -> Any:
        return value.numba_type

    typeof_impl.register(_Typed)(known)
    return cast(Callable[[Any], Any], typeof)


def cache_root() -> Path:
    """The folder with compiled kernels of all versions."""
    chosen = os.environ.get("FRACAS_CACHE_DIR")
    if chosen:
        return Path(chosen)
    import platformdirs

    return Path(platformdirs.user_cache_dir("fracas", appauthor=False))


def cache_folder(entry: Callable[..., Any]) -> Path:
    """The cache folder of an entry point: each combination of source, library and processor has its own."""
    identity = identity_of(entry)
    return cache_root() / f"{identity.name}-{source_key(identity)}"


def identity_of(entry: Callable[..., Any]) -> Identity:
    """The game or the shipped ruleset that an entry point is part of."""
    return game_of(entry) or Identity(ruleset_of(cast(FunctionType, entry).__module__))


def ruleset_of(module: str) -> str:
    """The shipped ruleset that a module belongs to: the part of its dotted name after `rulesets`."""
    parts = module.split(".")
    return parts[parts.index("rulesets") + 1]


@cache
def source_key(rules: Identity | str) -> str:
    """A hash of everything that decides what the kernels of a game or a shipped ruleset compile to."""
    from importlib.metadata import version

    from blake3 import blake3

    identity = Identity(rules) if isinstance(rules, str) else rules
    package = Path(__file__).parent.parent
    # Numba stores compiled code by source path, so another copy of the package is another key.
    hasher = blake3(str(package).encode())
    # Two rooms may have files of the same name, so the key includes paths.
    files = game_sources(package) if identity.rules else compiled_sources(package, identity.name)
    for file in files:
        hasher.update(file.relative_to(package).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    libraries = [f"{name} {version(name)}" for name in ("numba", "llvmlite", "numpy")]
    hasher.update("\n".join([*libraries, platform.python_version(), _processor(), identity.rules]).encode())
    return hasher.hexdigest(8)


def game_sources(package: Path) -> list[Path]:
    """Every file of this package that is compiled for a game besides its own: the kernel, and the kit's loops."""
    return sorted(file for room in GAME_ROOMS for file in (package / room).rglob("*.py"))


def compiled_sources(package: Path, ruleset: str) -> list[Path]:
    """Every file compiled for a ruleset: the kernel, the ruleset's rules, and its solver if it has one."""
    rooms = (package / "kernel", *(package / "rulesets" / ruleset / room for room in COMPILED_ROOMS))
    return sorted(file for room in rooms for file in room.rglob("*.py"))


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = [platform.processor()]
    wanted = [line for line in lines if line.startswith(("model name", "flags", "Features"))]
    return platform.machine() + "\n" + "\n".join(sorted(set(wanted)))


def is_cached(entry: Callable[..., Any], variant: str) -> bool:
    """True if this variant of the entry point is compiled and on disk, unless its file is damaged."""
    file = cached_file(entry, variant)
    return file is not None and file.exists() and why_untrusted(file.parent) is None


def is_loaded(entry: Callable[..., Any], variant: str) -> bool:
    """True if this process has already used this compiled variant, so that using it again is free."""
    return (entry, variant) in _loaded


def cached_file(entry: Callable[..., Any], variant: str) -> Path | None:
    """The file with this variant, according to its marker; None if it is not compiled."""
    marker = _marker(entry, variant)
    try:
        name = marker.read_text()
    except (OSError, ValueError):
        return None
    return marker.parent / name if name and Path(name).name == name else None


def _marker(entry: Callable[..., Any], variant: str) -> Path:
    return cache_folder(entry) / f"{variant}.ready"


def mark_cached(entry: Callable[..., Any], variant: str) -> None:
    """Record that the last called variant of the entry point is compiled, in this process and on disk."""
    _loaded.add((entry, variant))
    stored = getattr(_dispatchers.get(entry), "_cache", None)
    if stored is not None and stored.latest is not None and not is_cached(entry, variant):
        with suppress(OSError):
            _marker(entry, variant).write_text(stored.latest)
