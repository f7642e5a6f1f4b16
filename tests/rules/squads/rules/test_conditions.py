"""README, Conditions: every fact, status and named condition of squads, at its boundary."""

from __future__ import annotations

from typing import Any

import pytest
from tests.helpers.squads_fights import Fight, ability, battle, of, side, taunt, unit

from fracas.rulesets.squads.content.vocabulary import VOCABULARY
from fracas.rulesets.squads.rules.events import Choice

PROBE = ability("probe", "self", taunt(1))


def situation(when: Any) -> Fight:
    """Unit a asks. Its friends are f and g, its enemies x, y and z; everybody is fresh and has 200 HP, a has 300."""
    return battle(
        side(
            unit("a", "mage", hp=300, class_ability="probe"),
            unit("f", "healer", hp=200),
            unit("g", "tank", hp=200),
            orders={"probe": {"when": when}},
        ),
        side(unit("x", "warrior", hp=200), unit("y", "ranger", hp=200), unit("z", "ranger", hp=200)),
        abilities=[PROBE],
    )


def holds(when: Any, state: dict[str, int] | None = None, *, fallen: str = "", tick: int = 1) -> bool:
    """Whether a condition holds for unit a, with `{"f.hp": 50}` and some units fallen."""
    fight = situation(when)
    fight.tick = tick
    for path, value in (state or {}).items():
        name, _, field = path.partition(".")
        fight[place(name)][field] = value
    for name in fallen:
        fight.fell(place(name))
    (told,) = of(fight.turn("1.a"), Choice)
    assert told.class_ability in ("its condition holds", "its condition does not hold")
    return told.class_ability == "its condition holds"


def place(name: str) -> str:
    return f"{1 if name in 'afg' else 2}.{name}"


STATUSES: dict[str, dict[str, int]] = {
    "shield": {"shield": 1, "shield_until": 9},
    "attack_up": {"attack_up": 1, "attack_up_until": 9},
    "taunt": {"taunt_until": 9},
    "attack_down": {"attack_down": 1, "attack_down_until": 9},
    "stunned": {"stunned": 1},
    "wound": {"wound": 1, "wound_strikes": 1},
}


def bearing(name: str, *kinds: str) -> dict[str, int]:
    """A unit with these effects on it."""
    return {f"{name}.{field}": value for kind in kinds for field, value in STATUSES[kind].items()}


NAMED: list[tuple[str, dict[str, int], str, bool]] = [
    ("always", {}, "", True),
    # below is strict, allies include the unit itself, the fallen do not count
    ("ally_hp_below_50", {}, "", False),
    ("ally_hp_below_50", {"f.hp": 100}, "", False),
    ("ally_hp_below_50", {"f.hp": 99}, "", True),
    ("ally_hp_below_50", {"a.hp": 149}, "", True),
    ("ally_hp_below_50", {"a.hp": 150}, "", False),
    ("ally_hp_below_50", {}, "f", False),
    ("ally_hp_below_50", {"x.hp": 1}, "", False),
    ("ally_hp_below_30", {"g.hp": 60}, "", False),
    ("ally_hp_below_30", {"g.hp": 59}, "", True),
    ("ally_hp_below_0", {"g.hp": 1}, "", False),
    ("ally_hp_below_100", {}, "", False),
    ("ally_hp_below_100", {"g.hp": 199}, "", True),
    ("self_hp_below_50", {"a.hp": 150}, "", False),
    ("self_hp_below_50", {"a.hp": 149, "f.hp": 200}, "", True),
    ("self_hp_below_50", {"f.hp": 1}, "", False),
    ("self_hp_above_80", {"a.hp": 240}, "", False),
    ("self_hp_above_80", {"a.hp": 241}, "", True),
    ("self_hp_above_33", {"a.hp": 100}, "", True),  # a third is above 33%
    ("self_hp_above_33", {"a.hp": 99}, "", False),
    ("enemy_hp_below_50", {"z.hp": 100}, "", False),
    ("enemy_hp_below_50", {"z.hp": 99}, "", True),
    ("enemy_hp_below_50", {"a.hp": 1}, "", False),
    ("enemy_hp_below_50", {}, "y", False),
    ("enemy_count_gte_2", {}, "x", True),
    ("enemy_count_gte_2", {}, "xy", False),
    ("enemy_count_gte_3", {}, "", True),
    ("enemy_count_gte_3", {}, "z", False),
    ("enemy_count_lte_2", {}, "", False),
    ("enemy_count_lte_2", {}, "z", True),
    ("ally_count_gte_3", {}, "", True),
    ("ally_count_gte_3", {}, "f", False),
    ("ally_count_lte_2", {}, "", False),
    ("ally_count_lte_2", {}, "f", True),
    ("ally_count_lte_1", {}, "fg", True),
    ("ally_count_lte_0", {}, "fg", False),
    ("self_charge_gte_60", {"a.charge": 59}, "", False),
    ("self_charge_gte_60", {"a.charge": 60}, "", True),
    ("self_charge_gte_60", {"f.charge": 60}, "", False),
    ("any_enemy_charge_gte_80", {"y.charge": 79}, "", False),
    ("any_enemy_charge_gte_80", {"y.charge": 80}, "", True),
    ("any_enemy_charge_gte_80", {"a.charge": 99}, "", False),
    ("any_enemy_charge_gte_80", {"y.charge": 80}, "y", False),
]
# A buff is a shield, attack up or a taunt; the rest are none.
for _kind in STATUSES:
    _buff = _kind in ("shield", "attack_up", "taunt")
    NAMED += [
        ("no_allies_have_buff", bearing("f", _kind), "", not _buff),
        ("no_allies_have_buff", bearing("a", _kind) if _kind != "stunned" else {}, "", not _buff),
        ("no_allies_have_buff", bearing("x", _kind), "", True),
        ("no_allies_have_buff", bearing("f", _kind), "f", True),
        ("any_enemy_has_buff", bearing("z", _kind), "", _buff),
        ("any_enemy_has_buff", bearing("f", _kind), "", False),
    ]
    if _kind != "stunned":  # who is stunned does not decide
        NAMED += [
            ("self_has_buff", bearing("a", _kind), "", _buff),
            ("self_is_debuffed", bearing("a", _kind), "", not _buff),
            ("self_has_buff", bearing("f", _kind), "", False),
            ("self_is_debuffed", bearing("f", _kind), "", False),
        ]


@pytest.mark.parametrize(
    ("when", "state", "fallen", "expected"),
    NAMED,
    ids=[f"{when}-{state or 'fresh'}{fallen and f'-without {fallen}'}" for when, state, fallen, _ in NAMED],
)
def test_named_conditions(when: str, state: dict[str, int], fallen: str, expected: bool) -> None:
    assert holds(when, state, fallen=fallen) is expected


@pytest.mark.parametrize(("tick", "expected"), [(4, False), (5, True), (6, True)])
def test_round_gte(tick: int, expected: bool) -> None:
    assert holds("round_gte_5", tick=tick) is expected
    assert holds("round >= 5", tick=tick) is expected


def test_every_named_condition_of_the_vocabulary_is_tried_here() -> None:
    tried = {when.rstrip("0123456789") for when, *_ in NAMED} | {"round_gte_"}
    assert tried >= {alias.name.removesuffix("N") for alias in VOCABULARY.names} | {"always"}


FACTS: list[tuple[str, dict[str, int], str, bool]] = [
    ("self.hp_pct == 50", {"a.hp": 150}, "", True),
    ("self.hp_pct == 50", {"a.hp": 151}, "", False),
    ("self.hp_pct <= 33", {"a.hp": 100}, "", False),
    ("self.hp_pct > 33", {"a.hp": 100}, "", True),
    ("self.hp_pct != 100", {}, "", False),
    ("self.charge > 40", {"a.charge": 41}, "", True),
    ("self.charge > 40", {"a.charge": 40}, "", False),
    ("self.cooldown == 0", {}, "", True),
    ("round == 1", {}, "", True),
    ("allies.count == 3", {}, "", True),
    ("allies.count == 3", {}, "g", False),
    ("enemies.count == 1", {}, "xy", True),
    ("allies.lowest_hp_pct < 50", {"f.hp": 99, "a.hp": 1}, "", True),
    ("allies.lowest_hp_pct == 40", {"f.hp": 80, "a.hp": 150}, "", True),
    ("allies.lowest_hp_pct == 40", {"f.hp": 80}, "f", False),
    ("allies.highest_hp_pct == 60", {"f.hp": 80, "a.hp": 180, "g.hp": 10}, "", True),
    ("enemies.lowest_hp_pct == 25", {"y.hp": 50, "a.hp": 1}, "", True),
    ("enemies.highest_hp_pct == 75", {"x.hp": 150, "y.hp": 100, "z.hp": 1}, "", True),
    ("allies.any(hp_pct < 50)", {"g.hp": 99}, "", True),
    ("allies.all(hp_pct < 50)", {"g.hp": 99}, "", False),
    ("allies.all(hp_pct < 50)", {"a.hp": 149, "f.hp": 99, "g.hp": 99}, "", True),
    ("allies.all(hp_pct < 50)", {"a.hp": 149, "f.hp": 99}, "g", True),
    ("allies.count(hp_pct < 50) == 2", {"f.hp": 99, "g.hp": 99}, "", True),
    ("enemies.count(charge >= 30) >= 2", {"x.charge": 30, "y.charge": 29}, "", False),
    ("enemies.count(charge >= 30) >= 2", {"x.charge": 30, "y.charge": 31}, "", True),
    ("enemies.count(ranger) == 2", {}, "", True),
    ("enemies.count(ranger) == 2", {}, "y", False),
    ("enemies.any(healer)", {}, "", False),
    ("allies.any(healer)", {}, "", True),
    ("allies.any(healer)", {}, "f", False),
    ("allies.all(mage)", {}, "fg", True),
    ("self.mage", {}, "", True),
    ("self.warrior or self.ranger or self.healer or self.tank", {}, "", False),
    ("enemies.any(warrior) and allies.any(tank)", {}, "", True),
]
WORDS = {
    "shield": "shielded",
    "attack_up": "attack_up",
    "taunt": "taunting",
    "attack_down": "attack_down",
    "stunned": "stunned",
    "wound": "damage_over_time",
}
for _kind in STATUSES:
    FACTS += [(f"enemies.any({word})", bearing("y", _kind), "", word == WORDS[_kind]) for word in WORDS.values()]
    if _kind != "stunned":
        FACTS += [(f"self.{word}", bearing("a", _kind), "", word == WORDS[_kind]) for word in WORDS.values()]
        FACTS += [
            ("self.buffed", bearing("a", _kind), "", _kind in ("shield", "attack_up", "taunt")),
            ("self.debuffed", bearing("a", _kind), "", _kind in ("attack_down", "wound")),
            ("allies.any(buffed)", bearing("f", _kind), "", _kind in ("shield", "attack_up", "taunt")),
            ("allies.all(debuffed)", bearing("a", _kind), "fg", _kind in ("attack_down", "wound")),
        ]


@pytest.mark.parametrize(
    ("when", "state", "fallen", "expected"),
    FACTS,
    ids=[f"{when}-{state or 'fresh'}{fallen and f'-without {fallen}'}" for when, state, fallen, _ in FACTS],
)
def test_facts(when: str, state: dict[str, int], fallen: str, expected: bool) -> None:
    assert holds(when, state, fallen=fallen) is expected


def test_every_fact_of_the_vocabulary_is_tried_here() -> None:
    tried = " ".join(when for when, *_ in FACTS)
    assert not [fact.name for fact in VOCABULARY.facts if fact.name not in tried]
    inner = [fact.name for fact in VOCABULARY.unit_facts] + [status.name for status in VOCABULARY.statuses]
    assert not [name for name in inner if f"({name}" not in tried and f"self.{name}" not in tried]


@pytest.mark.parametrize(
    ("when", "expected"),
    [
        ("self_hp_below_50 and enemy_count_gte_3", False),
        ("self_hp_below_50 or enemy_count_gte_3", True),
        ("not self_hp_below_50 and enemy_count_gte_3", True),
        ("not (self_hp_below_50 or enemy_count_gte_3)", False),
        ("enemy_count_gte_3 or self_hp_below_50 and self_hp_below_50", True),
        ({"all": ["enemy_count_gte_3", {"not": "self_hp_below_50"}]}, True),
        ({"any": ["self_hp_below_50", {"all": []}]}, True),
        ({"not": {"any": []}}, True),
    ],
)
def test_conditions_compose_as_text_and_as_json(when: Any, expected: bool) -> None:
    assert holds(when) is expected


@pytest.mark.parametrize("when", ["no_such_thing", "not no_such_thing", "enemy_count_gte_2 and no_such_thing"])
def test_an_unknown_name_never_blocks_and_is_warned_about(when: str) -> None:
    assert holds(when)
    (warning,) = situation(when).resolution.warnings
    assert "no_such_thing" in warning.message
