"""JSON Schemas: sound, and saying what the loader says."""

from __future__ import annotations

import json
from typing import Annotated, Any

import pytest
from pydantic import TypeAdapter
from tests.helpers.scenarios import EXAMPLES

from fracas.content.packs import shipped_folder
from fracas.files.read import read_document
from fracas.replay.json_schema import json_schema
from fracas.rulesets import registry

KINDS = ("scenario", "content", "strategy", "replay")


def schemas() -> list[tuple[str, str]]:
    return [(name, kind) for name in registry.NAMES for kind in KINDS]


def objects_in(schema: Any) -> list[dict[str, Any]]:
    """Every object schema with properties of its own."""
    inner = schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ()
    own = [schema] if isinstance(schema, dict) and isinstance(schema.get("properties"), dict) else []
    return own + [each for part in inner for each in objects_in(part)]


@pytest.mark.parametrize(("ruleset", "kind"), schemas())
def test_every_kind_of_file_has_a_schema(ruleset, kind):
    schema = json_schema(ruleset, kind)
    assert json.loads(json.dumps(schema)) == schema
    assert objects_in(schema)


def references_in(schema: Any) -> set[str]:
    """Everything that a schema refers to."""
    inner = schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ()
    own = {schema["$ref"]} if isinstance(schema, dict) and isinstance(schema.get("$ref"), str) else set()
    return own.union(*(references_in(part) for part in inner))


@pytest.mark.parametrize(("ruleset", "kind"), schemas())
def test_references_inside_a_schema_lead_somewhere(ruleset, kind):
    schema = json_schema(ruleset, kind)
    used = references_in(schema)
    assert used
    assert used <= {f"#/$defs/{name}" for name in schema["$defs"]}


@pytest.mark.parametrize(("ruleset", "kind"), schemas())
def test_unknown_keys_are_refused_by_every_object(ruleset, kind):
    assert all(schema.get("additionalProperties") is False for schema in objects_in(json_schema(ruleset, kind)))


def test_keys_are_those_that_files_use():
    schema = json_schema("squads", "scenario")
    assert {"ruleset", "sides", "options", "date", "modifier", "profile", "seed", "id"} <= set(schema["properties"])
    assert "class" in schema["$defs"]["UnitEntry"]["properties"]
    assert all("class_" not in part["properties"] for part in objects_in(schema))
    assert "targetPriority" in schema["$defs"]["Strategy"]["properties"]
    assert schema["required"] == ["ruleset", "sides"]


def test_limits_and_words_stand_in_the_schema():
    schema = json_schema("squads", "content")["$defs"]
    hp = schema["Unit"]["properties"]["hp"]
    assert (hp["minimum"], hp["maximum"]) == (1, 10**6)
    assert schema["Unit"]["properties"]["defense"]["minimum"] == 0
    assert schema["Unit"]["properties"]["class"]["enum"] == ["warrior", "ranger", "mage", "healer", "tank"]


def test_fields_explain_themselves():
    properties = json_schema("squads", "scenario")["$defs"]["Options"]["properties"]
    assert all(field.get("description") for field in properties.values())


def keys_allowed(schema: dict[str, Any]) -> set[str]:
    return set(schema["properties"])


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.toml")), ids=lambda file: file.stem)
def test_the_examples_use_no_key_that_the_schema_does_not_have(file):
    document = read_document(file)
    schema = json_schema("squads", "scenario")
    assert set(document) <= keys_allowed(schema)
    assert all(set(side) <= keys_allowed(schema["$defs"]["Side"]) for side in document["sides"])


def test_the_shipped_content_uses_no_key_that_the_schema_does_not_have():
    schema = json_schema("squads", "content")
    for file in shipped_folder("squads").glob("*.toml"):
        assert set(read_document(file)) <= keys_allowed(schema)


def test_the_strategy_schema_takes_both_spellings_of_the_priority_key():
    properties = json_schema("squads", "strategy")["properties"]
    assert {"targetPriority", "target_priority"} <= set(properties)


OF_A_SCENARIO = {
    "squads": {"abilities": "Ability"},
    "delve": {
        "skills": "Skill",
        "resources": "ResourceKind",
        "items": "ItemTemplate",
        "bonuses": "Bonus",
        "loot_tables": "LootTable",
    },
    "stacks": {"types": "UnitType"},
    "relics": {"items": "Item", "statuses": "OwnStatus"},
    "titans": {"abilities": "Ability"},
}


@pytest.mark.parametrize("ruleset", registry.NAMES)
def test_an_entry_of_a_scenario_may_leave_its_id_to_its_key_and_one_of_a_pack_may_not(ruleset):
    scenario, content = (json_schema(ruleset, kind) for kind in ("scenario", "content"))
    keyed = {key for key, value in scenario["properties"].items() if str(value.get("$comment")).startswith("keyed ")}
    assert keyed == OF_A_SCENARIO[ruleset].keys()
    for key, name in OF_A_SCENARIO[ruleset].items():
        table = scenario["properties"][key]
        (entry,) = (table.get("patternProperties") or {"any": table["additionalProperties"]}).values()
        entry = scenario["$defs"][entry["$ref"].rpartition("/")[2]] if "$ref" in entry else entry
        assert "id" not in entry.get("required", [])
        assert "id" in content["$defs"][name]["required"]


@pytest.mark.parametrize("ruleset", registry.NAMES)
def test_the_key_of_an_entry_is_its_id_where_it_says_none(ruleset):
    model = registry.get(ruleset).models.scenario
    for key in OF_A_SCENARIO[ruleset]:
        first = next(iter(registry.get(ruleset).read_library(None, []).of(key).values()))
        written = first.model_dump(mode="json", by_alias=True, exclude_defaults=True, exclude={"id"})
        field = model.model_fields[key]
        written_as: Any = Annotated[field.annotation, *field.metadata]
        adapter: TypeAdapter[Any] = TypeAdapter(written_as)
        assert adapter.validate_python({"mine": written})["mine"] == first.model_copy(update={"id": "mine"})
