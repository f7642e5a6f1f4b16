"""The setup of the stage: what a page knows about a battle before its first event.

Names, classes and places come from the scenario, HP from the compiled record. Everything later comes from events. The
page derives the same from the bundle, by `castOf` of its ruleset's script, and refuses a page that says otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any

from fracas.engine.scenario import Scenario
from fracas.kit.game import Game

Unit = dict[str, Any]


def stage_setup(scenario: Scenario) -> dict[str, Any]:
    """The units, by their numbers in event rows; names in place of the books' ids; what the stage draws besides.

    `units` is a list of `{place, side, name, mark, about, hp}` with places from 0 and sides 1 and 2; a unit whose HP an
    event tells has none here. `books` are names by code book, `cooldowns` rounds by the name of what cools down. Other
    keys belong to one ruleset's stage.
    """
    ruleset = scenario.ruleset
    if isinstance(ruleset, Game):
        return ruleset.cast(scenario.compiled, scenario.document)
    return _SETUPS[ruleset.name](scenario)


def _unit(place: int, side: int, name: str, mark: str, about: str = "", hp: int | None = None) -> Unit:
    return {"place": place, "side": side, "name": str(name), "mark": mark, "about": about, "hp": hp}


def _squads(scenario: Scenario) -> dict[str, Any]:
    fielded = scenario.compiled.record[0]["units"]
    half = len(fielded) // 2
    units = []
    for number, side in enumerate(scenario.document["sides"]):
        for place, unit in enumerate(side["units"], half * number):
            hp = int(fielded[place]["max_hp"])
            units.append(_unit(place, number + 1, _title(scenario, place), unit["class"], unit["class"], hp))
    counted = ("class", "ultimate") if scenario.document["options"]["ultimate_rule"] == "cooldown" else ("class",)
    abilities = [each for each in scenario.document["abilities"].values() if each["kind"] in counted]
    return {"units": units, "cooldowns": {str(each["name"]): each["cooldown"] for each in abilities}}


def _delve(scenario: Scenario) -> dict[str, Any]:
    document, record = scenario.document, scenario.compiled.record[0]
    quest = document.get("quest")
    lone = {"type": "combat", "name": "Encounter", "enemies": document.get("enemies", [])}
    encounters = quest["encounters"] if quest else [lone]
    units = []
    for place, member in enumerate(document["party"]):
        hp = int(record["participants"][place]["max_hp"])
        trade = member.get("class") or "member"
        units.append(_unit(place, 1, member["name"], trade, f"{trade} {member['level']}", hp))
    first_foe = len(record["participants"]) // 2
    foes = scenario.compiled.books["unit"][first_foe:]
    marks = {each["id"]: each for each in _enemies(encounters)}
    for place, key in enumerate(foes, first_foe):
        if key is not None:
            template = marks.get(_template(key), {})
            mark = "boss" if template.get("boss") else "creature"
            units.append(_unit(place, 2, _title(scenario, place), mark, mark))
    skills = {key: skill["name"] for key, skill in document["skills"].items()}
    items = {key: item["name"] for key, item in document.get("items", {}).items()}
    return {
        "units": units,
        "books": {
            book: [names.get(str(key), key) for key in scenario.compiled.books[book]]
            for book, names in (("skill", skills), ("item", items))
        },
        "cooldowns": {str(skill["name"]): skill["cooldown"] for skill in document["skills"].values()},
        "encounters": [
            {
                "name": each.get("name") or each["type"].capitalize(),
                "type": each["type"],
                "text": each.get("text") or "",
            }
            for each in encounters
        ],
    }


def _enemies(value: Any) -> Iterable[dict[str, Any]]:
    """Every enemy that encounters and their ambushes name."""
    if isinstance(value, dict):
        if "phases" in value and "id" in value and "queue" in value:
            yield value
        for each in value.values():
            yield from _enemies(each)
    elif isinstance(value, list):
        for each in value:
            yield from _enemies(each)


def _template(key: str) -> str:
    """The creature of a foe's key: `2.3.goblin_spear-2` is a `goblin_spear`."""
    return key.rpartition(".")[2].partition("-")[0]


def _stacks(scenario: Scenario) -> dict[str, Any]:
    document, record = scenario.document, scenario.compiled.record[0]
    stacks = []
    for number, stack in enumerate(document["stacks"]):
        owner = document["factions"][stack["owner"]]["name"]
        stacks.append({"place": number, "name": stack["name"], "owner": owner, "at": list(stack["at"])})
    numbers = {stack["id"]: number for number, stack in enumerate(document["stacks"])}
    units = []
    for place, key in enumerate(scenario.compiled.books["unit"]):
        if key is None:
            continue
        stack, _, unit = str(key).partition(".")
        row = record["participants"][place]
        hp = int(row["full_health"])
        described = next(each for each in document["stacks"][numbers[stack]]["units"] if each["id"] == unit)
        mark = "healer" if "healing" in described["moves"] else described["moves"][0]
        side = int(row["side"])
        units.append({**_unit(place, side + 1, _title(scenario, place), mark, "", hp), "stack": numbers[stack]})
    tiles = {
        key: {"name": tile.get("name", ""), "owner": _owner(document, tile)} for key, tile in document["tiles"].items()
    }
    return {
        "units": units,
        "stacks": stacks,
        "map": document["map"],
        "tiles": tiles,
        "attack": {
            "stack": numbers[document["attack"]["stack"]],
            "tile": list(document["attack"]["tile"]),
            "advance": document["options"]["advance"],
        },
    }


def _owner(document: Mapping[str, Any], tile: Mapping[str, Any]) -> str:
    owner = tile.get("owner")
    return "" if owner is None else str(document["factions"][owner]["name"])


def _relics(scenario: Scenario) -> dict[str, Any]:
    sources, kinds = scenario.compiled.books["source"], scenario.compiled.books["piece_kind"]
    fighters = [scenario.document[side] for side in ("left", "right")]
    units = [
        # Only bosses have phases.
        _unit(place, place + 1, fighter["name"], "champion" if fighter["phases"] else "fighter")
        for place, fighter in enumerate(fighters)
    ]
    record, half = scenario.compiled.record[0], len(scenario.compiled.record[0]["piece_kinds"]) // 2
    pieces = [
        {"place": place, "side": place // half + 1, "name": str(name), "kind": kinds[int(record["piece_kinds"][place])]}
        for place, name in enumerate(sources[: 2 * half])
        if name and int(record["piece_kinds"][place]) >= 0
    ]
    return {"units": units, "pieces": pieces}


def _titans(scenario: Scenario) -> dict[str, Any]:
    units = []
    for place, player in enumerate(scenario.document["players"]):
        titan = player["titan"]
        units.append(_unit(place, place + 1, titan["name"], f"titan{place + 1}", f"{player['name']}’s titan"))
    return {"units": units, "books": {"ability": list(scenario.compiled.books["ability_name"])}}


def _title(scenario: Scenario, place: int) -> str:
    return str(scenario.compiled.books["title"][place])


_SETUPS: Mapping[str, Callable[[Scenario], dict[str, Any]]] = MappingProxyType(
    {"squads": _squads, "delve": _delve, "stacks": _stacks, "relics": _relics, "titans": _titans}
)
