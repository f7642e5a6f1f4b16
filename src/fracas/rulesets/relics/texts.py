"""What items, sets and fighters do, in words that are made from their data, so that the words cannot be wrong.

A text is its stats, then a sentence for each effect, flag and modifier: `Battle start: gain 2 Thorns.` Numbers are those
of the tier. Conditions stand in their own language, as the item has them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from fracas.content.conditions import parse, to_text
from fracas.content.suggest import listed
from fracas.rulesets.relics.constants import LARGEST, STATS, STATUSES, TIER_FACTORS, TIERS
from fracas.rulesets.relics.effect_models import AmountOf, Effect, Modifier, Op, effects_of, flag_uses
from fracas.rulesets.relics.forms import Argument, Kind
from fracas.rulesets.relics.item_models import Body
from fracas.rulesets.relics.vocabulary import VOCABULARY
from fracas.rulesets.relics.vocabulary_triggers import MODIFIERS, TRIGGERS

# A fighter as the one who does something, to whom it is done, whose something is.
WHO = {"self": "you", "enemy": "the enemy", "both": "both", "random": "a random fighter"}
WHOM = {**WHO, "self": "yourself"}
WHOSE = {"self": "your", "enemy": "the enemy's", "both": "both fighters'", "random": "a random fighter's"}
DOES_ALONE = ("enemy", "random")
WORDS = {
    "hp": "HP",
    **{name: name.capitalize() for name in STATUSES},
    "random": "of a random status",
    "each": "of every status",
    "next_turn": "next turn",
    "every_turn": "every turn",
}
SELECTED = {"all": "all other", "random": "a random other", "left": "the left", "right": "the right"}
SIGNED = (Kind.BONUS, Kind.BONUS_PERCENT)


def item_text(entry: Body, tier: str = "normal") -> str:
    """All that something does, in one paragraph; nothing if it does nothing."""
    return " ".join(sentences(entry, tier))


def sentences(entry: Body, tier: str = "normal") -> Iterator[str]:
    """What something does, sentence by sentence: stats, effects, flags, modifiers."""
    factor = TIER_FACTORS[TIERS.index(tier)]
    stats = stats_text(getattr(entry, "stats", None), factor)
    if stats:
        yield f"{stats}."
    for trigger, entries in entry.triggers.items():
        for effect in effects_of(entries, trigger):
            yield f"{effect_text(effect, trigger, factor)}."
    yield from flag_sentences(entry, factor)
    for modifier in entry.modifiers:
        yield f"{_begun(modifier_text(modifier, factor))}."


def flag_sentences(entry: Body, factor: int) -> Iterator[str]:
    """What the flags of something mean, in the words of what they stand for."""
    for form, number in flag_uses(entry.flags):
        if form.modifier:
            yield f"{_begun(MODIFIERS[form.modifier].text)}."
        else:
            op = Op.model_validate([form.op, number] if form.takes_number else [form.op])
            yield f"{effect_text(Effect(do=[op]), form.trigger, factor)}."


def stats_text(stats: Any, factor: int) -> str:
    """What wearing something adds: `+4 armor, -3 speed`."""
    values = {name: getattr(stats, name, 0) * factor for name in STATS}
    return ", ".join(f"{value:+,} {name}" for name, value in values.items() if value)


def effect_text(effect: Effect, trigger: str, factor: int = 1) -> str:
    """When an effect runs, what it does, and what it depends on: `On hit: heal 1; if payload >= 2`."""
    form = TRIGGERS[trigger]
    of = WORDS[effect.of] if effect.of else "a status"
    when = form.text.format(n=effect.n, of=of)
    does = ", ".join(op_text(op, factor) for op in effect.do)
    return "; ".join([f"{when}: {does}", *_conditions(effect), *_limits(effect)])


def op_text(op: Op, factor: int = 1) -> str:
    """What an op does: `deal 1 damage to the enemy (2 times, 50% chance)`."""
    form = op.form
    names = {argument.name: argument for argument in form.arguments}
    target = str(op.argument("target") or op.argument("to") or "self")
    template = form.self_text if form.self_text and target == "self" else form.text
    words = {name: argument_text(argument, op.argument(name), factor) for name, argument in names.items()}
    text = filled(template, {**words, **_person(target)}, op.argument("amount"), factor)
    if op.op == "retrigger":
        text = text.replace("piece(s)", "pieces" if op.argument("which") == "all" else "piece")
    notes = [f"{op.repeat} times"] if op.repeat > 1 else []
    notes += _conditions(op)
    return f"{text} ({', '.join(notes)})" if notes else text


def modifier_text(modifier: Modifier, factor: int = 1) -> str:
    """What a modifier changes: `2 more attack, if wounded`."""
    values = {argument.name: getattr(modifier, argument.name) for argument in modifier.form.arguments}
    words = {
        argument.name: argument_text(argument, values[argument.name], factor) for argument in modifier.form.arguments
    }
    text, amount = modifier.form.text, values.get("amount")
    if isinstance(amount, int) and amount < 0:
        fewer = "fewer" if "time(s)" in text else "less"
        text = text.replace(" more", f" {fewer}").replace("stronger", "weaker")
        words["amount"] = words["amount"].removeprefix("-")
    return ", ".join([filled(text, words, amount, factor), *_conditions(modifier)])


def filled(template: str, words: Mapping[str, str], amount: Any, factor: int) -> str:
    """A form's text with its arguments in it."""
    count = abs(amount) * factor if isinstance(amount, int) else 0
    text = template.format(**words).replace("time(s)", "time" if count == 1 else "times")
    return re.sub(" +", " ", text)


def argument_text(argument: Argument, value: Any, factor: int) -> str:
    """An argument in words, with the tier multiplied in."""
    if isinstance(value, AmountOf):
        return counted_text(value, factor)
    if isinstance(value, int):
        value = min(value * factor, LARGEST) if argument.tiered else value
        return f"{value:+,}" if argument.kind is Kind.BONUS_PERCENT else f"{value:,}"
    if argument.kind is Kind.TRIGGER:
        text = TRIGGERS[value].text.format(n="n", of="a status")
        return f"“{text}”"
    if argument.kind is Kind.SELECTION:
        return SELECTED[value]
    return WORDS.get(str(value), str(value))


def counted_text(amount: AmountOf, factor: int) -> str:
    """An amount that is counted: `(2 * self.armor / 3)`."""
    times = amount.times * (factor if amount.per != 100 else 1)
    more = f"{times} * " if times != 1 else ""
    return f"({more}{amount.of}{f' / {amount.per}' if amount.per != 1 else ''})"


def _person(target: str) -> dict[str, str]:
    """The target in each of its forms."""
    s = "s" if target in DOES_ALONE else ""
    return {"who": WHO.get(target, ""), "s": s, "whom": WHOM.get(target, ""), "whose": WHOSE.get(target, "")}


def _conditions(part: Effect | Op | Modifier) -> list[str]:
    """What something depends on besides its moment: its condition and its chance."""
    notes = []
    if part.if_ is not None:
        notes.append(f"if {to_text(parse(part.if_, VOCABULARY, where='if').tree)}")
    if not isinstance(part, Modifier) and part.chance is not None and part.chance < 100:
        notes.append(f"{part.chance}% chance")
    return notes


def _limits(effect: Effect) -> list[str]:
    """How often an effect runs at most."""
    limits = [("turn", effect.per_turn), ("battle", effect.per_battle)]
    found = [f"{_times(most)} a {span}" for span, most in limits if most is not None]
    return [f"at most {listed(found, 'and')}"] if found else []


def _times(number: int) -> str:
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def _begun(text: str) -> str:
    """A text with a capital at its beginning."""
    return text[:1].upper() + text[1:]
