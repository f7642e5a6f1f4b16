"""Plays modules through wasmtime: more than half the speed of compiled code, without compiling anything.

An instance has a memory of fixed size for a record, results, and a log or a snapshot. One thread uses it at a time; you
get an idle one or a new one. Other threads run while it plays.
"""

from __future__ import annotations

import atexit
import ctypes
import gc
import importlib.util
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from blake3 import blake3

from fracas.errors import FaultError
from fracas.kernel import jit
from fracas.kernel.cache_files import Damaged, make_private, read, tell_once, why_untrusted, write
from fracas.kernel.identity import Identity
from fracas.portable.artefacts import Rules, identity_of, is_current, layout, module_file
from fracas.portable.intermediate_code import DECIDE
from fracas.rulesets.contract.agents import MOST_DECISIONS
from fracas.rulesets.contract.kernels import Kernels
from fracas.rulesets.contract.types import Rows

PAGE = 65_536
ALIGNMENT = 64
# A call takes at most about this long, so that Ctrl-C is handled.
CALL_SECONDS = 0.05
FIRST_CALL = 64
# Room for the results of one call.
RESULT_BYTES = 4 * 1024 * 1024
MACHINE_CODE = "rules.cwasm"
LOW_HALF = 0xFFFFFFFF

SILENT, LOGGED, ONWARD, DECIDED = "silent", "logged", "onward", "decided"


def can_play(ruleset: Rules, kernels: Kernels) -> bool:
    """Whether there is a module of these rules and these records, and wasmtime to play it."""
    if not is_current(ruleset) or importlib.util.find_spec("wasmtime") is None:
        return False
    found = layout(ruleset)
    types = {"record": kernels.battle_type, "result": kernels.result_type, "log": kernels.log_type}
    return all(found[name]["size"] == kind.itemsize for name, kind in types.items())


def wasm_play(ruleset: Rules, kernels: Kernels, *, logged: bool) -> Callable[..., None]:
    """A function that plays like the ruleset's entry point for many battles, without plug-ins."""
    pool = pool_of(ruleset, LOGGED if logged else SILENT, kernels)

    def play_many(battles: Rows, first_stream: int, results: Rows, logs: Rows | None, plugins: None) -> None:
        """See `kernel/entry_points.py`; the record stays unchanged."""
        assert plugins is None
        with _Lent(pool) as machine:
            machine.load(battles)
            if logs is None:
                machine.play_silent("simulate", (machine.record,), first_stream, results, ())
            else:
                machine.play_logged(first_stream, results, logs)

    return play_many


def wasm_resume(ruleset: Rules, kernels: Kernels) -> Callable[..., None]:
    """A function that plays like the ruleset's entry point for rollouts, without plug-ins."""
    pool = pool_of(ruleset, ONWARD, kernels)

    def resume_many(
        battles: Rows,
        memory: Rows,
        kept: Rows,
        spans: Rows,
        first_stream: int,
        results: Rows,
        place: Rows,
        plugins: None,
    ) -> None:
        """See `kernel/entry_points.py`; the record stays unchanged."""
        assert plugins is None
        with _Lent(pool) as machine:
            machine.load(battles)
            kept_at = machine.put(kept, machine.extra)
            spans_at = machine.put(spans, kept_at + kept.nbytes)
            place_at = machine.put(place, spans_at + spans.nbytes)
            before = (machine.record, machine.record, kept_at, len(kept), spans_at, len(spans))
            machine.play_silent("resume", before, first_stream, results, (place_at, len(place)))

    return resume_many


def wasm_decide(ruleset: Rules, kernels: Kernels) -> Callable[..., None]:
    """A function that plays a battle with decisions like the entry point of `kernel/stepping.py`.

    Only for modules that take decisions (`portable/memory_layout.py`).
    """
    pool = pool_of(ruleset, DECIDED, kernels)

    def play_script(
        battles: Rows, stream: int, agents: Rows, script: Rows, cursor: Rows, mask: Rows, actions: Rows, results: Rows,
        logs: Rows, reached: Rows,
    ) -> None:  # fmt: skip
        """See `kernel/stepping.py`; the record stays unchanged, and the module has arrays of its own to work in."""
        with _Lent(pool) as machine:
            machine.load(battles)
            agents_at = machine.put(agents, machine.extra + logs.nbytes)
            reached_at = machine.put(reached, agents_at + agents.nbytes)
            script_at = machine.put(script, reached_at + reached.nbytes)
            given = (agents_at, len(agents), script_at, len(script))
            machine.decide(stream, given, results, logs, reached_at)
            reached[:] = machine.bytes[reached_at : reached_at + reached.nbytes].view(reached.dtype)

    return play_script


class Machine:
    """One instance of a module, and the places in its memory."""

    def __init__(self, ruleset: Identity, form: str, kernels: Kernels) -> None:
        import wasmtime

        self.identity = ruleset
        self.ruleset = ruleset.name
        self.rows = max(1, RESULT_BYTES // kernels.result_type.itemsize)
        sizes = {
            SILENT: 0,
            LOGGED: kernels.log_type.itemsize,
            # The snapshot, and as much again for spans and place.
            ONWARD: 2 * kernels.battle_type.itemsize,
            # The log, the decisions, and room between them.
            DECIDED: kernels.log_type.itemsize + 32 * MOST_DECISIONS + 4 * ALIGNMENT,
        }
        # The module itself uses the first pages; its exact size is known once there is an instance.
        results = _aligned(kernels.battle_type.itemsize)
        extra = results + _aligned(self.rows * kernels.result_type.itemsize)
        pages = -(-(_OWN_BYTES + extra + sizes[form]) // PAGE)
        try:
            memory = self._begin(pages, spacious=True)
        except (wasmtime.WasmtimeError, MemoryError):
            # Limits on address space, as on clusters (`ulimit -v`): play with a check at each access instead.
            memory = self._begin(pages, spacious=False)
        base = _aligned(self.exports["__heap_base"].value(self.store))
        if base > _OWN_BYTES:
            raise FaultError(f"the module of {ruleset.name} takes {base:,} bytes for itself")
        self.record, self.results, self.extra = base, base + results, base + extra
        self.bytes: np.ndarray[Any, np.dtype[np.uint8]] = np.ctypeslib.as_array(
            memory.data_ptr(self.store), (memory.data_len(self.store),)
        )
        self.seconds_per_battle = 0.0
        self._calls: dict[str, Callable[..., int]] = {}

    def _begin(self, pages: int, *, spacious: bool) -> Any:
        """Make the instance and its memory, and return the memory."""
        import wasmtime

        with _making:
            engine, module = _engine(spacious), _module(self.identity, spacious)
        self.store = wasmtime.Store(engine)
        memory = wasmtime.Memory(self.store, wasmtime.MemoryType(wasmtime.Limits(pages, pages)))
        exports: Any = wasmtime.Instance(self.store, module, [memory]).exports(self.store)
        self.exports = exports
        return memory

    def load(self, battles: Rows) -> None:
        """Copy a record into memory."""
        self.put(battles, self.record)

    def battle(self, kind: np.dtype[Any]) -> Rows:
        """The record after the last battle."""
        return self.bytes[self.record : self.record + kind.itemsize].view(kind).copy()

    def put(self, values: Rows, index: int) -> int:
        """Write an array into memory, at a place or just after it; returns where it begins."""
        start = _aligned(index)
        self.bytes[start : start + values.nbytes] = np.ascontiguousarray(values).reshape(-1).view(np.uint8)
        return start

    def play_silent(
        self, export: str, before: tuple[int, ...], first: int, results: Rows, after: tuple[int, ...]
    ) -> None:
        """Play battles in calls of about equal duration."""
        done = 0
        while done < len(results):
            count = min(len(results) - done, self.rows, self._count_of_a_call())
            into = results[done : done + count]
            # Rules write their own fields of a row and leave the rest unchanged.
            self.bytes[self.results : self.results + into.nbytes] = 0
            started = time.perf_counter()
            self._call(export, (*before, *_halves(first + done), self.results, count, *after))
            self.seconds_per_battle = (time.perf_counter() - started) / count
            into[:] = self.bytes[self.results : self.results + into.nbytes].view(into.dtype)
            done += count

    def _count_of_a_call(self) -> int:
        if not self.seconds_per_battle:
            return FIRST_CALL
        return max(1, int(CALL_SECONDS / self.seconds_per_battle))

    def play_logged(self, first: int, results: Rows, logs: Rows) -> None:
        """Play battles one by one; the log keeps the rows of the last one."""
        for index in range(len(results)):
            self._log_one("play", (self.record, *_halves(first + index)), (), results[index : index + 1])
        self._read(logs[0])

    def decide(self, stream: int, given: tuple[int, ...], results: Rows, logs: Rows, reached: int) -> None:
        """Play a battle with decisions."""
        self._log_one(DECIDE, (self.record, *_halves(stream), *given), (reached,), results)
        self._read(logs[0])

    def _log_one(self, export: str, before: tuple[int, ...], after: tuple[int, ...], results: Rows) -> None:
        size = results.nbytes
        self.bytes[self.results : self.results + size] = 0
        self._call(export, (*before, self.results, self.extra, *after))
        results[:] = self.bytes[self.results : self.results + size].view(results.dtype)

    def _read(self, log: Any) -> None:
        """Read the log of the last battle."""
        head = self.bytes[self.extra : self.extra + 16].view(np.int64)
        log.count, log.fault = head
        rows = self.bytes[self.extra + 16 : self.extra + 16 + log.rows[: log.count].nbytes]
        log.rows[: log.count] = rows.view(np.int32).reshape(-1, log.rows.shape[1])

    def _call(self, export: str, arguments: tuple[int, ...]) -> None:
        import wasmtime

        call = self._calls.get(export)
        if call is None:
            call = self._calls[export] = _call_of(self.store, self.exports[export])
        try:
            status = call(*map(_signed, arguments))
        except (wasmtime.Trap, wasmtime.WasmtimeError) as error:
            reason = str(error).strip().splitlines()[-1].strip()
            raise FaultError(f"the WebAssembly module of {self.ruleset} stopped: {reason}") from None
        if status:
            raise FaultError(f"the WebAssembly module of {self.ruleset} ended with status {status}")


def _call_of(store: Any, function: Any) -> Callable[..., int]:
    """A function of an instance, as one of Python: 32-bit numbers in, one out. Use it in one thread at a time.

    wasmtime's own call reads the function's type and makes an object for each number, which takes longer than a short
    battle. What is used here instead is its binding of C, which checks the types too.
    """
    try:
        return _CheckedCall(store, function)
    except AttributeError:
        # Another version of the binding.
        return partial(function, store)


class _CheckedCall:
    """Calls `wasmtime_func_call` with one set of arguments that is filled again and again."""

    def __init__(self, store: Any, function: Any) -> None:
        from wasmtime import Trap, WasmtimeError, _ffi

        kind = function.type(store)
        count = len(kind.params)
        # The store must outlive its context.
        self._store, self._context, self._function = store, store._context(), function._func
        self._call, self._no_trap = _ffi.wasmtime_func_call, ctypes.POINTER(_ffi.wasm_trap_t)
        self._error_of, self._trap_of = WasmtimeError._from_ptr, Trap._from_ptr
        self._arguments: Any = (_ffi.wasmtime_val_t * count)()
        self._results: Any = (_ffi.wasmtime_val_t * 1)()
        of_32_bits: Any = _ffi.WASMTIME_I32.value
        for each in self._arguments:
            each.kind = of_32_bits
        self._places = [each.of for each in self._arguments]

    def __call__(self, *numbers: int) -> int:
        """Call the function; wasmtime's exceptions say that it stopped, or cannot be called."""
        # Fewer arguments than places would leave those of the last call.
        for place, number in zip(self._places, numbers, strict=True):
            place.i32 = number
        trap: Any = self._no_trap()
        count = len(numbers)
        error: Any = self._call(
            self._context, ctypes.byref(self._function), self._arguments, count, self._results, 1, ctypes.byref(trap)
        )
        if error:
            raise self._error_of(error)
        if trap:
            raise self._trap_of(trap)
        return int(self._results[0].of.i32)


# A module uses this much below its heap: its stack and a few constants.
_OWN_BYTES = 2 * PAGE


@dataclass
class Pool:
    """Idle machines of one form."""

    make: Callable[[], Machine]
    idle: deque[Machine]


# Two threads that begin at once must not both create the shared objects.
_making = threading.RLock()


@cache
def _pools() -> dict[tuple[Any, ...], Pool]:
    return {}


def pool_of(ruleset: Rules, form: str, kernels: Kernels) -> Pool:
    """The process-wide pool of machines of a form."""
    identity = identity_of(ruleset)
    key = identity, form
    with _making:
        if key not in _pools():
            _pools()[key] = Pool(lambda: Machine(identity, form, kernels), deque(maxlen=MOST_IDLE))
        return _pools()[key]


# More are created when more threads play, and dropped afterwards.
MOST_IDLE = 4


class _Lent:
    """A machine while it is in use; after a failure it is not used again."""

    def __init__(self, pool: Pool) -> None:
        self.pool = pool

    def __enter__(self) -> Machine:
        try:
            self.machine = self.pool.idle.pop()
        except IndexError:
            self.machine = self.pool.make()
        return self.machine

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.pool.idle.append(self.machine)


@cache
def _engine(spacious: bool) -> Any:
    """The engine. A spacious one reserves 4 GiB of address space for each memory, so that accesses need no check."""
    import wasmtime

    # wasmtime frees its objects by functions that are gone once Python tears down its modules.
    atexit.register(_forget)
    config = wasmtime.Config()
    config.cranelift_opt_level = "speed"
    config.cranelift_nan_canonicalization = True
    # It would start threads, and a later fork would have them in an unknown state.
    config.parallel_compilation = False
    if not spacious:
        config.memory_reservation = config.memory_reservation_for_growth = config.memory_guard_size = 0
    return wasmtime.Engine(config)


def _forget() -> None:
    _pools.cache_clear()
    _module.cache_clear()
    _engine.cache_clear()
    gc.collect()


@cache
def _module(ruleset: Identity, spacious: bool) -> Any:
    """The module, loaded as machine code from our own cache if that can be trusted, otherwise translated."""
    import wasmtime

    engine = _engine(spacious)
    content = module_file(ruleset).read_bytes()
    file = machine_code_file(ruleset, spacious)
    reason = why_untrusted(file.parent)
    if reason is not None:
        tell_once(f"Translated rules are neither read nor stored: {reason}.")
    with suppress(Damaged, OSError, wasmtime.WasmtimeError):
        cached = read(file) if reason is None else None
        if cached is not None:
            return wasmtime.Module.deserialize(engine, cached)
    module = wasmtime.Module(engine, content)
    if make_private(file.parent):
        with suppress(OSError):
            write(file, bytes(module.serialize()))
    return module


def machine_code_file(ruleset: Rules, spacious: bool = True) -> Path:
    """The path of the translated module: another module, wasmtime or way to check accesses has another folder."""
    told_apart = f"{layout(ruleset)['module']['sha256']} {version('wasmtime')}" + " small" * (not spacious)
    return jit.cache_root() / f"{identity_of(ruleset).name}-{blake3(told_apart.encode()).hexdigest(8)}" / MACHINE_CODE


def _aligned(index: int) -> int:
    return -(-index // ALIGNMENT) * ALIGNMENT


def _halves(stream: int) -> tuple[int, int]:
    # It may be one of NumPy's numbers, which wasmtime does not take.
    number = int(stream)
    return number & LOW_HALF, number >> 32 & LOW_HALF


def _signed(number: int) -> int:
    """The same 32 bits as the signed number that wasmtime expects."""
    return number - (1 << 32) if number > 0x7FFFFFFF else number
