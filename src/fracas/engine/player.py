"""Play one battle or a range of battles of a scenario, in any execution mode, through the ruleset's entry point."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from fracas.engine.execution_mode import (
    ExecutionMode,
    choose_mode,
    is_soon_enough,
    is_worth_measuring,
    tell_mode,
)
from fracas.engine.lockstep import in_lanes
from fracas.engine.scenario import Scenario
from fracas.errors import FaultError, InputError
from fracas.events.tick_labels import Places
from fracas.kernel import jit
from fracas.kernel.event_log import FULL, PLUGIN_FAULT
from fracas.kernel.identity import Identity, game_of
from fracas.kit.author_errors.compiling import is_of_compiler, refused
from fracas.kit.author_errors.running import strictly, try_out
from fracas.kit.load import shown_files
from fracas.plugins.compile import Functions, native_plugins, plain_plugins
from fracas.portable.wasm_machine import wasm_play
from fracas.rulesets.contract.kernels import Kernels
from fracas.rulesets.contract.plugin_kinds import Plugin
from fracas.rulesets.contract.types import Rows, copied

Notice = Callable[[str], None]

# How long to measure a scenario's speed, in processor time, because other processes affect that less.
TRIAL_SECONDS = 0.02
# How many measurements to remember: seconds per battle by ruleset, scenario id, compiled form and number of battles.
MOST_MEASURED = 256
_measured: dict[tuple[Identity, str, str, int], float] = {}


@dataclass
class Player:
    """Plays ranges of one scenario's battles. Use it in one thread only: it owns the record it plays in."""

    kernels: Kernels
    play_many: Callable[..., None]
    record: Rows
    log: Rows | None
    plugin_functions: Functions | None
    plugins: tuple[Plugin, ...] = ()
    mode: ExecutionMode = ExecutionMode.PLAIN
    places: Callable[[], Places] = Places
    """Makes the tick labels of its battles."""

    def play(self, first: int, count: int) -> Rows:
        """Play battles number first to first + count - 1; return one result row each.

        Raises:
            InputError: a plug-in failed, or the log is too short for the battle.
            FaultError: a battle hit a limit of the engine.
        """
        results = np.zeros(count, self.kernels.result_type)
        try:
            self.play_many(self.record, first, results, self.log, self.plugin_functions)
        except Exception as error:
            # Kernels never raise, so this is a plug-in's error. In plain Python its guard raises InputError itself.
            if not self.plugins or isinstance(error, InputError):
                raise
            raise InputError.of(_plugin_names(self.plugins), f"raises {type(error).__name__}: {error}") from None
        if self.log is not None:
            check_log(self.kernels, self.places, first + count - 1, self.log[0])
        check_faults(self.kernels, self.plugins, first, results)
        return results

    def rows(self) -> Rows:
        """The event rows of the last battle played, (n, 8) int32."""
        assert self.log is not None, "the player keeps no log"
        return np.array(self.log[0].rows[: self.log[0].count])

    def clone(self) -> Player:
        """Make a player of the same scenario for another thread."""
        log = None if self.log is None else np.zeros_like(self.log)
        return replace(self, record=copied(self.record), log=log)


def check_log(kernels: Kernels, places: Callable[[], Places], battle: int, log: Any) -> None:
    """Raise an error if the log of a battle, by its number, is full.

    A scenario that plays so many rounds is valid, and only its battle shows how much each round logs.

    Raises:
        InputError: the log is full; says how many rounds would have fitted.
    """
    if log.fault != FULL:
        return
    rounds = places().rounds_before(int(log.rows[log.count - 1, 0]))
    fitting = "write a smaller number, or " if rounds is None else f"write at most {rounds:,}, or " if rounds else ""
    message = f"is too large: battle {battle} has more than the {len(log.rows):,} events that a log holds"
    raise InputError.of(kernels.length_cap_option, message, f"{fitting}play it without a log")


def check_faults(kernels: Kernels, authors: tuple[Plugin, ...], first: int, results: Rows) -> None:
    """Raise an error if any result row, the first being battle number `first`, has a fault.

    Raises:
        InputError: a plug-in failed.
        FaultError: a battle hit a limit of the engine: a number too large, an address without dice left.
    """
    faulty = np.flatnonzero(results["fault"])
    if not faulty.size:
        return
    index = int(faulty[0])
    fault = int(results["fault"][index])
    if fault & PLUGIN_FAULT:
        message = f"adds more effects or rolls more dice in battle {first + index} than a plug-in may at once"
        raise InputError.of(_plugin_names(authors), message)
    raise FaultError(f"battle {first + index}: {fault_text(fault)}")


def _plugin_names(plugins: tuple[Plugin, ...]) -> str:
    return ", ".join(f"{plugin.file}: {plugin.name}" for plugin in plugins)


def fault_text(fault: int) -> str:
    """Describe a result's fault number."""
    if fault & 0xFF == FULL:
        return "it has more events than a log holds"
    if fault & 0xFF:
        return "an event contains a number that does not fit in 32 bits"
    return "a dice address has no rolls left"


def make_player(
    scenario: Scenario, *, logged: bool, battles: int, notice: Notice | None = None, alone: bool = False
) -> Player:
    """Make a player for a number of battles, in the execution mode that finishes first (execution_mode.py).

    `alone` means that the process plays only these battles.

    Raises:
        InputError: a plug-in does not compile, or the rules of a game do not.
    """
    kernels = scenario.ruleset.kernels
    plugins = scenario.compiled.plugins
    log = np.zeros(1, kernels.log_type) if logged else None
    places = partial(scenario.ruleset.tick_labels, scenario.document)
    record = scenario.compiled.own_record()
    is_over_soon = alone and scenario.ruleset.prefers_interpreter(scenario.document)
    ruleset, form = scenario.ruleset, compiled_form(logged, bool(plugins))
    mode = choose_mode(ruleset, kernels.play_many, form, battles, has_plugins=bool(plugins), is_over_soon=is_over_soon)
    if mode == ExecutionMode.PLAIN:
        tell_mode(ruleset.name, mode, battles)
        play_many = strictly(kernels.play_many) if ruleset.rules_hash else kernels.play_many
        return Player(kernels, play_many, record, log, plain_plugins(kernels, plugins), plugins, places=places)
    if mode == ExecutionMode.WASM:
        play_many = wasm_play(ruleset.identity, kernels, logged=logged)
        player = Player(kernels, play_many, record, log, None, mode=mode, places=places)
        if not _is_too_slow(player, scenario, form, battles):
            tell_mode(ruleset.name, mode, battles)
            return player
    functions = native_plugins(kernels, plugins)
    play_many = prepare_native(kernels, ruleset.name, record, log, functions, notice)
    fit = None
    if not logged and not plugins:
        play_many, fit = in_lanes(kernels, play_many, record, battles)
    tell_mode(ruleset.name, ExecutionMode.NATIVE, battles, str(fit or ""))
    return Player(kernels, play_many, record, log, functions, plugins, ExecutionMode.NATIVE, places)


def _is_too_slow(player: Player, scenario: Scenario, form: str, battles: int) -> bool:
    """Whether the module is so slow on this scenario that compiling is worthwhile; plays some battles to find out."""
    rules = scenario.ruleset.identity
    is_compiled = jit.is_cached(player.kernels.play_many, form)
    if jit.jit_setting() == "wasm" or not is_worth_measuring(rules, battles, is_compiled=is_compiled):
        return False
    # A study plays hundreds of variants of one scenario, and measuring each would take longer than playing them.
    study = (rules, scenario.id, form, battles)
    if study not in _measured:
        if len(_measured) >= MOST_MEASURED:
            _measured.clear()
        _measured[study] = _seconds_per_battle(player, battles)
    return not is_soon_enough(rules, battles, is_compiled=is_compiled, seconds_per_battle=_measured[study])


def _seconds_per_battle(player: Player, battles: int) -> float:
    # The first battle of a process includes the time to load the module.
    player.play(0, 1)
    count, seconds = 1, 0.0
    while seconds < TRIAL_SECONDS and count < battles:
        count *= 2
        started = time.thread_time()
        player.play(0, count)
        seconds = time.thread_time() - started
    return seconds / count


def compiled_form(logged: bool, with_plugins: bool) -> str:
    """Name one of the entry point's compiled forms."""
    return f"{'logged' if logged else 'silent'}{'-plugins' if with_plugins else ''}"


def prepare_native(
    kernels: Kernels, name: str, record: Rows, log: Rows | None, plugins: Any, notice: Notice | None
) -> Callable[..., None]:
    """Get the compiled entry point, compiling it first if this machine has not; notify the user before that."""
    form = compiled_form(log is not None, plugins is not None)
    if not jit.is_cached(kernels.play_many, form) and notice is not None:
        notice(f"Compiling the {name} rules for this machine ({form}). This takes ten to thirty seconds, once.")
    play_many = jit.native(kernels.play_many)
    is_game = game_of(kernels.play_many) is not None
    if is_game and not jit.is_cached(kernels.play_many, form):
        try_out(kernels.play_many, record, kernels.result_type, shown_files())
    try:
        play_many(record, 0, np.zeros(0, kernels.result_type), log, plugins)
    except Exception as error:
        if is_game and is_of_compiler(error):
            raise refused(error, name, shown_files()) from None
        raise
    jit.mark_cached(kernels.play_many, form)
    return play_many
