"""A delve battle as nested records: a run has encounters, an encounter has rounds, a round has actions.

    import fracas
    from fracas import delve
    run = fracas.run("examples/delve/goblin-warrens.toml").chronicle
    assert isinstance(run, delve.chronicle.RunLog)
    for encounter in run.encounters:
        print(encounter.number, encounter.name, encounter.outcome, len(encounter.rounds))

Everything comes from the events, names included. `chronicle_builder.py` builds the records.
"""

from __future__ import annotations

from dataclasses import dataclass

from fracas.events.chronicle import Chronicle


@dataclass(frozen=True, slots=True)
class ConditionChange:
    """A condition from an action: applied, refreshed, or without effect on its target."""

    condition: str
    potency: int
    rounds: int
    effect: str


@dataclass(frozen=True, slots=True)
class Stroke:
    """What an action did to one target. Helpful skills have no roll, misses no damage."""

    target: str
    roll: int | None = None
    """The d100; None for a helpful skill."""
    chance: int | None = None
    """The chance to hit."""
    verdict: str | None = None
    """miss, hit, critical or fumble."""
    damage: int = 0
    """Damage before the shield."""
    absorbed: int = 0
    """Damage absorbed by the shield."""
    lost: int = 0
    """HP lost."""
    healing: int = 0
    """Healing before it stops at maximum HP."""
    restored: int = 0
    """HP restored."""
    conditions: tuple[ConditionChange, ...] = ()
    fell: bool = False
    """True if the target died."""

    @property
    def hit(self) -> bool:
        """True if it reached its target: helpful skills always do."""
        return self.verdict in (None, "hit", "critical")


@dataclass(frozen=True, slots=True)
class PassedOver:
    """A queue slot that was passed over, and why."""

    slot: int
    skill: str
    obstacle: str
    figure: int


@dataclass(frozen=True, slots=True)
class Action:
    """A participant's turn: a skill used, a pass, or a turn lost to a stun."""

    actor: str
    kind: str
    """use, pass or stunned."""
    slot: int | None = None
    """The queue slot used."""
    skill: str | None = None
    cost: int = 0
    """The cost paid."""
    selector: str | None = None
    """The selector that chose the target; None if there was no choice."""
    passed_over: tuple[PassedOver, ...] = ()
    """The slots above the one used, in order; for a pass, all slots."""
    phases: tuple[int, ...] = ()
    """The phases that a boss entered before it acted."""
    strokes: tuple[Stroke, ...] = ()


@dataclass(frozen=True, slots=True)
class ConditionTick:
    """A condition at the end of a round."""

    target: str
    condition: str
    source: str
    amount: int
    """HP lost, or restored by Regenerating."""
    hp: int
    rounds: int
    """Rounds left."""
    ended: bool = False
    fell: bool = False


@dataclass(frozen=True, slots=True)
class Flight:
    """An attempt to flee."""

    member: str
    enemy: str
    roll: int
    chance: int
    escaped: bool


@dataclass(frozen=True, slots=True)
class RoundLog:
    """A round of a fight."""

    number: int
    order: tuple[str, ...]
    """Who acts, in order."""
    actions: tuple[Action, ...]
    ticks: tuple[ConditionTick, ...]
    flight: Flight | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """A check of a member's skill."""

    member: str
    check: str
    value: int
    roll: int
    chance: int
    success: bool


@dataclass(frozen=True, slots=True)
class Harm:
    """What a trap, a hazard or a consequence did to a member."""

    member: str
    roll: int
    damage: int
    lost: int
    hp: int
    fell: bool


@dataclass(frozen=True, slots=True)
class Recovery:
    """What a member regained outside a fight."""

    member: str
    restored: int
    hp: int
    gained: int
    resource: int


@dataclass(frozen=True, slots=True)
class Consequence:
    """What a decision or a puzzle brought."""

    success: bool
    gold: int
    loot_rolls: int
    skip: int


@dataclass(frozen=True, slots=True)
class ItemBonus:
    """A bonus of an item."""

    bonus: str
    tier: str
    amount: int


@dataclass(frozen=True, slots=True)
class Item:
    """An item found, and the dice address that proves it."""

    item: str
    rarity: str
    bonuses: tuple[ItemBonus, ...]
    source: str
    tick: int
    lane: int
    word: int


@dataclass(frozen=True, slots=True)
class LootRoll:
    """A roll for loot, and what it brought."""

    source: str
    roll: int
    chance: int
    item: Item | None


@dataclass(frozen=True, slots=True)
class Reward:
    """What an encounter paid; a later wipe loses it."""

    xp: int
    gold: int
    members: int
    reduced: bool
    loot: tuple[LootRoll, ...]

    @property
    def items(self) -> tuple[Item, ...]:
        """The items found."""
        return tuple(roll.item for roll in self.loot if roll.item is not None)


@dataclass(frozen=True, slots=True)
class EncounterLog(Chronicle):
    """An encounter: a fight with its rounds, or another type with its checks and their consequences."""

    number: int
    name: str
    type: str
    outcome: str
    """Victory, Survived, PartyWipe or Fled."""
    members: int
    """Living members at its end."""
    enemies: tuple[str, ...]
    """The enemies fought, including those of an ambush."""
    initiative: tuple[tuple[str, int], ...]
    """Each participant's initiative in total; lower acts first."""
    rounds: tuple[RoundLog, ...]
    checks: tuple[Check, ...] = ()
    choice: int | None = None
    """The option taken."""
    consequence: Consequence | None = None
    ambush: bool = False
    harms: tuple[Harm, ...] = ()
    recoveries: tuple[Recovery, ...] = ()
    reward: Reward | None = None
    """None if it paid nothing: after a wipe or an escape, or for a lone encounter."""


@dataclass(frozen=True, slots=True)
class Spoils:
    """What the party brings home."""

    xp: int
    gold: int
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class RunLog(Chronicle):
    """A run through a quest."""

    quest: str
    """The quest's name."""
    status: str
    """Completed or Failed."""
    reason: str
    """completed, party_wipe or fled."""
    encounters: tuple[EncounterLog, ...]
    """The encounters met, without the skipped ones."""
    chest: Item | None
    spoils: Spoils

    @property
    def rounds(self) -> int:
        """The number of rounds of all fights."""
        return sum(len(encounter.rounds) for encounter in self.encounters)
