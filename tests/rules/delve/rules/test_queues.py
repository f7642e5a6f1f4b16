"""README, A turn and Queue vocabulary: which slot is used, why others are not, and every fact that may be asked for."""

from __future__ import annotations

from typing import Any

import pytest
from tests.helpers.delve_fights import Fight, aid, attack, battle, foe, inflict, member, names, of, only
from tests.helpers.rules import rule

from fracas.rulesets.delve.content.vocabulary import VOCABULARY
from fracas.rulesets.delve.rules.constants import CONDITIONS, POTENT_CONDITIONS
from fracas.rulesets.delve.rules.events import Pass, PassedOver, Phase, Use

MISS = "d100=96"


def queue_of(*slots: Any, resource: Any = 10, **values: Any) -> Fight:
    """a with a queue of these slots, its friend f, and an enemy."""
    skills = [
        attack("jab"),
        attack("dear", cost=8),
        attack("slow", cooldown=3),
        attack("dear-slow", cost=8, cooldown=3),
        aid("mend", "one_ally", heal=(4, 4)),
        aid("chorus", "all_allies", heal=(4, 4)),
        aid("rest", heal=(4, 4)),
        aid("rally", "one_ally", heal=(4, 4), conditions=[inflict("hasted", 2)]),
        aid("ward", "one_ally", conditions=[inflict("shielded", 2, 5)]),
    ]
    party = [member("a", queue=slots, resource=resource, **values), member("f")]
    return battle(party, [foe("b")], skills=skills)


def passed_over(events: list[Any]) -> list[tuple[int, str, str, int]]:
    return [(told.slot, told.skill, told.obstacle, told.figure) for told in of(events, PassedOver)]


def slot(skill: str, when: str, **values: Any) -> dict[str, Any]:
    return {"skill": skill, "when": when, **values}


# Obstacles.


def test_the_first_slot_without_an_obstacle_is_used() -> None:
    fight = queue_of("jab", "dear")
    events = fight.turn("1.a", MISS)
    told = only(events, Use)
    assert (told.actor, told.slot, told.skill, told.cost, told.resource) == ("1.a", 0, "jab", 0, 10)
    assert passed_over(events) == []


def test_the_slots_above_are_told_with_their_obstacles() -> None:
    fight = queue_of(slot("jab", "self_hp_below_50"), "dear", "slow", "mend", "jab")
    fight["1.a"].resource = 7
    fight["1.a"].ready_from[fight.known("1.a", "slow")] = 3
    events = fight.turn("1.a", MISS)
    assert passed_over(events) == [
        (0, "jab", "its condition does not hold", 0),
        (1, "dear", "it cannot be paid", 7),
        (2, "slow", "cooling down", 2),
        (3, "mend", "nobody is hurt", 0),
    ]
    assert only(events, Use).slot == 4


def test_of_several_obstacles_the_first_of_the_table_is_told() -> None:
    never = slot("dear-slow", "not always")
    cases = [
        (never, 3, 5, "its condition does not hold", 0),
        ("dear-slow", 3, 5, "it cannot be paid", 3),
        ("dear-slow", 8, 5, "cooling down", 4),
    ]
    for first, resource, ready_from, obstacle, figure in cases:
        fight = queue_of(first, "jab")
        fight["1.a"].resource = resource
        fight["1.a"].ready_from[0] = ready_from
        assert passed_over(fight.turn("1.a", MISS)) == [(0, "dear-slow", obstacle, figure)]
    fight = queue_of(slot("mend", "not always"), "jab")
    assert passed_over(fight.turn("1.a", MISS))[0][2] == "its condition does not hold"


def test_without_any_slot_the_turn_is_passed_and_no_address_is_opened() -> None:
    fight = queue_of(slot("jab", "not always"), slot("dear", "not always"), "mend")
    events = fight.turn("1.a", opens=False)
    assert names(events) == ["passed_over", "passed_over", "passed_over", "pass"]
    told = only(events, Pass)
    assert (told.actor, told.slots) == ("1.a", 3)


@pytest.mark.parametrize(("resource", "used"), [(7, "jab"), (8, "dear"), (9, "dear")])
def test_a_cost_must_be_there_in_full(resource: int, used: str) -> None:
    fight = queue_of("dear", "jab")
    fight["1.a"].resource = resource
    told = only(fight.turn("1.a", MISS), Use)
    assert (told.skill, told.resource) == (used, resource - told.cost)


def test_a_cost_is_paid_for_a_miss_too() -> None:
    fight = queue_of("dear", "jab")
    fight.turn("1.a", MISS)
    assert fight.state("1.a", "resource") == (2,)


@pytest.mark.parametrize(
    ("cooldown", "rounds"), [(0, "1234567"), (1, "1234567"), (2, "1357"), (3, "147"), (4, "15"), (9, "1")]
)
def test_a_cooldown_of_three_means_rounds_1_4_and_7(cooldown: int, rounds: str) -> None:
    skills = [attack("big", cooldown=cooldown), attack("jab")]
    fight = battle([member("a", queue=["big", "jab"])], [foe("b")], skills=skills)
    used = ""
    for number in range(1, 8):
        used += str(number) if only(fight.turn("1.a", MISS), Use).skill == "big" else ""
        fight.end_round()
        fight.next_round()
    assert used == rounds


def test_two_slots_of_one_skill_share_its_cooldown_and_its_uses() -> None:
    fight = queue_of(slot("slow", "round == 1"), "slow", "jab")
    assert only(fight.turn("1.a", MISS), Use).slot == 0
    fight.next_round()
    assert passed_over(fight.turn("1.a", MISS)) == [
        (0, "slow", "its condition does not hold", 0),
        (1, "slow", "cooling down", 2),
    ]
    assert fight.used("1.a", "slow") == 1


def test_two_participants_with_one_skill_have_cooldowns_of_their_own() -> None:
    skills = [attack("big", cooldown=5), attack("jab")]
    fight = battle([member("a", queue=["big", "jab"]), member("c", queue=["jab", "big"])], [foe("b")], skills=skills)
    fight["1.c"].ready_from[0] = 9
    assert only(fight.turn("1.a", MISS), Use).skill == "big"
    assert only(fight.turn("1.c", MISS), Use).skill == "big"


def test_the_uses_of_the_partys_slots_are_counted_for_statistics() -> None:
    fight = queue_of(slot("slow", "round == 1"), "jab")
    for _ in range(3):
        fight.turn("1.a", MISS)
        fight.next_round()
    assert fight.record.slot_uses[:3].tolist() == [1, 2, 0]


# Nobody is hurt.


@pytest.mark.parametrize(
    ("skill", "hurt", "is_used"),
    [
        ("mend", "", False),
        ("mend", "1.a", True),
        ("mend", "1.f", True),
        ("mend", "2.b", False),
        ("chorus", "", False),
        ("chorus", "1.f", True),
        ("rest", "", False),
        ("rest", "1.a", True),
        ("rest", "1.f", False),
        # what does more than healing needs nobody who is hurt
        ("rally", "", True),
        ("ward", "", True),
    ],
)
def test_a_pure_heal_needs_somebody_who_is_hurt_among_those_it_reaches(skill: str, hurt: str, is_used: bool) -> None:
    fight = queue_of(skill, "jab")
    if hurt:
        fight[hurt].hp = 99
    rolls = {"ward": []}.get(skill, ["between(4, 4)=4"]) if is_used else [MISS]
    events = fight.turn("1.a", *rolls)
    assert only(events, Use).skill == (skill if is_used else "jab")
    assert passed_over(events) == ([] if is_used else [(0, skill, "nobody is hurt", 0)])


def test_the_fallen_are_not_hurt() -> None:
    fight = queue_of("mend", "jab")
    fight.fell("1.f")
    assert only(fight.turn("1.a", MISS), Use).skill == "jab"


# Phases.


def boss(*phases: dict[str, Any], hp: int = 100, **values: Any) -> Fight:
    """A boss with these phases, and a member."""
    skills = [attack("jab"), attack("smash", cooldown=4), attack("rage", cost=3)]
    named = [{"name": f"Phase {place}", **phase} for place, phase in enumerate(phases)]
    enemy = foe("b", hp=hp, queue=["smash", "jab"], resource={"max": 9, "regeneration": 1}, phases=named, **values)
    return battle([member("a")], [enemy], skills=skills)


@pytest.mark.parametrize(
    ("max_hp", "hp", "at", "enters"),
    [
        (100, 51, 50, False),
        (100, 50, 50, True),
        (101, 51, 50, False),
        (101, 50, 50, True),
        (3, 1, 33, False),
        (3, 1, 34, True),
        (100, 1, 1, True),
    ],
)
def test_a_phase_begins_at_its_share_of_hp_compared_exactly(max_hp: int, hp: int, at: int, enters: bool) -> None:
    fight = boss({"at": at}, hp=max_hp)
    fight["2.b"].hp = hp
    told = of(fight.turn("2.b", MISS), Phase)
    assert [(row.actor, row.phase, row.threshold, row.hp, row.max_hp) for row in told] == (
        [("2.b", 0, at, hp, max_hp)] if enters else []
    )


def test_a_phase_begins_at_the_bosss_own_action_before_its_queue_is_read() -> None:
    fight = boss({"at": 50, "queue": ["rage"]})
    fight["2.b"].hp = 40
    fight.end_round()
    events = fight.turn("2.b", MISS)
    assert names(events)[:2] == ["phase", "use"]
    assert only(events, Use).skill == "rage"
    fight.next_round()
    assert "phase" not in names(fight.turn("2.b", MISS))


def test_a_boss_that_falls_far_enters_all_phases_in_their_order() -> None:
    fight = boss({"at": 75, "armor": 3, "evasion": 9}, {"at": 50, "armor": 5}, {"at": 25, "armor": 7})
    fight["2.b"].hp = 30
    told = of(fight.turn("2.b", MISS), Phase)
    assert [(row.phase, row.threshold) for row in told] == [(0, 75), (1, 50)]
    assert fight.state("2.b", "armor", "evasion", "next_phase") == (5, 9, 2)


def test_what_a_phase_does_not_name_stays() -> None:
    fight = boss({"at": 50, "armor": 0}, armor=6, resistance=7, evasion=8, might=44)
    fight["2.b"].hp = 50
    fight.turn("2.b", MISS)
    assert fight.state("2.b", "armor", "resistance", "evasion", "regeneration") == (0, 7, 8, 1)
    assert fight["2.b"].attributes.tolist() == [44, 30, 30, 30, 30, 30]


def test_what_a_phase_names_is_replaced() -> None:
    numbers = {"armor": 1, "resistance": 2, "evasion": 3, "regeneration": 4}
    fight = boss({"at": 50, **numbers, "attributes": {"might": 60, "luck": 0}})
    fight["2.b"].hp = 50
    fight.turn("2.b", MISS)
    assert fight.state("2.b", *numbers) == tuple(numbers.values())
    assert fight["2.b"].attributes.tolist() == [60, 30, 30, 30, 30, 0]


def test_conditions_cooldowns_uses_resource_and_hp_go_through_phases() -> None:
    fight = boss({"at": 50, "queue": [slot("smash", "used == 1"), "jab"]})
    fight.turn("2.b", MISS)
    fight.afflict("2.b", "slowed", 9)
    fight["2.b"].hp, fight["2.b"].resource = 50, 5
    fight.next_round()
    events = fight.turn("2.b", MISS)
    assert passed_over(events) == [(0, "smash", "cooling down", 3)]
    assert fight.state("2.b", "hp", "resource") == (50, 5)
    assert fight.conditions("2.b") == {"slowed": (9, 0)}


def test_a_stunned_boss_enters_no_phase() -> None:
    fight = boss({"at": 50})
    fight["2.b"].hp = 40
    fight.afflict("2.b", "stunned")
    assert names(fight.turn("2.b", opens=False)) == ["stunned"]
    fight.next_round()
    assert "phase" in names(fight.turn("2.b", MISS))


def test_a_phase_that_makes_a_boss_faster_changes_ties_but_not_its_roll() -> None:
    fight = boss({"at": 50, "attributes": {"speed": 200}})
    assert fight.start_round()[1].actor == "1.a"  # type: ignore[attr-defined]
    fight["2.b"].hp = 50
    fight.turn("2.b", MISS)
    told = fight.start_round()[1]
    assert (told.actor, told.effective) == ("2.b", 20)  # type: ignore[attr-defined]


# What may be asked.


def situation(when: Any) -> Fight:
    """a asks. Its friends are f and g, its enemies x, y and z, of whom z is a boss; a has 300 HP, the others 200."""
    skills = [attack("probe"), attack("other")]
    party = [
        member("a", hp=300, queue=[{"skill": "probe", "when": when}], resource=20),
        member("f", hp=200, resource=10),
        member("g", hp=200),
    ]
    enemies = [foe("x", hp=200, resource=8), foe("y", hp=200), foe("z", hp=200, boss=True)]
    return battle(party, enemies, skills=skills)


def holds(when: Any, state: dict[str, Any] | None = None, *, fallen: str = "", rounds: int = 1) -> bool:
    """Whether a condition holds for a, with `{"f.hp": 50, "x": "stunned"}` and some participants fallen."""
    fight = situation(when)
    fight.next_round()
    fight.record.combat_round = rounds
    for path, value in (state or {}).items():
        name, _, field = path.partition(".")
        if not field:
            fight.afflict(place(name), value, 9, 5 if value in POTENT_CONDITIONS else 0)
        elif field == "used":
            fight[place(name)].used[0] = value
        else:
            fight[place(name)][field] = value
    for name in fallen:
        fight.fell(place(name))
    return asked(fight)


def asked(fight: Fight) -> bool:
    """Whether the condition of a's only slot holds."""
    held: list[bool] = []
    only_slot = fight.record.queue_slots[fight["1.a"].first_slot]
    fight.told(lambda: held.append(rule("condition_holds", "delve")(fight.record, fight["1.a"], only_slot)))
    return bool(held[0])


def place(name: str) -> str:
    return f"{1 if name in 'afg' else 2}.{name}"


NAMED: list[tuple[str, dict[str, Any], str, int, bool]] = [
    ("always", {}, "", 1, True),
    ("self_hp_below_50", {"a.hp": 150}, "", 1, False),
    ("self_hp_below_50", {"a.hp": 149}, "", 1, True),
    ("self_hp_below_50", {"f.hp": 1}, "", 1, False),
    ("self_hp_above_50", {"a.hp": 150}, "", 1, False),
    ("self_hp_above_50", {"a.hp": 151}, "", 1, True),
    ("ally_hp_below_50", {}, "", 1, False),
    ("ally_hp_below_50", {"f.hp": 100}, "", 1, False),
    ("ally_hp_below_50", {"f.hp": 99}, "", 1, True),
    ("ally_hp_below_50", {"a.hp": 149}, "", 1, True),
    ("ally_hp_below_50", {}, "f", 1, False),
    ("ally_hp_below_50", {"x.hp": 1}, "", 1, False),
    ("ally_hp_above_99", {"a.hp": 1, "f.hp": 1}, "", 1, True),
    ("ally_hp_above_99", {"a.hp": 1, "f.hp": 1, "g.hp": 198}, "", 1, False),
    ("enemy_hp_below_50", {"x.hp": 99}, "", 1, True),
    ("enemy_hp_below_50", {"x.hp": 100}, "", 1, False),
    ("enemy_hp_below_50", {}, "x", 1, False),
    ("enemy_hp_above_50", {"x.hp": 100, "y.hp": 100, "z.hp": 101}, "", 1, True),
    ("enemy_hp_above_50", {"x.hp": 100, "y.hp": 100, "z.hp": 100}, "", 1, False),
    ("resource_gte_20", {}, "", 1, True),
    ("resource_gte_20", {"a.resource": 19}, "", 1, False),
    ("enemy_count_gte_3", {}, "", 1, True),
    ("enemy_count_gte_3", {}, "x", 1, False),
    ("ally_count_lte_2", {}, "", 1, False),
    ("ally_count_lte_2", {}, "f", 1, True),
    ("round_gte_4", {}, "", 3, False),
    ("round_gte_4", {}, "", 4, True),
    ("every_3_rounds", {}, "", 1, False),
    ("every_3_rounds", {}, "", 3, True),
    ("every_3_rounds", {}, "", 4, False),
    ("every_3_rounds", {}, "", 6, True),
    ("every_1_rounds", {}, "", 1, True),
    ("once", {}, "", 1, True),
    ("once", {"a.used": 1}, "", 1, False),
    ("self_has_slowed", {"a": "slowed"}, "", 1, True),
    ("self_has_slowed", {"f": "slowed"}, "", 1, False),
    ("ally_has_slowed", {"f": "slowed"}, "", 1, True),
    ("ally_has_slowed", {"a": "slowed"}, "", 1, True),
    ("ally_has_slowed", {"x": "slowed"}, "", 1, False),
    ("enemy_has_slowed", {"y": "slowed"}, "", 1, True),
    ("enemy_has_slowed", {"a": "slowed"}, "", 1, False),
    ("self_lacks_slowed", {"a": "slowed"}, "", 1, False),
    ("self_lacks_slowed", {"f": "slowed"}, "", 1, True),
]


@pytest.mark.parametrize(("when", "state", "fallen", "rounds", "expected"), NAMED)
def test_named_conditions(when: str, state: dict[str, Any], fallen: str, rounds: int, expected: bool) -> None:
    assert holds(when, state, fallen=fallen, rounds=rounds) is expected


def test_every_named_condition_of_the_vocabulary_is_tried_here() -> None:
    for alias in VOCABULARY.names:
        beginning = alias.name.partition("_N")[0].partition("_X")[0]
        outcomes = {row[-1] for row in NAMED if row[0].startswith(beginning)}
        assert outcomes == {True, False}, alias.name


@pytest.mark.parametrize("name", CONDITIONS)
def test_every_condition_can_be_asked_of_everybody(name: str) -> None:
    others = [other for other in CONDITIONS if other != name]
    for when, bearer in ((f"self.{name}", "a"), (f"allies.any({name})", "g"), (f"enemies.any({name})", "z")):
        assert holds(when, {bearer: name})
        assert not holds(when, {})
    fight = situation(f"self.{name}")
    for other in others:
        fight.afflict("1.a", other, 9, 5 if other in POTENT_CONDITIONS else 0)
    assert not asked(fight)


FACTS: list[tuple[str, dict[str, Any], str, int, bool]] = [
    ("self.hp_pct <= 50", {"a.hp": 150}, "", 1, True),
    ("self.hp_pct <= 50", {"a.hp": 151}, "", 1, False),
    ("self.hp_pct == 50", {"a.hp": 151}, "", 1, False),
    ("self.resource == 20", {}, "", 1, True),
    ("self.resource == 20", {"a.resource": 21}, "", 1, False),
    ("self.resource_pct < 50", {"a.resource": 10}, "", 1, False),
    ("self.resource_pct < 50", {"a.resource": 9}, "", 1, True),
    ("self.resource_pct == 0", {"a.resource": 0, "a.max_resource": 0}, "", 1, True),
    ("round == 5", {}, "", 5, True),
    ("round == 5", {}, "", 6, False),
    ("allies.count == 3", {}, "", 1, True),
    ("allies.count == 3", {}, "g", 1, False),
    ("enemies.count == 3", {}, "", 1, True),
    ("enemies.count == 3", {}, "xy", 1, False),
    ("used >= 2", {"a.used": 2}, "", 1, True),
    ("used >= 2", {"a.used": 1}, "", 1, False),
    ("boss_present", {}, "", 1, True),
    ("boss_present", {}, "z", 1, False),
    ("boss_present", {"a.boss": 1}, "z", 1, True),
    ("allies.all(hp_pct > 50)", {}, "", 1, True),
    ("allies.all(hp_pct > 50)", {"g.hp": 100}, "", 1, False),
    ("allies.all(hp_pct > 50)", {}, "g", 1, True),
    ("allies.count(hp_pct < 100) == 2", {"a.hp": 299, "g.hp": 199}, "", 1, True),
    ("allies.count(hp_pct < 100) == 2", {"a.hp": 299}, "g", 1, False),
    ("allies.any(resource > 10)", {}, "", 1, True),
    ("allies.any(resource > 10)", {"a.resource": 10}, "", 1, False),
    ("enemies.any(resource_pct < 50)", {}, "", 1, True),  # those without a resource have 0%
    ("enemies.all(resource_pct < 50)", {}, "", 1, False),
    ("enemies.all(resource_pct < 50)", {"x.resource": 3}, "", 1, True),
    ("enemies.count(poisoned) >= 2", {"x": "poisoned", "z": "poisoned"}, "", 1, True),
    ("enemies.count(poisoned) >= 2", {"x": "poisoned"}, "", 1, False),
    ("self.stunned", {"a": "stunned"}, "", 1, True),
    ("not self.stunned and round == 1", {}, "", 1, True),
    ("self.shielded or enemies.any(burning)", {"y": "burning"}, "", 1, True),
]


@pytest.mark.parametrize(("when", "state", "fallen", "rounds", "expected"), FACTS)
def test_facts(when: str, state: dict[str, Any], fallen: str, rounds: int, expected: bool) -> None:
    assert holds(when, state, fallen=fallen, rounds=rounds) is expected


def test_every_fact_of_the_vocabulary_is_tried_here() -> None:
    text = " ".join(when for when, *_ in FACTS)
    conditions = {f"self.{name}" for name in CONDITIONS}
    for fact in VOCABULARY.facts:
        assert fact.name in text or fact.name in conditions, fact.name
    for fact in VOCABULARY.unit_facts:
        assert f"({fact.name} " in text, fact.name


def test_groups_hold_the_own_and_the_other_side_for_enemies_too() -> None:
    skills = [attack("probe")]
    queue = [slot("probe", "allies.count == 1 and enemies.count == 2")]
    fight = battle([member("a"), member("b")], [foe("c", queue=queue)], skills=skills)
    assert only(fight.turn("2.c", MISS), Use).skill == "probe"


def test_a_condition_sees_what_happened_earlier_in_the_round() -> None:
    fight = battle(
        [member("a", queue=["jab"]), member("b", queue=[slot("jab", "enemy_hp_below_100")])],
        [foe("c")],
        skills=[attack("jab")],
    )
    assert names(fight.turn("1.b", opens=False))[-1] == "pass"
    fight.turn("1.a", "d100=50", "between(5, 5)=5")
    assert "use" in names(fight.turn("1.b", MISS))
