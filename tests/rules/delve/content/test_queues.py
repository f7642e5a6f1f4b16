"""Queues: what is wrong with one is told with the number of its slot, in a scenario and by itself."""

from __future__ import annotations

from typing import Any

import pytest
from tests.helpers.delve import SKILLS, encounter, foe, member, payer
from tests.helpers.scenarios import problems_of

import fracas
from fracas.cli.shared.file_kinds import part_of
from fracas.errors import Problem
from fracas.files.read import parse_toml
from fracas.rulesets import registry
from fracas.rulesets.contract.types import Source

RULESET = registry.get("delve")


def with_queue(*queue: Any, **values: Any) -> dict[str, Any]:
    return encounter(party=[member(queue=list(queue), **values)])


def complaints(document: dict[str, Any]) -> list[tuple[str, str]]:
    return [
        (problem.where.removeprefix("scenario: "), problem.message) for problem in problems_of(fracas.load, document)
    ]


@pytest.mark.parametrize(
    ("resource", "message"),
    [
        (None, '"bind" costs 4, and its user has nothing to pay with'),
        (payer(3), '"bind" costs 4, and its user has at most 3'),
        (payer(0), '"bind" costs 4, and its user has at most 0'),
        (payer(4), None),
        (payer(1000, start=0), None),
    ],
)
def test_a_skill_must_be_payable(resource, message):
    document = with_queue("hit", "bind", **({} if resource is None else {"resource": resource}))
    assert complaints(document) == ([] if message is None else [("party.0.queue.1", message)])
    document = encounter(
        enemies=[foe(queue=["hit", {"skill": "bind"}], **({"resource": resource} if resource else {}))]
    )
    assert complaints(document) == ([] if message is None else [("enemies.0.queue.1.skill", message)])


def test_a_skill_must_be_payable_with_what_its_user_has():
    bind = SKILLS["bind"] | {"resource": "mana"}
    document = with_queue("bind", resource=payer()) | {"skills": SKILLS | {"bind": bind}}
    assert complaints(document) == [("party.0.queue.0", '"bind" costs 4 mana, and its user pays with air')]
    free = {"skills": SKILLS | {"bind": bind | {"cost": 0}}}
    assert complaints(with_queue("bind", resource=payer()) | free) == []


def test_a_skill_that_costs_an_unknown_resource_is_refused():
    bind = SKILLS["bind"] | {"resource": "aire"}
    document = with_queue("bind", resource=payer()) | {"skills": SKILLS | {"bind": bind}}
    expected = Problem("scenario: skills.bind.resource", 'there is no resource "aire"', 'did you mean "air"?')
    assert expected in problems_of(fracas.load, document)


def test_what_items_add_pays_too():
    gift = {"id": "gift", "name": "Gift", "stat": "resource", "amounts": [1, 2, 3, 4]}
    worn = {"template": "ash_ring", "bonuses": [{"bonus": "gift"}]}
    document = with_queue("bind", resource=payer(3), items=[worn]) | {"bonuses": {"gift": gift}}
    assert complaints(document) == []


def test_the_skills_of_a_phase_must_be_payable():
    boss = foe(boss=True, phases=[{"name": "late", "at": 50, "queue": ["hit", "bind"]}])
    assert complaints(encounter(enemies=[boss])) == [
        ("enemies.0.phases.0.queue.1", '"bind" costs 4, and its user has nothing to pay with'),
    ]


@pytest.mark.parametrize(("reach", "key"), [("all_allies", "heal"), ("self", "heal"), ("all_enemies", "damage")])
def test_only_who_chooses_takes_a_target(reach, key):
    aimed = {"attack": "might", "defense": "speed"} if key == "damage" else {}
    wide = {"id": "wide", "name": "Wide", "reach": reach, key: {"min": 1, "max": 2}, **aimed}
    document = with_queue({"skill": "wide", "target": "random"}) | {"skills": SKILLS | {"wide": wide}}
    message = f'"wide" reaches {reach}, which leaves no choice, so it takes no target'
    assert complaints(document) == [("party.0.queue.0.target", message)]


@pytest.mark.parametrize("target", ["lowest_hp", "highest_hp", "highest_threat", "lowest_hp_pct", "random"])
@pytest.mark.parametrize("skill", ["hit", "bind"])
def test_who_chooses_may_take_any_target(skill, target):
    assert complaints(with_queue({"skill": skill, "target": target}, resource=payer())) == []


@pytest.mark.parametrize("reach", ["one_enemy", "all_enemies"])
def test_a_heal_cannot_be_aimed_at_enemies(reach):
    bind = SKILLS["bind"] | {"reach": reach, "attack": "logic", "defense": "logic"}
    document = with_queue("bind", resource=payer()) | {"skills": SKILLS | {"bind": bind}}
    assert complaints(document) == [("skills.bind", "reaches enemies, so it cannot heal")]


@pytest.mark.parametrize("key", ["attack", "defense", "damage", "element", "weapon", "modifier"])
def test_a_skill_for_allies_cannot_harm(key):
    values = {"attack": "luck", "defense": "luck", "damage": {"min": 1, "max": 1}, "element": "magic"}
    bind = SKILLS["bind"] | {key: values.get(key, True if key == "weapon" else 3)}
    document = with_queue("bind", resource=payer()) | {"skills": SKILLS | {"bind": bind}}
    assert complaints(document) == [("skills.bind", f"reaches allies, so it takes no {key}")]


def test_a_skill_does_something():
    idle = {"id": "idle", "name": "Idle", "reach": "self"}
    document = with_queue("idle") | {"skills": SKILLS | {"idle": idle}}
    assert complaints(document) == [("skills.idle", "does nothing: it needs damage, weapon, heal or conditions")]


def test_all_slots_are_told_at_once():
    queue = ["hitt", {"skill": "bind", "when": "self.hp"}, {"skill": "brace", "target": "random"}]
    assert [where for where, _ in complaints(with_queue(*queue))] == [
        "party.0.queue.0",
        "party.0.queue.1.when",
        "party.0.queue.1.skill",
        "party.0.queue.2.skill",
        "party.0.queue.2.target",
    ]


# By itself.

SOUND = """
class = "vanguard"
level = 2
queue = [{ skill = "second_wind", when = "self_hp_below_40" }, { skill = "strike", target = "highest_threat" }]
"""


def check(text: str, **options: Any) -> list[tuple[str, str]]:
    document = parse_toml(text, "queue.toml")
    problems = problems_of(RULESET.check_file, "strategy", document, Source("queue.toml"), **options)
    return [(problem.where.removeprefix("queue.toml: "), problem.message) for problem in problems]


def test_a_queue_is_known_by_its_keys(tmp_path):
    ruleset, kind = part_of(parse_toml(SOUND, "queue.toml"), tmp_path / "queue.toml")
    assert (ruleset.name, kind) == ("delve", "strategy")


@pytest.mark.parametrize("text", [SOUND, SOUND.replace("level = 2", ""), 'queue = ["cleave", "firebolt"]'])
def test_a_sound_queue(text):
    assert check(text, strict=True) == []


@pytest.mark.parametrize(
    ("change", "where", "message"),
    [
        (('"strike"', '"strik"'), "queue.1.skill", 'there is no skill "strik"'),
        (('"vanguard"', '"vangard"'), "class", 'there is no class "vangard"'),
        (("level = 2", "level = 0"), "level", "0 is out of range: it must be at least 1"),
        (('"self_hp_below_40"', '"self.hp_pct <"'), "queue.0.when", None),
        (('"second_wind"', '"firebolt"'), "queue.0.skill", '"firebolt" costs 2 mana, and its user pays with stamina'),
        (("target =", "tarrget ="), "queue.1.tarrget", "there is no such key here"),
        (("queue =", "queuee ="), "queue", "is missing"),
    ],
)
def test_a_broken_queue(change, where, message):
    problems = check(SOUND.replace(*change))
    assert (where, message) in problems or (message is None and [place for place, _ in problems] == [where])


@pytest.mark.parametrize(("count", "fine"), [(0, False), (1, True), (32, True), (33, False), (1000, False)])
def test_a_queue_has_one_to_thirty_two_slots(count, fine):
    slots = ", ".join(['"strike"'] * count)
    assert (check(f"queue = [{slots}]") == []) is fine


def test_an_unknown_condition_warns_and_is_an_error_if_it_is_strict():
    document = parse_toml(SOUND.replace("self_hp_below_40", "self_hp_bellow_40"), "queue.toml")
    [warning] = RULESET.check_file("strategy", document, Source("queue.toml"))
    assert (warning.where, warning.suggestion) == ("queue.toml: queue.0.when", 'did you mean "self_hp_below_40"?')
    assert problems_of(RULESET.check_file, "strategy", document, Source("queue.toml"), strict=True) == (warning,)
