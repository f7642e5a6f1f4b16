"""Quests as people author them, and as they are resolved: encounters of six types and what comes of them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from fracas.content.validate import Model, TextOrTable
from fracas.rulesets.delve.content.models.characters import Attributes, CreatureEntry, PhaseNumbers, Resource, in_order
from fracas.rulesets.delve.content.models.skills import (
    Amount,
    Challenge,
    Chance,
    CheckName,
    Defense,
    Hp,
    Id,
    Level,
    Name,
    Note,
    Prose,
    Range,
    ResolvedQueue,
    SpeedModifier,
)
from fracas.rulesets.delve.rules.constants import MAX_ENCOUNTERS, MAX_LOOT_ROLLS, MAX_OPTIONS, MAX_PHASES, SIDE_SLOTS


class ResolvedPhase(PhaseNumbers):
    """A boss's phase with nothing left to look up."""

    queue: ResolvedQueue | None = None


class ResolvedCreature(Model):
    """An enemy with nothing left to look up, before difficulty."""

    id: Id
    name: Name
    level: Level
    hp: Hp
    attributes: Attributes
    resource: Resource | None = None
    armor: Defense
    resistance: Defense
    evasion: Defense
    weapon_speed: SpeedModifier
    weapon: Range
    queue: ResolvedQueue
    boss: bool
    phases: Annotated[list[ResolvedPhase], Field(max_length=MAX_PHASES), AfterValidator(in_order)]
    xp_reward: Amount
    loot_table_id: Id | None = None

    @model_validator(mode="after")
    def _phases_belong_to_bosses(self) -> ResolvedCreature:
        if self.phases and not self.boss:
            raise ValueError("has phases, which only a boss can have; say boss = true")
        return self


Enemies = Annotated[list[TextOrTable[Id, CreatureEntry]], Field(min_length=1, max_length=SIDE_SLOTS)]
ResolvedEnemies = Annotated[list[ResolvedCreature], Field(min_length=1, max_length=SIDE_SLOTS)]


class EncounterBase(Model):
    """What encounters of every type may have."""

    name: Name | None = None
    """What the story calls it."""
    text: Prose = ""
    """What the story says when it begins."""
    xp: Amount = 0
    """Experience besides that for its enemies."""
    gold: Range | None = None
    """Gold that the party finds."""
    loot: bool = True
    """False if there is no roll for loot."""
    loot_table_id: Id | None = None
    """Absent means its boss's or first creature's, else the quest's."""


class ConsequenceBase(Model):
    """What comes of a decision or a puzzle, but for an ambush; absent means nothing."""

    text: Prose = ""
    gold: Amount = 0
    loot_rolls: Annotated[int, Field(ge=0, le=MAX_LOOT_ROLLS)] = 0
    """Extra rolls for loot."""
    skip: Annotated[int, Field(ge=0, le=MAX_ENCOUNTERS - 1)] = 0
    """How many of the next encounters are skipped."""
    heal: Chance = 0
    """Per cent of maximum HP that every living member regains."""
    damage: Range | None = None
    """Rolled for every living member."""


class Consequence(ConsequenceBase):
    """What comes of a decision or a puzzle; absent means nothing."""

    ambush: Enemies | None = None
    """A fight that begins at once."""


class ResolvedConsequence(ConsequenceBase):
    """A consequence with nothing left to look up."""

    ambush: ResolvedEnemies | None = None


class Combat(EncounterBase):
    """A fight."""

    type: Literal["combat"]
    enemies: Enemies


class ResolvedCombat(EncounterBase):
    """A fight with nothing left to look up."""

    type: Literal["combat"]
    enemies: ResolvedEnemies


class Trap(EncounterBase):
    """Detected by perception, else avoided by acrobatics or athletics, else suffered."""

    type: Literal["trap"]
    detect: Challenge
    """Difficulty of detecting it."""
    avoid: Challenge
    """Difficulty of avoiding it."""
    damage: Range


class OptionBase(Model):
    """One way to decide, but for what comes of it."""

    name: Name
    check: CheckName | None = None
    """The skill that it needs; absent means none, and then it always succeeds."""
    difficulty: Challenge = 0


class DecisionOption(OptionBase):
    """One way to decide."""

    success: Consequence = Consequence()
    failure: Consequence | None = None

    @model_validator(mode="after")
    def _can_fail_if_it_says_how(self) -> DecisionOption:
        if self.check is None and self.failure is not None:
            raise ValueError("needs no check, so it cannot fail; give it a check or no failure")
        return self


class ResolvedOption(OptionBase):
    """An option with nothing left to look up."""

    success: ResolvedConsequence
    failure: ResolvedConsequence | None = None


class Decision(EncounterBase):
    """The party takes the option at which one of its members is best."""

    type: Literal["decision"]
    options: Annotated[list[DecisionOption], Field(min_length=1, max_length=MAX_OPTIONS)]


class ResolvedDecision(EncounterBase):
    """A decision with nothing left to look up."""

    type: Literal["decision"]
    options: Annotated[list[ResolvedOption], Field(min_length=1, max_length=MAX_OPTIONS)]


class Hazard(EncounterBase):
    """Everybody suffers, and half as much who passes the check."""

    type: Literal["hazard"]
    check: CheckName
    difficulty: Challenge
    damage: Range


class Rest(EncounterBase):
    """Everybody regains a quarter of HP and resource."""

    type: Literal["rest"]


class PuzzleBase(EncounterBase):
    """Something to work out, but for what comes of it."""

    type: Literal["puzzle"]
    checks: Annotated[list[CheckName], Field(min_length=1, max_length=MAX_OPTIONS)] = ["logic", "arcana", "perception"]
    """The party uses that at which one of its members is best."""
    difficulty: Challenge


class Puzzle(PuzzleBase):
    """Something to work out."""

    success: Consequence = Consequence()
    failure: Consequence = Consequence()


class ResolvedPuzzle(PuzzleBase):
    """A puzzle with nothing left to look up."""

    success: ResolvedConsequence
    failure: ResolvedConsequence


Encounter = Annotated[Combat | Trap | Decision | Hazard | Rest | Puzzle, Field(discriminator="type")]
ResolvedEncounter = Annotated[
    ResolvedCombat | Trap | ResolvedDecision | Hazard | Rest | ResolvedPuzzle, Field(discriminator="type")
]


class QuestBase(Model):
    """A quest, but for its encounters."""

    id: Id
    name: Name
    text: Prose = ""
    level: Level | None = None
    """The level that it is meant for."""
    loot_table_id: Id
    chest_table_id: Id | None = None
    """What the chest at the end is filled from; absent means the quest's loot table."""


class Quest(QuestBase):
    """A way through encounters, one after the other."""

    encounters: Annotated[list[Encounter], Field(min_length=1, max_length=MAX_ENCOUNTERS)]
    note: Note = ""


class ResolvedQuest(QuestBase):
    """A quest with nothing left to look up."""

    encounters: Annotated[list[ResolvedEncounter], Field(min_length=1, max_length=MAX_ENCOUNTERS)]
