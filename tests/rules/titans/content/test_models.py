"""What is wrong with a duel, an ability or a policy is said once, at its place, with what would be right."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest
from blake3 import blake3
from tests.oracle.dice import Dice

from fracas.content.packs import one_file_library
from fracas.content.validate import validate
from fracas.errors import InputError
from fracas.rulesets.contract.types import Source
from fracas.rulesets.titans.content.ability_models import Policy
from fracas.rulesets.titans.content.checks import check_library, resolve
from fracas.rulesets.titans.content.compile import compile_battle
from fracas.rulesets.titans.content.generated_titans import generated_titan
from fracas.rulesets.titans.content.library import library_for
from fracas.rulesets.titans.content.models import ContentFile, ResolvedOptions, SessionFile
from fracas.rulesets.titans.rules.constants import CLASSIC_ABILITIES, STATS, TITAN_NAMES
from fracas.rulesets.titans.ruleset import RULESET

HERE = Source("scenario")


def titan(**values: Any) -> dict[str, Any]:
    stats = {"attack": 8, "defense": 6, "speed": 9, "stamina": 7}
    return {"name": "Gale", "hp": 32, **stats, "abilities": ["shock", "barrier"], **values}


def scenario(**values: Any) -> dict[str, Any]:
    players = [
        {"name": "Ada", "titan": titan(name="Stone"), "policy": "charger"},
        {"name": "Bo", "titan": titan(), "policy": [{"when": "enemy.charge >= 50", "do": "defend"}, {"do": "attack"}]},
    ]
    return {"ruleset": "titans", "id": "test", "players": players, **values}


def with_player(**values: Any) -> dict[str, Any]:
    """The scenario with other values for Bo."""
    given = scenario()
    given["players"][1] |= values
    return given


def complaints(document: dict[str, Any], source: Source = HERE) -> list[tuple[str, str, str | None]]:
    with pytest.raises(InputError) as raised:
        resolve(document, source, (), {})
    return [
        (problem.where.removeprefix(f"{source.where}: "), problem.message, problem.suggestion)
        for problem in raised.value.problems
    ]


def test_the_scenario_that_is_broken_here_is_sound() -> None:
    resolution = resolve(scenario(), HERE, (), {})
    assert resolution.warnings == ()
    assert list(resolution.document["abilities"]) == ["barrier", "shock"]
    assert compile_battle(resolution.document, {}).record["titans"]["max_hp"].tolist() == [[32, 32]]


@pytest.mark.parametrize(
    ("values", "where", "message"),
    [
        ({"critical": 101}, "titan.critical", "101 is out of range: it must be at most 100"),
        ({"level": 51}, "titan.level", "51 is out of range: it must be at most 50"),
        ({"abilities": ["shock", "shock"]}, "titan", 'has the ability "shock" twice'),
        ({"name": ""}, "titan.name", "must not be empty"),
    ],
)
def test_a_titan_that_cannot_be_is_refused(values: dict[str, Any], where: str, message: str) -> None:
    found = complaints(with_player(titan=titan(**values)))
    assert [(path, said) for path, said, _ in found] == [(f"players.1.{where}", message)]


@pytest.mark.parametrize(
    ("policy", "where", "message"),
    [
        ([], "", "has 0 entries; at least 1 are needed"),
        ({}, "", "needs one of rules, solved, choices and network"),
        (
            {"rules": [{"do": "rest"}], "choices": []},
            "",
            "needs one of rules, solved, choices and network, not several",
        ),
        ([{"when": "self.hpp < 3", "do": "rest"}], ".0.when", 'unknown fact "self.hpp" (column 1)'),
        ([{"do": "rest", "chance": 101}], ".0.chance", "101 is out of range: it must be at most 100"),
        ([{"when": "self.hp > 5"}], ".0.do", "is missing"),
        ([{"when": "round > 100", "do": "rest"}], "", "no rule of this policy can ever apply"),
        ([{"when": "self.charge < 0", "do": "rest"}], "", "no rule of this policy can ever apply"),
        ([{"when": "sudden_death", "do": "rest"}], "", "no rule of this policy can ever apply"),
        ({"choices": ["rest", "shok"]}, ".choices.1", 'there is no action or ability "shok"'),
        ({"choices": ["drain"]}, ".choices.0", 'Gale does not have the ability "drain"'),
        ("solved.json", "", '"solved.json" is a file, but this scenario has no folder'),
    ],
)
def test_a_policy_that_cannot_be_followed_is_refused(policy: Any, where: str, message: str | None) -> None:
    found = complaints(with_player(policy=policy))
    assert [path for path, _, _ in found] == [f"players.1.policy{where}"]
    assert message is None or found[0][1] == message


def test_a_policy_of_the_content_may_speak_of_what_a_titan_does_not_have() -> None:
    given = with_player(titan=titan(abilities=["drain"]), policy="own")
    known = {"id": "own", "name": "Own", "rules": [{"do": "shock"}, {"do": "rest"}]}
    library = library_for(None, ()).over(one_file_library(validate(ContentFile, {"policies": [known]}, "here"), "here"))
    from fracas.rulesets.titans.content.models import Scenario
    from fracas.rulesets.titans.content.resolver import Resolver

    resolved = Resolver(validate(Scenario, given, "scenario"), HERE, library).resolve().document
    assert resolved["players"][1]["policy"] == {"rules": [{"do": "rest", "chance": 100}]}


def test_a_policy_of_which_nothing_is_left_is_refused() -> None:
    known = {"id": "own", "name": "Own", "rules": [{"do": "shock"}]}
    library = library_for(None, ()).over(one_file_library(validate(ContentFile, {"policies": [known]}, "here"), "here"))
    from fracas.rulesets.titans.content.models import Scenario
    from fracas.rulesets.titans.content.resolver import Resolver

    given = validate(Scenario, with_player(titan=titan(abilities=["drain"]), policy="own"), "scenario")
    with pytest.raises(InputError, match="no rule of this policy can ever apply"):
        Resolver(given, HERE, library).resolve()


def test_a_third_player_is_refused() -> None:
    given = scenario()
    given["players"].append(given["players"][0] | {"name": "Cy"})
    assert complaints(given) == [("players", "has too many entries; at most 2 are allowed", None)]


def test_two_players_of_one_name_are_refused() -> None:
    assert complaints(with_player(name="Ada"))[0][:2] == ("players.1.name", 'both players are named "Ada"')


def test_everything_that_is_wrong_is_said_at_once() -> None:
    given = with_player(titan=titan(abilities=["shok"]), policy="chargr")
    given["players"][0]["titan"] = "nobody"
    given["profile"] = "hed"
    assert [path for path, _, _ in complaints(given)] == [
        "profile",
        "players.0.titan",
        "players.1.titan.abilities.0",
        "players.1.policy",
    ]


def test_hidden_stats_cannot_be_asked_for() -> None:
    policy = [{"when": "enemy.speed > 3 and self.speed > 3", "do": "rest"}, {"do": "attack"}]
    given = with_player(policy=policy)
    assert resolve(given, HERE, (), {}).warnings == ()
    found = complaints(given | {"options": {"stats_public": False}})
    assert [(path, said) for path, said, _ in found] == [
        ("players.1.policy.0.when", '"enemy.speed" is hidden from players')
    ]


def test_a_misspelt_condition_of_a_player_is_a_warning() -> None:
    given = with_player(policy=[{"when": "self_is_redy", "do": "rest"}])
    (warning,) = resolve(given, HERE, (), {}).warnings
    assert warning.where == "scenario: players.1.policy.0.when"
    with pytest.raises(InputError):
        RULESET.check_file("strategy", {"rules": [{"when": "self_is_redy", "do": "rest"}]}, Source("file"), strict=True)


def test_a_player_without_a_policy_is_told_of() -> None:
    given = scenario()
    del given["players"][0]["policy"]
    resolution = resolve(given, HERE, (), {})
    assert resolution.document["players"][0]["policy"] == {"choices": []}
    assert [warning.where for warning in resolution.warnings] == ["scenario: players.0.policy"]


# Files of policies


def test_a_policy_may_stand_in_a_file_beside_the_scenario(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text('rules = [{ do = "shock" }, { do = "rest" }]\n')
    source = Source(str(tmp_path / "duel.toml"), tmp_path)
    document = resolve(with_player(policy="own.toml"), source, (), {}).document
    assert [rule["do"] for rule in document["players"][1]["policy"]["rules"]] == ["shock", "rest"]
    (path, message, _), *_ = complaints(with_player(policy="../own.toml"), source)
    assert (path, message) == ("players.1.policy", '"../own.toml" is outside the scenario\'s folder')


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"weights": "%"}, "the weights are not base64"),
        ({"weights": ""}, "has 0 weights; 2 cells of 2 choices need 4"),
        ({"own_hp": 102}, "102 is out of range: it must be at most 101"),
        ({"own_hp": 101, "enemy_hp": 101, "own_charge": 101}, "has 2,060,602 cells; at most 262,144 fit"),
        ({"choices": ["rest", "rest"]}, "names a choice twice"),
    ],
)
def test_a_table_that_is_none_is_refused(changes: dict[str, Any], message: str) -> None:
    weights = base64.b64encode(bytes(4)).decode()
    table = {"own_hp": 1, "enemy_hp": 1, "own_charge": 1, "enemy_charge": 2, "choices": ["rest", "shock"]}
    table |= {"weights": weights}
    assert validate(Policy, {"solved": table}, "file").solved is not None
    with pytest.raises(InputError) as raised:
        validate(Policy, {"solved": table | changes}, "file")
    assert [problem.message for problem in raised.value.problems] == [message]


# Content


@pytest.mark.parametrize(
    ("effect", "message"),
    [
        ({"type": "damage"}, "needs one amount: amount, or stat and times"),
        ({"type": "heal"}, "needs one amount: amount, stat and times, or dealt"),
        (
            {"type": "damage", "amount": 3, "stat": "attack", "times": 2},
            "needs only one amount: amount, or stat and times",
        ),
        ({"type": "damage", "stat": "attack"}, "a multiple of a stat needs both stat and times"),
        ({"type": "damage", "times": 2.0}, "a multiple of a stat needs both stat and times"),
        ({"type": "damage", "stat": "attackk", "times": 2}, None),
        ({"type": "damage", "stat": "attack", "times": float("nan")}, None),
        ({"type": "change", "stat": "speed", "percent": 0, "rounds": 1}, "a change of 0 per cent changes nothing"),
        (
            {"type": "change", "stat": "speed", "percent": -91, "rounds": 1},
            "-91 is out of range: it must be at least -90",
        ),
        ({"type": "charge", "amount": 101}, "101 is out of range: it must be at most 100"),
        ({"type": "burn"}, None),
        ({"amount": 3}, "needs a 'type'"),
    ],
)
def test_an_effect_that_is_none_is_refused(effect: dict[str, Any], message: str | None) -> None:
    ability = {"id": "own", "name": "Own", "cost": 5, "effects": [effect]}
    with pytest.raises(InputError) as raised:
        validate(ContentFile, {"abilities": [ability]}, "file")
    (problem,) = raised.value.problems
    assert problem.where.startswith("file: abilities.0.effects.0")
    assert message is None or problem.message == message


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            {"abilities": [{"id": "rest", "name": "R", "cost": 5, "effects": [{"type": "cleanse"}]}]},
            '"rest" is already an action',
        ),
        (
            {"abilities": [{"id": "own", "name": "R", "cost": 101, "effects": [{"type": "cleanse"}]}]},
            "101 is out of range",
        ),
        ({"policies": [{"id": "greedy", "name": "G", "rules": [{"do": "rest"}]}]}, '"greedy" is already a policy'),
        ({"policies": [{"id": "own", "name": "O", "rules": []}]}, "has 0 entries"),
    ],
)
def test_content_that_cannot_be_is_refused(content: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        RULESET.check_file("content", content, Source("file"))


@pytest.mark.parametrize(
    ("content", "where"),
    [
        ({"titans": [titan(id="own", abilities=["shok"])]}, "titans.own.abilities.0"),
        ({"titans": [titan(id="own", archetype="rock")]}, "titans.own.archetype"),
        ({"policies": [{"id": "own", "name": "O", "rules": [{"do": "shok"}]}]}, "policies.own.rules.0.do"),
        (
            {"policies": [{"id": "own", "name": "O", "rules": [{"when": "self_is_redy", "do": "rest"}]}]},
            "policies.own.rules.0.when",
        ),
        ({"profiles": [{"id": "own", "base": "sed"}]}, "profiles.own.base"),
    ],
)
def test_a_name_in_content_that_leads_nowhere_is_refused(content: dict[str, Any], where: str) -> None:
    with pytest.raises(InputError) as raised:
        RULESET.check_file("content", content, Source("file"))
    assert raised.value.problems[0].where == f"file: {where}"


def test_the_shipped_content_is_sound() -> None:
    check_library(library_for(None, ()))
    assert set(CLASSIC_ABILITIES) <= set(library_for(None, ()).of("abilities"))


# Generated titans


def options(profile: str) -> ResolvedOptions:
    document = resolve(scenario(profile=profile), HERE, (), {}).document
    return validate(ResolvedOptions, document["options"], "options")


OPTIONS = {profile: options(profile) for profile in ("seed", "head")}


@pytest.mark.parametrize("text", ["hello", "any text", "ü"])
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("profile", ["seed", "head"])
def test_a_text_makes_the_titan_that_the_rule_book_says(text: str, player: int, profile: str) -> None:
    dice = Dice(blake3(text.encode()).digest(), 0, 0, 0xFF00 + player)
    hp = dice.between(20, 50 if profile == "seed" else 30)
    stats = [dice.between(5, 10) for _ in range(4 if profile == "seed" else 7)]
    left = list(CLASSIC_ABILITIES)
    abilities = [left.pop(dice.below(10 - taken)) for taken in range(1 if profile == "seed" else 2)]
    name = TITAN_NAMES[dice.below(50)]
    made = generated_titan(text, player, OPTIONS[profile])
    assert list(made) == ["name", "hp", *STATS[: len(stats)], "abilities"]
    assert list(made.values()) == [name, hp, *stats, abilities]


def test_generated_titans_keep_to_their_ranges() -> None:
    seen: dict[str, set[Any]] = {}
    for number in range(400):
        for profile, most in (("seed", 50), ("head", 30)):
            made = generated_titan(str(number), number % 2, OPTIONS[profile])
            assert 20 <= made["hp"] <= most
            stats = {key: value for key, value in made.items() if key not in ("name", "hp", "abilities")}
            assert len(stats) == (7 if profile == "head" else 4)
            assert set(stats.values()) <= set(range(5, 11))
            assert len(set(made["abilities"])) == (2 if profile == "head" else 1)
            seen.setdefault("abilities", set()).update(made["abilities"])
            seen.setdefault("name", set()).add(made["name"])
    assert seen["abilities"] == set(CLASSIC_ABILITIES)
    assert seen["name"] == set(TITAN_NAMES)
    assert len(set(TITAN_NAMES)) == 50


def test_the_same_text_makes_two_titans_for_two_players() -> None:
    made = [generated_titan("hello", player, OPTIONS["seed"]) for player in (0, 1)]
    assert made[0] != made[1]


# Sessions


def session(**values: Any) -> dict[str, Any]:
    return {
        "format": "fracas duel session",
        "version": 2,
        "rules_version": 2,
        "scenario": {},
        "deadline": None,
        "server_seed": "0" * 64,
        "commitment": "f" * 64,
        "salt_seals": ["c" * 64, "5" * 64],
        "salts": [None, "salt"],
        "nonces": [None, "e" * 64],
        "rounds": [["attack", "rest"]],
        "digests": ["d" * 64],
        "pending": [None, "defend"],
        "seal": "a" * 64,
        **values,
    }


def test_a_session_file_is_one() -> None:
    assert validate(SessionFile, session(), "file").salts == [None, "salt"]


@pytest.mark.parametrize(
    ("values", "where"),
    [
        ({"format": "another"}, "format"),
        ({"version": 1}, "version"),
        ({"server_seed": "0" * 63}, "server_seed"),
        ({"server_seed": "G" * 64}, "server_seed"),
        ({"salt_seals": ["c" * 64]}, "salt_seals"),
        ({"salt_seals": ["c" * 64, "c"]}, "salt_seals.1"),
        ({"nonces": [None, 7]}, "nonces.1"),
        ({"salts": ["a"]}, "salts"),
        ({"salts": ["a", "b" * 201]}, "salts.1"),
        ({"rounds": [["attack"]]}, "rounds.0"),
        ({"pending": [None, None, None]}, "pending"),
        ({"deadline": 0}, "deadline"),
        ({"digests": ["d"]}, "digests.0"),
        ({"clock": 3}, "clock"),
    ],
)
def test_a_session_file_that_is_none_is_refused(values: dict[str, Any], where: str) -> None:
    with pytest.raises(InputError) as raised:
        validate(SessionFile, session(**values), "file")
    assert [problem.where for problem in raised.value.problems] == [f"file: {where}"]
