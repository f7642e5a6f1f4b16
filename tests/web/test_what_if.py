"""What a page offers to change in a record: each change plays what Python plays when the scenario says it."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from tests.helpers import soak
from tests.helpers.javascript import LIBRARY, output_of

import fracas
from fracas.content.packs import examples_folder
from fracas.engine import scenario as scenario_module
from fracas.kernel.integer_math import percent
from fracas.portable import artefacts
from fracas.replay.bundle_file import bundle_of, save_bundle
from fracas.rulesets import registry
from fracas.rulesets.delve.rules.constants import ATTRIBUTES
from fracas.rulesets.relics.content.compile_effects import EffectWriter
from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.squads.content.models.rules_tables import STAGE_PARAMETERS
from fracas.rulesets.titans.rules.constants import STATS
from fracas.web.modules import DATA

DRIVER = Path(__file__).with_name("what_if.mjs")
# Battles of the check; in a soak all examples.
FIGHTS = {
    "squads": ["standard-5v5"],
    "delve": ["decision-and-ambush"],
    "stacks": ["ambush-in-the-reeds"],
    "relics": ["home-made-items"],
    "titans": ["standard"],
}
# So many of the changes of a battle are played in the check, evenly spread.
SAMPLE = 12


@pytest.mark.parametrize("ruleset", registry.NAMES)
def test_whatever_a_page_offers_is_the_same_change_in_the_scenario(ruleset, tmp_path, monkeypatch):
    written = _places_of_writing(monkeypatch)
    every = sorted(file.stem for file in (examples_folder() / ruleset).glob("*.toml"))
    wrong = []
    for name in every if soak.is_on() else FIGHTS[ruleset]:
        written.clear()
        scenario = fracas.load(examples_folder() / ruleset / f"{name}.toml")
        bundle, places = tmp_path / f"{name}.json", dict(written)
        save_bundle(bundle_of(fracas.run(scenario)), bundle)
        offered = offered_by(ruleset, artefacts.module_file(ruleset), bundle, tmp_path)
        assert offered
        for tried in played_of(offered):
            document: Any = copy.deepcopy(scenario.document)
            change = Change(scenario, document, tried, places)
            CHANGES[ruleset](change)
            if not change.is_sayable:
                continue
            played = fracas.load(document)
            battles = [fracas.run(played, stream=stream) for stream in (0, 1)]
            told = [[each.winner, each.rounds, *each.hp_left, len(each.events)] for each in battles]
            digests = [each.digest for each in battles]
            if told != tried["told"] or (not change.is_renumbered and digests != tried["digests"]):
                wrong.append((name, tried["words"]))
    assert not wrong


def offered_by(script: str, module: Path, bundle: Path, folder: Path, stage: Any = None) -> list[Any]:
    """What the page of a bundle offers to change; SAMPLE of it, in a soak all, with two battles of the change."""
    words = {"library": LIBRARY.as_uri(), "module": module.as_uri(), "folder": DATA.as_uri(), "script": script}
    asked = {**words, "stage": stage, "isWhole": soak.is_on(), "count": SAMPLE, "bundle": str(bundle)}
    file = folder / "asked.json"
    file.write_text(json.dumps(asked), encoding="utf-8")
    found: list[Any] = json.loads(output_of([str(DRIVER), str(file)]))
    return found


def played_of(offered: list[Any]) -> list[Any]:
    """Those changes that were played."""
    return [tried for tried in offered if "told" in tried]


@pytest.mark.parametrize("ruleset", registry.NAMES)
def test_every_option_that_a_record_holds_can_be_changed(ruleset):
    options = import_module(f"fracas.rulesets.{ruleset}.rules.options")
    assert set(OPTIONS[ruleset].values()) == set(options.options_t.names)


def _places_of_writing(monkeypatch: pytest.MonkeyPatch) -> dict[Any, tuple[str, int]]:
    """Where a scenario says each effect, op and modifier of a relics record, with what its tier makes of numbers."""
    written: dict[Any, tuple[str, int]] = {}
    ops, effects, modifiers = (
        getattr(EffectWriter, name) for name in ("_write_op", "_write_effect", "_write_modifier")
    )

    def write_op(self: Any, op: Any, due: Any, pieces: Any, where: str) -> None:
        written["op", self.op_count] = (where, due.factor)
        ops(self, op, due, pieces, where)

    def write_effect(self: Any, trigger: int, name: str, due: Any, pieces: Any) -> None:
        written["effect", self.effect_count] = (due.where, due.factor)
        effects(self, trigger, name, due, pieces)

    def write_modifier(self: Any, each: Any) -> None:
        written["modifier", self.modifier_count] = (each.where, each.piece.factor)
        modifiers(self, each)

    # A scenario that was loaded before would not be written again.
    scenario_module._scenario_cache.clear()
    monkeypatch.setattr(EffectWriter, "_write_op", write_op)
    monkeypatch.setattr(EffectWriter, "_write_effect", write_effect)
    monkeypatch.setattr(EffectWriter, "_write_modifier", write_modifier)
    return written


# What each ruleset calls its options on a page.
OPTIONS = {
    "squads": {
        "last round": "round_cap",
        "charge for an action": "charge_action",
        "charge for a hit": "charge_hit",
        "healers heal below % HP": "healer_threshold",
        "healers heal": "healer_fallback",
        "ultimates need": "ultimate_rule",
        "equal HP at the end are": "cap_tie",
    },
    "delve": {
        "last round": "round_cap",
        "% of armour that counts": "armor_share",
        "flee below % HP": "flee_below",
        "% of rewards if only survived": "survived_share",
    },
    "stacks": {
        "last turn": "turn_cap",
        "idle turns until repelled": "idle_turns",
        "heals of a healer (0: no limit)": "heal_limit",
        "turns without a new low until repelled (0: never)": "stale_turns",
        "least score for rolls": "least_score",
        "harmful moves are valued": "valuation",
        "Charge is valued": "charge_estimate",
        "Charge's damage by": "charge_damage",
        "Riposte's damage by": "riposte_damage",
        "Riposte answers": "riposte_to",
        "a healer can heal itself": "heal_self",
        "a turn is idle without harm": "idle_rule",
        "turn 0 can be idle": "first_turn_idle",
    },
    "relics": {
        "fatigue after turn": "fatigue_start",
        "last turn": "turn_cap",
        "at equal SPEED begins": "tie_breaker",
        "effects before the battle run": "allow_pre_phase",
        "Freeze halves strikes of": "freeze_side",
        "Freeze decays": "freeze_decay",
        "Thorns end after a turn in which": "thorns_clear",
        "deaths are looked for": "death_check",
        "enemy HP to armor goes to": "corroded_bone_receiver",
        "extra damage on hit goes to": "onhit_damage_route",
        "Riptide goes to": "riptide_route",
        "every other turn is": "cadence_parity",
    },
    "titans": {
        "last round": "round_cap",
        "sudden death from round (0: never)": "sudden_death",
        "charge for a rest": "rest_charge",
        "charge for a defence": "defend_charge",
        "charge for an attack": "attack_charge",
        "attacks and abilities can miss": "misses",
        "hits can be critical": "criticals",
        "stamina increases gains of charge": "stamina_charges",
        "titans gain experience and levels": "experience",
        "players see the opponent's stats": "stats_public",
    },
}


class Change:
    """A change that a page offers, and the scenario in which it is written."""

    def __init__(self, scenario: Any, document: Any, tried: dict[str, Any], places: dict[Any, tuple[str, int]]) -> None:
        self.record, self.books = scenario.compiled.record[0], scenario.compiled.books
        self.ruleset, self.document, self.places = scenario.ruleset.name, document, places
        self.value, self.before, self.labels = tried["value"], tried["before"], tried.get("labels", [])
        # A number has an owner, a choice the part of the form that it stands in.
        self.owner, self.part = str(tried.get("owner") or ""), str(tried.get("part") or "")
        self.name: str = tried["name"]
        # Whether the scenario then numbers abilities otherwise, whose numbers stand in events.
        self.is_renumbered = False
        # Whether a scenario can say it at all.
        self.is_sayable = True
        first, second, *_ = tried["path"]
        self.kind, self.place = (str(first), int(second)) if self.part else ("number", int(first))

    @property
    def label(self) -> str:
        """The word that is chosen."""
        return str(self.labels[self.value])

    def put(self, *way: Any, value: Any = None) -> None:
        """Write the value into the scenario."""
        place = self.document
        for part in way[:-1]:
            place = place[part]
        place[way[-1]] = self.value if value is None else value

    def option(self) -> bool:
        """Write an option of the rules, if it is one."""
        field = OPTIONS[self.ruleset].get(self.name)
        if (self.owner or self.part) not in ("Rules", "rules") or field is None:
            return False
        before = self.document["options"][field]
        hints = get_type_hints(import_module(f"fracas.rulesets.{self.ruleset}.rules.options").RuleOptions)
        words = get_args(hints[field])
        value = bool(self.value) if isinstance(before, bool) else words[self.value] if isinstance(before, str) else None
        self.put("options", field, value=value)
        return True

    def effect(self) -> tuple[str, int]:
        """The number's name, and which effect of an ability has it."""
        for number, word in enumerate(("second", "third", "fourth"), 1):
            if self.name.endswith(f" of the {word} effect"):
                return self.name.removesuffix(f" of the {word} effect"), number
        return self.name, 0

    def model(self, units: list[Any]) -> tuple[Any, Any]:
        """The unit that changes and whom it is to be like, of those that can stand in each other's place."""
        place, unit = next((at, each) for at, each in units if at == self.place)
        return unit, [each for at, each in units if at != place][self.value - 1]


def _become(unit: Any, model: Any) -> None:
    """Make a unit like another; it keeps what it is called."""
    kept = {key: unit[key] for key in ("id", "name") if key in unit}
    unit.clear()
    unit.update(copy.deepcopy(model) | kept)


def _squads(change: Change) -> None:
    sides, kind = change.document["sides"], change.kind
    units = [(8 * side + at, unit) for side in (0, 1) for at, unit in enumerate(sides[side]["units"])]
    names = {"attack": "attack", "defence": "defense", "HP": "hp", "speed": "speed"}
    stage_keys = {
        "% if strong": "strong",
        "% if weak": "weak",
        "chance in %": "chance",
        "% of the damage": "multiplier",
        "% of it that counts": "percent",
        "least damage after it": "at_least",
        "at least": "at_least",
        "after round": "after",
        "% more a round": "per_round",
        "added damage": "amount",
        "at most": "at_most",
    }
    if change.option():
        return
    # The abilities in use are numbered.
    change.is_renumbered = kind in ("unit", "units")
    if kind == "strategy":
        change.put("sides", change.place - 1, "strategy", value=copy.deepcopy(sides[2 - change.place]["strategy"]))
    elif kind == "units":
        for unit, model in zip(sides[change.place - 1]["units"], sides[2 - change.place]["units"], strict=True):
            _become(unit, model)
    elif kind == "unit":
        # Not every unit fits everywhere: the label names whom it is like.
        unit = dict(units)[change.place]
        titles = {_told(change, place): model for place, model in units}
        _become(unit, titles[change.label.removeprefix("like ")])
    elif kind == "take" and "formation" in change.name:
        change.put("sides", change.place, "strategy", "formation", value=change.label)
    elif kind == "take" and "goes for" in change.name:
        change.put("sides", change.place, "strategy", "targetPriority", value=[change.label.replace(" ", "_")])
    elif kind == "take":
        side, ability = divmod(change.place, len(change.books["ability"]))
        orders = sides[side]["strategy"]["abilities"]
        order = orders.setdefault(change.books["ability_id"][ability], {})
        order["target"] = change.label.replace(" ", "_")
    elif change.name in names and change.owner in change.books["title"]:
        dict(units)[change.place][names[change.name]] = change.value
    elif change.name in stage_keys and change.owner not in change.books["ability"]:
        code = int(change.record["chain"][change.place]["kind"])
        stages = change.document["options"]["chain"]["stages"]
        stage = next(each for each in stages if each["stage"] == change.books["stage"][code])
        key = "percent" if stage["stage"] == "scale" else stage_keys[change.name]
        assert key in STAGE_PARAMETERS[stage["stage"]]
        stage[key] = change.value
    else:
        ability = change.document["abilities"][change.books["ability_id"][change.place]]
        name, effect = change.effect()
        if name == "cooldown":
            ability["cooldown"] = change.value
            return
        keys = {"% of attack": "attack", "% of defence": "defense", "% of full HP": "max_hp", "%": "percent"}
        ability["effects"][effect][keys.get(name, name)] = change.value


def _told(change: Change, place: int) -> str:
    """What a page calls a unit of squads."""
    title = change.books["title"][place]
    alone = list(change.books["title"]).count(title) == 1
    return str(title) if alone else f"{title} ({change.document['sides'][place // 8]['name']})"


def _creatures(document: Any) -> list[Any]:
    """Every creature that may be met, in the order in which the record lists them."""
    found = list(document.get("enemies") or [])
    for encounter in (document.get("quest") or {}).get("encounters", ()):
        found += encounter.get("enemies") or []
        for way in (encounter, *encounter.get("options", ())):
            for key in ("success", "failure"):
                consequence = way.get(key)
                found += (consequence.get("ambush") or []) if isinstance(consequence, dict) else []
    return found


def _delve(change: Change) -> None:
    document, record = change.document, change.record
    alike: dict[int, list[Any]] = {}
    for at, creature in enumerate(_creatures(document)):
        alike.setdefault(int(record["roster"][at]), []).append(creature)
    ways = {
        **{name: ("attributes", name) for name in ATTRIBUTES},
        "HP": ("hp",),
        "armour": ("armor",),
        "resistance": ("resistance",),
        "evasion": ("evasion",),
        "resource": ("resource", "max"),
        "regeneration": ("resource", "regeneration"),
        "weapon from": ("weapon", "min"),
        "weapon to": ("weapon", "max"),
        "speed of the weapon": ("weapon_speed",),
        "cost": ("cost",),
        "cooldown": ("cooldown",),
        "bonus": ("modifier",),
        "damage from": ("damage", "min"),
        "damage to": ("damage", "max"),
        "heals from": ("heal", "min"),
        "heals to": ("heal", "max"),
        "rounds of its condition": ("conditions", 0, "rounds"),
        "potency of its condition": ("conditions", 0, "potency"),
        "rounds of its second condition": ("conditions", 1, "rounds"),
        "potency of its second condition": ("conditions", 1, "potency"),
        "difficulty to avoid it": ("avoid",),
        "difficulty": ("difficulty",),
    }
    for when in ("success", "failure"):
        ways[f"heals at {when}"] = (when, "heal")
        ways[f"damage from at {when}"] = (when, "damage", "min")
        ways[f"damage to at {when}"] = (when, "damage", "max")
    quest = (document.get("quest") or {}).get("encounters", [])
    if change.option():
        return
    if change.owner == "Rules":
        change.put("difficulty", "check")
        return
    if change.kind == "unit":
        # The skills of the party are numbered first.
        change.is_renumbered = True
        _become(*change.model(list(enumerate(document["party"]))))
        return
    if change.kind == "take":
        owners = [(record["participants"][at], [member]) for at, member in enumerate(document["party"])]
        owners += [(record["foes"][code], creatures) for code, creatures in alike.items()]
        if change.name.endswith(": target"):
            row, holders = next(
                (row, holders)
                for row, holders in owners
                if row["first_slot"] <= change.place < row["first_slot"] + row["slot_count"]
            )
            for holder in holders:
                holder["queue"][change.place - int(row["first_slot"])]["target"] = change.label.replace(" ", "_")
            return
        holders = [document["party"][change.place]] if change.place < 8 else alike[change.place - 8]
        size = len(holders[0]["queue"])
        moves = [(one, to) for one in range(size) for to in range(size) if to not in (one, one - 1)]
        one, to = moves[change.value - 1]
        for holder in holders:
            holder["queue"].insert(to, holder["queue"].pop(one))
        return
    places: list[Any]
    if change.owner in {member["name"] for member in document["party"]}:
        places = [document["party"][change.place]]
    elif change.owner.startswith("Encounter "):
        places, options = _of_encounter(quest, record, change)
        if not options and change.name == "difficulty" and places[0]["type"] == "trap":
            ways["difficulty"] = ("detect",)
    elif change.owner in {each["name"] for each in document["skills"].values()} and change.name in SKILL_NUMBERS:
        places = [document["skills"][change.books["skill"][change.place]]]
    else:
        places = alike[change.place]
        if change.name == "HP":
            # The record holds HP under the difficulty, which not every number of HP comes to.
            share = document["difficulty"]["creature_hp"]
            near = change.value * 100 // share
            found = [hp for hp in range(near - 2, near + 3) if percent(hp, share) == change.value]
            change.is_sayable = bool(found)
            change.value = found[0] if found else change.value
    for each in places:
        *way, last = ways[change.name]
        holder = each
        for part in way:
            holder = holder[part]
        holder[last] = change.value


SKILL_NUMBERS = {
    *("cost", "cooldown", "bonus", "damage from", "damage to", "heals from", "heals to"),
    *(f"{what} of its {which}condition" for what in ("rounds", "potency") for which in ("", "second ")),
}


def _of_encounter(quest: list[Any], record: Any, change: Change) -> tuple[list[Any], bool]:
    """The encounter, or the option of one, that an owner on the page is."""
    number = int(change.owner.split(",")[0].removeprefix("Encounter ")) - 1
    encounter = quest[number]
    if encounter["type"] != "decision":
        return [encounter], encounter["type"] == "puzzle"
    return [encounter["options"][change.place - int(record["encounters"][number]["first_option"])]], True


def _stacks(change: Change) -> None:
    named = {f"{stack['id']}.{unit['id']}": unit for stack in change.document["stacks"] for unit in stack["units"]}
    units = [(at, named[key]) for at, key in enumerate(change.books["unit"]) if key is not None]
    if change.option():
        return
    if change.kind == "unit":
        # The page lists one side after the other.
        order = sorted(units, key=lambda each: int(change.record["participants"][each[0]]["side"]))
        _become(*change.model(units if change.labels else order))
        return
    if change.kind == "units":
        one, other = (
            [unit for at, unit in units if change.record["participants"][at]["side"] == side] for side in (0, 1)
        )
        for pair in zip(one, other, strict=True):
            _become(pair[change.place - 1], pair[2 - change.place])
        return
    unit = dict(units)[change.place]
    unit["current" if change.name == "health at the start" else change.name] = change.value


def _relics(change: Change) -> None:
    document, side = change.document, ("left", "right")
    if change.option():
        return
    if change.kind == "unit":
        _become(document[side[change.place]], document[side[1 - change.place]])
        return
    stats = {"ATK": "attack", "HP": "health", "ARMOR": "armor", "SPEED": "speed"}
    if change.name in stats:
        document[side[change.place]]["stats"][stats[change.name]] += change.value - change.before
        return
    kind = "modifier" if change.owner in _modifiers(change) else "op" if ": " in change.owner else "effect"
    where, factor = change.places[kind, change.place]
    if ".flags." in where:
        _flag(change, where.split(".flags.")[0], factor)
        return
    holder: Any = document
    # Ops of one effect may be written without it, one after the other.
    parts, above, at = iter(where.split(".")), holder, 0
    for part in parts:
        if part == "do" and "do" not in holder:
            holder = above[at + int(next(parts))]
        else:
            above, at = holder, int(part) if part.isdecimal() else 0
            holder = holder[at if part.isdecimal() else part]
    keys = {"chance in %": "chance", "most in a turn": "per_turn", "most in a battle": "per_battle"}
    if change.name == "times":
        holder["amount"]["times"] = change.value
        return
    if kind == "modifier" and change.owner.endswith(" pct"):
        holder["percent"] = change.value
        return
    holder[keys.get(change.name, change.name)] = change.value // (factor if change.name == "amount" else 1)


def _flag(change: Change, path: str, factor: int) -> None:
    """Change the number of a piece's flag."""
    holder: Any = change.document
    for part in path.split("."):
        holder = holder[int(part) if part.isdecimal() else part]
    for entry in (holder["flags"], *(each for each in holder["flags"] if isinstance(each, list))):
        for at, number in enumerate(entry):
            if number == change.before // factor and not isinstance(number, str):
                entry[at] = change.value // factor
                return
    raise AssertionError(f"{path} has no flag of {change.before}")


def _modifiers(change: Change) -> set[str]:
    sources, kinds = change.books["source"], codes.MODIFIERS
    builds = change.record["builds"]
    return {
        f"{sources[change.record['modifiers'][at]['source']]}, {kinds[kind].replace('_', ' ')}"
        for build in builds
        for kind, (first, entries) in enumerate(build["modifiers"].tolist())
        for at in range(first, first + entries)
    }


def _titans(change: Change) -> None:
    players = change.document["players"]
    if change.option():
        return
    stats = {name: name for name in STATS} | {"defence": "defense", "HP": "hp"}
    if change.kind in ("strategy", "unit"):
        place = change.place - 1 if change.kind == "strategy" else change.place
        key = "policy" if change.kind == "strategy" else "titan"
        own, other = players[place], players[1 - place]
        before, after = (own["titan"], other["titan"]) if key == "titan" else (other["titan"], own["titan"])
        own[key] = copy.deepcopy(other[key])
        _rename(change, own, dict(zip(before["abilities"], after["abilities"], strict=True)))
    elif change.kind == "take" and change.part == "abilities":
        titan, slot = divmod(change.place, len(change.record["titans"][0]["abilities"]))
        player = players[titan]
        before = player["titan"]["abilities"][slot]
        after = change.books["ability"][list(change.books["ability_name"]).index(change.label)]
        player["titan"]["abilities"][slot] = after
        _rename(change, player, {before: after})
    elif change.kind == "take" and change.name.endswith(": decides"):
        players[change.place]["policy"] = ["", "random", "greedy"][change.value]
    elif change.kind == "take" or change.name == "used in % of cases":
        player, rule = divmod(change.place, len(change.record["policies"][0]["rules"]))
        entry = players[player]["policy"]["rules"][rule]
        if change.kind == "take":
            entry["do"] = ["attack", "defend", "rest", *players[player]["titan"]["abilities"], "ability"][change.value]
        else:
            entry["chance"] = change.value
    elif change.owner in [player["titan"]["name"] for player in players]:
        players[change.place]["titan"][stats[change.name]] = change.value
    else:
        ability = change.document["abilities"][change.books["ability"][change.place]]
        name, effect = change.effect()
        if name == "cost":
            ability["cost"] = change.value
            return
        key = {"times the stat": "times", "%": "percent"}.get(name, name)
        entry = ability["effects"][effect]
        entry["dealt" if key == "amount" and "dealt" in entry else key] = change.value


def _rename(change: Change, player: Any, names: dict[str, str]) -> None:
    """Let a policy name other abilities: the record numbers a titan's."""
    change.is_renumbered = True
    policy = player["policy"]
    for rule in policy.get("rules") or () if isinstance(policy, dict) else ():
        rule["do"] = names.get(rule["do"], rule["do"])
    if isinstance(policy, dict) and policy.get("choices"):
        policy["choices"] = [names.get(each, each) for each in policy["choices"]]


CHANGES: dict[str, Callable[[Change], None]] = {
    "squads": _squads,
    "delve": _delve,
    "stacks": _stacks,
    "relics": _relics,
    "titans": _titans,
}
