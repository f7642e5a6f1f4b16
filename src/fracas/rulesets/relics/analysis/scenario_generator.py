"""Generate random valid scenarios for property tests, benchmarks and fuzzing. The same number gives the same scenario.

Most define their own items, with triggers, ops, modifiers and conditions drawn from the declarations, so that a new op
is tested once it is declared. Every sixth uses shipped content: enemies, bosses, codes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from fracas.conditions import Fact, FactKind
from fracas.content.packs import Library
from fracas.content.word_types import names_of
from fracas.rulesets.contract.types import Document
from fracas.rulesets.relics.content.fighter_resolver import factor_of
from fracas.rulesets.relics.content.library import library_for
from fracas.rulesets.relics.content.models.rule_options import ResolvedOptions
from fracas.rulesets.relics.content.places import PLACES
from fracas.rulesets.relics.content.share_codes import CodePiece, code_of
from fracas.rulesets.relics.content.vocabulary import AMOUNT_FACTS, VOCABULARY, vocabulary_of
from fracas.rulesets.relics.declarations import types
from fracas.rulesets.relics.declarations.ops import OPS
from fracas.rulesets.relics.declarations.triggers import FLAGS, MODIFIERS, TRIGGERS
from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.shared.random_choices import Choices

PROFILES = ("canvas", "game")
KINDS = 6
# Triggers of every battle, so that most items do something.
USUAL = ("battle_start", "turn_start", "on_hit", "on_struck", "turn_end")
# A tag that is not built in, and an item with it, so that it can be counted.
OWN_TAG = "clockwork"
COG: Document = {"id": "own-cog", "bucket": "items", "tags": [OWN_TAG]}
TAGS = ("blade", "shield", "gem", "fire", "ice", "bone", OWN_TAG)
# Statuses that every scenario declares; a battle has those that something names.
OWN_STATUSES = ("bloom", "dread", "hex")
FACTS = vocabulary_of((OWN_TAG,), OWN_STATUSES).facts
COUNTED = (*AMOUNT_FACTS, f"tags.{OWN_TAG}", *(f"{who}.{name}" for name in OWN_STATUSES for who in ("self", "enemy")))
# Options that are the same in all scenarios, or drawn as numbers.
NOT_VARIED = ("stat_caps", "stat_cap_mode", "fatigue_start", "turn_cap")
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


def random_scenario(seed: int) -> Document:
    """A random scenario: any fighters, either profile, any options."""
    dice = Choices(f"relics scenario {seed}")
    document: Document = {"ruleset": "relics", "id": f"random-{seed}", "profile": PROFILES[seed // 2 % 2]}
    document["options"] = _options(dice)
    if seed % KINDS == KINDS - 1:
        return {**document, "left": _of_the_content(dice), "right": _of_the_content(dice)}
    own = {COG["id"]: COG}
    own |= {f"own-{number}": random_item(dice, f"own-{number}") for number in range(dice.below(4))}
    statuses = {name: _own_status(dice, name) for name in OWN_STATUSES}
    sides = {side: random_fighter(dice, own) for side in ("left", "right")}
    return {**document, "items": own, "statuses": statuses, **sides}


def _options(dice: Choices) -> Document:
    named = {name: names_of(ResolvedOptions, name) for name in ResolvedOptions.model_fields if name not in NOT_VARIED}
    options = {name: dice.choose(names) if names else dice.below(3) > 0 for name, names in named.items()}
    chosen = {name: value for name, value in options.items() if dice.below(3) == 0}
    # Short enough for plain Python.
    return {**chosen, "fatigue_start": dice.between(0, 16), "turn_cap": dice.between(12, 60)}


def random_fighter(dice: Choices, own: Mapping[str, Document]) -> Document:
    """A fighter with random items, some of them the scenario's own, by id."""
    fighter: Document = {}
    if dice.below(6) == 0:
        fighter["state"] = _state(dice)
    else:
        fighter["stats"] = {
            "health": dice.between(12, 50),
            "attack": dice.below(5),
            "armor": dice.below(6),
            "speed": dice.below(4),
        }
    if dice.below(4):
        fighter["weapon"] = random_item(dice, "weapon", "weapons")
    named = [name for name, item in own.items() if item["bucket"] == "items"]
    items: list[Any] = [random_item(dice, f"item-{number}") for number in range(dice.below(4))]
    items += [_worn(dice, name) for name in dice.some(named, 0, 2)]
    fighter["items"] = items
    for place, bucket in (("upgrades", "upgrades"), ("food", "food")):
        if dice.below(4) == 0:
            fighter[place] = [random_item(dice, f"{place}-0", bucket)]
    if dice.below(4) == 0:
        fighter |= random_body(dice, 1)
    if dice.below(6) == 0:
        stats = {"health": dice.between(1, 20), "attack": dice.below(4)}
        fighter["phases"] = [{"name": "Risen", "stats": stats, **random_body(dice, 1)}]
    return fighter


def _worn(dice: Choices, name: str) -> Any:
    return name if dice.below(2) else {"id": f"items/{name}", "tier": dice.choose(codes.TIERS)}


def _state(dice: Choices) -> Document:
    """A fighter state, as in the seed's record."""
    most = dice.between(10, 30)
    state: Document = {
        "hp": dice.between(1, most),
        "hp_max": most,
        "atk": dice.below(5),
        "armor": dice.below(8),
        "speed": dice.below(4),
        "temp_atk": dice.below(3),
        "struck_this_turn": dice.below(2) == 1,
        "exposed_triggered": dice.below(4) == 0,
        "wounded_triggered": dice.below(4) == 0,
    }
    state |= {name: dice.between(1, 4) for name in dice.some(codes.STATUSES, 0, 3)}
    if dice.below(3) == 0:
        state["statuses"] = {name: dice.between(1, 4) for name in dice.some(OWN_STATUSES, 1, 2)}
    return state


def random_item(dice: Choices, identifier: str, bucket: str = "items") -> Document:
    """An item with any effects that the declarations allow."""
    stats = {name: dice.between(0 if name == "health" else -1, 4) for name in dice.some(codes.STATS, 0, 2)}
    item: Document = {"id": identifier, "bucket": bucket, "stats": stats, "tags": dice.some(TAGS, 0, 2)}
    return item | random_body(dice, 2)


def random_body(dice: Choices, most: int) -> Document:
    """Triggers, flags and modifiers."""
    names = dice.some(list(TRIGGERS), 0, most) + dice.some(USUAL, 0, 1)
    body: Document = {"triggers": {name: random_entries(dice, TRIGGERS[name]) for name in dict.fromkeys(names)}}
    if "strike_skipped" in body["triggers"]:
        # Only a stunned fighter skips strikes.
        body["triggers"].setdefault("battle_start", []).append(["give", "stun", 1, "self"])
    if dice.below(6) == 0:
        flag = FLAGS[dice.choose([name for name in FLAGS if name != "cant_attack"])]
        body["flags"] = [flag.name, dice.between(0, 2)]
    if dice.below(4) == 0:
        usual = [form for form in MODIFIERS.values() if form.name != "cannot_attack"]
        body["modifiers"] = [random_modifier(dice, dice.choose(usual)) for _ in range(dice.between(1, 2))]
    if dice.below(6) == 0:
        body.setdefault("modifiers", []).append(["immune", random_status(dice)])
    if dice.below(40) == 0:
        body["flags"] = ["cant_attack"]
    return body


def _own_status(dice: Choices, name: str) -> Document:
    """An own status that may wear off."""
    body = random_body(dice, 2)
    if dice.below(2):
        body["triggers"].setdefault("turn_end", []).append(["remove", name, 1, "self"])
    return body


def random_entries(dice: Choices, trigger: types.TriggerForm) -> list[Any]:
    """The entries of a trigger: bare ops and effects."""
    return [_entry(dice, trigger) for _ in range(dice.between(1, 2))]


def _entry(dice: Choices, trigger: types.TriggerForm) -> Any:
    if not trigger.takes_n and dice.below(2):
        return random_op(dice, _form_for(dice, trigger))
    effect: Document = {"do": [random_op(dice, _form_for(dice, trigger)) for _ in range(dice.between(1, 3))]}
    if trigger.takes_n:
        effect["n"] = dice.between(1, 4)
    if trigger.takes_status and dice.below(2):
        effect["of"] = random_status(dice)
    extras = {
        "if": random_condition(dice),
        "chance": dice.choose((0, 25, 50, 75, 100)),
        "per_turn": dice.between(1, 3),
        "per_battle": dice.between(1, 5),
    }
    return effect | {key: value for key, value in extras.items() if dice.below(5) == 0}


def _form_for(dice: Choices, trigger: types.TriggerForm) -> types.OpForm:
    return dice.choose([form for form in OPS.values() if trigger.name == "on_hit" or not form.on_hit_only])


def random_op(dice: Choices, form: types.OpForm) -> Any:
    """An op of a form, as a list or as a table."""
    extras = {"if": random_condition(dice), "chance": dice.choose((30, 60, 90)), "repeat": dice.between(2, 3)}
    chosen = {key: value for key, value in extras.items() if dice.below(8) == 0}
    return _written(dice, form, "op", chosen)


def random_modifier(dice: Choices, form: types.ModifierForm) -> Any:
    """A modifier of a form, as a list or as a table."""
    extras = {"if": random_condition(dice)} if dice.below(3) == 0 else {}
    if form.sources is not None and dice.below(4) == 0:
        extras["tag"] = dice.choose(TAGS)
    if form.sources and dice.below(4) == 0:
        extras["source"] = dice.choose(form.sources)
    return _written(dice, form, "modifier", extras)


def _written(dice: Choices, form: types.Form, word: str, extras: Document) -> Any:
    values = {argument.name: random_argument(dice, argument) for argument in form.arguments}
    if dice.below(2):
        return {word: form.name, **values, **extras}
    return [form.name, *values.values(), *([extras] if extras else [])]


def random_status(dice: Choices) -> str:
    """A status: built in or the scenario's own."""
    return dice.choose(OWN_STATUSES if dice.below(4) == 0 else codes.STATUSES)


def random_argument(dice: Choices, argument: types.Argument) -> Any:
    """A random value of an argument."""
    kind = argument.kind
    if kind is types.ArgumentKind.STATUS_WORD and dice.below(4) == 0:
        # Prefer stun and random statuses, which are rare otherwise.
        return dice.choose(("stun", "random"))
    if kind in types.STATUS_KINDS and dice.below(8) == 0:
        return dice.choose(OWN_STATUSES)
    if kind in types.WORDS:
        return dice.choose(types.WORDS[kind])
    match kind:
        case types.ArgumentKind.PERCENT:
            return dice.choose((0, 10, 50, 100))
        case types.ArgumentKind.BONUS_PERCENT:
            return dice.choose((-100, -50, -10, 10, 50))
        case types.ArgumentKind.NUMBER:
            return dice.below(9)
        case types.ArgumentKind.TAG:
            return dice.choose(("", *TAGS))
    if dice.below(6) == 0:
        return _counted(dice)
    if kind is types.ArgumentKind.AMOUNT_OR_ALL and dice.below(4) == 0:
        return "all"
    return dice.between(-2, 3) if kind is types.ArgumentKind.BONUS else dice.below(5)


def _counted(dice: Choices) -> Document:
    amount: Document = {"of": dice.choose(COUNTED)}
    if dice.below(2):
        amount |= {"times": dice.choose((-1, 1, 2, 50)), "per": dice.choose((1, 2, 3, 100))}
    return amount


def random_condition(dice: Choices) -> Any:
    """A condition, as text or as a table."""
    match dice.below(5):
        case 0:
            return {dice.choose(("all", "any")): [_term(dice), {"not": _term(dice)}]}
        case 1:
            return f"{_term(dice)} {dice.choose(('and', 'or'))} not {_term(dice)}"
    return _term(dice)


def _term(dice: Choices) -> str:
    if dice.below(2):
        name = dice.choose(VOCABULARY.names).name
        if name.endswith("_N"):
            name = f"{name[:-1]}{dice.between(1, 60)}"
        return f"{name[:-1]}{random_status(dice)}" if name.endswith("_X") else name
    fact = dice.choose(FACTS)
    if fact.kind is FactKind.FLAG:
        return fact.name
    others = [each.name for each in FACTS if each is not fact and _are_comparable(fact, each)]
    right = dice.choose(others) if dice.below(4) == 0 else dice.between(max(fact.limits[0], -2), 11)
    return f"{fact.name} {dice.choose(COMPARISONS)} {right}"


def _are_comparable(fact: Fact, other: Fact) -> bool:
    """Whether one fact may be compared with another: both are percentages, or both are other numbers."""
    is_number = FactKind.FLAG not in (fact.kind, other.kind)
    return is_number and (fact.kind is FactKind.PERCENT) == (other.kind is FactKind.PERCENT)


# The shipped content.


@cache
def _content() -> Library:
    return library_for(None, ())


def _of_the_content(dice: Choices) -> Document:
    """An enemy, a boss, or a build of shipped items, written out or as a share code."""
    library = _content()
    match dice.below(4):
        case 0:
            enemy = dice.choose(list(library.of("enemies").values()))
            return {"enemy": enemy.id, "level": dice.between(1, len(enemy.levels))}
        case 1:
            return {"boss": dice.choose(list(library.of("bosses")))}
    items = library.of("items")
    build: dict[str, list[CodePiece]] = {}
    for key, place in PLACES.items():
        fitting = [name for name, item in items.items() if item.bucket == place.bucket]
        build[key] = [CodePiece(name, dice.choose(codes.TIERS)) for name in dice.some(fitting, 0, place.room)]
    # A fighter whose pieces cost health gets as much health of its own.
    cost = sum(max(0, -items[each.id].stats.health) * factor_of(each.tier) for worn in build.values() for each in worn)
    own = {"stats": {"health": codes.BASE_HEALTH + cost}} if cost else {}
    if dice.below(2):
        return {"code": code_of(build, items, "code"), **own}
    pieces = {place: [piece._asdict() for piece in worn] for place, worn in build.items()}
    return {**_with_one_weapon(pieces), **own}


def _with_one_weapon(pieces: Mapping[str, Sequence[Document]]) -> Document:
    weapon = pieces["weapon"]
    return {**({"weapon": weapon[0]} if weapon else {}), **{key: pieces[key] for key in PLACES if key != "weapon"}}
