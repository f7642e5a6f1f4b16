"""Solving duels: stage games, the chances of a round, known equilibria, and play by a solved table."""

from __future__ import annotations

import base64
import json
import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tests.helpers import titans_fights as support

from fracas.engine.scenario import load_scenario
from fracas.errors import FaultError, InputError
from fracas.kernel import jit
from fracas.kernel.dice import seek_stream
from fracas.rulesets.contract.types import Override
from fracas.rulesets.titans.analysis.solution import situation_of, solve_duel
from fracas.rulesets.titans.content.compile import compile_battle
from fracas.rulesets.titans.content.equilibrium_tables import solved_table
from fracas.rulesets.titans.content.library import library_for
from fracas.rulesets.titans.rules import constants as codes
from fracas.rulesets.titans.rules.entry_points import play_many
from fracas.rulesets.titans.rules.mechanics import play_round, set_up
from fracas.rulesets.titans.rules.outcome_probabilities import apply_outcome, outcome_count
from fracas.rulesets.titans.rules.state import result_t
from fracas.rulesets.titans.solver.backward_induction import sweep, sweep_views
from fracas.rulesets.titans.solver.best_answer import LASTING, value_against
from fracas.rulesets.titans.solver.matrix_game import check_replies, solve_game
from fracas.rulesets.titans.solver.solve import (
    LEFT_OPEN,
    Induction,
    best_mixes,
    looks_at_round,
    names_of,
    reply_gain,
    start_of,
    value_error,
)
from fracas.rulesets.titans.solver.state import space_t
from fracas.rulesets.titans.solver.state_grid import grid_for, takes_together, told_apart


def solved(chances):
    """A stage game by the solver inside: value, mixes."""
    spaces = np.zeros(1, space_t)
    rows, columns = len(chances), len(chances[0])
    spaces[0].chances[:rows, :columns] = chances
    value = solve_game(spaces[0], rows, columns)
    return value, spaces[0].mixes[0, :rows].copy(), spaces[0].mixes[1, :columns].copy()


# Stage games


@pytest.mark.parametrize(
    ("chances", "value", "first", "second"),
    [
        # matching pennies, fair and unfair
        ([[1.0, 0.0], [0.0, 1.0]], 0.5, [0.5, 0.5], [0.5, 0.5]),
        ([[1.0, 0.0], [0.0, 0.5]], 1 / 3, [1 / 3, 2 / 3], [1 / 3, 2 / 3]),
        ([[0.3, 0.8], [0.6, 0.2]], 0.42 / 0.9, [0.4 / 0.9, 0.5 / 0.9], [0.6 / 0.9, 0.3 / 0.9]),
        # a saddle, one choice alone, stone and paper and scissors
        ([[0.4, 0.6], [0.3, 0.9]], 0.4, [1, 0], [1, 0]),
        ([[0.7]], 0.7, [1], [1]),
        ([[0.5, 0, 1], [1, 0.5, 0], [0, 1, 0.5]], 0.5, [1 / 3] * 3, [1 / 3] * 3),
    ],
)
def test_games_whose_equilibrium_is_known(chances, value, first, second):
    found = solved(chances)
    assert found[0] == pytest.approx(value)
    assert found[1] == pytest.approx(first)
    assert found[2] == pytest.approx(second)
    library = best_mixes(np.array(chances, float))
    assert library[0] == pytest.approx(value)
    assert library[1] == pytest.approx(first)
    assert library[2] == pytest.approx(second)


def test_the_solver_inside_agrees_with_the_librarys():
    numbers = np.random.default_rng(6)
    for _ in range(60):
        rows, columns = numbers.integers(1, codes.CHOICES + 1, 2)
        chances = numbers.random((rows, columns))
        if numbers.random() < 0.4:
            chances = np.round(chances * 4) / 4
        value, first, second = solved(chances.tolist())
        assert value == pytest.approx(best_mixes(chances)[0], abs=1e-9)
        assert first.sum() == pytest.approx(1)
        assert second.sum() == pytest.approx(1)
        assert (first >= -1e-12).all()
        assert (first @ chances).min() >= value - 1e-9
        assert (chances @ second).max() <= value + 1e-9


@pytest.mark.parametrize(
    "chances",
    [
        # A ratio that should be 0 is a little less.
        [
            [0.0, 0.0015470839485695865, 0.05592029156753584, 0.005458222205439891, 0.05592029156753584],
            [0.007289465231858165, 0.0, 0.0, 0.0, 0.0],
            [0.0, 0.3999999999999999, 0.3999999999999999, 0.0, 0.3999999999999999],
            [0.0, 0.3999999999999999, 0.3999999999999999, 0.005164146071560349, 0.3999999999999999],
            [0.0, 0.0, 0.0, 0.0, 0.0],
        ],
        # Two choices differ by 2e-12.
        [
            [0.2611589689764902, 0.5716049382716049, 0.22760495415927517, 0.4968432153291983],
            [0.3891547350440308, 0.4629629629629628, 0.1311700287484212, 0.32554354307831457],
            [0.5027972500138088, 0.8500000000000003, 0.4629629629629628, 0.677008326070519],
            [0.5027972500156743, 0.8500000000000001, 0.4629629629629629, 0.6788655660407034],
            [0.15629207683318044, 0.15727717733852886, 0.0038775487150011223, 0.13692864853257036],
        ],
    ],
)
def test_rounding_does_not_lead_the_solver_astray(chances):
    value, first, second = solved(chances)
    assert value == pytest.approx(best_mixes(np.array(chances))[0], abs=1e-9)
    assert reply_gain(np.array(chances), first, second, value) < 1e-9


# What a round comes to

HURT = support.ability(
    "hurt", {"type": "damage", "stat": "attack", "times": 0.9}, {"type": "heal", "dealt": 50}, cost=20
)
SHOVE = support.ability(
    "shove",
    {"type": "damage", "amount": 4},
    {"type": "change", "stat": "speed", "percent": -50, "rounds": 1},
    {"type": "charge", "amount": -30, "on": "opponent"},
    cost=30,
)
COVER = support.ability("cover", {"type": "shield", "stat": "stamina", "times": 0.45}, cost=10)
TWICE = support.ability(
    "twice", {"type": "damage", "stat": "attack", "times": 0.5}, {"type": "damage", "amount": 3}, cost=10
)
SAMPLES = 250


def pair(**options):
    ada = support.titan(HURT, COVER, hp=21, attack=7, defense=5, speed=6, accuracy=9, critical=30, evasion=2)
    bo = support.titan(SHOVE, TWICE, hp=19, attack=8, defense=4, speed=9, accuracy=4, critical=20, evasion=12)
    return support.document(ada, bo, **options)


def enter(battle, hp, charge):
    set_up(battle, None)
    for player in range(2):
        battle.titans[player].hp, battle.titans[player].charge = hp[player], charge[player]


def by_rolling(document, choices, hp, charge):
    """How often each state comes of two choices, by the rules themselves."""
    records = compile_battle(document, {}).record
    battle = records[0]
    for player in range(2):
        battle.policies[player].choice_count = 1
        battle.policies[player].choices[0] = choices[player]
    counts: dict[tuple[int, ...], float] = {}
    for stream in range(SAMPLES):
        seek_stream(battle.dice, stream)
        enter(battle, hp, charge)
        play_round(battle, None)
        state = tuple(int(battle.titans[player][key]) for player in range(2) for key in ("hp", "charge"))
        counts[state] = counts.get(state, 0) + 1 / SAMPLES
    return counts


def by_chances(document, choices, hp, charge):
    """The same by the outcomes that solving takes."""
    battle = compile_battle(document, {}).record[0]
    enter(battle, hp, charge)
    battle.tick = 1
    for player in range(2):
        battle.titans[player].choice = choices[player]
    speeds = [float(battle.titans[player].now[codes.SPEED_STAT]) for player in range(2)]
    first = 1 - speeds[1] / (2 * speeds[0]) if speeds[0] >= speeds[1] else speeds[0] / (2 * speeds[1])
    found: dict[tuple[int, ...], float] = {}

    def put_back(titans):
        battle.titans[:] = titans
        battle.reason, battle.winner = codes.UNDECIDED, 0

    def note(chance):
        state = tuple(int(battle.titans[player][key]) for player in range(2) for key in ("hp", "charge"))
        found[state] = found.get(state, 0) + chance

    before = battle.titans.copy()
    for earlier, share in ((0, first), (1, 1 - first)):
        for outcome in range(outcome_count(battle, battle.titans[earlier])):
            chance = share * apply_outcome(battle, battle.titans[earlier], outcome)
            if chance > 0 and battle.reason != codes.UNDECIDED:
                note(chance)
            elif chance > 0:
                middle = battle.titans.copy()
                for answer in range(outcome_count(battle, battle.titans[1 - earlier])):
                    part = apply_outcome(battle, battle.titans[1 - earlier], answer)
                    if part > 0:
                        note(chance * part)
                    put_back(middle)
            put_back(before)
    return found


HEAD = {"misses": True, "criticals": True, "stamina_charges": True, "attack_charge": 10, "rest_charge": 20}


@pytest.mark.parametrize("options", [{}, HEAD], ids=["seed", "head"])
@pytest.mark.parametrize(
    ("choices", "hp", "charge"),
    [
        ((0, 0), (21, 19), (0, 0)),
        ((0, 0), (4, 5), (20, 95)),
        ((0, 1), (21, 19), (0, 90)),
        ((3, 0), (10, 3), (20, 0)),
        ((4, 0), (7, 12), (60, 40)),
        ((3, 3), (18, 12), (40, 60)),
        ((2, 4), (6, 9), (60, 10)),
    ],
)
def test_outcomes_have_the_chances_that_dice_give_them(options, choices, hp, charge):
    document = pair(**options)
    expected = by_chances(document, choices, hp, charge)
    assert sum(expected.values()) == pytest.approx(1)
    rolled = by_rolling(document, choices, hp, charge)
    assert set(rolled) <= set(expected)
    for state, chance in expected.items():
        spread = (chance * (1 - chance) / SAMPLES) ** 0.5
        assert abs(rolled.get(state, 0) - chance) < 5 * spread + 1 / SAMPLES, state


def test_wide_losses_are_taken_together_and_keep_their_mean():
    huge = support.document(support.titan(hp=5000, attack=500), support.titan(hp=5000, attack=500, defense=100))
    found = by_chances(huge, (0, 2), (5000, 5000), (0, 0))
    assert len(found) < 60
    assert sum(found.values()) == pytest.approx(1)
    mean = sum(chance * (5000 - state[2]) for state, chance in found.items())
    assert mean == pytest.approx(650, rel=0.01)


# Checks


@pytest.mark.parametrize(
    ("first", "second", "value", "gain"),
    [
        ([0.5, 0.5], [0.5, 0.5], 0.5, 0.0),
        ([0.6, 0.4], [0.5, 0.5], 0.5, 0.1),
        ([0.5, 0.5], [1.0, 0.0], 0.5, 0.5),
        ([0.5, 0.5], [0.5, 0.5], 0.4, 0.1),
        ([0.5, 0.4], [0.5, 0.5], 0.5, 0.1),
        ([0.5, 0.5], [float("nan"), 0.5], 0.5, float("inf")),
    ],
)
def test_what_a_best_reply_gains(first, second, value, gain):
    pennies = np.array([[1.0, 0.0], [0.0, 1.0]])
    assert reply_gain(pennies, np.array(first), np.array(second), value) == pytest.approx(gain)
    spaces = np.zeros(1, space_t)
    spaces[0].chances[:2, :2] = pennies
    spaces[0].mixes[0, :2], spaces[0].mixes[1, :2] = first, second
    check_replies(spaces[0], 2, 2, value)
    assert spaces[0].reply_gain == pytest.approx(gain)


def test_a_missing_scipy_is_noticed_before_anything_is_solved(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    scenario = load_scenario("examples/titans/standard.toml")
    told: list[str] = []
    with pytest.raises(InputError, match=r"needs scipy.*fracas\[solve\]"):
        solve_duel(scenario.compiled, scenario.document, notice=told.append)
    assert not told


def test_mixes_that_are_no_equilibrium_are_not_shown(monkeypatch):
    """The solver and the library are both made to give up early; neither answer may get out."""
    monkeypatch.setattr("fracas.rulesets.titans.solver.matrix_game.MOST_EXCHANGES", 1)
    pennies = [[1.0, 0.0], [0.0, 1.0]]
    spaces = np.zeros(1, space_t)
    spaces[0].chances[:2, :2] = pennies
    solve_game(spaces[0], 2, 2)
    assert spaces[0].reply_gain > 0.1

    def give_up(records, spaces, *_):
        spaces[0].reply_gain = 0.5

    induction = Induction(compile_battle(tiny(round_cap=2), {}).record[0], 500, entry=give_up)
    with pytest.raises(FaultError, match=r"round 2 was not solved: a best reply gains 0\.5"):
        induction.following(1)
    monkeypatch.setattr("scipy.optimize.linprog", lambda *_, **__: SimpleNamespace(x=np.array([1.0, 0.0, 0.5])))
    with pytest.raises(FaultError, match="a best reply gains"):
        best_mixes(np.array(pennies))


def test_a_policy_that_beats_the_best_is_not_believed(monkeypatch):
    document = tiny(round_cap=2)
    document["players"][0]["policy"] = "random"
    monkeypatch.setattr(Induction, "value_against", lambda *_: 1.0)
    with pytest.raises(FaultError, match="more than the duel is worth"):
        solve_duel(compile_battle(document, {}), document, states=500)


@pytest.mark.parametrize(
    ("values", "is_exact", "are_alike", "error"),
    [
        ((0.6, 0.5), False, False, 0.1),
        ((0.6, 0.5), True, False, LEFT_OPEN),
        ((0.6, 0.6), True, True, LEFT_OPEN),
        ((0.6, 0.6), False, True, None),
        ((0.6, 0.6 + 1e-16), False, True, None),
        ((1.0, 1.0), False, False, None),
    ],
)
def test_the_error_is_unknown_where_two_grids_cannot_tell(values, is_exact, are_alike, error):
    assert value_error(*values, is_exact=is_exact, are_alike=are_alike) == (error and pytest.approx(error))


def test_a_grid_whose_losses_are_taken_together_is_not_exact():
    quiet: dict[str, Any] = {"rest_charge": 100, "defend_charge": 100, "round_cap": 2}
    for attack, is_exact in ((20, True), (30, False)):
        one = support.titan(hp=60, attack=attack)
        assert grid_for(compile_battle(support.document(one, one, **quiet), {}).record[0], 100_000).is_exact == is_exact
    rousing = support.ability("rouse", {"type": "change", "stat": "attack", "percent": 50, "rounds": 0, "on": "self"})
    roused = support.titan(rousing, hp=60, attack=20)
    battle = compile_battle(support.document(roused, support.titan(hp=60), **quiet), {}).record[0]
    assert takes_together(battle, 0)
    assert not takes_together(battle, 1)


# Whole duels


def induction_of(document, states=100_000):
    return Induction(compile_battle(document, {}).record[0], states, entry=jit.native(sweep))


def test_plain_and_compiled_find_the_same():
    document = tiny(**HEAD, round_cap=2)
    induction = induction_of(document, 500)
    # In one piece, as the solver passes them: anything else would be compiled for this test alone.
    states = np.ascontiguousarray(induction.grid.states[::200])
    following = np.linspace(0, 1, len(induction.grid.states))
    compiled = induction.look(states, 1, following)
    induction.entry = sweep
    for first, second in zip(compiled, induction.look(states, 1, following), strict=True):
        assert first == pytest.approx(second, abs=1e-12)


def test_a_duel_of_two_actions_whose_equilibrium_is_known():
    """One round, Ada always first, and the higher HP win; attack, defend and rest are never better.

    Ward against stab wins and against mend is a draw; bite loses to stab and wins against mend. So the game is
    (1, 1/2; 0, 1), worth 2/3: ward in two of three cases, stab in one of three.
    """
    ward = support.ability("ward", {"type": "shield", "amount": 3}, {"type": "damage", "amount": 1})
    bite = support.ability("bite", {"type": "damage", "amount": 2})
    stab = support.ability("stab", {"type": "damage", "amount": 3})
    mend = support.ability("mend", {"type": "heal", "amount": 1})
    ada = support.titan(ward, bite, hp=10, attack=0)
    bo = support.titan(stab, mend, hp=10, attack=0, speed=0)
    document = support.document(ada, bo, round_cap=1)
    induction = induction_of(document)
    game = induction.stage(start_of(induction.battle), induction.following(1))
    assert game.value == pytest.approx(2 / 3)
    value, *mixes = best_mixes(game.chances)
    assert value == pytest.approx(2 / 3)
    for player, expected in enumerate(({"ward": 2 / 3, "bite": 1 / 3}, {"stab": 1 / 3, "mend": 2 / 3})):
        names = names_of(document, player, game.choices[player])
        for found in (game.mixes[player], mixes[player]):
            shares = dict(zip(names, found, strict=True))
            assert {name: shares[name] for name in expected} == pytest.approx(expected)


def tiny(**options):
    strike = support.ability("strike", {"type": "damage", "amount": 3}, cost=50)
    given = {"rest_charge": 50, "defend_charge": 50, "round_cap": 5, **options}
    ada = support.titan(strike, hp=5, attack=3, defense=1, speed=6)
    bo = support.titan(strike, hp=4, attack=3, defense=2, speed=9)
    return support.document(ada, bo, **given)


def test_two_mirrored_titans_are_worth_a_half():
    even = support.titan(HURT, hp=6, attack=4, defense=2)
    induction = induction_of(support.document(even, even, round_cap=3, rest_charge=20))
    value, mixes = induction.look(np.array([[0, 6, 6, 0, 0], [0, 3, 3, 20, 20]], np.int64), 1, induction.following(1))
    assert value == pytest.approx([0.5, 0.5])
    assert mixes[0, 0] == pytest.approx(mixes[0, 1], abs=1e-6)


def test_an_exact_grid_says_so_and_a_coarse_one_comes_near():
    battle = compile_battle(tiny(), {}).record[0]
    exact, coarse = grid_for(battle, 100_000), grid_for(battle, 81)
    assert exact.is_exact
    assert len(exact.states) == 5 * 4 * 3 * 3
    assert not coarse.is_exact
    values = []
    for states in (100_000, 81):
        induction = induction_of(tiny(), states)
        values.append(induction.stage(start_of(battle), induction.following(1)).value)
    assert values[0] == pytest.approx(values[1], abs=0.1)


def best_answers(document, player):
    """The value of a duel if one keeps to its policy, by brute force over what the other may do in each state."""
    induction = induction_of(document)
    fixed = (player == 0, player == 1)
    return induction.value_against(start_of(induction.battle), fixed)


@pytest.mark.parametrize("policy", ["random", "greedy", {"rules": [{"do": "ability", "chance": 40}, {"do": "rest"}]}])
def test_no_policy_is_worth_more_than_the_equilibrium(policy):
    document = tiny()
    induction = induction_of(document)
    value = induction.stage(start_of(induction.battle), induction.following(1)).value
    for player in range(2):
        policies: list[Any] = [{"choices": []}, {"choices": []}]
        policies[player] = policy
        for entry, given in zip(document["players"], policies, strict=True):
            entry["policy"] = given
        answered = best_answers(document, player)
        assert answered <= value + 1e-9 if player == 0 else answered >= value - 1e-9


class Told:
    """An agent for the solver that takes any legal choice, or, if it remembers, its own last one; first it rests."""

    def __init__(self, remembers):
        self.remembers = remembers

    def look(self, _side, _seen, masks):
        self.masks = masks
        return self

    def under(self, further):
        if not self.remembers:
            return np.repeat((self.masks / self.masks.sum(axis=1, keepdims=True))[:, None], len(further), axis=1)
        last = [next((code for code in range(codes.CHOICES) if codes.OWN_LAST[code] in each), 2) for each in further]
        return np.repeat(np.eye(codes.CHOICES)[last][None], len(self.masks), axis=0)


@pytest.mark.parametrize("policy", ["random", {"rules": [{"do": "rest"}]}])
@pytest.mark.parametrize("player", [0, 1])
def test_the_best_answer_to_an_agent_is_that_to_a_policy_that_does_the_same(policy, player):
    """Also where it does the same because it remembers what it did."""
    document = tiny()
    induction = induction_of(document)
    found = value_against(induction, start_of(induction.battle), player, Told(policy != "random"))
    document["players"][player]["policy"] = policy
    assert found == pytest.approx(best_answers(document, player), abs=1e-12)


def test_an_agent_sees_what_lasts_in_a_solved_state():
    induction = induction_of(pair(), 500)
    records, spaces = induction.record(7), induction.grid.space((False, False))
    states = np.array([[0, 21, 19, 0, 0], [1, 10, 5, 40, 60]], np.int64)
    seen, masks = np.zeros((2, codes.FEATURES + LASTING), np.float32), np.zeros((2, codes.CHOICES), np.int8)
    sweep_views(records, spaces, states, 0, seen, masks)
    assert seen[:, 0] == pytest.approx([0.07, 0.07])
    assert seen[:, 2] == pytest.approx([1, 10 / 21])
    assert not seen[0, codes.FEATURES :].any()
    # One round of SHOVE's change is left: of the own titan, whom the other one shoved.
    assert seen[1, codes.FEATURES :].sum() == pytest.approx(0.1)
    assert masks.tolist() == [[1, 1, 1, 0, 0, 0, 0, 0], [1, 1, 1, 1, 1, 0, 0, 0]]


def play_shares(document, duels):
    records, results = compile_battle(document, {}).record.copy(), np.zeros(duels, result_t)
    jit.native(play_many)(records, 0, results, None, None)
    winners = results["winner"]
    assert not results["fault"].any()
    return float(np.mean(winners == 1) + np.mean(winners == 0) / 2)


def test_a_value_between_two_policies_is_what_playing_them_gives():
    document = tiny()
    document["players"][0]["policy"] = "random"
    document["players"][1]["policy"] = {
        "rules": [{"do": "strike", "chance": 70}, {"when": "round >= 2", "do": "attack"}]
    }
    induction = induction_of(document)
    assert looks_at_round(induction.battle, 1)
    assert not looks_at_round(induction.battle, 0)
    value = induction.value_against(start_of(induction.battle), (True, True))
    assert play_shares(document, 2000) == pytest.approx(value, abs=5 * 0.5 / 2000**0.5)


def test_a_solved_table_plays_its_mix_and_is_hard_to_exploit():
    document = tiny()
    induction = induction_of(document)
    following = induction.following(1)
    start = start_of(induction.battle)
    value = induction.stage(start, following).value
    for player in range(2):
        table = solved_table(induction, document, player, following, 20)
        fixed = json.loads(json.dumps(document))
        fixed["players"][player]["policy"] = table
        answered = best_answers(fixed, player)
        # The table is that of the first round; the cap of five rounds is near.
        assert abs(answered - value) < 0.08
        weights = np.frombuffer(base64.b64decode(table["solved"]["weights"]), np.uint8)
        own = 3 + len(document["players"][player]["titan"]["abilities"])
        sums = weights.reshape(-1, own).astype(int).sum(axis=1)
        assert ((sums > 250) & (sums < 260)).all()


def test_stat_changes_are_part_of_the_state():
    document = pair(round_cap=2)
    battle = compile_battle(document, {}).record[0]
    assert told_apart(battle).tolist() == [[1], [0]]
    induction = induction_of(document, 1)
    states = induction.grid.states
    assert set(states[:, 0]) == {0, 1}
    slowed = [[number, 3, 3, 0, 0] for number in (0, 1)]
    values, _ = induction.look(np.array(slowed, np.int64), 2, np.zeros(len(states)))
    # Whoever is slowed acts later, and is worse off.
    assert values[1] < values[0]


def test_so_many_changes_that_not_all_can_be_told_apart_are_cut():
    many = [
        support.ability(
            f"curse-{n}", *({"type": "change", "stat": s, "percent": -10, "rounds": 9} for s in ("attack", "speed"))
        )
        for n in range(5)
    ]
    battle = compile_battle(support.document(support.titan(*many), support.titan()), {}).record[0]
    longest = told_apart(battle)
    assert np.prod(longest + 1) <= 64
    assert longest.max() >= 1


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("players.0.hp", 0),
        ("players.0.hp", 6),
        ("players.1.charge", 101),
        ("players.1.charge", True),
        ("round", 0),
        ("round", 6),
        ("players.2.hp", 1),
        ("players.0.speed", 1),
        ("hp", 1),
    ],
)
def test_a_situation_that_cannot_be_is_refused(path, value):
    battle = compile_battle(tiny(), {}).record[0]
    with pytest.raises(InputError):
        situation_of(battle, [Override(tuple(path.split(".")), value, "--state")])


# Against everybody


@pytest.fixture(scope="module")
def mirror():
    """A duel of two equal titans, and its equilibrium: the duel is worth a half."""
    strike = support.ability("strike", {"type": "damage", "amount": 6}, cost=60)
    cover = support.ability("cover", {"type": "shield", "amount": 5}, {"type": "heal", "amount": 2}, cost=40)
    even = support.titan(strike, cover, hp=12, attack=5, defense=4)
    document = support.document(even, even, sudden_death=30)
    induction = induction_of(document, 6000)
    assert induction.grid.is_exact
    following = induction.following(1)
    assert induction.stage(start_of(induction.battle), following).value == pytest.approx(0.5, abs=1e-6)
    return document, [solved_table(induction, document, player, following, 12) for player in range(2)]


POLICIES = ["random", "greedy", *library_for(None, ()).of("policies")]
DUELS = 4000


def as_resolved(name, titan):
    """A shipped policy as it is resolved for a titan: without rules for what the titan does not have."""
    if name in ("random", "greedy"):
        return name
    known = ("attack", "defend", "rest", "ability", *titan["abilities"])
    rules = library_for(None, ()).of("policies")[name].rules
    return {"rules": [rule.model_dump(exclude_none=True) for rule in rules if rule.do in known]}


@pytest.mark.parametrize("name", POLICIES)
def test_no_shipped_policy_beats_the_equilibrium(mirror, name):
    document, tables = mirror
    for player in range(2):
        duel = json.loads(json.dumps(document))
        duel["players"][player]["policy"] = tables[player]
        duel["players"][1 - player]["policy"] = as_resolved(name, duel["players"][1 - player]["titan"])
        share = play_shares(duel, DUELS)
        assert (share if player == 0 else 1 - share) > 0.5 - 4 * 0.5 / DUELS**0.5


def test_a_player_that_is_no_equilibrium_is_beaten(mirror):
    document, tables = mirror
    duel = json.loads(json.dumps(document))
    duel["players"][0]["policy"] = {"rules": [{"do": "rest"}]}
    duel["players"][1]["policy"] = tables[1]
    assert play_shares(duel, 400) < 0.2
