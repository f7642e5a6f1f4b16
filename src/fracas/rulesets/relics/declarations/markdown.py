"""Markdown tables of ops, triggers, modifiers, statuses and flags for the rule book and the reference pages."""

from __future__ import annotations

from fracas.events.markdown import table
from fracas.rulesets.relics.declarations import types
from fracas.rulesets.relics.declarations.ops import OPS
from fracas.rulesets.relics.declarations.triggers import FLAGS, MODIFIERS, STATUS_DOCS, TRIGGERS

# Added to the words of arguments that accept a status.
OR_AN_OWN_STATUS = ", or an own status"


def list_form(form: types.Form) -> str:
    """A form written as a list, optional arguments with their defaults."""
    words = [f'"{form.name}"', *map(_argument, form.arguments)]
    return f"`[{', '.join(words)}]`"


def _argument(argument: types.Argument) -> str:
    if argument.default is None:
        return argument.name
    return f"{argument.name} = {argument.default or 'none'}"


def _arguments(form: types.Form) -> str:
    return "; ".join(f"{argument.name}: {argument.kind.value}" for argument in form.arguments) or "–"


def op_table() -> str:
    """The table of ops."""
    rows = ([list_form(form), _arguments(form), _meaning(form)] for form in OPS.values())
    return table(["op", "arguments", "does"], rows)


def _meaning(form: types.OpForm) -> str:
    return form.doc + (f" `if = {form.when}`" if form.when else "") + (" On hit only." if form.on_hit_only else "")


def trigger_table() -> str:
    """The table of triggers."""
    rows = ([_trigger(form), form.doc, form.payload.doc] for form in TRIGGERS.values())
    return table(["trigger", "its effects run", "payload"], rows)


def _trigger(form: types.TriggerForm) -> str:
    return f"`{form.name}`{' (n)' if form.takes_n else ''}{' (of)' if form.takes_status else ''}"


def modifier_table() -> str:
    """The table of modifiers."""
    return table(["modifier", "arguments", "does"], ([list_form(m), _arguments(m), m.doc] for m in MODIFIERS.values()))


def status_table() -> str:
    """The table of statuses."""
    return table(["status", "does"], ([f"`{name}`", doc] for name, doc in STATUS_DOCS.items()))


def flag_table() -> str:
    """The table of flags."""
    return table(["flag", "does", "is the same as"], map(_flag, FLAGS.values()))


def _flag(form: types.FlagForm) -> list[str]:
    number = " N" if form.takes_number else ""
    op = f'`{form.trigger} = [["{form.op}"{"," if number else ""}{number}]]`'
    return [f"`{form.name}`{number}", form.doc, f"the modifier `{form.modifier}`" if form.modifier else op]


def word_table() -> str:
    """The table of words that arguments accept."""
    rows = (
        [kind.value, ", ".join(words) + OR_AN_OWN_STATUS * (kind in types.STATUS_KINDS)]
        for kind, words in types.WORDS.items()
    )
    return table(["an argument that is", "may be"], rows)


SECTIONS = {
    "ops": op_table,
    "triggers": trigger_table,
    "modifiers": modifier_table,
    "statuses": status_table,
    "flags": flag_table,
    "words": word_table,
}
