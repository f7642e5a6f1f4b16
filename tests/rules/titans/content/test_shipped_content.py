"""What ships with titans: enough of everything, every effect used, and nothing to remark; and what lint finds."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from fracas import load
from fracas.files.read import read_document
from fracas.rulesets import registry
from fracas.rulesets.contract.types import Source
from fracas.rulesets.titans.rules.constants import CLASSIC_ABILITIES, EFFECTS, STATS

RULESET = registry.get("titans")
LIBRARY = RULESET.read_library(None, ())
ABILITIES = LIBRARY.of("abilities")
EXAMPLES = Path(__file__).parents[4] / "examples" / "titans"
# What is true of a shipped example all the same; its own comment says so.
TRUE_OF_EXAMPLES = {"ada-and-bo": {"idle-ability"}}


@pytest.fixture(autouse=True)
def plain_mode(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FRACAS_JIT", "0")


def test_there_is_enough_of_everything() -> None:
    assert len(ABILITIES) == 22
    assert set(CLASSIC_ABILITIES) < set(ABILITIES)
    assert len(LIBRARY.of("policies")) == 8
    assert set(LIBRARY.of("profiles")) == {"seed", "head"}
    kinds = Counter(titan.archetype for titan in LIBRARY.of("titans").values())
    assert kinds == dict.fromkeys(LIBRARY.of("archetypes"), 6)
    assert len(kinds) == 4


def test_the_content_uses_every_effect_in_every_way() -> None:
    effects = [effect for ability in ABILITIES.values() for effect in ability.effects]
    used = Counter(effect.type for effect in effects)
    assert not [name for name in EFFECTS if not used[name]]
    measured = {kind: [effect for effect in effects if effect.type == kind] for kind in EFFECTS}
    for kind in ("damage", "heal", "shield"):
        assert any(effect.amount is not None for effect in measured[kind]), kind
        assert any(effect.stat is not None for effect in measured[kind]), kind
    assert any(effect.dealt is not None for effect in measured["heal"])
    for kind in ("charge", "set_charge", "change"):
        assert {effect.on for effect in measured[kind]} == {"self", "opponent"}, kind
    assert {effect.stat for effect in measured["change"]} == set(STATS)
    assert {effect.percent > 0 for effect in measured["change"]} == {True, False}


def test_every_ability_belongs_to_a_titan() -> None:
    used = Counter(name for titan in LIBRARY.of("titans").values() for name in titan.abilities)
    assert not [name for name in ABILITIES if not used[name]]


def test_everything_has_a_note() -> None:
    for kind in ("abilities", "archetypes", "titans", "policies", "profiles"):
        assert all(entry.note for entry in LIBRARY.of(kind).values()), kind


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.toml")), ids=lambda file: file.stem)
def test_the_shipped_examples_have_no_findings_but_those_they_speak_of(file: Path) -> None:
    findings = RULESET.lint(read_document(file), Source(str(file), file.parent))
    assert {finding.rule for finding in findings} == TRUE_OF_EXAMPLES.get(file.stem, set())


def titan(**values: Any) -> dict[str, Any]:
    stats = {"attack": 8, "defense": 6, "speed": 9, "stamina": 7}
    return {"name": "Gale", "hp": 32, **stats, "abilities": ["shock", "barrier"], **values}


def scenario(policy: Any = "charger", **values: Any) -> dict[str, Any]:
    players = [{"titan": titan(), "policy": "brute"}, {"titan": titan(), "policy": policy}]
    return {"ruleset": "titans", "players": players, **values}


def ability(*effects: dict[str, Any]) -> dict[str, Any]:
    return {"pulse": {"id": "pulse", "name": "Pulse", "cost": 5, "effects": list(effects)}}


def with_effects(*effects: dict[str, Any], **values: Any) -> dict[str, Any]:
    """A scenario with an ability of its own, which a titan has."""
    given = scenario(abilities=ability(*effects), **values)
    given["players"][1]["titan"] = titan(abilities=["pulse"])
    return given


def told(document: dict[str, Any]) -> list[tuple[str, str]]:
    return [(found.rule, found.where.removeprefix("x: ")) for found in RULESET.lint(document, Source("x"))]


SHOCK, BARRIER, ATTACK = {"do": "shock"}, {"do": "barrier"}, {"do": "attack"}
RULES = "players.1.policy"

LINTED = {
    "nothing": (scenario(), []),
    "a rule below one that is always taken": (
        scenario([SHOCK, BARRIER, ATTACK, {"do": "rest"}]),
        [("dead-rule", f"{RULES}.3")],
    ),
    "no rule below one that chance may keep back": (
        scenario([SHOCK, BARRIER, {"do": "rest", "chance": 50}, ATTACK]),
        [],
    ),
    "a condition that never holds": (
        scenario([SHOCK, BARRIER, {"when": "self.charge > 100", "do": "rest"}, ATTACK]),
        [("never-holds", f"{RULES}.2.when")],
    ),
    "sudden death that never comes": (
        scenario([SHOCK, BARRIER, {"when": "sudden_death", "do": "rest"}, ATTACK]),
        [("never-holds", f"{RULES}.2.when")],
    ),
    "sudden death that comes": (
        scenario(
            [SHOCK, BARRIER, {"when": "sudden_death", "do": "rest"}, ATTACK],
            options={"sudden_death": 5},
        ),
        [],
    ),
    "a condition that always holds": (
        scenario([SHOCK, {"when": "round >= 1", "do": "barrier"}, ATTACK]),
        [("always-holds", f"{RULES}.1.when")],
    ),
    "a misspelt condition": (
        scenario([{"when": "self_is_raedy", "do": "shock"}, BARRIER, ATTACK]),
        [("unknown-condition", f"{RULES}.0.when")],
    ),
    "an ability that no rule uses": (scenario([SHOCK, ATTACK]), [("idle-ability", RULES)]),
    "an option that comes too late": (
        scenario(options={"sudden_death": 9, "round_cap": 8}),
        [("option-without-effect", "options.sudden_death")],
    ),
    "an option for titans that are not there": (
        scenario(options={"generated_hp_low": 25}),
        [("option-without-effect", "options.generated_hp_low")],
    ),
    "an ability that nobody has": (
        scenario(abilities=ability({"type": "damage", "amount": 3})),
        [("unused-ability", "abilities.pulse")],
    ),
    "an effect of 0": (
        with_effects({"type": "damage", "amount": 9}, {"type": "shield", "amount": 0}),
        [("idle-effect", "abilities.pulse.effects.1")],
    ),
    "charge set to 0": (with_effects({"type": "damage", "amount": 9}, {"type": "set_charge", "amount": 0}), []),
    "a heal of what is dealt after it": (
        with_effects({"type": "heal", "dealt": 50}, {"type": "damage", "amount": 9}),
        [("idle-effect", "abilities.pulse.effects.0")],
    ),
    "a stat that counts for nothing": (
        with_effects(
            {"type": "damage", "amount": 9}, {"type": "change", "stat": "evasion", "percent": -10, "rounds": 2}
        ),
        [("idle-effect", "abilities.pulse.effects.1")],
    ),
    "a stat that counts": (
        with_effects(
            {"type": "damage", "amount": 9},
            {"type": "change", "stat": "evasion", "percent": -10, "rounds": 2},
            profile="head",
        ),
        [],
    ),
    "a heal where nobody heals": (
        with_effects({"type": "damage", "amount": 9}, {"type": "heal", "amount": 9}, options={"sudden_death": 1}),
        [("idle-effect", "abilities.pulse.effects.1")],
    ),
    "more choices than rounds": (
        scenario({"choices": ["attack"] * 4}, options={"round_cap": 3}),
        [("surplus-choices", f"{RULES}.choices"), ("cannot-end", "")],
    ),
}


@pytest.mark.parametrize("case", LINTED)
def test_lint_finds_what_is_probably_not_meant(case: str) -> None:
    document, wanted = LINTED[case]
    found = told(document)
    assert [(rule, where.removeprefix("x")) for rule, where in found] == wanted


def test_a_duel_in_which_nobody_attacks_cannot_end() -> None:
    document = scenario([{"do": "rest"}])
    document["players"][0]["policy"] = [{"do": "defend"}]
    assert ("cannot-end", "x") in told(document)
    document["options"] = {"sudden_death": 2}
    document["players"][0]["policy"] = [{"do": "attack"}]
    assert "cannot-end" not in dict(told(document))


def test_every_finding_is_in_the_table_of_the_manual() -> None:
    """What can be found here is explained there."""
    page = (Path(__file__).parents[4] / "docs" / "reference" / "command-line.md").read_text(encoding="utf-8")
    files = ("titans/content/lint.py", "shared/condition_lint.py", "shared/duplicate_names.py")
    source = "".join((Path(registry.__file__).parent / file).read_text(encoding="utf-8") for file in files)
    rules = {rule for _, wanted in LINTED.values() for rule, _ in wanted} | {
        "unused-archetype",
        "cannot-end",
        "same-name",
    }
    told_there = set(re.findall(r"`([a-z-]+)`", page.partition("Rules of titans:")[2].partition("\n#")[0]))
    assert told_there == rules
    assert not [rule for rule in rules if f'"{rule}"' not in source]


def test_content_that_nobody_uses_is_found(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(
        '[[archetypes]]\nid = "ghost"\nname = "Ghost"\n'
        '[[abilities]]\nid = "boo"\nname = "Boo"\ncost = 5\neffects = [{ type = "damage", amount = 1 }]\n'
        '[[policies]]\nid = "idle"\nname = "Idle"\nrules = [{ do = "rest" }, { do = "attack" }]\n',
        encoding="utf-8",
    )
    assert [found.rule for found in RULESET.lint_content([tmp_path])] == [
        "dead-rule",
        "unused-ability",
        "unused-archetype",
    ]


@pytest.mark.parametrize("name", sorted(LIBRARY.of("policies")))
def test_every_policy_can_be_followed_by_every_titan(name: str) -> None:
    for identifier in LIBRARY.of("titans"):
        players = [{"titan": identifier, "policy": name}, {"titan": "gale", "policy": name}]
        assert not load({"ruleset": "titans", "players": players}).warnings
