from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from tests.conditions.example import ALLIES, ENEMIES, VOCABULARY, tree_of, trees
from tests.helpers.soak import times

from fracas.conditions import Tree
from fracas.conditions.compiler import COMPARES, Ask, Line, Pool, Program, Span, Step, compile_condition, subprograms
from fracas.errors import InputError, Problem
from fracas.kernel.condition_evaluator import (
    AND,
    AT_LEAST,
    AT_MOST,
    COMPARE,
    COMPARE_SLOTS,
    EQUAL,
    EVERY_UNIT,
    LESS,
    MORE,
    MULTIPLE_OF,
    NOT,
    OR,
    PUSH_FALSE,
    PUSH_TRUE,
    SCALAR,
    STACK_BITS,
    UNEQUAL,
    ask_t,
    fact_t,
    step_t,
)
from fracas.kernel.records import record


def program_of(source: object) -> Program:
    return compile_condition(tree_of(source), VOCABULARY)


def push(value: bool) -> Step:
    return (PUSH_TRUE if value else PUSH_FALSE, 0, 0, 0)


HP: Ask = (SCALAR, 0, 0, 0)
ROUND: Ask = (SCALAR, 4, 0, 0)
IS_STUNNED: Ask = (SCALAR, 100, 0, 0)
BOSS: Ask = (SCALAR, 7, 0, 0)


@pytest.mark.parametrize(
    ("source", "steps", "asks"),
    [
        ("always", [push(True)], []),
        ("zzz", [push(True)], []),
        ("not zzz", [push(False), (NOT, 0, 0, 0)], []),
        ("self.hp_pct < 50", [(COMPARE, 0, LESS, 50)], [HP]),
        ("round >= 3", [(COMPARE, 0, AT_LEAST, 3)], [ROUND]),
        ("self.stunned", [(COMPARE, 0, MORE, 0)], [IS_STUNNED]),
        ("boss_present", [(COMPARE, 0, MORE, 0)], [BOSS]),
        ("every_3_rounds", [(COMPARE, 0, MULTIPLE_OF, 3)], [ROUND]),
        ("enemies.any(stunned)", [(COMPARE, 0, MORE, 0)], [(ENEMIES, 10, MORE, 0)]),
        ("allies.any(hp_pct <= 30)", [(COMPARE, 0, MORE, 0)], [(ALLIES, 0, AT_MOST, 30)]),
        ("allies.count(charge == 80) != 2", [(COMPARE, 0, UNEQUAL, 2)], [(ALLIES, 1, EQUAL, 80)]),
        ("allies.count(shielded) < 0", [(COMPARE, 0, LESS, 0)], [(ALLIES, 11, MORE, 0)]),
        (
            "enemies.all(poisoned)",
            [(COMPARE_SLOTS, 0, EQUAL, 1)],
            [(ENEMIES, 12, MORE, 0), (ENEMIES, EVERY_UNIT, 0, 0)],
        ),
        (
            "round > 1 and self.stunned and not round > 9",
            [
                (COMPARE, 0, MORE, 1),
                (COMPARE, 1, MORE, 0),
                (AND, 0, 0, 0),
                (COMPARE, 0, MORE, 9),
                (NOT, 0, 0, 0),
                (AND, 0, 0, 0),
            ],
            [ROUND, IS_STUNNED],
        ),
        (
            "allies.all(stunned) or allies.any(stunned)",
            [(COMPARE_SLOTS, 0, EQUAL, 1), (COMPARE, 0, MORE, 0), (OR, 0, 0, 0)],
            [(ALLIES, 10, MORE, 0), (ALLIES, EVERY_UNIT, 0, 0)],
        ),
    ],
)
def test_what_a_condition_compiles_to(source: str, steps: list[Step], asks: list[Ask]) -> None:
    assert program_of(source) == Program(tuple(steps), tuple(asks))


def test_no_condition_compiles_to_nothing() -> None:
    assert compile_condition(None, VOCABULARY) == Program((), ())
    assert subprograms(None, VOCABULARY) == ()


def test_a_name_compiles_to_what_it_stands_for() -> None:
    assert program_of("ally_hp_below_50") == program_of("allies.any(hp_pct < 50)")
    assert program_of({"any": ["once", {"not": "round >= 2"}]}) == program_of("once or not round_gte_2")


def test_every_relation_has_its_own_code() -> None:
    assert sorted(COMPARES.values()) == list(range(1, 8))


def stack_need(program: Program) -> int:
    height = highest = 0
    for op, *_ in program.steps:
        height += {AND: -1, OR: -1, NOT: 0}.get(op, 1)
        highest = max(highest, height)
    assert height == 1
    return highest


def test_the_deepest_condition_fits_the_stack() -> None:
    deepest = "once and (once or (" * 15 + "self_lacks_stunned and self_hp_from_1_to_2" + "))" * 15
    assert stack_need(program_of(deepest)) == 30 + 1 + 2
    # The stack holds one bit more, the answer of an empty program; named conditions add 8 at most.
    assert STACK_BITS > 32 + 8 + 1


@settings(max_examples=times(40))
@given(trees)
def test_programs_are_well_formed(tree: Tree) -> None:
    program = compile_condition(tree, VOCABULARY)
    assert stack_need(program) <= 40
    assert len(set(program.asks)) == len(program.asks)
    used = {slot for line in subprograms(tree, VOCABULARY) for slot in line.slots}
    assert used == set(range(len(program.asks)))


def test_every_node_has_its_own_steps() -> None:
    tree = tree_of("once and (allies.all(stunned) or not ally_hp_below_50) and zzz")
    assert subprograms(tree, VOCABULARY) == (
        Line(0, "once and (allies.all(stunned) or not ally_hp_below_50) and zzz", 0, 8, (0, 1, 2, 3)),
        Line(1, "once", 0, 1, (0,)),
        Line(2, "used == 0", 0, 1, (0,)),
        Line(1, "allies.all(stunned) or not ally_hp_below_50", 1, 4, (1, 2, 3)),
        Line(2, "allies.all(stunned)", 1, 1, (1, 2)),
        Line(2, "not ally_hp_below_50", 2, 2, (3,)),
        Line(3, "ally_hp_below_50", 2, 1, (3,)),
        Line(4, "allies.any(hp_pct < 50)", 2, 1, (3,)),
        Line(1, "zzz", 6, 1, ()),
    )


@given(trees)
def test_the_steps_of_a_node_are_its_own_program(tree: Tree) -> None:
    """Evaluating a node's share of the steps is evaluating the node: the share is one complete postfix program."""
    program = compile_condition(tree, VOCABULARY)
    lines = subprograms(tree, VOCABULARY)
    assert (lines[0].first, lines[0].length) == (0, len(program.steps))
    for line in lines:
        part = Program(program.steps[line.first : line.first + line.length], program.asks)
        assert stack_need(part) >= 1


def battle(steps: int = 8, asks: int = 4, facts: int = 4) -> Any:
    battle_t = record(("steps", step_t, (steps,)), ("asks", ask_t, (asks,)), ("facts", fact_t, (facts,)))
    return np.ones(1, battle_t)[0]


def test_a_pool_lays_programs_side_by_side() -> None:
    pool = Pool()
    assert pool.add(program_of("always")) == Span(0, 1, 0, 0)
    assert pool.add(program_of("allies.all(stunned) or round > 3")) == Span(1, 3, 0, 3)
    assert pool.add(program_of("self.hp_pct < 50")) == Span(4, 1, 3, 1)


def test_a_pool_keeps_equal_programs_once() -> None:
    pool = Pool()
    first = pool.add(program_of("self.hp_pct < 50"))
    assert pool.add(program_of("self_hp_below_50")) == first
    # The same asks with other steps share the asks; the same steps with other asks share the steps.
    assert pool.add(program_of("self.hp_pct > 50")) == Span(1, 1, 0, 1)
    assert pool.add(program_of("round < 50")) == Span(0, 1, 1, 1)


def test_a_pool_writes_its_programs_and_clears_the_rest() -> None:
    pool = Pool()
    pool.add(program_of("round > 3 or self.hp_pct < 50"))
    target = battle()
    pool.write(target)
    steps = [(COMPARE, 0, MORE, 3), (COMPARE, 1, LESS, 50), (OR, 0, 0, 0)]
    assert target.steps.tolist() == steps + [(0, 0, 0, 0)] * 5
    assert target.asks.tolist() == [ROUND, HP, (0, 0, 0, 0), (0, 0, 0, 0)]


def test_an_empty_pool_is_all_zeros() -> None:
    target = battle()
    Pool().write(target)
    assert not target.steps.view(np.int64).any()
    assert not target.asks.view(np.int64).any()


@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ({"steps": 2}, "the conditions of one battle may use 2 steps, but these need 3"),
        ({"asks": 1}, "the conditions of one battle may use 1 asks, but these need 2"),
        ({"facts": 1}, "the conditions of one battle may use 1 facts, but these need 2"),
    ],
)
def test_a_full_pool_is_the_users_to_mend(sizes: dict[str, int], message: str) -> None:
    pool = Pool()
    pool.add(program_of("round > 3 or self.hp_pct < 50"))
    with pytest.raises(InputError) as caught:
        pool.write(battle(**sizes), where="sides")
    assert caught.value.problems == (Problem("sides", message, "use fewer or shorter conditions"),)
