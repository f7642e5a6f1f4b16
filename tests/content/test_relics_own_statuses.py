"""Statuses in content files and scenarios: which of them a battle gets, what is refused, what is found odd."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from tests.helpers.chronicles import ledgers_of
from tests.helpers.relics import battle, item

import fracas
from fracas.errors import InputError
from fracas.rulesets import registry
from fracas.rulesets.contract.types import Source
from fracas.rulesets.relics.content.vocabulary import RESERVED, is_own_status
from fracas.rulesets.relics.rules import constants as codes

RELICS = registry.get("relics")
SOURCE = Source("scenario")
FADE = {"triggers": {"turn_end": [["remove", "fade", 1, "self"]]}}
GIVES = item(triggers={"pre": [["give", "fade", 2, "enemy"]]})
PACK = """
[[statuses]]
id = "gloom"
modifiers = [["attack", -1]]
triggers.turn_end = [["remove", "gloom", 1, "self"]]

[[items]]
id = "wet_hat"
triggers.battle_start = [["give", "gloom", 1, "enemy"]]

[[enemies]]
id = "drip"
levels = [{ stats = { health = 9 } }]
items = ["wet_hat"]
"""


@pytest.fixture(autouse=True)
def plain_mode(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FRACAS_JIT", "0")


def resolved(document: dict[str, Any], folders: tuple[Path, ...] = ()) -> dict[str, Any]:
    return RELICS.resolve(document, SOURCE, folders).document


def said(document: dict[str, Any]) -> list[tuple[str, str, str | None]]:
    with pytest.raises(InputError) as caught:
        resolved(document)
    return [(each.where.removeprefix("scenario: "), each.message, each.suggestion) for each in caught.value.problems]


def rules(document: dict[str, Any]) -> list[tuple[str, str]]:
    found = RELICS.lint(document, SOURCE)
    return [(each.rule, each.where.removeprefix("scenario: ")) for each in found if "statuses" in each.where]


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    folder = tmp_path / "gloomy"
    folder.mkdir()
    (folder / "gloom.toml").write_text(PACK)
    return folder


# What a battle gets.


def test_a_battle_has_the_statuses_that_something_names():
    document = resolved(battle({"items": [GIVES]}, statuses={"fade": FADE, "other": FADE}))
    assert list(document["statuses"]) == ["fade"]
    fade = document["statuses"]["fade"]
    assert (fade["id"], fade["name"], fade["flags"], fade["modifiers"]) == ("fade", "Fade", [], [])
    assert [op["op"] for op in fade["triggers"]["turn_end"]] == ["remove"]


def test_a_document_without_any_is_as_it_was():
    plain, declared = (fracas.load(battle(**own)) for own in ({}, {"statuses": {"fade": FADE}}))
    assert "statuses" not in plain.document
    assert "statuses" not in plain.document["left"].get("state", {})
    assert plain.document == declared.document
    assert plain.fingerprint == declared.fingerprint
    state = {"hp": 5, "hp_max": 5, "atk": 1}
    assert "statuses" not in resolved(battle({"state": state}))["left"]["state"]
    books = RELICS.compile(plain.document, {}).books
    assert books["quantity"] == codes.QUANTITIES


def body(**own: Any) -> dict[str, Any]:
    return {"items": [item(**own)]}


NAMING: dict[str, dict[str, Any]] = {
    "an op": body(triggers={"pre": [["remove", "fade", 1, "self"]]}),
    "what is spent": body(triggers={"pre": [["spend", "fade", 1], ["heal", 1]]}),
    "what is converted": body(triggers={"pre": [["convert", "fade", "armor", 1]]}),
    "what it becomes": body(triggers={"pre": [["convert", "hp", "fade", 1]]}),
    "an of": body(triggers={"status_lost": [{"of": "fade", "do": [["heal", 1]]}]}),
    "a modifier": body(modifiers=[["immune", "fade"]]),
    "an amount": body(modifiers=[["attack", {"of": "enemy.fade"}]]),
    "a condition": body(modifiers=[["attack", 1, {"if": "faster or self.fade > 1"}]]),
    "a name": body(modifiers=[["attack", 1, {"if": {"not": "enemy_lacks_fade"}}]]),
    "a state": {"state": {"hp": 5, "hp_max": 5, "atk": 1, "statuses": {"fade": 2}}},
    "a record": {"hp": 5, "hp_max": 5, "atk": 1, "statuses": {"fade": 2}},
    "a trait": {"triggers": {"pre": [["give", "fade", 1, "self"]]}},
    "a phase": {"phases": [{"name": "Risen", "stats": {}, "modifiers": [["immune", "fade"]]}]},
    "a set": {"sets": [{"id": "own", "name": "Own", "modifiers": [["immune", "fade"]]}]},
}


@pytest.mark.parametrize("left", NAMING.values(), ids=NAMING)
def test_every_way_to_name_one_brings_it_along(left):
    document = resolved(battle(left, statuses={"fade": FADE}))
    assert list(document["statuses"]) == ["fade"]
    assert RELICS.compile(document, {}).record["piece_kinds"][0][31] == codes.PIECE_KINDS.index("status")


def test_a_status_brings_those_that_it_names():
    chain = {"fade": {"triggers": {"turn_end": [["give", "dusk", 1, "self"]]}}, "dusk": {}, "dawn": FADE}
    assert list(resolved(battle({"items": [GIVES]}, statuses=chain))["statuses"]) == ["dusk", "fade"]


def test_what_is_resolved_resolves_to_itself():
    left = {"state": {"hp": 5, "hp_max": 9, "atk": 1, "statuses": {"dread": 2}}, "items": [GIVES]}
    document = resolved(battle(left, statuses={"fade": FADE}))
    assert list(document["statuses"]) == ["dread", "fade"]
    assert resolved(document) == document


def test_a_scenarios_status_lies_over_the_contents():
    own = {"dread": {"name": "Mild Dread", "modifiers": [["strikes", 1]]}}
    document = resolved(battle({"items": ["turnip_ghost"]}, statuses=own))
    assert document["statuses"]["dread"]["name"] == "Mild Dread"
    assert resolved(battle({"items": ["turnip_ghost"]}))["statuses"]["dread"]["name"] == "Dread"


def test_a_pack_brings_its_statuses(pack):
    scenario = fracas.load(battle({"items": ["wet_hat"]}), content=[pack])
    assert scenario.document["statuses"]["gloom"]["name"] == "Gloom"
    assert "Gloom" in {account.piece for account in ledgers_of(fracas.run(scenario)).right.pieces}
    assert RELICS.check_file("content", tomllib.loads(PACK), Source("gloom.toml"), ()) == ()


def test_swaps_ladders_and_exchanged_builds_bring_them_too(pack):
    scenario = fracas.load(battle({"items": ["wet_hat"]}), content=[pack])
    rungs = RELICS.ladder(scenario.document, [pack])
    assert all("gloom" in way["statuses"] for rung in rungs for way in rung.documents)
    bare = RELICS.ladder(fracas.load(battle()).document, [pack])
    assert {rung.id for rung in bare if any("statuses" in way for way in rung.documents)} == {"drip"}
    swaps = RELICS.swaps(scenario.document, 1, [pack])
    with_dread = [swap for swap in swaps if swap.added == "turnip_ghost"]
    assert sorted(with_dread[0].document["statuses"]) == ["dread"]
    assert any(sorted(swap.document["statuses"]) == ["dread", "gloom"] for swap in with_dread)
    assert any("statuses" not in swap.document for swap in swaps if swap.removed == "wet_hat")


# What is refused.


@pytest.mark.parametrize(
    ("left", "where", "hint"),
    [
        (body(triggers={"pre": [["give", "fad", 1, "self"]]}), "left.items.0.triggers.pre.0.status", "fade"),
        (body(triggers={"pre": [{"do": [["spend", "poisn", 1]]}]}), "left.items.0.triggers.pre.0.do.0.what", "poison"),
        (body(modifiers=[["immune", "rgen"]]), "left.items.0.modifiers.0.status", "regen"),
        ({"modifiers": [["immune", "frieze"]]}, "left.modifiers.0.status", "freeze"),
        (
            body(triggers={"status_lost": [{"of": "fad", "do": [["heal", 1]]}]}),
            "left.items.0.triggers.status_lost.0.of",
            "fade",
        ),
        ({"state": {"hp": 5, "hp_max": 5, "atk": 1, "statuses": {"fad": 2}}}, "left.state.statuses", "fade"),
    ],
)
def test_a_status_that_is_not_there_is_told_with_the_nearest(left, where, hint):
    ((found, message, suggestion),) = said(battle(left, statuses={"fade": FADE}))
    assert found == where
    assert message.startswith('there is no status "')
    assert suggestion == f'did you mean "{hint}"?'


def test_facts_about_one_that_is_not_there_are_refused():
    asked = body(modifiers=[["attack", 1, {"if": "self.fad > 1"}], ["attack", {"of": "self.fad"}]])
    first, second = said(battle(asked, statuses={"fade": FADE}))
    assert first[1:] == ('unknown fact "self.fad" (column 1)', 'did you mean "self.fade"?')
    assert second[1:] == ('"self.fad" cannot be counted: there is no such status', 'did you mean "self.fade"?')


def test_more_than_three_are_refused():
    names = ("ash", "bog", "cold", "dew")
    own = dict.fromkeys(names, FADE)
    gives = item(triggers={"pre": [["give", name, 1, "self"] for name in names]})
    ((where, message, _),) = said(battle({"items": [gives]}, statuses=own | {"fade": FADE}))
    assert where == "statuses"
    assert message.startswith("a battle has room for 3 own statuses; this one needs 5: ash, bog, cold, dew and")


@pytest.mark.parametrize("name", ["hp", "poison", "random", "each", "phase", "self", "not", "strike", "was_wounded"])
def test_an_id_that_means_something_else_is_refused(name):
    assert not is_own_status(name)
    ((_, message, _), *_) = said(battle(statuses={name: {}}))
    assert "already has a meaning" in message


@pytest.mark.parametrize("name", ["Fade", "far-off", "9lives", "a" * 41, "", "dïm"])
def test_an_id_that_no_condition_could_name_is_refused(name):
    assert not is_own_status(name)
    assert said(battle(statuses={name: {}}))


def test_no_fact_of_a_fighter_can_be_a_status():
    facts = {fact.name.partition(".")[2] for fact in RELICS.vocabulary.facts if fact.name.startswith("self.")}
    assert facts <= RESERVED


def test_all_that_is_wrong_with_one_is_told_at_once():
    bad = {"triggers": {"turn_ent": [["give", "poisn", 1, "self"]]}, "modifiers": [["attack", 1, {"if": "self.x > 1"}]]}
    found = {where: message for where, message, _ in said(battle(statuses={"fade": bad}))}
    assert found["statuses.fade.triggers.turn_ent"].startswith('there is no trigger "turn_ent"')
    assert found["statuses.fade.triggers.turn_ent.0.status"] == 'there is no status "poisn"'
    assert found["statuses.fade.modifiers.0.if"].startswith('unknown fact "self.x"')


def test_an_id_must_be_its_key():
    ((_, message, _),) = said(battle(statuses={"fade": {"id": "dusk"}}))
    assert message == 'statuses.fade has the id "dusk"; both must be the same'


# What is odd.


def test_what_nobody_names_or_gives_is_remarked(pack):
    assert rules(battle(statuses={"fade": FADE})) == [("unused-status", "statuses.fade")]
    assert rules(battle({"items": [GIVES]}, statuses={"fade": FADE})) == []
    document = {"statuses": [{"id": "fade", **FADE}, {"id": "mark"}], "items": [GIVES]}
    found = {(each.rule, each.where.rpartition(".")[2]) for each in RELICS.lint_file("content", document, SOURCE)}
    assert found == {("unused-status", "mark"), ("does-nothing", "mark")}


def test_effects_of_one_are_looked_at_like_an_items():
    greedy = {"triggers": {"status_gained": {"of": "fade", "do": [["give", "fade", 1, "self"]]}}}
    ticking = {"triggers": {"status_ticked": {"of": "fade", "do": [["heal", 1]]}}}
    for own, rule in ((greedy, "answers-itself"), (ticking, "never-runs")):
        assert rule in dict(rules(battle({"items": [GIVES]}, statuses={"fade": own})))
    alike = {"fade": {"name": "Dread", **FADE}}
    assert ("same-name", "statuses.fade.name") in rules(battle({"items": [GIVES]}, statuses=alike))


# What is told.


def test_texts_call_it_by_its_id_and_say_when_it_acts():
    status = RELICS.read_library(None, []).of("statuses")["dread"]
    assert RELICS.describe_entry(status)[0] == "While you have stacks of it:"
    lines = " ".join(RELICS.describe_entry(status))
    assert "lose 1 Dread" in lines
    assert "for each stack of Dread you have" in lines
