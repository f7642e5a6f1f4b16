"""Playing: plain or compiled, one battle or a range of them, always through the ruleset's one entry point."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from fracas.errors import FaultError, InputError
from fracas.kernel import jit
from fracas.kernel.log import FULL
from fracas.replay.scenario import Scenario
from fracas.rulesets.contract import Kernels, Plugin, Records

Notice = Callable[[str], None]

# Up to so many battles are sooner played plain than a first compilation is done.
FEW_BATTLES = 100


@dataclass
class Player:
    """Plays ranges of one scenario's battles. Belongs to one thread: it owns the record that it plays in."""

    kernels: Kernels
    play_many: Callable[..., None]
    record: Records
    log: Records | None
    plugins: tuple[Callable[..., int], ...] | None

    def play(self, first: int, count: int) -> Records:
        """Battles number first to first + count - 1, one row of results each.

        Raises:
            FaultError: a battle ran into a limit of ours.
        """
        results = np.zeros(count, self.kernels.result_type)
        self.play_many(self.record, first, results, self.log, self.plugins)
        faulty = np.flatnonzero(results["fault"])
        if faulty.size:
            place = int(faulty[0])
            raise FaultError(f"battle {first + place}: {fault_text(int(results['fault'][place]), self.kernels)}")
        return results

    def rows(self) -> Records:
        """The event rows of the battle played last, (n, 8) int32."""
        assert self.log is not None, "the player keeps no log"
        return np.array(self.log[0].rows[: self.log[0].count])

    def twin(self) -> Player:
        """A player of the same scenario for another thread."""
        log = None if self.log is None else np.zeros_like(self.log)
        return Player(self.kernels, self.play_many, self.record.copy(), log, self.plugins)


def fault_text(fault: int, kernels: Kernels) -> str:
    """What a result's fault number means."""
    if fault & 0xFF == FULL:
        capacity = kernels.log_type["rows"].shape[0]
        return f"it has more than {capacity:,} events; a lower round cap keeps the log within its limit"
    if fault & 0xFF:
        return "an event holds a number that does not fit into 32 bits"
    return "an address of the dice ran out of words"


def make_player(scenario: Scenario, *, logged: bool, battles: int, notice: Notice | None = None) -> Player:
    """A player for so many battles: compiled, or plain where compiling first would take longer than playing.

    Raises:
        InputError: a plug-in that does not compile.
    """
    kernels = scenario.ruleset.kernels
    plugins = scenario.compiled.plugins
    log = np.zeros(1, kernels.log_type) if logged else None
    record = scenario.compiled.record.copy()
    if not _is_worth_compiling(kernels, variant(logged, bool(plugins)), battles):
        return Player(kernels, kernels.play_many, record, log, plain_plugins(kernels, plugins))
    functions = native_plugins(kernels, plugins)
    play_many = prepare_native(kernels, scenario.ruleset.name, record, log, functions, notice)
    return Player(kernels, play_many, record, log, functions)


def variant(logged: bool, with_plugins: bool) -> str:
    """The name of one of the entry point's compiled forms."""
    return f"{'logged' if logged else 'silent'}{'-plugins' if with_plugins else ''}"


def _is_worth_compiling(kernels: Kernels, form: str, battles: int) -> bool:
    setting = jit.jit_setting()
    if setting != "auto":
        return setting == "always"
    return battles > FEW_BATTLES or jit.is_cached(kernels.play_many, form)


def prepare_native(
    kernels: Kernels, name: str, record: Records, log: Records | None, plugins: Any, notice: Notice | None
) -> Callable[..., None]:
    """The compiled entry point, compiled now if this machine has not done so before; says so if it takes a while."""
    form = variant(log is not None, plugins is not None)
    if not jit.is_cached(kernels.play_many, form) and notice is not None:
        notice(
            f"Compiling the rules of {name} for this machine ({form}). This happens once and takes about ten seconds."
        )
    play_many = jit.native(kernels.play_many)
    play_many(record, 0, np.zeros(0, kernels.result_type), log, plugins)
    jit.mark_cached(kernels.play_many, form)
    return play_many


def plain_plugins(kernels: Kernels, plugins: tuple[Plugin, ...]) -> tuple[Callable[..., int], ...] | None:
    """The plug-ins as the plain entry point takes them."""
    if not plugins or kernels.idle_plugin is None:
        return None
    functions = [plugin.function for plugin in plugins]
    return tuple(functions + [kernels.idle_plugin] * (kernels.plugin_slots - len(functions)))


def native_plugins(kernels: Kernels, plugins: tuple[Plugin, ...]) -> tuple[Callable[..., int], ...] | None:
    """The plug-ins compiled with their explicit signature, padded to the fixed length of their tuple.

    Raises:
        InputError: a plug-in that does not compile.
    """
    if not plugins or kernels.idle_plugin is None or kernels.plugin_signature is None:
        return None
    numba = jit.enable()
    signature = kernels.plugin_signature()
    compiled: list[Callable[..., int]] = []
    for plugin in plugins:
        try:
            compiled.append(numba.njit(signature, nogil=True)(plugin.function))
        except numba.core.errors.NumbaError as error:
            reason = str(error).strip().splitlines()
            told = next((line for line in reason if line.strip() and not line.startswith("Failed in")), reason[0])
            raise InputError.of(plugin.file, f'"{plugin.name}" cannot be compiled: {told}') from None
    idle = numba.njit(signature, nogil=True)(kernels.idle_plugin)
    return tuple(compiled + [idle] * (kernels.plugin_slots - len(compiled)))
