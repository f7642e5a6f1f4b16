"""Models of quests, written and resolved: six types of encounters and their consequences."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from fracas.content.field_types import Id, Name, Note
from fracas.content.part_cache import Known
from fracas.content.validate import Model, TextOrTable
from fracas.rulesets.delve.content.models import fields
from fracas.rulesets.delve.content.models.characters import (
    CreatureEntry,
    FighterNumbers,
    PhaseNumbers,
    in_order,
    phases_of_a_boss,
)
from fracas.rulesets.delve.content.models.skills import ResolvedQueue
from fracas.rulesets.delve.rules import constants as codes


class ResolvedPhase(PhaseNumbers):
    """A boss's phase with all references resolved."""

    queue: ResolvedQueue | None = None


class ResolvedCreature(FighterNumbers):
    """An enemy with all references resolved, before difficulty."""

    queue: ResolvedQueue
    boss: bool
    phases: Annotated[list[ResolvedPhase], Field(max_length=codes.MAX_PHASES), AfterValidator(in_order)]
    xp_reward: fields.Amount
    loot_table_id: Id | None = None

    _phases_belong_to_bosses = model_validator(mode="after")(phases_of_a_boss)


Enemy = Annotated[CreatureEntry, Known()]
ResolvedEnemy = Annotated[ResolvedCreature, Known()]
Enemies = Annotated[list[TextOrTable[Id, Enemy]], Field(min_length=1, max_length=codes.SIDE_SLOTS)]
ResolvedEnemies = Annotated[list[ResolvedEnemy], Field(min_length=1, max_length=codes.SIDE_SLOTS)]


class EncounterBase(Model):
    """The fields of all encounter types."""

    name: Name | None = None
    """Its name in the story."""
    text: fields.Prose = ""
    """The text of the story when it begins."""
    xp: fields.Amount = 0
    """Experience in addition to that for its enemies."""
    gold: fields.Range | None = None
    """Gold that the party finds."""
    loot: bool = True
    """Whether there is a roll for loot."""
    loot_table_id: Id | None = None
    """The loot table; absent means its boss's or first creature's, else the quest's."""


class ConsequenceBase(Model):
    """The consequence of a decision or a puzzle, except an ambush; absent means nothing."""

    text: fields.Prose = ""
    gold: fields.Amount = 0
    loot_rolls: Annotated[int, Field(ge=0, le=codes.MAX_LOOT_ROLLS)] = 0
    """Extra rolls for loot."""
    skip: Annotated[int, Field(ge=0, le=codes.MAX_ENCOUNTERS - 1)] = 0
    """The number of next encounters to skip."""
    heal: fields.Chance = 0
    """Per cent of maximum HP that every living member regains."""
    damage: fields.Range | None = None
    """Damage, rolled for every living member."""


class Consequence(ConsequenceBase):
    """The consequence of a decision or a puzzle; absent means nothing."""

    ambush: Enemies | None = None
    """A fight that begins at once."""


class ResolvedConsequence(ConsequenceBase):
    """A consequence with all references resolved."""

    ambush: ResolvedEnemies | None = None


class Combat(EncounterBase):
    """A fight."""

    type: Literal["combat"]
    enemies: Enemies


class ResolvedCombat(EncounterBase):
    """A fight with all references resolved."""

    type: Literal["combat"]
    enemies: ResolvedEnemies


class Trap(EncounterBase):
    """A trap: detected by perception, else avoided by acrobatics or athletics, else suffered."""

    type: Literal["trap"]
    detect: fields.Challenge
    """The difficulty of detecting it."""
    avoid: fields.Challenge
    """The difficulty of avoiding it."""
    damage: fields.Range


class OptionBase(Model):
    """An option of a decision, without its consequences."""

    name: Name
    check: fields.CheckName | None = None
    """The skill that it needs; absent means none, so that it always succeeds."""
    difficulty: fields.Challenge = 0


class DecisionOption(OptionBase):
    """An option of a decision."""

    success: Consequence = Consequence()
    failure: Consequence | None = None

    @model_validator(mode="after")
    def _can_fail_if_it_says_how(self) -> DecisionOption:
        if self.check is None and self.failure is not None:
            raise ValueError("has no check, so it cannot fail; add a check or remove the failure")
        return self


class ResolvedOption(OptionBase):
    """An option with all references resolved."""

    success: ResolvedConsequence
    failure: ResolvedConsequence | None = None


class Decision(EncounterBase):
    """A decision: the party takes the option at which one of its members is best."""

    type: Literal["decision"]
    options: Annotated[list[DecisionOption], Field(min_length=1, max_length=codes.MAX_OPTIONS)]


class ResolvedDecision(EncounterBase):
    """A decision with all references resolved."""

    type: Literal["decision"]
    options: Annotated[list[ResolvedOption], Field(min_length=1, max_length=codes.MAX_OPTIONS)]


class Hazard(EncounterBase):
    """A hazard: every member takes damage, half of it on a successful check."""

    type: Literal["hazard"]
    check: fields.CheckName
    difficulty: fields.Challenge
    damage: fields.Range


class Rest(EncounterBase):
    """A rest: every member regains a quarter of HP and resource."""

    type: Literal["rest"]


class PuzzleBase(EncounterBase):
    """A puzzle, without its consequences."""

    type: Literal["puzzle"]
    checks: Annotated[list[fields.CheckName], Field(min_length=1, max_length=codes.MAX_OPTIONS)] = [
        "logic",
        "arcana",
        "perception",
    ]
    """The skills that solve it; the party uses the one at which a member is best."""
    difficulty: fields.Challenge


class Puzzle(PuzzleBase):
    """A puzzle."""

    success: Consequence = Consequence()
    failure: Consequence = Consequence()


class ResolvedPuzzle(PuzzleBase):
    """A puzzle with all references resolved."""

    success: ResolvedConsequence
    failure: ResolvedConsequence


Encounter = Annotated[Combat | Trap | Decision | Hazard | Rest | Puzzle, Field(discriminator="type"), Known()]
ResolvedEncounter = Annotated[
    ResolvedCombat | Trap | ResolvedDecision | Hazard | Rest | ResolvedPuzzle, Field(discriminator="type"), Known()
]


class QuestBase(Model):
    """A quest, without its encounters."""

    id: Id
    name: Name
    text: fields.Prose = ""
    level: fields.Level | None = None
    """The level it is designed for."""
    loot_table_id: Id
    chest_table_id: Id | None = None
    """The loot table of the chest at the end; absent means the quest's."""


class Quest(QuestBase):
    """A quest: a sequence of encounters."""

    encounters: Annotated[list[Encounter], Field(min_length=1, max_length=codes.MAX_ENCOUNTERS)]
    note: Note = ""


class ResolvedQuest(QuestBase):
    """A quest with all references resolved."""

    encounters: Annotated[list[ResolvedEncounter], Field(min_length=1, max_length=codes.MAX_ENCOUNTERS)]
