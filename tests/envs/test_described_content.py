"""Version 2 of observations: contents that differ in what a player may know never look equal, nor does more show."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from tests.helpers import soak

import fracas
from fracas.engine.scenario import Scenario
from fracas.envs.battles.single import BattleEnv
from fracas.envs.names import RULESETS
from fracas.rulesets import registry
from fracas.rulesets.contract.descriptions import paths_of
from fracas.rulesets.delve.rules.constants import PARTY

CONTENTS, CHANGES = soak.times(1), 60


def plain(value: Any) -> Any:
    """Records and arrays as tuples and lists."""
    if isinstance(value, np.void):
        value = value.tolist()
    if isinstance(value, tuple):
        return tuple(plain(each) for each in value)
    if isinstance(value, np.ndarray | list):
        return [plain(each) for each in value]
    return value.item() if isinstance(value, np.generic) else value


# What a player may know, straight from a compiled record: the other way to say what `tell` says.


def known_in_squads(battle: Any, side: int) -> Any:
    def able(order: Any) -> Any:
        *given, count, effects = battle["abilities"][order["ability"]].tolist()
        return given, effects[:count]

    names = "max_hp attack defense speed damage_pct defense_pct healing_pct critical_chance critical_multiplier"
    units = [
        [[unit[name] for name in names.split()], *(able(unit[use]) for use in ("basic", "class_ability", "ultimate"))]
        for unit in battle["units"]
        if unit["max_hp"]
    ]
    sides = [[one[name] for name in ("attack_pct", "defense_pct", "taken_pct")] for one in battle["sides"]]
    return battle["options"].tolist(), battle["chain"][: battle["chain_length"]].tolist(), sides, units


def known_in_titans(battle: Any, side: int) -> Any:
    def able(code: int) -> Any:
        ability = battle["abilities"][code]
        told = []
        for effect in ability["effects"][: ability["effect_count"]]:
            *given, change = effect.tolist()
            told.append((given, battle["changes"][change]["percent"] if given[0] == 5 else 0))
        return ability["cost"], told

    players = []
    for number, titan in enumerate(battle["titans"]):
        stats = titan["stats"][:7].tolist() if number == side or battle["options"]["stats_public"] else None
        abilities = [able(code) for code in titan["abilities"][: titan["ability_count"]]]
        players.append((titan["max_hp"], titan["level"], stats, abilities))
    *options, _, public = battle["options"].tolist()
    return options, public, players


def known_in_stacks(battle: Any, side: int) -> Any:
    names = ("first_health", "first_attack", "first_defence", "first_damage", "side")
    rows = [
        (number, [battle["participants"][number][name] for name in names], moves_of(battle["participants"][number]))
        for number in battle["involved"][: battle["involved_count"]].tolist()
    ]
    places = [
        each.tolist()[1:] if each["stack"] >= 0 else None for each in battle["places"][: battle["direction_count"]]
    ]
    return battle["options"].tolist(), places, rows


def moves_of(one: Any) -> list[int]:
    return sorted(one["moves"][: one["move_count"]].tolist())


def known_in_delve(battle: Any, side: int) -> Any:
    def skill(number: int) -> Any:
        *given, count, conditions = battle["skills"][number].tolist()
        return given, conditions[:count]

    def queue(owner: Any) -> Any:
        slots = battle["queue_slots"][owner["first_slot"] : owner["first_slot"] + owner["slot_count"]]
        return [skill(number) for number in slots["skill"].tolist()]

    names = "max_hp max_resource start_pct level armor resistance evasion regeneration damage_pct weapon_speed"
    rows = [
        [[one[name] for name in names.split()], one["attributes"].tolist(), one["checks"].tolist(), queue(one)]
        for one in battle["participants"][:8]
        if one["max_hp"]
    ]
    weapons = [one["weapon"].tolist() for one in battle["participants"][:8]]
    return battle["options"].tolist(), battle["difficulty"].tolist(), rows, weapons


KNOWN = {
    "squads": known_in_squads,
    "titans": known_in_titans,
    "stacks": known_in_stacks,
    "delve": known_in_delve,
}
# Delve's members fight in battles that both sides may play; creatures are met on the way.
SIDES = {"delve": (PARTY,)}


def seen_at_first(ruleset: str, scenario: Scenario, side: int) -> Any:
    env = BattleEnv(ruleset, scenario, side + 1, version=2)
    return env.reset(seed=1)[0]["observation"]


def numbers_in(document: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all whole numbers."""
    items: Any = document.items() if isinstance(document, dict) else enumerate(document)
    for key, value in items:
        if isinstance(value, dict | list):
            yield from numbers_in(value, (*path, key))
        elif isinstance(value, int) and not isinstance(value, bool):
            yield (*path, key)


def changed(scenario: Scenario, rng: np.random.Generator) -> Scenario | None:
    """The scenario with another number somewhere; None if that is no scenario."""
    document = copy.deepcopy(dict(scenario.document))
    paths = list(numbers_in(document))
    *path, last = paths[rng.integers(len(paths))]
    where: Any = document
    for key in path:
        where = where[key]
    where[last] = int(rng.choice([where[last] + 1, where[last] // 4, 3 * where[last] + 2]))
    try:
        compiled = scenario.ruleset.compile(document, {})
        BattleEnv(scenario.ruleset.name, Scenario(scenario.ruleset, document, compiled)).reset(seed=1)
    except (fracas.FracasError, IndexError, ValueError, KeyError, OverflowError, ZeroDivisionError):
        return None
    return Scenario(scenario.ruleset, document, compiled)


def compare(ruleset: str) -> tuple[int, int]:
    """Change numbers one by one and compare; how many changes a player may know, and how many it may not."""
    interface, rng = registry.get(ruleset).agent_interface(), np.random.default_rng(3)
    may_know = may_not = 0
    for number in range(CONTENTS):
        scenario = fracas.load(registry.get(ruleset).random_scenario(number))
        sides, record = SIDES.get(ruleset, (0, 1)), scenario.compiled.record[0]
        before = {side: (plain(KNOWN[ruleset](record, side)), interface.describe(record, side)) for side in sides}
        for _ in range(CHANGES):
            other = changed(scenario, rng)
            if other is None:
                continue
            for side in sides:
                record = other.compiled.record[0]
                known = [before[side][0], plain(KNOWN[ruleset](record, side))]
                told = [before[side][1], interface.describe(record, side)]
                if known[0] == known[1]:
                    may_not += 1
                    np.testing.assert_array_equal(told[0], told[1], "shows what a player may not know")
                elif (told[0] == told[1]).all():
                    # What is no constant of a battle stands in the rest of an observation.
                    may_know += 1
                    one, two = (seen_at_first(ruleset, each, side) for each in (scenario, other))
                    assert (one != two).any(), f"looks equal: {known}"
                else:
                    may_know += 1
    return may_know, may_not


@pytest.mark.parametrize("ruleset", RULESETS)
def test_contents_that_differ_in_what_a_player_may_know_never_look_equal(ruleset: str) -> None:
    may_know, may_not = compare(ruleset)
    assert may_know > 20
    assert may_not > 2


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_description_that_leaves_something_out_is_caught(ruleset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    interface = registry.get(ruleset).agent_interface()
    monkeypatch.setitem(interface.__dict__, "describe", lambda *_: np.zeros(len(interface.described), np.float32))
    with pytest.raises(AssertionError, match="looks equal"):
        compare(ruleset)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_version_2_begins_with_version_1(ruleset: str) -> None:
    one, two = (BattleEnv(ruleset, version=version) for version in (1, 2))
    count = one.observation_space["observation"].shape[0]  # type: ignore[index]
    rng = np.random.default_rng(2)
    first, second = one.reset(seed=2)[0], two.reset(seed=2)[0]
    for _ in range(20):
        np.testing.assert_array_equal(first["observation"], second["observation"][:count])
        np.testing.assert_array_equal(first["action_mask"], second["action_mask"])
        assert two.observation_space.contains(second)
        action = int(rng.choice(np.flatnonzero(first["action_mask"])))
        first, _, over, *_ = one.step(action)
        second = two.step(action)[0]
        if over:
            break


def test_amounts_divided_by_four_do_not_look_equal() -> None:
    """What version 1 of observations did not tell."""
    document = dict(fracas.load("examples/titans/standard.toml").document)
    weaker = copy.deepcopy(document)
    for ability in weaker["abilities"].values():
        for effect in ability["effects"]:
            effect.update({key: value // 4 for key, value in effect.items() if key in ("amount", "percent")})
    ruleset = registry.get("titans")
    scenarios = [Scenario(ruleset, each, ruleset.compile(each, {})) for each in (document, weaker)]
    for version, is_equal in ((1, True), (2, False)):
        first, second = (BattleEnv("titans", each, version=version).reset(seed=1)[0] for each in scenarios)
        assert (first["observation"] == second["observation"]).all() == is_equal


# Entries of one state of each ruleset, worked out by hand from its content files; numbers not named here are not
# compared. The state is that after `actions`.
BY_HAND: dict[str, tuple[list[int], dict[str, float]]] = {
    # Overdrive: 2.5 x attack for 50 charge. Fortify: heal 10, shield 10, for 20. Meteor: 15, then 2 x attack, for 80.
    "titans": (
        [1],
        {
            "options.round_cap": 100 / 10,
            "options.rest_charge": 60 / 100,
            "own.given.max_hp": 40 / 1000,
            "own.given.attack": 6 / 100,
            "enemy.given.attack": 9 / 100,
            "own.ability_1.given.cost": 50 / 100,
            "own.ability_1.given.effect_1.kind.damage": 1,
            "own.ability_1.given.effect_1.source.stat": 1,
            "own.ability_1.given.effect_1.times": 2.5,
            "own.ability_2.given.cost": 20 / 100,
            "own.ability_2.given.effect_1.kind.heal": 1,
            "own.ability_2.given.effect_1.amount": 10 / 100,
            "own.ability_2.given.effect_2.kind.shield": 1,
            "own.ability_2.given.effect_2.amount": 10 / 100,
            "own.ability_3.given.cost": 0,
            "enemy.ability_1.given.cost": 80 / 100,
            "enemy.ability_1.given.effect_1.amount": 15 / 100,
            "enemy.ability_1.given.effect_2.times": 2,
        },
    ),
    # The rogue's class ability: 150 % of attack on one enemy, then it cools down for 3 rounds. The tank's: taunt for 2
    # rounds, and a shield of its whole defense.
    "squads": (
        [25],
        {
            "options.round_cap": 50 / 10,
            "rules.chain_1.kind.class_advantage": 1,
            "rules.chain_1.first": 120 / 100,
            "rules.chain_4.kind.minimum": 1,
            "own_2.given.speed": 20 / 100,
            "own_2.class_ability.reach.one_enemy": 1,
            "own_2.class_ability.cooldown": 3 / 10,
            "own_2.class_ability.effect_1.kind.damage": 1,
            "own_2.class_ability.effect_1.attack": 150 / 100,
            "own_2.lasting.class_ability_wait": 3 / 10,
            "own_1.lasting.class_ability_wait": 0,
            "own_5.class_ability.effect_1.kind.taunt": 1,
            "own_5.class_ability.effect_1.rounds": 2 / 10,
            "own_5.class_ability.effect_2.kind.shield": 1,
            "own_5.class_ability.effect_2.defense": 100 / 100,
            "enemy_4.ultimate.reach.all_allies": 1,
            "enemy_4.ultimate.effect_1.kind.heal": 1,
        },
    ),
    # The first swordsman has struck: two repeats, a tuple each.
    "stacks": (
        [264],
        {
            "options.valuation.exact": 1,
            "options.turn_cap": 200 / 10,
            "options.heal_limit": 3 / 10,
            "place_0.role.attacks": 1,
            "place_0.unit_count": 8 / 8,
            "place_1.unit_count": 0,
            "tile_0.given_1.first_health": 10 / 10,
            "tile_0.given_1.first_attack": 5 / 10,
            "tile_0.given_1.first_defence": 4 / 10,
            "tile_0.used_1.strike": 2 / 10,
            "tile_0.used_1.archery": 0,
        },
    ),
    # A fight: the first member has 40 HP, might 38 and bleeds for 3 rounds, 3 HP each.
    "delve": (
        [59, 42],
        {
            "own_1.lasting.most_hp": 40 / 100,
            "own_1.lasting.might": 38 / 100,
            "own_1.lasting.bleeding_left": 3 / 10,
            "own_1.lasting.bleeding_potency": 3 / 100,
            "own_2.lasting.weapon_speed": -10 / 100,
            "enemy_1.lasting.empowered_left": 2 / 10,
            "own_1.given.max_hp": 40 / 100,
            "enemy_1.lasting.most_hp": 46 / 100,
            "own_8.lasting.most_hp": 0,
        },
    ),
}


@pytest.mark.parametrize("ruleset", RULESETS)
def test_one_state_by_hand(ruleset: str) -> None:
    actions, expected = BY_HAND[ruleset]
    env = BattleEnv(ruleset, version=2)
    seen, _ = env.reset(seed=1)
    for action in actions:
        seen, *_ = env.step(action)
    names = [feature.name for feature in registry.get(ruleset).agent_interface().seen_in(2)]
    found = {name: float(seen["observation"][names.index(name)]) for name in expected}
    assert found == pytest.approx(expected, abs=1e-6)


def test_rounds_left_count_down() -> None:
    """A change of stats, a taunt and a shield last as long as their content says, and one round less in the next."""
    striker = fracas.load("examples/titans/striker-vessel.toml")
    env = BattleEnv("titans", striker, version=2)
    interface = registry.get("titans").agent_interface()
    first = len(interface.features)
    seen, _ = env.reset(seed=1)
    assert not seen["observation"][first : first + len(interface.lasting)].any()
    record = env._match.batch.battles[0]
    ability = record["abilities"][record["titans"][0]["abilities"][0]]
    ability["effects"][0]["kind"], ability["effects"][0]["on_self"], ability["effects"][0]["change"] = 5, 1, 3
    record["titans"][0]["until"][3], record["titans"][0]["active"] = record["tick"] + 4, 1
    env._match.batch.look()
    assert env._match.seen_by(0)["observation"][first] == pytest.approx(0.5)


def left_out(words: Any, kind: np.dtype[Any]) -> set[str]:
    """The fields of a record type that are not told."""
    told = {path.partition(".")[0] for path in paths_of(words)}
    return set(kind.names or ()) - told


def test_a_new_field_of_content_is_told_or_named_here() -> None:
    """Whoever adds a number to abilities, effects, skills or options decides whether agents see it."""
    squads, titans, stacks, delve = (
        import_module(f"fracas.rulesets.{name}.analysis.described_content")
        for name in ("squads", "titans", "stacks", "delve")
    )
    kinds = {name: registry.get(name).agent_interface().battle_types[-1] for name in RULESETS}
    for module, name in ((squads, "squads"), (titans, "titans"), (stacks, "stacks"), (delve, "delve")):
        experience = {"experience"} if name == "titans" else set()
        assert left_out(module.OPTIONS, kinds[name]["options"]) == experience
    assert left_out(delve.DIFFICULTY, kinds["delve"]["difficulty"]) == set()
    assert left_out(delve.SKILL, kinds["delve"]["skills"].base) == set()
    for module, name, more in ((squads, "squads", set()), (titans, "titans", {"change"})):
        ability = kinds[name]["abilities"].base
        assert left_out(module.ABILITY, ability) == set()
        # Slots of changes are told with what they change.
        assert left_out(module.EFFECT, ability["effects"].base) == more
    # Of changes the effect tells the stat.
    assert left_out(titans.CHANGE, kinds["titans"]["changes"].base) == {"stat"}
