"""From plans to the models of files: what files may say (ids or tables), and what a resolved document says.

Schemas get the words below fields as descriptions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, GetJsonSchemaHandler, create_model
from pydantic_core import CoreSchema

from fracas.content.condition_model import WrittenCondition
from fracas.content.field_types import DrawnLook, Id, Name, Note, ProfileHead, Seed
from fracas.content.validate import Model, TextOrTable
from fracas.kit.declare.fields import Role
from fracas.kit.derive.minds import MOST_LINES
from fracas.kit.derive.shape import Field as GameField
from fracas.kit.derive.shape import Form, Plan, Shape, file_name
from fracas.kit.derive.strategies import Strategies

SIDES = 2
STANDARD = "standard"
# Keys of entries that are not fields of the declaration.
HEAD = ("id", "name", "note", "look")


class GameModel(Model):
    """A model made of declarations: its texts are in its fields, because it has no source to read them from."""

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """The schema as pydantic makes it."""
        return dict(handler(core_schema))


@dataclass(frozen=True)
class GameModels:
    """The models of a game's files."""

    scenario: type[BaseModel]
    content: type[BaseModel]
    resolved: type[BaseModel]
    options: type[BaseModel]
    resolved_options: type[BaseModel]
    profile: type[BaseModel]
    in_place: Mapping[type, type[BaseModel]]
    """What may be written in the place of an id."""
    named: Mapping[str, type[BaseModel]]
    """An entry of content files, by kind."""


def models_of(shape: Shape, ruleset: str, default_profile: str, strategies: Strategies) -> GameModels:
    """Make the models of a game's files."""
    line = None
    if strategies.field is not None:
        line = _model("Line", "One line of a strategy.", strategies.line_fields())
    maker = _Maker(shape, {}, {}, line)
    for plan in shape.plans.values():
        if plan.is_unit or plan.kind or plan not in (shape.battle, shape.side, shape.options):
            maker.record(plan)
    named = {kind: maker.named(plan) for kind, plan in shape.kinds.items()}
    options = _model("Options", shape.options.doc, maker.fields(shape.options, resolved=False, optional=True))
    resolved_options = _model("ResolvedOptions", shape.options.doc, maker.fields(shape.options, resolved=True))
    profile: type[BaseModel] = create_model(
        "Profile", __base__=(GameModel, ProfileHead), __doc__="Options under a name.", options=(options, options())
    )
    lists: dict[str, Any] = {
        kind: (list[model], Field(default=[], description=shape.kinds[kind].doc))  # type: ignore[valid-type]
        for kind, model in named.items()
    }
    lists["profiles"] = (list[profile], Field(default=[], description="Options under names."))  # type: ignore[valid-type]
    sides = {
        resolved: _model(
            "ResolvedSide" if resolved else "Side",
            shape.side.doc,
            {"name": (Name if resolved else Name | None, ... if resolved else None)}
            | maker.fields(shape.side, resolved=resolved),
        )
        for resolved in (False, True)
    }
    two = Field(min_length=SIDES, max_length=SIDES, description="Who plays: two tables.")
    scenario = _model(
        "Scenario",
        shape.battle.doc,
        {
            "ruleset": (Literal[ruleset], ...),
            "id": (Name | None, None),
            "note": (Note, ""),
            "seed": (Seed | None, None),
            "profile": (Id | None, None),
            "options": (options, options()),
            "sides": (Annotated[list[sides[False]], two], ...),  # type: ignore[valid-type]
            **{kind: each for kind, each in lists.items() if kind != "profiles"},
        },
    )
    resolved = _model(
        "Resolved",
        shape.battle.doc,
        {
            "ruleset": (Literal[ruleset], ...),
            "id": (Name, ...),
            "seed": (Seed, ...),
            "profile": (Id, ...),
            "options": (resolved_options, ...),
            "sides": (Annotated[list[sides[True]], two], ...),  # type: ignore[valid-type]
        },
    )
    content = _model("ContentFile", f"Content of {ruleset}.", lists)
    return GameModels(scenario, content, resolved, options, resolved_options, profile, maker.loose, named)


def entry_model(shape: Shape, strategies: Strategies, decisions: Callable[[Plan], Sequence[GameField]]) -> type[Model]:
    """The model of a side that players may send: of each record only some fields, of content only ids."""
    line = None
    if strategies.field is not None:
        line = _model("Line", "One line of a strategy.", strategies.line_fields())
    maker = _Maker(shape, {}, {}, line)

    def made(plan: Plan, name: str) -> type[Any]:
        return _model(name, plan.doc, {each.name: field(each) for each in decisions(plan)})

    def field(each: GameField) -> tuple[Any, Any]:
        if each.form is not Form.RECORD:
            return maker.field(each)
        inner = shape.of(each.part)
        one: Any = Id if inner.kind else made(inner, f"{inner.name}Entry")
        words = each.doc or None
        if not each.is_list:
            return one, Field(..., description=words)
        spec, listed = each.spec, list[one]
        bounds = Field(min_length=spec.least, max_length=min(spec.of_sides or (spec.capacity,)))
        return Annotated[listed, bounds], Field(... if spec.least else [], description=words)

    return made(shape.side, f"{shape.side.name}Entry")


def _model(name: str, doc: str, fields: Mapping[str, Any]) -> type[GameModel]:
    made: type[GameModel] = create_model(name, __base__=GameModel, __doc__=doc or name, **fields)
    return made


@dataclass
class _Maker:
    """Makes the models of records, each in the form of files (`loose`) and of resolved documents (`sound`)."""

    shape: Shape
    loose: dict[type, type[BaseModel]]
    sound: dict[type, type[BaseModel]]
    line: type[BaseModel] | None
    """A line of a strategy, in games that have some."""

    def record(self, plan: Plan) -> None:
        """Both models of a record and, before them, of all that it contains."""
        if plan.cls in self.loose:
            return
        for each in plan.given:
            if each.form is Form.RECORD:
                self.record(self.shape.of(each.part))
        for resolved, made in ((False, self.loose), (True, self.sound)):
            # A place in a line-up is called by what stands there, and an entry without a name by its class.
            name: Any = (Name, ...) if plan.kind and resolved else (Name | None, None)
            head: dict[str, Any] = {"id": (Id | None, None), "name": name}
            head |= {} if resolved else {"look": (DrawnLook, None)}
            made[plan.cls] = _model(
                ("Resolved" if resolved else "") + plan.name, plan.doc, head | self.fields(plan, resolved=resolved)
            )

    def named(self, plan: Plan) -> type[BaseModel]:
        """The model of an entry in content files; without a name it is called by its id."""
        head = {"id": (Id, ...), "name": (Name | None, None), "note": (Note, ""), "look": (DrawnLook, None)}
        return _model(f"Named{plan.name}", plan.doc, head | self.fields(plan, resolved=False))

    def fields(self, plan: Plan, *, resolved: bool, optional: bool = False) -> dict[str, Any]:
        """The fields of a record's model."""
        return {each.name: self._field(each, resolved, optional) for each in plan.given if each.name not in HEAD}

    def field(self, field: GameField) -> tuple[Any, Any]:
        """A field of a file that is no record."""
        return self._field(field, False, False)

    def _field(self, field: GameField, resolved: bool, optional: bool) -> tuple[Any, Any]:
        kind = self._type(field, resolved)
        default: Any = ...
        if field.spec.only is not None or optional:
            kind, default = kind | None, None
        elif field.role in (Role.GIVEN, Role.TEXT, Role.REFERENCE, Role.CONDITION) and field.spec.default is not None:
            default = field.spec.default
            if isinstance(default, Enum):
                default = file_name(default)
        elif field.role is Role.STRATEGY or (field.role is Role.LIST and not field.spec.least):
            default = []
        return kind, Field(default, description=field.doc or None)

    def _type(self, field: GameField, resolved: bool) -> Any:
        spec = field.spec
        if field.role is Role.BOARD:
            row = Annotated[str, Field(min_length=spec.width, max_length=spec.width)]
            return Annotated[list[row], Field(min_length=spec.height, max_length=spec.height)]
        one: Any = self._one(field, resolved)
        if not field.is_list:
            return one
        listed: Any = list[one]
        return Annotated[listed, Field(min_length=spec.least, max_length=spec.capacity)]

    def _one(self, field: GameField, resolved: bool) -> Any:
        spec = field.spec
        match field.form:
            case Form.RECORD:
                if resolved:
                    return self.sound[field.part]
                table: Any = self.loose[field.part]
                either: Any = TextOrTable
                return either[Id, table] if self.shape.of(field.part).kind else table
            case Form.ENUM:
                return Literal[tuple(file_name(member) for member in field.enum)]
            case Form.FLAG:
                return bool
            case Form.PROGRAM:
                if field.role is Role.CONDITION:
                    return WrittenCondition
                return Annotated[list[self.line], Field(max_length=MOST_LINES)]  # type: ignore[name-defined]
            case Form.TEXT:
                return Annotated[str, Field(max_length=2000)]
        if field.role is Role.REFERENCE:
            return Id | Literal[""]
        if spec.board:
            return Annotated[list[Annotated[int, Field(ge=0)]], Field(min_length=2, max_length=2)]
        return Annotated[int, Field(ge=spec.low, le=spec.high)]
