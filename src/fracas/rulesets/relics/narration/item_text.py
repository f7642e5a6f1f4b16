"""Generate item texts from item data, so that a text always matches what its item does.

The words come from the `text` fields in `declarations/ops.py` and `declarations/triggers.py`. In a text, "you" is the
owner of the item.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fracas.rulesets.relics.content.models.effects import Effect, Modifier, Op, effects_of, flag_uses
from fracas.rulesets.relics.content.models.items import Body, ItemSet, ItemStats, OwnStatus
from fracas.rulesets.relics.content.op_forms import AmountOf
from fracas.rulesets.relics.content.vocabulary import is_own_status
from fracas.rulesets.relics.declarations.triggers import MODIFIERS, TRIGGERS
from fracas.rulesets.relics.declarations.types import ArgumentKind, FlagForm, TriggerForm
from fracas.rulesets.relics.narration.item_text_words import condition_words, for_each, number_words, titled_status
from fracas.rulesets.relics.rules import constants as codes

# A target's grammatical forms: subject, verb ending, object, possessive.
_PERSONS = {
    "self": {"who": "you", "s": "", "whom": "you", "whose": "your"},
    "enemy": {"who": "the enemy", "s": "s", "whom": "the enemy", "whose": "the enemy's"},
    "both": {"who": "both fighters", "s": "", "whom": "both fighters", "whose": "both fighters'"},
    "random": {"who": "a random fighter", "s": "s", "whom": "a random fighter", "whose": "a random fighter's"},
}
_NAMES = {
    **{status: status.capitalize() for status in codes.STATUSES},
    "hp": "HP",
    "random": "of a random status",
    "each": "of each status",
}
_MOMENT_WORDS = {"now": "this turn", "next_turn": "next turn", "every_turn": "every turn from now on"}
_PIECE_WORDS = {
    "all": "all your other{tag} pieces",
    "random": "one of your other{tag} pieces at random",
    "left": "the{tag} item to the left",
    "right": "the{tag} item to the right",
}
_WORDED = ("stat", "status", "what", "from", "to")
_PLURAL = re.compile(r"\b(\d+)([^:;,]*?)\((\w+)\)")


def item_text(item: Body, tier: str = "normal") -> str:
    """What a piece does, in one line."""
    return " ".join(item_lines(item, tier)) or "Does nothing."


def item_lines(item: Body, tier: str = "normal") -> list[str]:
    """What a piece does: its stats, a sentence for each effect, modifier and flag, and whether it is unique."""
    factor = codes.TIER_FACTORS[codes.TIERS.index(tier)]
    stats = getattr(item, "stats", None)
    sentences = [
        *([_stats(stats, factor)] if isinstance(stats, ItemStats) else []),
        *_effects(item.triggers, factor),
        *(modifier_text(modifier, factor) for modifier in item.modifiers),
        *(_flag(form, number, factor) for form, number in flag_uses(item.flags)),
        *(["you can wear only one"] if getattr(item, "unique", False) else []),
    ]
    lines = [f"{text[0].upper()}{text[1:]}." for text in sentences if text]
    if isinstance(item, OwnStatus) and lines:
        return ["While you have stacks of it:", *lines]
    if isinstance(item, ItemSet):
        return [f"With {item.pieces} {item.tag} piece{'s' * (item.pieces != 1)}:", *lines]
    return lines


def describe_entry(entry: Any) -> list[str]:
    """What a content entry does; empty for entries without effects, such as profiles."""
    if not isinstance(entry, Body):
        return []
    phases = enumerate(getattr(entry, "phases", []), start=2)
    return item_lines(entry) + [
        f"Phase {number}, {phase.name}: {' '.join(item_lines(phase))}" for number, phase in phases
    ]


def _stats(stats: ItemStats, factor: int) -> str:
    values = {name: getattr(stats, name) * factor for name in codes.STATS}
    return ", ".join(f"{value:+d} {name}" for name, value in values.items() if value)


def _effects(triggers: Mapping[str, Sequence[Any]], factor: int) -> Iterator[str]:
    for name in (known for known in TRIGGERS if known in triggers):
        yield from (effect_text(TRIGGERS[name], effect, factor) for effect in effects_of(list(triggers[name]), name))


def effect_text(form: TriggerForm, effect: Effect, factor: int = 1) -> str:
    """An effect in words: its trigger, its ops and its limits."""
    ops = ", ".join(op_text(op, factor, form.name) for op in effect.do)
    limits = [*_conditions(effect.if_, effect.chance, form.name)]
    for number, span in ((effect.per_turn, "turn"), (effect.per_battle, "battle")):
        if number is not None:
            limits.append(f"{'at most ' * (number > 1)}{number_words(number)} a {span}")
    return f"{_trigger(form, effect)}: {ops}" + (f"; {', '.join(limits)}" if limits else "")


def _trigger(form: TriggerForm, effect: Effect | None = None) -> str:
    n = effect.n if effect is not None else None
    of = effect.of if effect is not None else None
    text = form.text.format(n="n" if n is None else n, of="a status" if of is None else _named(of))
    return re.sub(r"^Every 1 (\w+)s$", r"Every \1", text)


def _conditions(condition: Any, chance: int | None, trigger: str = "") -> Iterator[str]:
    if condition is not None:
        yield f"if {condition_words(condition, trigger)}"
    if chance is not None and chance < 100:
        yield f"{chance}% chance"


def op_text(op: Op, factor: int = 1, trigger: str = "") -> str:
    """An op in words."""
    target = str(op.argument("to") if op.op == "move" else op.argument("target"))
    template = op.form.self_text if target == "self" and op.form.self_text else op.form.text
    amount, suffix = _amount(op, factor, trigger)
    words = {**_PERSONS.get(target, _PERSONS["self"]), **_argument_words(op), "amount": amount}
    # The status word may bring its own "of": "1 of of a random status" becomes "1 of a random status".
    text = _plural(template.format_map(words).replace(" of of ", " of ")) + suffix
    if op.repeat > 1:
        text += f"{',' * text[-1].isdigit()} {number_words(op.repeat)}"
    limits = list(_conditions(op.if_, op.chance, trigger))
    return f"{text} ({', '.join(limits)})" if limits else text


def _argument_words(op: Op) -> dict[str, str]:
    """The arguments of an op in words, without its amount."""
    arguments = {name: str(op.argument(name)) for name in _WORDED}
    words = {name: _named(value) for name, value in arguments.items()}
    if op.from_ is not None and arguments["from"] == "random":
        words["from"] = "stacks of a random status"
    if op.trigger is not None:
        tag = op.argument("tag")
        words["which"] = _PIECE_WORDS[op.argument("which")].format(tag=f" {tag}" if tag else "")
        words["trigger"] = _trigger(TRIGGERS[op.trigger]).removesuffix(" n")
    return words | {"percent": str(op.percent), "when": _MOMENT_WORDS.get(str(op.argument("when")), "")}


def _named(word: str) -> str:
    """A stat or a status in words."""
    return _NAMES.get(word, titled_status(word) if is_own_status(word) else word)


def _amount(op: Op, factor: int, trigger: str) -> tuple[str, str]:
    """An amount in words, and the suffix that says what it is counted from."""
    value = op.argument("amount")
    if isinstance(value, AmountOf):
        times, suffix = for_each(value, factor, trigger)
        return str(times), suffix
    fixed = any(argument.name == "amount" and argument.kind is ArgumentKind.NUMBER for argument in op.form.arguments)
    return str(value * factor if isinstance(value, int) and not fixed else value), ""


def _plural(text: str) -> str:
    """Resolve plurals: `1 time(s)` becomes `1 time`, `2 time(s)` becomes `2 times`."""
    return _PLURAL.sub(lambda found: f"{found[1]}{found[2]}{found[3] if found[1] != '1' else ''}", text)


def modifier_text(modifier: Modifier, factor: int = 1) -> str:
    """A modifier in words."""
    suffix, number = "", modifier.amount
    if isinstance(number, AmountOf):
        number, suffix = for_each(number, factor)
    elif isinstance(number, int):
        number *= factor
    text = _bonus(modifier, number if isinstance(number, int) else 0) + _limit(modifier) + suffix
    return text if modifier.if_ is None else f"{text} while {condition_words(modifier.if_)}"


def _limit(modifier: Modifier) -> str:
    """What a modifier is limited to; empty if it has no limit."""
    source, tag = modifier.source, modifier.tag
    if source is None and tag is None:
        return ""
    words = f"{tag} pieces" if tag is not None else "pieces"
    if source == "strike":
        words = f"strikes of {words}" if tag is not None else "strikes"
    elif source not in (None, "pieces"):
        words = _NAMES.get(source, source) + (f" of {words}" if tag is not None else "")
    link = {"damage_dealt": "with", "damage_taken": "from"}.get(modifier.modifier.removesuffix("_pct"), "by")
    return f" {link} {words}"


def _bonus(modifier: Modifier, number: int) -> str:
    """A modifier's bonus in words; negative numbers read as less, not more."""
    template, percent = modifier.form.text, modifier.percent or 0
    if number < 0:
        template = template.replace(" more", " fewer" if "(s)" in template else " less")
    share = f"{abs(percent)}% {'less' if percent < 0 else 'more'}"
    return _plural(template.format(amount=abs(number), percent=share, status=_named(modifier.status or "")))


def _flag(form: FlagForm, number: int, factor: int) -> str:
    """A flag in the words of its effect or modifier."""
    if form.modifier:
        return MODIFIERS[form.modifier].text
    return effect_text(TRIGGERS[form.trigger], Effect(do=[Op.model_validate([form.op, number])]), factor)
