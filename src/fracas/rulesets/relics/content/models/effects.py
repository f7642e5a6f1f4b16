"""Models of what items do: amounts, ops, effects, triggers, flags and modifiers.

An op is a list, `["gain_armor", 2]`, or a table, `{ op = "gain_armor", amount = 2 }`. In a list the arguments
follow the order of the op's declaration; a table with `if`, `chance`, `repeat` or remaining arguments may come last.
Both forms become the same `Op`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Annotated, Any, ClassVar, Literal

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    GetJsonSchemaHandler,
    Tag,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import CoreSchema

from fracas.content.condition_model import WrittenCondition, condition_core
from fracas.content.part_cache import Known
from fracas.content.validate import Model, shown, unknown_name
from fracas.content.word_types import OneOf
from fracas.errors.suggestions import listed, nearest, quoted, visible
from fracas.rulesets.relics.content.op_forms import _NO_AMOUNT, EXTRAS, AmountOf, Number, _amount_shape, _read
from fracas.rulesets.relics.content.vocabulary import is_own_status
from fracas.rulesets.relics.declarations import types
from fracas.rulesets.relics.declarations.json_schema import (
    FLAGS_SCHEMA,
    OWN_STATUS_SCHEMA,
    modifier_schema,
    op_schema,
    replace_schema,
)
from fracas.rulesets.relics.declarations.ops import OPS
from fracas.rulesets.relics.declarations.triggers import FLAGS, MODIFIERS, SOURCES, TRIGGERS
from fracas.rulesets.relics.rules import constants as codes

SourceName = Annotated[str, OneOf(SOURCES)]
TagName = Annotated[str, Field(pattern=r"^([a-z0-9][a-z0-9_-]*)?$", max_length=64)]
Chance = Annotated[int, Field(ge=0, le=codes.LARGEST_CHANCE)]
Repeat = Annotated[int, Field(ge=1, le=codes.MOST_REPEATS)]
Runs = Annotated[int, Field(ge=1, le=codes.MOST_RUNS)]
Condition = WrittenCondition


def _is_status(name: str) -> str:
    if name not in codes.STATUSES and not is_own_status(name):
        raise ValueError(f"{shown(name)} is not one of {listed(codes.STATUSES)}, nor the id of a status")
    return name


StatusName = Annotated[
    str, AfterValidator(_is_status), WithJsonSchema({"anyOf": [{"enum": list(codes.STATUSES)}, OWN_STATUS_SCHEMA]})
]


def _is_trigger(name: str) -> str:
    if name not in TRIGGERS:
        raise unknown_name("trigger", name, TRIGGERS)
    return name


TriggerName = Annotated[str, AfterValidator(_is_trigger), WithJsonSchema({"enum": list(TRIGGERS)})]


Amount = Annotated[
    Annotated[int, Field(ge=types.LEAST_BONUS, le=codes.LARGEST), Tag("number")]
    | Annotated[Literal["all"], Tag("everything")]
    | Annotated[AmountOf, Tag("counted")],
    Discriminator(_amount_shape, custom_error_type="amount", custom_error_message=_NO_AMOUNT),
]


class _Declared(Model):
    """An op or a modifier: the schema of all forms stands for that of its fields."""

    schema_of: ClassVar[Any]
    """Makes it, given the schemas of counted amounts and of conditions."""

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        schema = super().__get_pydantic_json_schema__(core_schema, handler)
        counted, condition = handler(AmountOf.__pydantic_core_schema__), handler(condition_core())
        replace_schema(handler.resolve_ref_schema(schema), cls.schema_of(counted, condition))
        return schema


class Op(_Declared):
    """One thing that an effect does. Its arguments are those that its name declares."""

    schema_of = staticmethod(op_schema)

    op: str
    stat: str | None = None
    status: str | None = None
    what: str | None = None
    """The quantity to spend."""
    from_: Annotated[str | None, Field(alias="from")] = None
    """The quantity to convert."""
    to: str | None = None
    """The quantity or fighter that receives it."""
    amount: Amount | None = None
    percent: Annotated[int, Field(ge=0, le=100)] | None = None
    when: str | None = None
    trigger: str | None = None
    which: str | None = None
    tag: TagName | None = None
    target: str | None = None
    if_: Annotated[Condition | None, Field(alias="if")] = None
    """A condition; absent means always."""
    chance: Chance | None = None
    """Per cent; absent means 100."""
    repeat: Repeat = 1

    @model_validator(mode="before")
    @classmethod
    def _is_declared(cls, value: Any) -> Any:
        return _read(value, "op", "op", OPS, EXTRAS)

    @property
    def form(self) -> types.OpForm:
        """Its declaration."""
        return OPS[self.op]

    def argument(self, name: str) -> Any:
        """The value of an argument: as written, else implied by the op's name, else its default, else None."""
        written = getattr(self, "from_" if name == "from" else name)
        if written is not None:
            return written
        if name in self.form.fixed:
            return self.form.fixed[name]
        return next((argument.default for argument in self.form.arguments if argument.name == name), None)


class Effect(Model):
    """Ops that run together, in order."""

    model_config = ConfigDict(json_schema_extra={"$comment": "effect"})

    @model_validator(mode="before")
    @classmethod
    def _has_keys_of_an_effect(cls, value: Any) -> Any:
        known = [field.alias or name for name, field in cls.model_fields.items()]
        strange = [key for key in value if key not in (*known, "if_")] if isinstance(value, dict) else []
        if strange:
            hint = "write the condition of an effect as `if`" if "when" in strange else nearest(str(strange[0]), known)
            raise ValueError(
                f"an effect has no key {quoted(str(strange[0]))}; its keys are {listed(known, 'and')}"
                + (f"; {hint}" if hint else "")
            )
        return value

    do: Annotated[list[Op], Field(min_length=1, max_length=codes.MAX_EFFECT_OPS)]
    n: Number | None = None
    """For every_n_turns, every_n_strikes and countdown."""
    of: StatusName | None = None
    """The only status that a status trigger answers; absent means any."""
    if_: Annotated[Condition | None, Field(alias="if")] = None
    """A condition; absent means always."""
    chance: Chance | None = None
    """Per cent; absent means 100."""
    per_turn: Runs | None = None
    """The most runs in a common turn; absent means no limit."""
    per_battle: Runs | None = None
    """The most runs in a battle; absent means no limit."""


def _entry_shape(value: Any) -> str | None:
    if isinstance(value, Effect) or (isinstance(value, dict) and "do" in value):
        return "an effect"
    return "an op" if isinstance(value, list | dict | Op) else None


Entry = Annotated[
    Annotated[Op, Known(), Tag("an op")] | Annotated[Effect, Known(), Tag("an effect")],
    Discriminator(
        _entry_shape,
        custom_error_type="entry",
        custom_error_message='is neither an op such as ["gain_armor", 2] nor a table with a list `do`',
    ),
]


def _listed_entries(value: Any) -> Any:
    if isinstance(value, list) and value and isinstance(value[0], str):
        raise ValueError(f'is a single op; put it in a list: [["{visible(value[0])}", ...]]')
    return [value] if isinstance(value, dict) else value


class _ListOrTable:
    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        listed_entries = handler(core_schema)
        return {"anyOf": [listed_entries, {"$comment": "entry", "type": "object", **listed_entries["items"]}]}


Entries = Annotated[list[Entry], Field(max_length=codes.MAX_ENTRIES), BeforeValidator(_listed_entries), _ListOrTable]


def _check_entries(triggers: dict[str, list[Op | Effect]]) -> dict[str, list[Op | Effect]]:
    found = [
        f"{name}.{index}: {message}"
        for name, entries in triggers.items()
        for index, entry in enumerate(entries)
        for message in _misplaced(entry, TRIGGERS[name])
    ]
    if found:
        raise ValueError("; ".join(found))
    return triggers


def needs_n(trigger: str) -> str:
    """The message for an effect without the n that its trigger takes."""
    return f'{trigger} needs an n: {{ n = 3, do = [["gain_armor", 2]] }}'


def _misplaced(entry: Op | Effect, form: types.TriggerForm) -> Iterator[str]:
    """Messages for the parts of an entry that its trigger does not allow."""
    n, of = (entry.n, entry.of) if isinstance(entry, Effect) else (None, None)
    if form.takes_n and n is None:
        yield needs_n(form.name)
    if n is not None and not form.takes_n:
        yield f"{form.name} takes no n"
    if of is not None and not form.takes_status:
        yield f"{form.name} takes no `of`; only status triggers do"
    for op in entry.do if isinstance(entry, Effect) else [entry]:
        if op.form.on_hit_only and form.name != "on_hit":
            yield f"{op.op} only works under on_hit, not under {form.name}"


class _ByTrigger:
    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {**handler(core_schema), "propertyNames": {"enum": list(TRIGGERS)}}


Triggers = Annotated[dict[TriggerName, Entries], AfterValidator(_check_entries), _ByTrigger]


def effects_of(entries: list[Op | Effect], trigger: str) -> Iterator[Effect]:
    """The effects of a trigger's entries; neighbouring bare ops form one effect.

    Under on_hit, only ops of the same class do; `onhit_order` sorts by that class.
    """

    def together(entry: Op | Effect) -> object:
        if isinstance(entry, Effect):
            return "written"
        return entry.form.on_hit if trigger == "on_hit" else "bare"

    for _, run in groupby(entries, together):
        found = list(run)
        yield from (entry for entry in found if isinstance(entry, Effect))
        ops = [entry for entry in found if isinstance(entry, Op)]
        yield from (Effect(do=ops[at : at + codes.MAX_EFFECT_OPS]) for at in range(0, len(ops), codes.MAX_EFFECT_OPS))


FlagUse = tuple[types.FlagForm, int]


def flag_uses(flags: list[Any]) -> list[FlagUse]:
    """The flags of an item with their numbers, 0 if a flag takes none. A number belongs to the name before it.

    Raises:
        ValueError: an unknown flag, a missing number or one too many.
    """
    flat: list[Any] = []
    for entry in flags:
        flat += entry if isinstance(entry, list) else [entry]
    uses: list[FlagUse] = []
    for index, entry in enumerate(flat):
        if isinstance(entry, str):
            if entry not in FLAGS:
                raise unknown_name("flag", entry, FLAGS)
            form = FLAGS[entry]
            number = flat[index + 1] if index + 1 < len(flat) else None
            if form.takes_number and (not isinstance(number, int) or isinstance(number, bool)):
                raise ValueError(f"{entry} needs a number after it: [{quoted(entry)}, 1]")
            if form.takes_number and not 0 <= number <= codes.LARGEST:  # type: ignore[operator]  # it is an int, as above
                raise ValueError(f"{number} is out of range: it must be 0 to {codes.LARGEST:,}")
            uses.append((form, int(number or 0) if form.takes_number else 0))
        elif not isinstance(entry, int) or isinstance(entry, bool):
            raise ValueError(f"{shown(entry)} is neither a flag nor a number")
        elif index == 0 or not isinstance(flat[index - 1], str) or not FLAGS[flat[index - 1]].takes_number:
            raise ValueError(f"{entry} belongs to no flag; write a number after the flag that takes it")
    return uses


def _are_flags(flags: list[Any]) -> list[Any]:
    flag_uses(flags)
    return flags


Flags = Annotated[
    list[Any], Field(max_length=codes.MAX_ENTRIES), AfterValidator(_are_flags), WithJsonSchema(FLAGS_SCHEMA)
]


class Modifier(_Declared):
    """A modifier: applies while its item is worn."""

    schema_of = staticmethod(modifier_schema)

    modifier: str
    amount: Amount | None = None
    percent: Annotated[int, Field(ge=types.LEAST_BONUS_PERCENT, le=types.LARGEST_PERCENT)] | None = None
    status: StatusName | None = None
    tag: TagName | None = None
    """Limits it to pieces with this tag; a strike counts as its weapon."""
    source: SourceName | None = None
    """Limits it to this source."""
    if_: Annotated[Condition | None, Field(alias="if")] = None
    """A condition; absent means always."""

    @model_validator(mode="before")
    @classmethod
    def _is_declared(cls, value: Any) -> Any:
        return _read([value] if isinstance(value, str) else value, "modifier", "modifier", MODIFIERS, ("if",))

    @model_validator(mode="after")
    def _is_limited_to_what_there_is(self) -> Modifier:
        if self.source is not None and self.source not in (self.form.sources or ()):
            raise ValueError(f"source: {quoted(self.source)} is not one of {listed(self.form.sources or ())}")
        if self.tag == "":
            raise ValueError('tag: "" is not a tag; leave it out')
        return self

    @property
    def form(self) -> types.ModifierForm:
        """Its declaration."""
        return MODIFIERS[self.modifier]


Modifiers = Annotated[list[Annotated[Modifier, Known()]], Field(max_length=codes.MAX_PIECE_MODIFIERS)]
