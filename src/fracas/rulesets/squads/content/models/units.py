"""Models of units, classes, strategies and opponents."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import ConfigDict, Field, ModelWrapValidatorHandler, PrivateAttr, model_validator

from fracas.content.field_types import DrawnLook, Id, Name, Note
from fracas.content.partial_models import partial
from fracas.content.validate import Model, TextOrTable
from fracas.rulesets.shared.network_model import Network
from fracas.rulesets.squads.content.models.names import (
    ClassName,
    Condition,
    Defense,
    Formation,
    Priority,
    Selector,
    Stat,
)
from fracas.rulesets.squads.rules.constants import MAX_PRIORITIES, SIDE_SLOTS


class UnitNumbers(Model):
    """What a fighter is, without its abilities."""

    id: Id
    name: Name
    class_: Annotated[ClassName, Field(alias="class")]
    hp: Stat
    attack: Stat
    defense: Defense
    speed: Stat


class Unit(UnitNumbers):
    """A fighter."""

    class_ability: Id | None = None
    """An ability; absent means the class's own."""
    ultimate: Id | None = None
    """An ability; absent means the class's own."""
    tier: Annotated[int, Field(ge=1, le=5)] | None = None
    note: Note = ""
    look: DrawnLook = None


@partial("id")
class UnitEntry(UnitNumbers):
    """A unit in a scenario: complete, or a unit of the content with some values changed."""

    class_ability: Id | None = None
    ultimate: Id | None = None
    tier: Annotated[int, Field(ge=1, le=5)] | None = None
    note: Note = ""
    look: DrawnLook = None


class ClassDefaults(Model):
    """The default abilities of a class."""

    id: ClassName
    class_ability: Id
    ultimate: Id


class AbilityOrder(Model):
    """When and on whom a side uses an ability."""

    when: Condition | None = None
    """A condition; absent means whenever the ability is ready (heals: when someone is hurt)."""
    target: Selector | None = None
    """A selector; absent means the ability's default."""


# The keys of a strategy with two spellings: the JSON one and the TOML one.
BOTH_SPELLINGS = {"targetPriority": "target_priority", "allyPriority": "ally_priority"}


def _with_both_spellings(schema: dict[str, Any]) -> None:
    for key, other in BOTH_SPELLINGS.items():
        schema["properties"][other] = schema["properties"][key]


def _is_empty(values: list[str]) -> bool:
    """Whether to leave the ally list out of resolved documents, as before the list existed."""
    return not values


def _is_absent(value: Network | None) -> bool:
    """Whether to leave trained policies out of resolved documents, as before they existed."""
    return value is None


class Strategy(Model):
    """How a side fights. Everything is optional."""

    model_config = ConfigDict(json_schema_extra=_with_both_spellings)

    formation: Formation = "balanced"
    target_priority: Annotated[list[Priority], Field(alias="targetPriority", max_length=MAX_PRIORITIES)] = []
    """Tried in order until one finds a living enemy."""
    ally_priority: Annotated[
        list[Priority], Field(alias="allyPriority", max_length=MAX_PRIORITIES, exclude_if=_is_empty)
    ] = []
    """Tried in order until one finds an ally, for abilities with the target priority_ally."""
    abilities: dict[Name, AbilityOrder] = {}
    """By ability id or display name."""
    network: Annotated[Network | None, Field(exclude_if=_is_absent)] = None
    """A trained policy, which chooses abilities and targets; only the formation and the ally list count beside it."""

    _spelled: dict[str, str] = PrivateAttr(default_factory=dict)

    @property
    def priority_key(self) -> str:
        """The file's spelling of `target_priority`: that, or `targetPriority`."""
        return self._spelled.get("target_priority", "target_priority")

    @property
    def ally_priority_key(self) -> str:
        """The file's spelling of `ally_priority`: that, or `allyPriority`."""
        return self._spelled.get("ally_priority", "ally_priority")

    @model_validator(mode="wrap")
    @classmethod
    def _one_spelling(cls, document: Any, read: ModelWrapValidatorHandler[Self]) -> Self:
        spelled = dict[str, str]()
        for key, other in BOTH_SPELLINGS.items() if isinstance(document, dict) else ():
            used = {key, other} & set(document)
            if len(used) > 1:
                raise ValueError(f'has both "{key}" and "{other}"; keep one')
            if used:
                spelled[other] = used.pop()
        strategy = read(document)
        strategy._spelled = spelled
        if strategy.network is not None and (strategy.abilities or strategy.target_priority):
            raise ValueError("has a network, which chooses abilities and targets; leave out both")
        return strategy


class NamedStrategy(Strategy):
    """A strategy of the content."""

    id: Id
    name: Name
    level: Literal["naive", "basic", "solid", "expert"] = "basic"
    note: Note = ""


class Opponent(Model):
    """A preset side to play against."""

    id: Id
    name: Name
    tier: Literal["novice", "intermediate", "expert"]
    units: Annotated[list[Id], Field(min_length=1, max_length=SIDE_SLOTS)]
    strategy: TextOrTable[Id, Strategy]
    note: Note = ""
