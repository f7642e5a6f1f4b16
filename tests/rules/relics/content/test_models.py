"""What items can be made of is declared once, and what people write of it is read or refused with the reason."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from tests.helpers.relics import FIGHTER_STATE, HELM, SHIELD
from tests.helpers.relics_fights import CANVAS

import fracas
from fracas.conditions import FactKind, check_names, parse
from fracas.conditions.markdown import vocabulary_table
from fracas.content.validate import validate
from fracas.errors import InputError
from fracas.events.markdown import code_table, event_table
from fracas.rulesets.relics.content.models.effects import Effect, Modifier, Op, effects_of, flag_uses
from fracas.rulesets.relics.content.models.items import Item
from fracas.rulesets.relics.content.models.scenario import ContentFile, Resolved, Scenario
from fracas.rulesets.relics.content.op_forms import AmountOf
from fracas.rulesets.relics.content.vocabulary import AMOUNT_FACTS, VOCABULARY
from fracas.rulesets.relics.declarations import markdown
from fracas.rulesets.relics.declarations.ops import OPS
from fracas.rulesets.relics.declarations.triggers import FLAGS, MODIFIERS, STATUS_DOCS, TRIGGERS
from fracas.rulesets.relics.declarations.types import Argument, ArgumentKind, ModifierForm, OpForm
from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.relics.rules.events import CODEBOOKS, PROTOCOL

README = Path(fracas.__file__).parent / "rulesets" / "relics" / "README.md"

OPTIONS = {
    "tie_breaker": "left_first",
    "stat_caps": {"attack": 20, "armor": 20, "speed": 20, "health": 20},
    "allow_pre_phase": True,
}

EXAMPLES: dict[ArgumentKind, Any] = {
    ArgumentKind.AMOUNT: 2,
    ArgumentKind.AMOUNT_OR_ALL: "all",
    ArgumentKind.NUMBER: 3,
    ArgumentKind.STAT: "armor",
    ArgumentKind.STATUS: "poison",
    ArgumentKind.STATUS_WORD: "each",
    ArgumentKind.QUANTITY: "hp",
    ArgumentKind.QUANTITY_WORD: "random",
    ArgumentKind.TARGET: "both",
    ArgumentKind.FIGHTER: "self",
    ArgumentKind.MOMENT: "next_turn",
    ArgumentKind.TRIGGER: "battle_start",
    ArgumentKind.SELECTION: "left",
    ArgumentKind.TAG: "blade",
    ArgumentKind.PERCENT: 50,
    ArgumentKind.BONUS: -2,
    ArgumentKind.BONUS_PERCENT: -50,
}


def item(**keys: Any) -> dict[str, Any]:
    return {"id": "thing", **keys}


def complaints(model: Any, document: Any) -> list[tuple[str, str, str | None]]:
    with pytest.raises(InputError) as caught:
        validate(model, document, "f")
    return [(p.where.removeprefix("f: "), p.message, p.suggestion) for p in caught.value.problems]


@pytest.mark.parametrize(
    ("forms", "names"),
    [
        (TRIGGERS, codes.TRIGGERS),
        (MODIFIERS, codes.MODIFIERS),
        (STATUS_DOCS, codes.STATUSES),
    ],
)
def test_declarations_and_codes_say_the_same(forms: Any, names: tuple[str, ...]) -> None:
    assert tuple(forms) == names


def test_every_verb_has_an_op_and_every_flag_leads_somewhere() -> None:
    assert {form.verb for form in OPS.values()} == set(range(len(codes.VERBS)))
    for flag in FLAGS.values():
        assert flag.modifier in MODIFIERS or (flag.trigger in TRIGGERS and flag.op in OPS)


def test_no_short_form_hides_a_name_that_is_not_there() -> None:
    for form in OPS.values():
        assert set(form.fixed) <= {"stat", "status", "target", "amount"}
        if form.when:
            parse(form.when, VOCABULARY, where=form.name, strict=True)


def _arguments(form: OpForm | ModifierForm) -> tuple[Argument, ...]:
    return form.arguments


@pytest.mark.parametrize("form", OPS.values(), ids=list(OPS))
def test_an_op_reads_the_same_as_a_list_and_as_a_table(form: OpForm) -> None:
    values = [EXAMPLES[argument.kind] for argument in _arguments(form)]
    table = {"op": form.name, **{a.name: v for a, v in zip(form.arguments, values, strict=True)}}
    extras = {"if": "have_armor", "chance": 50, "repeat": 2}
    written = Op.model_validate([form.name, *values, extras])
    assert written == Op.model_validate({**table, **extras})
    again = written.model_dump(by_alias=True, exclude_none=True)
    assert Op.model_validate(again) == written
    assert all(written.argument(name) is not None for name in form.fixed)


@pytest.mark.parametrize("form", OPS.values(), ids=list(OPS))
def test_an_op_refuses_too_few_and_too_many_arguments(form: OpForm) -> None:
    values = [EXAMPLES[argument.kind] for argument in form.arguments]
    (many,) = complaints(Item, item(triggers={"on_hit": [[form.name, *values, 1]]}))
    assert many[0] == "triggers.on_hit.0"
    assert f"not {len(values) + 1}" in many[1]
    if form.needed:
        (few,) = complaints(Item, item(triggers={"on_hit": [[form.name]]}))
        assert few[1].startswith(f"{form.name} needs {form.needed[0].name}")


@pytest.mark.parametrize("form", OPS.values(), ids=list(OPS))
def test_every_argument_refuses_what_it_is_not(form: OpForm) -> None:
    for place, argument in enumerate(form.arguments):
        if argument.kind is ArgumentKind.TAG:
            continue
        values: list[Any] = [EXAMPLES[each.kind] for each in form.arguments]
        values[place] = "non sense"
        (found,) = complaints(Item, item(triggers={"on_hit": [[form.name, *values]]}))
        assert "non sense" in found[1]


@pytest.mark.parametrize("form", MODIFIERS.values(), ids=list(MODIFIERS))
def test_a_modifier_reads_the_same_as_a_list_and_as_a_table(form: ModifierForm) -> None:
    values = [EXAMPLES[argument.kind] for argument in _arguments(form)]
    table = {"modifier": form.name, **{a.name: v for a, v in zip(form.arguments, values, strict=True)}}
    written = Modifier.model_validate([form.name, *values, {"if": "wounded"}])
    assert written == Modifier.model_validate({**table, "if": "wounded"})


def test_left_out_arguments_are_what_the_declaration_says() -> None:
    deal = Op.model_validate(["deal", 1])
    assert (deal.argument("target"), deal.argument("amount")) == ("enemy", 1)
    assert Op.model_validate(["gain_armor", 1]).argument("stat") == "armor"
    assert Op.model_validate(["deal", 1, {"target": "both"}]).argument("target") == "both"


def test_a_table_at_the_end_is_an_amount_where_one_is_due() -> None:
    op = Op.model_validate(["deal", {"of": "self.armor", "per": 2}])
    assert isinstance(op.amount, AmountOf)
    assert op.amount.of == "self.armor"


BAD_ITEMS: dict[str, tuple[dict[str, Any], str, str, str | None]] = {
    "an op": (
        {"triggers": {"on_hit": [["gain_amor", 1]]}},
        "triggers.on_hit.0",
        'there is no op "gain_amor"',
        "gain_armor",
    ),
    "a trigger": ({"triggers": {"battle_strat": []}}, "triggers.battle_strat", "there is no trigger", "battle_start"),
    "a flag": ({"flags": ["cant_attac"]}, "flags", "there is no flag", "cant_attack"),
    "a modifier": ({"modifiers": [["imune", "stun"]]}, "modifiers.0", "there is no modifier", "immune"),
    "a status": (
        {"triggers": {"pre": [["give", "hp_pct", 1, "enemy"]]}},
        "triggers.pre.0",
        'status: "hp_pct" is not one of',
        None,
    ),
    "a fact": (
        {"triggers": {"pre": [["deal", {"of": "sef.armor"}]]}},
        "triggers.pre.0.1.of",
        "there is no fact",
        "self.armor",
    ),
    "a limit of what has none": (
        {"modifiers": [["attack", 1, {"tag": "fire"}]]},
        "modifiers.0",
        'attack takes no "tag"',
        None,
    ),
    "a source that does not do it": (
        {"modifiers": [["healing", 1, {"source": "poison"}]]},
        "modifiers.0",
        'source: "poison" is not one of pieces or regen',
        None,
    ),
    "a blank tag": ({"modifiers": [["healing", 1, {"tag": ""}]]}, "modifiers.0", "is not a tag", None),
    "a number without its flag": ({"flags": [1]}, "flags", "1 belongs to no flag", None),
    "a number too many": ({"flags": ["cant_attack", 1]}, "flags", "1 belongs to no flag", None),
    "a flag without its number": ({"flags": ["on_damaged_deal_damage"]}, "flags", "needs a number after it", None),
    "a truth as an amount": ({"triggers": {"pre": [["deal", True]]}}, "triggers.pre.0", "true is not an amount", None),
    "an amount below 0": ({"triggers": {"pre": [["deal", -1]]}}, "triggers.pre.0", "-1 is out of range", None),
    "all where nothing is taken": (
        {"triggers": {"pre": [["deal", "all"]]}},
        "triggers.pre.0",
        '"all" is only for ops',
        None,
    ),
    "a chance above 100": (
        {"triggers": {"pre": [["deal", 1, {"chance": 101}]]}},
        "triggers.pre.0",
        "chance: 101 is out of range: it must be 0 to 100",
        None,
    ),
    "a repeat of 0": (
        {"triggers": {"pre": [["deal", 1, {"repeat": 0}]]}},
        "triggers.pre.0",
        "repeat: 0 is out of range: it must be 1 to 20",
        None,
    ),
    "a repeat that is no number": (
        {"triggers": {"pre": [["deal", 1, {"repeat": "2"}]]}},
        "triggers.pre.0",
        'repeat: "2" is not a whole number',
        None,
    ),
    "a key of an op": (
        {"triggers": {"pre": [{"op": "deal", "amount": 1, "reepat": 2}]}},
        "triggers.pre.0",
        'deal takes no "reepat"',
        None,
    ),
    "no n": ({"triggers": {"countdown": [["deal", 1]]}}, "triggers", "countdown needs an n", None),
    "an n too many": ({"triggers": {"pre": {"n": 2, "do": [["deal", 1]]}}}, "triggers", "pre takes no n", None),
    "an of too many": ({"triggers": {"pre": {"of": "stun", "do": [["deal", 1]]}}}, "triggers", "takes no `of`", None),
    "an on-hit op elsewhere": (
        {"triggers": {"turn_start": [["onhit_gain_armor", 1]]}},
        "triggers",
        "onhit_gain_armor only works under on_hit",
        None,
    ),
    "an effect without ops": ({"triggers": {"pre": {"do": []}}}, "triggers.pre.do", "at least 1 are needed", None),
    "no op at all": ({"triggers": {"pre": [5]}}, "triggers.pre.0", "is neither an op", None),
    "an empty list": ({"triggers": {"pre": [[]]}}, "triggers.pre.0", "has no name", None),
    "an id against its bucket": ({"id": "items/a", "bucket": "food"}, "f", 'the id names the bucket "items"', None),
}


@pytest.mark.parametrize("name", BAD_ITEMS)
def test_a_bad_item_is_told_where_and_what(name: str) -> None:
    keys, where, message, suggestion = BAD_ITEMS[name]
    ((found_where, found, hint),) = complaints(Item, item(**keys))
    assert message in found
    assert found_where == where or where.startswith(found_where)
    if suggestion:
        assert hint is not None
        assert suggestion in hint


def test_all_that_is_wrong_is_said_at_once() -> None:
    bad = item(
        stats={"aattack": 1},
        flags=["x"],
        triggers={"pre": [["a"], ["deal"], ["gain", "x", 1]], "nowhere": []},
        modifiers=["nothing"],
    )
    assert len(complaints(Item, bad)) == 7


@pytest.mark.parametrize("record", [HELM, SHIELD], ids=["helm", "shield"])
def test_the_seeds_item_record_is_taken_unchanged(record: dict[str, Any]) -> None:
    read = validate(Item, json.loads(json.dumps(record)), "f")
    assert f"items/{read.id}" == record["id"]
    assert read.bucket == "items"
    assert read.stats.model_dump() == record["stats"]
    ((name, amount),) = [(op.op, op.amount) for op in read.triggers["battle_start"] if isinstance(op, Op)]
    assert [name, amount] == record["triggers"]["battle_start"][0]


def test_the_seeds_fighter_and_options_are_taken_unchanged() -> None:
    read = validate(
        Scenario,
        {"ruleset": "relics", "options": OPTIONS, "left": {"state": FIGHTER_STATE}, "right": {"items": [HELM]}},
        "f",
    )
    assert read.left.state is not None
    assert {k: getattr(read.left.state, k) for k in FIGHTER_STATE} == FIGHTER_STATE
    assert read.options.model_dump(exclude_none=True) == OPTIONS


def test_toml_and_json_say_the_same() -> None:
    text = """
    id = "items/greaves"
    flags = ["on_damaged_deal_damage", 1, "cant_attack"]
    triggers = { countdown = { n = 3, do = [["spend", "armor", 3], ["deal", 2, { chance = 50 }]] } }
    modifiers = ["thorns_kept", ["attack", 2, { if = "wounded" }]]
    """
    document = tomllib.loads(text)
    assert validate(Item, document, "f") == validate(Item, json.loads(json.dumps(document)), "f")


def test_a_number_belongs_to_the_flag_before_it() -> None:
    flat = flag_uses(["on_damaged_deal_damage", 1, "cant_attack", "on_damaged_gain_thorns", 2])
    assert [(form.name, number) for form, number in flat] == [
        ("on_damaged_deal_damage", 1),
        ("cant_attack", 0),
        ("on_damaged_gain_thorns", 2),
    ]
    assert flat == flag_uses([["on_damaged_deal_damage", 1], "cant_attack", ["on_damaged_gain_thorns", 2]])


def test_bare_neighbours_are_one_effect_and_on_hit_by_class() -> None:
    ops: list[Op | Effect] = [
        Op.model_validate(each) for each in (["gain_armor", 1], ["deal", 1], ["pierce", 1], ["gain_armor", 2])
    ]
    assert [len(effect.do) for effect in effects_of(ops, "turn_start")] == [4]
    assert [len(effect.do) for effect in effects_of(ops, "on_hit")] == [1, 2, 1]
    apart = Effect.model_validate({"chance": 50, "do": [["deal", 1]]})
    assert [len(effect.do) for effect in effects_of([*ops, apart, *ops], "turn_start")] == [4, 1, 4]


FIGHTERS: dict[str, tuple[dict[str, Any], str]] = {
    "two items in a slot": ({"items": [{"id": "a", "slot": 2}, {"id": "b", "slot": 2}]}, "two items in slot 2"),
    "two weapons": ({"weapon": ["a", "b"]}, "has 2 weapons; a fighter wears one"),
    "negative health": ({"stats": {"hp": -5}}, "at least 1"),
    "hp and health": ({"stats": {"hp": 5, "health": 5}}, "which mean the same"),
    "a boss with items": ({"boss": "a", "items": ["b"]}, "use only one of"),
    "a level of nobody": ({"level": 2}, "only an enemy has levels"),
    "stats and state": ({"stats": {"hp": 5}, "state": FIGHTER_STATE}, "use only one"),
    "more hp than full": ({"state": {**FIGHTER_STATE, "hp": 23}}, "more than its hp_max"),
    "thirteen items": ({"items": ["a"] * 13}, "at most 12"),
}


@pytest.mark.parametrize("name", FIGHTERS)
def test_a_bad_fighter_is_refused(name: str) -> None:
    keys, message = FIGHTERS[name]
    ((where, found, _),) = complaints(Scenario, {"ruleset": "relics", "left": keys, "right": {}})
    assert where.startswith("left")
    assert message in found


def test_the_vocabulary_is_sound_and_amounts_count_from_its_numbers() -> None:
    check_names(VOCABULARY)
    for name, code in AMOUNT_FACTS.items():
        fact = VOCABULARY.fact_by_name[name]
        assert fact.code == code
        assert fact.kind in (FactKind.PLAIN, FactKind.ROUND)
    assert len({fact.code for fact in VOCABULARY.facts}) == len(VOCABULARY.facts)


def test_schemas_know_every_op_and_modifier() -> None:
    text = json.dumps(ContentFile.model_json_schema())
    for name in (*OPS, *MODIFIERS, *TRIGGERS, *FLAGS):
        assert f'"{name}"' in text
    for model in (Scenario, Resolved):
        json.dumps(model.model_json_schema())


SECTIONS = {
    **markdown.SECTIONS,
    "vocabulary": lambda: vocabulary_table(VOCABULARY),
    "events": lambda: f"{event_table(PROTOCOL)}\n\n{code_table(CODEBOOKS)}",
}


def test_conditions_without_groups_have_no_tables_of_them() -> None:
    table = vocabulary_table(VOCABULARY)
    assert "| fact | is |" in table
    assert "ranges over" not in table
    assert "the unit" not in table


@pytest.mark.parametrize("name", SECTIONS)
def test_the_rule_book_has_the_tables_of_the_declarations(name: str) -> None:
    text = README.read_text(encoding="utf-8")
    found = re.search(rf"<!-- generated: {name} -->\n(.*?)\n<!-- end -->", text, re.DOTALL)
    assert found is not None
    assert found[1] == SECTIONS[name]()


def test_the_rule_books_examples_are_read() -> None:
    scenario, *contents = re.findall(r"```toml\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    validate(Scenario, tomllib.loads(scenario), "f")
    assert len(contents) == 2
    for content in contents:
        validate(ContentFile, tomllib.loads(content), "f")


def test_the_rule_book_names_every_option() -> None:
    text = README.read_text(encoding="utf-8")
    for name in OPTION_NAMES:
        assert f"| `{name}` |" in text


OPTION_NAMES = list(Resolved.model_fields["options"].annotation.model_fields)  # type: ignore[union-attr]


def test_what_is_read_is_written_and_read_again_the_same() -> None:
    worn = {
        "id": "clock",
        "name": "Clock",
        "tier": "golden",
        "triggers": {
            "countdown": [
                {"n": 3, "do": [["spend", "armor", 3], ["convert", "random", "hp", "all", {"if": "wounded"}]]}
            ],
            "pre": [["gain_armor", 1]],
        },
        "modifiers": ["thorns_kept", ["attack", {"of": "counter"}]],
        "flags": ["on_damaged_deal_damage", 1],
    }
    fighter = {"name": "A", "stats": {"hp": 25}, "items": [worn]}
    canvas = CANVAS | {"stat_caps": {}}
    options = {name: canvas[name] for name in OPTION_NAMES}
    document = {"ruleset": "relics", "id": "x", "seed": "s", "profile": "canvas", "options": options}
    read = validate(Resolved, {**document, "left": fighter, "right": {**fighter, "state": FIGHTER_STATE}}, "f")
    written = json.loads(json.dumps(read.model_dump(by_alias=True, exclude_none=True)))
    assert validate(Resolved, written, "f") == read
