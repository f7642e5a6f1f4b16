"""Read ops and modifiers, written as a list or as a table, into one form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Annotated, Any

from pydantic import AfterValidator, Field, WithJsonSchema

from fracas.content.validate import Model, shown, unknown_name
from fracas.errors.suggestions import listed, nearest, quoted
from fracas.rulesets.relics.content.vocabulary import AMOUNT_FACTS, VOCABULARY, is_amount_fact, is_own_status
from fracas.rulesets.relics.declarations import types
from fracas.rulesets.relics.declarations.json_schema import OWN_STATUS_SCHEMA
from fracas.rulesets.relics.rules.constants import LARGEST, LARGEST_CHANCE, MOST_REPEATS

Number = Annotated[int, Field(ge=1, le=LARGEST)]


EXTRAS = ("if", "chance", "repeat")


def _is_amount_fact(name: str) -> str:
    if not is_amount_fact(name):
        hint = VOCABULARY.near_fact(name)
        if hint in VOCABULARY.lists.values():
            raise ValueError(f"{quoted(name)} cannot be counted; {hint}")
        raise unknown_name("fact that an amount can be counted from:", name, AMOUNT_FACTS)
    return name


_FACT_SCHEMA: dict[str, Any] = {
    "anyOf": [
        {"enum": list(AMOUNT_FACTS)},
        {"pattern": "^tags[.][a-z_][a-z0-9_]*$"},
        {"pattern": f"^(self|enemy)[.]{OWN_STATUS_SCHEMA['pattern'].strip('^$')}$"},
    ]
}


FactName = Annotated[str, AfterValidator(_is_amount_fact), WithJsonSchema({"type": "string", **_FACT_SCHEMA})]


class AmountOf(Model):
    """An amount counted from a fact: fact * times / per, rounded down."""

    of: FactName
    times: Annotated[int, Field(ge=-LARGEST, le=LARGEST)] = 1
    per: Number = 1


def _amount_shape(value: Any) -> str | None:
    if isinstance(value, dict | AmountOf):
        return "counted"
    if value == "all":
        return "everything"
    return "number" if isinstance(value, int) and not isinstance(value, bool) else None


_NO_AMOUNT = 'is not an amount: write a whole number, "all", or a table such as { of = "self.armor", per = 2 }'


def _in_form(form: types.Form) -> str:
    """A form as a list shows it: `["gain", stat, amount, target]`."""
    return f"[{', '.join([quoted(form.name), *(argument.name for argument in form.arguments)])}]"


def _as_table(value: list[Any], word: str, form: types.Form, extras: tuple[str, ...]) -> dict[str, Any]:
    """Turn the list form into the table form.

    Raises:
        ValueError: too many arguments, or a key given twice.
    """
    given, last = value[1:], {}
    if given and isinstance(given[-1], dict) and not _takes_table_last(form, given):
        last = given.pop()
    if len(given) > len(form.arguments):
        takes = len(form.arguments)
        raise ValueError(
            f"{form.name} takes {takes or 'no'} argument{'s' * (takes != 1)}, not {len(given)}: {_in_form(form)}"
        )
    table = {argument.name: each for argument, each in zip(form.arguments, given, strict=False)}
    twice = [key for key in last if key in table]
    if twice:
        raise ValueError(f"has {listed(twice, 'and')} twice, in the list and in the table at its end")
    return {word: form.name, **table, **last}


def _takes_table_last(form: types.Form, given: list[Any]) -> bool:
    """Whether the table at a list's end is a counted amount."""
    last = len(given) - 1
    in_amount = last < len(form.arguments) and form.arguments[last].tiered
    return in_amount and "of" in given[-1]


def _check_table(table: Mapping[str, Any], word: str, form: types.Form, extras: tuple[str, ...]) -> None:
    """Check a table against its form.

    Raises:
        ValueError: every problem found.
    """
    found = list(_wrong_in_table(table, word, form, extras))
    if found:
        raise found[0] if len(found) == 1 else ValueError("; ".join(str(each) for each in found))


def _wrong_in_table(
    table: Mapping[str, Any], word: str, form: types.Form, extras: tuple[str, ...]
) -> Iterator[ValueError]:
    known = [argument.name for argument in form.arguments]
    for key in table:
        if key not in (word, *known, *extras):
            hint = nearest(str(key), [*known, *extras])
            yield ValueError(
                f"{form.name} takes no {quoted(str(key))}: {_in_form(form)}" + (f"; {hint}" if hint else "")
            )
    missing = [a.name for a in form.arguments if a.default is None and table.get(a.name) is None]
    if missing:
        yield ValueError(f"{form.name} needs {listed(missing, 'and')}: {_in_form(form)}")
    checks = [partial(_check_argument, argument, table.get(argument.name)) for argument in form.arguments]
    checks += [partial(_check_range, key, table.get(key), *_RANGES[key]) for key in extras if key in _RANGES]
    for check in checks:
        try:
            check()
        except ValueError as error:
            yield error


_RANGES = {"chance": (0, LARGEST_CHANCE), "repeat": (1, MOST_REPEATS)}


def _check_range(name: str, value: Any, least: int, most: int) -> None:
    if value is None:
        return
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"{name}: {shown(value)} is not a whole number")
    if not least <= value <= most:
        raise ValueError(f"{name}: {value} is out of range: it must be {least} to {most:,}")


def _check_argument(argument: types.Argument, value: Any) -> None:
    if value is None:
        return
    words = types.WORDS.get(argument.kind)
    if argument.kind in types.STATUS_KINDS and is_own_status(value):
        return
    if words is not None and (not isinstance(value, str) or value not in words):
        if argument.kind is types.ArgumentKind.TRIGGER and isinstance(value, str):
            raise unknown_name("trigger", value, words)
        hint = nearest(value, words) if isinstance(value, str) else None
        ending = f"; {hint}" if hint else ""
        raise ValueError(f"{argument.name}: {shown(value)} is not one of {listed(words)}{ending}")
    least, most = types.bounds_of(argument.kind)
    is_number = isinstance(value, int) and not isinstance(value, bool)
    if is_number and not least <= value <= most:
        raise ValueError(f"{argument.name}: {value} is out of range: it must be {least} to {most:,}")
    if (
        argument.kind in (types.ArgumentKind.NUMBER, types.ArgumentKind.PERCENT, types.ArgumentKind.BONUS_PERCENT)
        and not is_number
    ):
        raise ValueError(f"{argument.name}: {shown(value)} is not a whole number")
    if value == "all" and argument.kind in (types.ArgumentKind.AMOUNT, types.ArgumentKind.BONUS):
        raise ValueError(f'{argument.name}: "all" is only for ops that take something away')
    if (
        argument.kind in (types.ArgumentKind.AMOUNT, types.ArgumentKind.AMOUNT_OR_ALL, types.ArgumentKind.BONUS)
        and _amount_shape(value) is None
    ):
        raise ValueError(f"{argument.name}: {shown(value)} {_NO_AMOUNT}")


def _read(value: Any, word: str, what: str, forms: Mapping[str, Any], extras: tuple[str, ...]) -> Any:
    """Read an op or a modifier, written as a list or a table, into a checked table."""
    if isinstance(value, list):
        name = value[0] if value else None
    elif isinstance(value, dict):
        name = value.get(word)
    else:
        return value
    if not isinstance(name, str):
        raise ValueError(f'has no name: write ["name", ...] or {{ {word} = "name", ... }}')
    if name not in forms:
        raise unknown_name(what, name, forms)
    table = _as_table(value, word, forms[name], extras) if isinstance(value, list) else dict(value)
    # A value read before has every key of the model.
    extras += forms[name].limits
    table = {("if" if key == "if_" else "from" if key == "from_" else key): each for key, each in table.items()}
    _check_table(table, word, forms[name], extras)
    return table
