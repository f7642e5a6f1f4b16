"""Programs, evaluated by the kernel, against what the language says they mean."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conditions.example import (
    RELATIONS,
    STATUSES,
    UNKNOWN,
    VOCABULARY,
    Situation,
    Someone,
    naive,
    situations,
    tree_of,
    trees,
)
from tests.helpers.soak import times

from fracas.conditions import Constant, Not, Tree
from fracas.conditions.compiler import COMPARES, Pool, Program, Step, compile_condition, subprograms
from fracas.kernel import condition_evaluator as codes
from fracas.kernel.condition_evaluator import EVERY_UNIT, SCALAR, ask_t, compare, evaluate, fact_t, step_t
from fracas.kernel.jit import enable
from fracas.kernel.records import record

someone_t = record(
    ("side", np.int64), ("hp", np.int64), ("max_hp", np.int64), ("charge", np.int64), ("marks", np.int64)
)
battle_t = record(
    ("scalars", fact_t, (128,)),
    ("units", someone_t, (16,)),
    ("facts", fact_t, (512,)),
    ("steps", step_t, (512,)),
    ("asks", ask_t, (512,)),
)


def decide(battles: Any, first_step: int, step_count: int, first_ask: int, ask_count: int) -> bool:
    """What a ruleset does at a decision: fill the slots as the asks say, then evaluate."""
    battle = battles[0]
    for slot in range(ask_count):
        ask = battle.asks[first_ask + slot]
        fact = battle.facts[slot]
        if ask.group == SCALAR:
            fact.numerator = battle.scalars[ask.fact].numerator
            fact.denominator = battle.scalars[ask.fact].denominator
        else:
            count = 0
            for place in range(16):
                unit = battle.units[place]
                if unit.side == ask.group and unit.hp > 0:
                    if ask.fact == EVERY_UNIT:
                        counts = True
                    elif ask.fact == 0:
                        counts = compare(100 * unit.hp, unit.max_hp, ask.compare, ask.number)
                    elif ask.fact == 1:
                        counts = compare(unit.charge, 1, ask.compare, ask.number)
                    else:
                        counts = compare((unit.marks >> (ask.fact - 10)) & 1, 1, ask.compare, ask.number)
                    if counts:
                        count += 1
            fact.numerator = count
            fact.denominator = 1
    return evaluate(battle, first_step, step_count)


Decide = Callable[..., Any]


@cache
def compiled_decide() -> Decide:
    compiled: Decide = enable().njit(decide)
    return compiled


@pytest.fixture(scope="module", params=["plain", "compiled"])
def play(request: pytest.FixtureRequest) -> Decide:
    return decide if request.param == "plain" else compiled_decide()


def battle_of(situation: Situation) -> Any:
    battles = np.zeros(1, battle_t)
    battle = battles[0]
    for fact in VOCABULARY.facts:
        value = situation.scalar(fact.name)
        battle.scalars[fact.code] = (value.numerator, value.denominator)
    everybody = [(1, unit) for unit in situation.allies] + [(2, unit) for unit in situation.enemies]
    for place, (side, unit) in enumerate(everybody):
        marks = sum(1 << place for place, status in enumerate(STATUSES) if status in unit.statuses)
        battle.units[place] = (side, unit.hp, unit.max_hp, unit.charge, marks)
    return battles


def answer(program: Program, situation: Situation, play: Decide) -> bool:
    battles = battle_of(situation)
    pool = Pool()
    pool.add(Program((), ((SCALAR, 4, 0, 0),)))
    pool.add(Program(((codes.PUSH_FALSE, 0, 0, 0),), ()))
    span = pool.add(program)
    pool.write(battles[0])
    return bool(play(battles, *span))


PARTY = Situation(
    allies=(
        Someone(49, 100, charge=80, statuses=frozenset({"stunned"})),
        Someone(30, 30),
        Someone(0, 50, statuses=frozenset({"poisoned"})),
    ),
    enemies=(Someone(1, 3, charge=100, statuses=frozenset({"shielded"})), Someone(2, 3), Someone(0, 9, charge=100)),
    scalars={"round": 6, "self.attack": -5, "used": 0, "boss_present": 1},
)
ALONE = Situation(allies=(Someone(50, 100),), scalars={"round": 7, "used": 2})


@pytest.mark.parametrize(
    ("source", "in_party", "alone"),
    [
        ("always", True, True),
        ("not always", False, False),
        ("self.hp_pct < 50", True, False),
        ("self.charge > round", True, False),
        ("self.attack < used", True, True),
        ("not round <= allies.count and used != round", True, True),
        ("self.hp_pct > foe.share", True, True),
        ("foe.share == self.hp_pct", False, False),
        ("self.hp_pct <= 50", True, True),
        ("self.hp_pct == 49", True, False),
        ("self.hp_pct != 49", False, True),
        ("self.hp_pct > 49", False, True),
        ("self.hp_pct >= 49", True, True),
        ("self.attack < -4", True, False),
        ("self.attack == 0", False, True),
        ("self.stunned", True, False),
        ("boss_present", True, False),
        ("once", True, False),
        ("every_3_rounds", True, False),
        ("every_7_rounds", False, True),
        ("every_1_rounds", True, True),
        # the dead do not count
        ("allies.count == 2", True, False),
        ("allies.any(poisoned)", False, False),
        ("enemies.count(charge >= 100) == 1", True, False),
        ("allies.all(hp_pct > 0)", True, True),
        ("allies.all(hp_pct == 100)", False, False),
        # a third is neither 33 nor 34 per cent, but between them
        ("enemies.any(hp_pct == 33)", False, False),
        ("enemies.any(hp_pct < 34)", True, False),
        ("enemies.any(hp_pct <= 33)", False, False),
        ("enemies.count(hp_pct > 66) == 1", True, False),
        ("enemies.count(hp_pct >= 67) == 0", True, True),
        # nobody: no one is, all are
        ("enemies.any(shielded)", True, False),
        ("enemies.all(shielded)", False, True),
        ("enemies.count(shielded) < 1", False, True),
        ("ally_hp_below_50 and enemy_count_gte_2", True, False),
        ("self.stunned or round > 6", True, True),
        ("not self.stunned and round > 6", False, True),
        ("not (self.stunned and round > 6)", True, True),
        ("round > 6 or self.stunned and once", True, True),
        ("(round > 6 or self.stunned) and once", True, False),
        ("self_hp_from_50_to_50", False, True),
        ({"all": []}, True, True),
        ({"any": []}, False, False),
        ({"not": {"any": ["self.stunned", "round > 6"]}}, False, False),
        ("zzz", True, True),
        ("not zzz and zzz", True, True),
    ],
)
def test_what_a_condition_means(source: object, in_party: bool, alone: bool, play: Decide) -> None:
    tree = tree_of(source)
    program = compile_condition(tree, VOCABULARY)
    assert (answer(program, PARTY, play), answer(program, ALONE, play)) == (in_party, alone)
    assert (naive(tree, PARTY), naive(tree, ALONE)) == (in_party, alone)


@settings(deadline=None, max_examples=times(40))
@given(trees, situations)
def test_plain_evaluation_is_the_naive_one(tree: Tree, situation: Situation) -> None:
    assert answer(compile_condition(tree, VOCABULARY), situation, decide) == naive(tree, situation)


@settings(deadline=None, max_examples=times(40))
@given(trees, situations)
def test_compiled_evaluation_is_the_naive_one(tree: Tree, situation: Situation) -> None:
    assert answer(compile_condition(tree, VOCABULARY), situation, compiled_decide()) == naive(tree, situation)


@settings(deadline=None, max_examples=times(40))
@given(trees, situations)
def test_every_node_of_an_explanation_has_its_own_value(tree: Tree, situation: Situation) -> None:
    """Each line's value, by the same kernel over the same facts, is the value of the text that the line shows."""
    battles = battle_of(situation)
    pool = Pool()
    span = pool.add(compile_condition(tree, VOCABULARY))
    pool.write(battles[0])
    lines = subprograms(tree, VOCABULARY)
    assert bool(decide(battles, *span)) == bool(evaluate(battles[0], lines[0].first, lines[0].length))
    for line in lines:
        # An unknown name and the relation of named conditions do not stand for themselves outside their tree.
        if not any(word in line.text for word in (*UNKNOWN, "multiple_of")):
            assert bool(evaluate(battles[0], line.first, line.length)) == naive(tree_of(line.text), situation), line


def unknown_names(tree: Tree) -> set[str]:
    match tree:
        case Constant(_, name):
            return set() if name == "always" else {name}
        case Not(part):
            return unknown_names(part)
        case _:
            return set().union(*(unknown_names(part) for part in getattr(tree, "parts", ())))


@settings(deadline=None, max_examples=times(40))
@given(trees, situations)
def test_an_unknown_name_never_blocks(tree: Tree, situation: Situation) -> None:
    """Whatever a name may have been meant to say: what would hold with it, holds without it."""
    fires = answer(compile_condition(tree, VOCABULARY), situation, decide)
    names = sorted(unknown_names(tree))
    for values in product([False, True], repeat=len(names)):
        meant = dict(zip(names, values, strict=True))
        assert fires or not naive(tree, situation, meant)


@given(st.integers(0, 29), situations)
def test_an_unknown_name_never_blocks_under_any_nesting_of_not(levels: int, situation: Situation) -> None:
    unknown = "not " * levels + "zzz"
    assert answer(compile_condition(tree_of(unknown), VOCABULARY), situation, decide) is True
    # Beside something known, it is the known part that decides.
    both = compile_condition(tree_of(f"{unknown} and boss_present"), VOCABULARY)
    assert answer(both, situation, decide) == naive(tree_of("boss_present"), situation)


@given(
    st.integers(-(10**11), 10**11), st.integers(1, 10**9), st.integers(-1000, 10**6), st.sampled_from(list(RELATIONS))
)
def test_fractions_compare_exactly(numerator: int, denominator: int, number: int, relation: str) -> None:
    if relation == "multiple_of":
        number = abs(number) + 1
    expected = RELATIONS[relation](Fraction(numerator, denominator), number)
    assert compare(numerator, denominator, COMPARES[relation], number) == expected


def test_nothing_is_a_multiple_of_zero() -> None:
    assert not compare(0, 1, codes.MULTIPLE_OF, 0)
    assert not compare(3, 1, codes.MULTIPLE_OF, 0)


def test_an_empty_program_holds(play: Decide) -> None:
    assert answer(Program((), ()), PARTY, play) is True


def test_the_deepest_stack_keeps_every_bit(play: Decide) -> None:
    """Alternating bits up to the promised depth, folded by `and` and `or` in turn, come out as reckoned by hand."""
    for depth in range(1, 41):
        bits = [place % 3 != 0 for place in range(depth)]
        folds = [place % 2 == 0 for place in range(depth - 1)]
        expected = bits[-1]
        for bit, fold in zip(reversed(bits[:-1]), folds, strict=True):
            expected = (bit and expected) if fold else (bit or expected)
        steps: list[Step] = [(codes.PUSH_TRUE if bit else codes.PUSH_FALSE, 0, 0, 0) for bit in bits]
        steps += [(codes.AND if fold else codes.OR, 0, 0, 0) for fold in folds]
        assert answer(Program(tuple(steps), ()), PARTY, play) == expected


# The checks above are worth something only if they notice a broken rule: each of these is broken on purpose.


def changed(number: int, value: int, field: int = 0) -> Callable[[Program], Program]:
    """A compiler that writes `value` wherever `number` belongs into a field of a comparison, or into any operation."""

    def change(program: Program) -> Program:
        steps: list[Step] = []
        for step in program.steps:
            applies = step[field] == number and (field == 0 or step[0] == codes.COMPARE)
            row = list(step)
            row[field] = value if applies else row[field]
            steps.append((row[0], row[1], row[2], row[3]))
        return Program(tuple(steps), program.asks)

    return change


def without_not(program: Program) -> Program:
    return Program(tuple(step for step in program.steps if step[0] != codes.NOT), program.asks)


def all_is_some(program: Program) -> Program:
    everybody = [slot for slot, ask in enumerate(program.asks) if ask[1] == EVERY_UNIT]
    rows = [(step[0], step[1], codes.AT_MOST, step[3]) if step[3] in everybody else step for step in program.steps]
    return Program(tuple(rows), program.asks)


def sides_swapped(program: Program) -> Program:
    asks = [(3 - ask[0], *ask[1:]) if ask[0] != SCALAR else ask for ask in program.asks]
    return Program(program.steps, tuple(asks))


FAULTS = {
    "and becomes or": changed(codes.AND, codes.OR),
    "or becomes and": changed(codes.OR, codes.AND),
    "less becomes at most": changed(codes.LESS, codes.AT_MOST, field=2),
    "more becomes at least": changed(codes.MORE, codes.AT_LEAST, field=2),
    "equal becomes at least": changed(codes.EQUAL, codes.AT_LEAST, field=2),
    "multiple becomes equal": changed(codes.MULTIPLE_OF, codes.EQUAL, field=2),
    "not is forgotten": without_not,
    "all becomes some": all_is_some,
    "allies and enemies are swapped": sides_swapped,
}

SOURCES = (
    "self.hp_pct < 50 or allies.all(stunned) and not round > 3",
    "ally_hp_below_50 and enemies.count(hp_pct > 60) == 1",
    "every_2_rounds or used == 1",
    "not (self.stunned or enemies.any(shielded))",
    "round > 2 and round < 5",
)


def disagreements(fault: Callable[[Program], Program]) -> int:
    """How often the differential check finds a difference over fixed situations."""
    dice = Random(20)
    found = 0
    for _ in range(60):
        allies, enemies = (
            tuple(
                Someone(
                    dice.randint(0, 4) * 25,
                    100,
                    dice.choice([0, 80]),
                    frozenset(dice.sample(STATUSES, dice.randint(0, 2))),
                )
                for _ in range(dice.randint(1, 3))
            )
            for _ in range(2)
        )
        situation = Situation(allies, enemies, {"round": dice.randint(1, 6), "used": dice.randint(0, 2)})
        for source in SOURCES:
            tree = tree_of(source)
            program = fault(compile_condition(tree, VOCABULARY))
            found += answer(program, situation, decide) != naive(tree, situation)
    return found


def test_the_differential_check_finds_nothing_in_the_rules_as_they_are() -> None:
    assert disagreements(lambda program: program) == 0


@pytest.mark.parametrize("fault", FAULTS)
def test_the_differential_check_finds_a_planted_fault(fault: str) -> None:
    assert disagreements(FAULTS[fault]) > 0
