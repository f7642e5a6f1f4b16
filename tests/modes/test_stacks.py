"""Stacks, plain and compiled: the same rows, results and states, with shipped moves and with plug-ins."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.helpers import soak
from tests.helpers.records import differences
from tests.helpers.rules import Rule, bend
from tests.helpers.soak import times
from tests.helpers.stacks_fights import KERNELS, random_documents

from fracas.kernel import jit
from fracas.plugins.compile import native_plugins, plain_plugins
from fracas.plugins.loader import plugins_of
from fracas.rulesets.contract.plugin_kinds import Plugin
from fracas.rulesets.contract.types import Compiled
from fracas.rulesets.stacks.content.compile import compile_battle
from fracas.rulesets.stacks.rules.entry_points import play_many
from fracas.rulesets.stacks.rules.state import log_t, result_t

Entry = Callable[..., None]
SCENARIOS = times(30)
PORTION = 15
# Each set of plug-ins that a battle uses is compiled anew.
PLUGIN_SETS = 3

MOVES = '''
import fracas
from fracas.rulesets.stacks.rules.participants import can_harm, can_help, participant_at
from fracas.rulesets.stacks.rules.rolls import damage_roll, hit_value, lose_health, own_roll, put, regain_health


@fracas.move_type
class Blow:
    """Strike, written anew."""

    melee = True
    counts_as_strike = True

    def is_viable(battle, actor, target):
        return can_harm(battle, actor, target)

    def expected_value(battle, actor, target):
        one, other = participant_at(battle, actor), participant_at(battle, target)
        return hit_value(battle, one.attack, other.defence, one.damage, 2)

    def repeats(battle, actor, target):
        return 2

    def generate(battle, actor, target):
        one, other = participant_at(battle, actor), participant_at(battle, target)
        put(battle, target, damage_roll(battle, target, one.attack, other.defence, one.damage))

    def apply(battle, actor, target, effect):
        lose_health(participant_at(battle, target), effect)


@fracas.move_type
class Leech:
    """A weak bite whose damage the biter regains; once in a while it also dulls the victim's attack."""

    melee = True

    def is_viable(battle, actor, target):
        return can_harm(battle, actor, target)

    def expected_value(battle, actor, target):
        one, other = participant_at(battle, actor), participant_at(battle, target)
        return hit_value(battle, one.attack, other.defence, one.damage - 1, 1) * 3 / 2

    def repeats(battle, actor, target):
        return 1 + battle.turn % 3

    def generate(battle, actor, target):
        one, other = participant_at(battle, actor), participant_at(battle, target)
        put(battle, target, damage_roll(battle, target, one.attack, other.defence, one.damage - 1))
        if own_roll(battle, target, 1, 6) == 6:
            put(battle, -1, own_roll(battle, -1, 1, 2))

    def apply(battle, actor, target, effect):
        one = participant_at(battle, actor)
        if target < 0:
            one.attack = max(one.attack - effect, 0)
        else:
            lose_health(participant_at(battle, target), effect)
            regain_health(one, effect // 2)


@fracas.move_type
class Rouse:
    """Brings a fallen friend back, once."""

    harmful = False

    def is_viable(battle, actor, target):
        one, other = participant_at(battle, actor), participant_at(battle, target)
        return one.side == other.side and other.health == 0 and one.used[battle.move_type] == 0

    def expected_value(battle, actor, target):
        return 4

    def repeats(battle, actor, target):
        return 1

    def generate(battle, actor, target):
        put(battle, target, 3)

    def apply(battle, actor, target, effect):
        regain_health(participant_at(battle, target), effect)
'''


@pytest.fixture(scope="module")
def compiled_entry() -> Entry:
    return jit.native(play_many)


@pytest.fixture(scope="module")
def plugins(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Plugin]:
    file: Path = tmp_path_factory.mktemp("plugins") / "moves.py"
    file.write_text(MOVES, encoding="utf-8")
    return {plugin.name: plugin for _, plugin in plugins_of(file)}


def play(entry: Entry, compiled: Compiled, functions: Any, stream: int, *, logged: bool) -> tuple[Any, Any, Any]:
    """One battle by an entry point: the result, the rows, and the record in which it ended."""
    records = compiled.record.copy()
    results = np.zeros(1, result_t)
    logs = np.zeros(1, log_t) if logged else None
    entry(records, stream, results, logs, functions)
    rows = logs[0].rows[: logs[0].count].copy() if logs is not None else None
    return results[0], rows, records[0]


# What is noted for the log alone, and what is left of a making, is no state.
OF_A_MAKING = ("rolls", "roll_count", "noting")


def unequal(first: tuple[Any, Any, Any], second: tuple[Any, Any, Any], *, rows: bool = True) -> list[str]:
    """In what two plays of one battle differ."""
    found = [f"result.{difference}" for difference in differences(first[0], second[0])]
    state = [f"state.{difference}" for difference in differences(first[2], second[2])]
    found += [each for each in state if rows or not each.removeprefix("state.").startswith(OF_A_MAKING)]
    if rows and not np.array_equal(first[1], second[1]):
        found.append("rows")
    return found


@pytest.mark.parametrize("first", range(0, SCENARIOS, PORTION))
def test_random_attacks_come_out_the_same(first: int, compiled_entry: Entry) -> None:
    for number, document in enumerate(random_documents(first, PORTION), first):
        compiled = compile_battle(document, {})
        stream = number * 1_000_003
        plain = play(play_many, compiled, None, stream, logged=True)
        native = play(compiled_entry, compiled, None, stream, logged=True)
        assert not unequal(plain, native), f"attack {number}, stream {stream}"
        silent = play(compiled_entry, compiled, None, stream, logged=False)
        assert not unequal(plain, silent, rows=False), f"attack {number}, stream {stream}"


@soak.only
def test_plug_ins_come_out_the_same(compiled_entry: Entry, plugins: dict[str, Plugin]) -> None:
    native_ones: dict[tuple[str, ...], Any] = {}
    used = set()
    moves = ("blow", "leech", "rouse", "healing", "charge")
    for number, document in enumerate(random_documents(1000, 60, moves)):
        compiled = compile_battle(document, plugins)
        names = tuple(plugin.name for plugin in compiled.plugins)
        if names not in native_ones:
            if len(native_ones) == PLUGIN_SETS:
                continue
            native_ones[names] = native_plugins(KERNELS, compiled.plugins)
        plain = play(play_many, compiled, plain_plugins(KERNELS, compiled.plugins), number, logged=True)
        native = play(compiled_entry, compiled, native_ones[names], number, logged=True)
        assert not unequal(plain, native), f"attack {number}"
        silent = play(compiled_entry, compiled, native_ones[names], number, logged=False)
        assert not unequal(plain, silent, rows=False), f"attack {number}"
        used |= {compiled.books["move"][row[4]] for row in plain[1] if row[1] == 11}
    assert {"blow", "leech", "rouse", "riposte"} <= used


def test_a_difference_between_the_modes_is_found(compiled_entry: Entry, monkeypatch: pytest.MonkeyPatch) -> None:
    """A negative control: the plain rules are bent, and the comparison must see it."""

    def more(kept: Rule) -> Rule:
        return lambda attack, defence: kept(attack, defence) + attack

    bend(monkeypatch, "hits", more, ruleset="stacks")
    differ = 0
    for document in random_documents(0, 20):
        compiled = compile_battle(document, {})
        honest = play(compiled_entry, compiled, None, 0, logged=True)
        differ += "rows" in unequal(play(play_many, compiled, None, 0, logged=True), honest)
        if differ > 5:
            return
    pytest.fail(f"no more than {differ} battles differ")


def test_a_battle_is_its_number_whoever_plays_it(compiled_entry: Entry) -> None:
    [document] = random_documents(5, 1)
    compiled = compile_battle(document, {})
    results = np.zeros(40, result_t)
    compiled_entry(compiled.record.copy(), 2**32 - 20, results, None, None)
    for place in range(0, 40, 13):
        alone = play(compiled_entry, compiled, None, 2**32 - 20 + place, logged=False)
        assert not list(differences(alone[0], results[place]))
