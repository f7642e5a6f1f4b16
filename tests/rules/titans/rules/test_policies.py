"""README, Policies, Greedy, Conditions: what each kind of policy chooses, and what it rolls for that."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from tests.helpers.titans_fights import Fight, ability, duel, of, titan

from fracas.conditions import check_names, parse
from fracas.rulesets.titans.content.vocabulary import VOCABULARY
from fracas.rulesets.titans.rules.constants import ATTACK, DEFEND, REST
from fracas.rulesets.titans.rules.events import Chance, Choice
from fracas.rulesets.titans.rules.expected_values import (
    chance_to_act_first,
    expected_against_defender,
    expected_damage,
    worth,
)
from fracas.rulesets.titans.rules.policies import cell_of, choose

STRIKE = ability("strike", {"type": "damage", "amount": 8}, cost=25)
MEND = ability("mend", {"type": "heal", "amount": 20}, cost=40)
LANE = 0x8000


def chosen(policy: Any, *rolls: str, prepare: Any = None, **options: Any) -> tuple[str, list[Any]]:
    """What Ada chooses in round 4 and what is told of it."""
    fight = duel(titan(STRIKE, MEND), titan(STRIKE, hp=40), (policy,), **options)
    fight.record.tick = 4
    if prepare is not None:
        prepare(fight)
    events = fight.told(lambda: choose(fight.record, fight.ada, fight.log), *rolls)
    choice = of(events, Choice)[-1]
    return choice.ability or choice.action, events


def rules(*given: Any) -> dict[str, Any]:
    return {"rules": [{"do": rule} if isinstance(rule, str) else rule for rule in given]}


def with_charge(charge: int) -> Any:
    def prepare(fight: Fight) -> None:
        fight.ada.charge = charge

    return prepare


@pytest.mark.parametrize(
    ("policy", "charge", "expected", "place"),
    [
        (rules("rest"), 0, "rest", 0),
        (rules("strike", "rest"), 24, "rest", 1),
        (rules("strike", "rest"), 25, "strike", 0),
        (rules("strike"), 24, "attack", -1),
        (rules("ability", "rest"), 24, "rest", 1),
        (rules("ability", "rest"), 39, "strike", 0),
        (rules("ability", "rest"), 40, "strike", 0),
        (rules({"when": "self.charge >= 40", "do": "mend"}, "ability"), 40, "mend", 0),
        (rules({"when": "self.charge > 40", "do": "mend"}, "ability"), 40, "strike", 1),
        (rules({"when": "round < 4", "do": "rest"}, {"when": "round == 4", "do": "defend"}), 0, "defend", 1),
        (rules({"when": "round < 4", "do": "rest"}), 0, "attack", -1),
    ],
)
def test_the_first_rule_that_holds_and_is_legal_counts(policy: Any, charge: int, expected: str, place: int) -> None:
    found, events = chosen(policy, prepare=with_charge(charge))
    assert found == expected
    (told,) = of(events, Choice)
    assert told.rule == place
    assert told.why == ("nothing else" if place < 0 else "a rule of the policy")


@pytest.mark.parametrize(("roll", "expected"), [(1, "rest"), (30, "rest"), (31, "defend"), (100, "defend")])
def test_a_chance_keeps_a_rule_back(roll: int, expected: str) -> None:
    policy = rules({"do": "rest", "chance": 30}, "defend")
    found, events = chosen(policy, f"open(4,{LANE})", f"d100={roll}")
    assert found == expected
    assert [(told.roll, told.limit, told.rule) for told in of(events, Chance)] == [(roll, 30, 0)]


def test_chances_are_rolled_only_for_what_could_be_done_and_the_lane_is_opened_once() -> None:
    policy = rules(
        {"do": "strike", "chance": 50},
        {"when": "round > 9", "do": "rest", "chance": 50},
        {"do": "rest", "chance": 40},
        {"do": "defend", "chance": 50},
        {"do": "rest", "chance": 100},
    )
    found, _ = chosen(policy, f"open(4,{LANE})", "d100=41", "d100=51")
    assert found == "rest"


@pytest.mark.parametrize(
    ("charge", "count", "expected"),
    [(0, 3, ["attack", "defend", "rest"]), (30, 4, ["attack", "defend", "rest", "strike"])],
)
def test_random_takes_any_legal_choice(charge: int, count: int, expected: list[str]) -> None:
    for roll, name in enumerate(expected):
        found, events = chosen("random", f"open(4,{LANE})", f"below({count})={roll}", prepare=with_charge(charge))
        assert found == name
        assert [(told.roll, told.limit, told.rule) for told in of(events, Chance)] == [(roll, count, -1)]


def test_submitted_choices_are_made_round_by_round() -> None:
    listed = {"choices": ["rest", "rest", "rest", "defend", "rest"]}
    assert chosen(listed)[0] == "defend"
    assert chosen({"choices": ["rest"]})[0] == "attack"
    found, events = chosen({"choices": ["rest"] * 3 + ["strike"]})
    assert (found, of(events, Choice)[0].why) == ("attack", "cannot pay for the one submitted")
    found, events = chosen({"choices": ["rest"] * 3 + ["missed"]})
    assert (found, of(events, Choice)[0].why) == ("defend", "too late")


def solved(weights: list[list[int]], **steps: int) -> dict[str, Any]:
    axes = {"own_hp": 1, "enemy_hp": 1, "own_charge": 1, "enemy_charge": 1, **steps}
    flat = bytes(weight for cell in weights for weight in cell)
    return {"solved": {**axes, "choices": ["rest", "attack", "strike"], "weights": base64.b64encode(flat).decode()}}


@pytest.mark.parametrize(("roll", "expected"), [(0, "attack"), (19, "attack"), (20, "rest"), (29, "rest")])
def test_a_table_mixes_what_is_legal(roll: int, expected: str) -> None:
    # strike, with 255, cannot be paid for.
    found, events = chosen(solved([[10, 20, 255]]), f"open(4,{LANE})", f"below(30)={roll}")
    assert (found, of(events, Choice)[0].why) == (expected, "the mix of the table")


def test_a_cell_without_weights_attacks_and_rolls_nothing() -> None:
    assert chosen(solved([[0, 0, 9]]))[0] == "attack"


@pytest.mark.parametrize(
    ("hp", "others", "charge", "others_charge", "cell"),
    [
        (30, 40, 0, 0, (2, 3, 0, 0)),
        (1, 1, 0, 0, (0, 0, 0, 0)),
        (10, 10, 33, 50, (0, 0, 0, 0)),
        (11, 11, 34, 51, (1, 1, 1, 1)),
        (20, 20, 67, 50, (1, 1, 1, 0)),
        (21, 31, 68, 100, (2, 3, 2, 1)),
    ],
)
def test_a_state_lies_in_the_cell_that_the_formula_says(
    hp: int, others: int, charge: int, others_charge: int, cell: tuple[int, int, int, int]
) -> None:
    table = solved([[0, 0, 0]] * 72, own_hp=3, enemy_hp=4, own_charge=3, enemy_charge=2)
    fight = duel(titan(STRIKE), titan(STRIKE, hp=40), (table,))
    fight.ada.hp, fight.ada.charge = hp, charge
    fight.bo.hp, fight.bo.charge = others, others_charge
    i, j, k, m = cell
    assert cell_of(fight.ada, fight.bo, fight.record.policies[0].grid) == ((i * 4 + j) * 3 + k) * 2 + m


# Greedy: the closed forms against sums over a fine grid


@pytest.mark.parametrize("attack", [0.0, 1.0, 5.0, 8.0, 12.5])
@pytest.mark.parametrize("defense", [0.0, 0.5, 3.0, 6.0, 7.9, 11.0, 30.0])
def test_expected_damage_is_the_mean(attack: float, defense: float) -> None:
    steps = 400
    places = [(step + 0.5) / steps for step in range(steps)]
    plain = sum(max(0.0, attack * (1 + u) - defense) for u in places) / steps
    assert expected_damage(attack, defense) == pytest.approx(plain, abs=1e-3)
    kept = [defense * (1.5 + 0.5 * v) for v in ((step + 0.5) / 40 for step in range(40))]
    mean = sum(max(0.0, attack * (1 + u) - each) for u in places for each in kept) / (steps * len(kept))
    assert expected_against_defender(attack, defense) == pytest.approx(mean, abs=1e-2)


@pytest.mark.parametrize(
    ("own", "other", "chance"), [(10, 10, 0.5), (10, 5, 0.75), (5, 10, 0.25), (0, 5, 0.0), (5, 0, 1.0), (0, 0, 1.0)]
)
def test_the_chance_to_act_first(own: int, other: int, chance: float) -> None:
    fight = duel(titan(speed=own), titan(speed=other))
    assert chance_to_act_first(fight.ada, fight.bo) == chance
    if own + other > 0:
        assert chance_to_act_first(fight.bo, fight.ada) == 1 - chance


def test_greedy_attacks_if_nothing_is_better() -> None:
    fight = duel(titan(STRIKE), titan(), ("greedy",))
    # 15 against 8, whoever is first.
    fight.ada.charge = 100
    fight.policy_round("open(1,table)", "unit=0.5", "unit=0.4", "open(1,0)", "unit=0.0", "open(1,1)", "unit=0.0")
    assert of(fight.events(), Choice)[0].action == "attack"


def test_greedy_finishes_and_heals_when_it_should() -> None:
    found, _ = chosen("greedy", prepare=with_charge(100))
    assert found == "attack"

    def hurt(fight: Fight) -> None:
        # Healing 18 is more than the 15 of an attack.
        fight.ada.charge, fight.ada.hp, fight.bo.now[0] = 100, 12, 4.0

    assert chosen("greedy", prepare=hurt)[0] == "mend"


def test_the_worth_of_a_choice() -> None:
    fight = duel(titan(STRIKE, attack=4, defense=2), titan(attack=6, defense=1, hp=40))
    # 4 * 1.5 - 1 = 5 out, 6 * 1.5 - 2 = 7 in; nobody falls, so the order does not matter.
    assert worth(fight.record, fight.ada, ATTACK) == (30 - 7) - (40 - 5)
    assert worth(fight.record, fight.ada, REST) == (30 - 7) - 40
    kept = expected_against_defender(6.0, 2.0)
    assert worth(fight.record, fight.ada, DEFEND) == (30 - kept) - 40
    assert kept == pytest.approx(9 - 3.5)


FIRST = 3


def test_who_falls_first_strikes_no_more() -> None:
    fight = duel(titan(attack=20), titan(speed=5))
    # 30 fell Bo at once: unhurt in three of four cases, with 15 lost in the fourth.
    assert worth(fight.record, fight.ada, ATTACK) == 0.75 * 30 + 0.25 * 15


def test_a_shield_is_worth_something_to_who_is_first() -> None:
    fight = duel(titan(ability("cover", {"type": "shield", "amount": 10})), titan())
    assert worth(fight.record, fight.ada, FIRST) == 0.5 * (25 - 30) + 0.5 * (15 - 30)


@pytest.mark.parametrize(("on", "stat"), [("self", "defense"), ("opponent", "attack")])
def test_a_change_is_worth_something_to_who_is_first(on: str, stat: str) -> None:
    percent = 50 if on == "self" else -20
    change = ability("turn", {"type": "change", "stat": stat, "percent": percent, "rounds": 1, "on": on})
    fight = duel(titan(change, defense=4), titan())
    first = 15 - 6 if on == "self" else 12 - 4
    assert worth(fight.record, fight.ada, FIRST) == 0.5 * (30 - first - 30) + 0.5 * (30 - 11 - 30)
    fight.quick("turn", "rest", "open(1,0)", "open(1,1)")
    # Borne already, it adds nothing.
    assert worth(fight.record, fight.ada, FIRST) == worth(fight.record, fight.ada, REST)


def test_cleansing_leaves_what_raises() -> None:
    halves = [
        {"type": "change", "stat": "defense", "percent": percent, "rounds": 9, "on": "self"} for percent in (50, -50)
    ]
    mixed, clean = ability("mixed", *halves), ability("clean", {"type": "cleanse"})
    fight = duel(titan(mixed, clean, defense=4), titan())
    fight.quick("mixed", "rest", "open(1,0)", "open(1,1)")
    assert worth(fight.record, fight.ada, FIRST + 1) == 0.5 * (30 - 9 - 30) + 0.5 * (30 - 11 - 30)


def test_what_is_dealt_comes_back() -> None:
    bite = ability("bite", {"type": "damage", "stat": "attack", "times": 0.75}, {"type": "heal", "dealt": 100})
    fight = duel(titan(bite), titan())
    fight.ada.hp = 10
    # First: 10 + 7.5 - 15 against 22.5; second: fallen before.
    assert worth(fight.record, fight.ada, FIRST) == 0.5 * (2.5 - 22.5) + 0.5 * (0 - 30)


def test_what_the_opponent_deals_does_not_come_back() -> None:
    bite = ability("bite", {"type": "damage", "stat": "attack", "times": 0.5}, {"type": "heal", "dealt": 100})
    fight = duel(titan(bite, hp=100), titan(attack=8))
    fight.ada.hp = 40
    # 5 bitten and healed, 12 taken, in either order.
    assert worth(fight.record, fight.ada, FIRST) == (40 + 5 - 12) - (30 - 5)


def test_misses_and_critical_hits_are_expected_too() -> None:
    fight = duel(titan(attack=4, critical=10), titan(attack=0), head=True)
    assert worth(fight.record, fight.ada, ATTACK) == 30 - (30 - 6 * 0.8 * (1 + 0.5 * 0.1))


def test_equal_worth_prefers_attacking_then_abilities_then_defending() -> None:
    nothing = {"attack": 0, "speed": 10}
    fight = duel(titan(**nothing), titan(**nothing), ("greedy",))
    fight.policy_round("open(1,table)", "unit=0.5", "unit=0.4", "open(1,0)", "unit=0.0", "open(1,1)", "unit=0.0")
    assert of(fight.events(), Choice)[0].action == "attack"


# Conditions


@pytest.mark.parametrize(
    ("condition", "is_true"),
    [
        ("self.hp_pct < 50", False),
        ("self.hp_pct <= 50", True),
        ("self.hp == 15", True),
        ("enemy.hp_pct == 100", True),
        ("self.charge == 30 and enemy.charge == 0", True),
        ("self.ready", True),
        ("enemy.ready", False),
        ("self.speed == 10", True),
        ("enemy.speed < 8", True),
        ("enemy.speed <= 7", False),  # 7.5
        ("enemy.debuffed", True),
        ("self.debuffed", False),
        ("enemy.buffed", False),
        ("self.rested", True),
        ("enemy.attacked", True),
        ("enemy.defended or enemy.rested or enemy.used_ability", False),
        ("every_2_rounds", True),
        ("every_3_rounds", False),
        ("sudden_death", False),
        ("round_gte_4", True),
        ("self_hp_below_51 and not enemy_hp_below_100", True),
    ],
)
def test_conditions_read_the_situation(condition: str, is_true: bool) -> None:
    def prepare(fight: Fight) -> None:
        fight.ada.hp, fight.ada.charge = 15, 30
        fight.bo.now[2], fight.bo.sums[2], fight.bo.active, fight.bo.until[0] = 7.5, -25, 1, 9
        fight.record.change_count = 1
        fight.record.changes[0].stat, fight.record.changes[0].percent = 2, -25
        fight.ada.last_choice, fight.bo.last_choice = REST, ATTACK

    found, _ = chosen(rules({"when": condition, "do": "defend"}, "rest"), prepare=prepare)
    assert found == ("defend" if is_true else "rest")


def test_sudden_death_is_a_fact() -> None:
    policy = rules({"when": "sudden_death", "do": "defend"}, "rest")
    assert chosen(policy, sudden_death=4)[0] == "defend"
    assert chosen(policy, sudden_death=5)[0] == "rest"


def test_every_named_condition_is_one() -> None:
    check_names(VOCABULARY)
    assert parse("self_is_ready", VOCABULARY, where="test", strict=True).tree is not None
