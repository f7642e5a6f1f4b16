"""Delve's fights and runs for rule tests, in a few words each.

    fight = battle([member("a", queue=["jab"])], [foe("b", hp=40)], skills=[attack("jab", damage=(3, 6))])
    events = fight.turn("1.a", "d100=40", "between(3, 6)=5")

What is not said is neutral: 100 HP, all attributes 30 (so an attack hits at 50 and tenths are 3), no resource, armor
or weapon, and a queue that never does anything. Nobody's place is decided by luck: all roll 50 for initiative, and the
order is that of the slots. Everything goes through the public resolve and compile, so only valid battles can be built.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
from tests.helpers.logged_fight import LoggedFight, log_of
from tests.helpers.rules import rule

from fracas.kernel.event_protocol import Event
from fracas.rulesets import registry
from fracas.rulesets.contract.types import Document, Source
from fracas.rulesets.delve.rules.constants import (
    ATTRIBUTES,
    CONDITIONS,
    DUNGEON,
    FIRST_STEP_TICK,
    PARTY,
    RARITIES,
    REWARD_TICK,
    SIDE_SLOTS,
    TICKS_PER_ENCOUNTER,
)
from fracas.rulesets.delve.rules.state import log_t, result_t

Kind = TypeVar("Kind", bound=Event)
Ends = tuple[int, int]
Slot = str | Document

IDLE = "idle"
NEVER = "not always"
KIND = "air"
AVERAGE = 30


def span(ends: Ends | None) -> Document:
    """A range of numbers under a key's value; nothing without one."""
    return {"min": ends[0], "max": ends[1]} if ends is not None else {}


def skill(name: str, reach: str, **values: Any) -> Document:
    known = {key: value for key, value in values.items() if value not in (None, {})}
    return {"id": name, "name": name.title(), "reach": reach, **known}


def attack(
    name: str,
    reach: str = "one_enemy",
    *,
    damage: Ends | None = (5, 5),
    by: str = "might",
    against: str = "speed",
    magic: bool = False,
    conditions: Sequence[Document] = (),
    **values: Any,
) -> Document:
    """A harmful skill."""
    element = {"element": "magic"} if magic else {}
    aim = {"attack": by, "defense": against, "damage": span(damage), "conditions": list(conditions)}
    return skill(name, reach, **aim, **element, **values)


def aid(
    name: str, reach: str = "self", *, heal: Ends | None = None, conditions: Sequence[Document] = (), **values: Any
) -> Document:
    """A helpful skill."""
    return skill(name, reach, heal=span(heal), conditions=list(conditions), **values)


def inflict(name: str, rounds: int | None = 2, potency: int | None = None) -> Document:
    """A condition that a skill applies; a stun has no rounds."""
    numbers = {"rounds": None if name == "stunned" else rounds, "potency": potency}
    return {"condition": name, **{key: value for key, value in numbers.items() if value is not None}}


def _body(
    name: str, level: int, hp: int, queue: Sequence[Slot] | None, resource: int | Document | None, values: Document
) -> Document:
    attributes = {**dict.fromkeys(ATTRIBUTES, AVERAGE)}
    for key in ATTRIBUTES:
        attributes[key] = values.pop(key, attributes[key])
    weapon = values.pop("weapon", (0, 0))
    kept = {"max": resource} if isinstance(resource, int) else resource
    body = {"id": name, "name": name.title(), "level": level, "hp": hp, "attributes": attributes}
    body |= {"weapon": span(weapon), "queue": list(queue or [{"skill": IDLE, "when": NEVER}]), **values}
    return body | ({"resource": {"kind": KIND, **kept}} if kept is not None else {})


def member(
    name: str,
    *,
    level: int = 1,
    hp: int = 100,
    queue: Sequence[Slot] | None = None,
    resource: int | Document | None = None,
    **values: Any,
) -> Document:
    """A member of the party; further keywords are attributes or keys of the file."""
    return _body(name, level, hp, queue, resource, values)


def foe(
    name: str,
    *,
    level: int = 1,
    hp: int = 100,
    queue: Sequence[Slot] | None = None,
    resource: int | Document | None = None,
    **values: Any,
) -> Document:
    """A creature; a table of phases makes it a boss."""
    return _body(name, level, hp, queue, resource, values) | ({"boss": True} if "phases" in values else {})


def difficulty(**values: Any) -> Document:
    """A difficulty that changes nothing."""
    return {"id": "plain", "name": "Plain", **values}


def _document(party: Sequence[Document], skills: Sequence[Document], values: Document) -> Document:
    known = [aid(IDLE, conditions=[inflict("hasted", 1)]), *skills]
    return {
        "ruleset": "delve",
        "id": "test",
        "skills": {entry["id"]: entry for entry in known},
        "resources": {KIND: {"id": KIND, "name": "Air"}},
        "party": list(party),
        "difficulty": difficulty(),
        **values,
    }


def battle(
    party: Sequence[Document], enemies: Sequence[Document], *, skills: Sequence[Document] = (), **scenario: Any
) -> Fight:
    """A lone encounter that is set up, everybody having rolled 50; further keywords are keys of the scenario."""
    fight = Fight({**_document(party, skills, scenario), "enemies": list(enemies)})
    fight.begin()
    fight.set_up()
    return fight


def item(name: str, slot: str = "ring", **values: Any) -> Document:
    """What items are made from."""
    return {"id": name, "name": name.title(), "slot": slot, **values}


def row(template: str, weight: int = 1, **rarities: int) -> Document:
    """A row of a loot table; common unless rarities are given."""
    return {"template": template, "weight": weight, "rarity_weights": rarities or {"common": 1}}


def combat(*enemies: Document, **values: Any) -> Document:
    """An encounter that is a fight."""
    return {"type": "combat", "enemies": list(enemies), **values}


def decision(*options: Document, **values: Any) -> Document:
    """An encounter that asks for a decision."""
    return {"type": "decision", "options": [{"name": "So", **option} for option in options], **values}


def journey(
    party: Sequence[Document],
    *encounters: Document,
    skills: Sequence[Document] = (),
    tables: Mapping[str, Sequence[Document]] | None = None,
    items: Sequence[Document] = (),
    bonuses: Sequence[Document] = (),
    bonus_counts: Mapping[str, int] | None = None,
    chest: str | None = None,
    **scenario: Any,
) -> Fight:
    """A run that has set out; loot is never found by itself unless the difficulty says how likely it is."""
    quest: Document = {"id": "way", "name": "Way", "loot_table_id": "bag", "encounters": list(encounters)}
    if chest is not None:
        quest["chest_table_id"] = chest
    shelves = {"bag": [row("pebble")], **(tables or {})}
    counts = {**dict.fromkeys(RARITIES, 0), **(bonus_counts or {})}
    own: Document = {
        "quest": quest,
        "difficulty": difficulty(loot_chance=0),
        "items": {entry["id"]: entry for entry in [item("pebble"), *items]},
        "loot_tables": {name: {"id": name, "rows": list(rows)} for name, rows in shelves.items()},
        "bonuses": {entry["id"]: entry for entry in bonuses},
        "rarities": {name: {"id": name, "bonuses": counts[name], "tiers": {"minor": 1}} for name in RARITIES},
    }
    run = Fight(_document(party, skills, {**own, **scenario}))
    run.begin()
    return run


class Fight(LoggedFight):
    """A battle under test: its record, what is in its log, and the rules to apply one by one."""

    def __init__(self, document: Document) -> None:
        self.ruleset = registry.get("delve")
        self.document = self.ruleset.resolve(document, Source("test")).document
        self.compiled = self.ruleset.compile(self.document, {})
        self.records = self.compiled.own_record()
        self.record: Any = self.records[0]
        self.logs = log_of(self, log_t)
        self.log: Any = self.logs[0]

    # The way there.

    def begin(self) -> list[Event]:
        """The party sets out."""
        return self.told(lambda: rule("start_run", "delve")(self.record, self.log))

    def set_up(self, rolls: Mapping[str, int] | None = None) -> list[Event]:
        """The encounter at hand is a fight, and everybody rolls initiative: 50 unless said otherwise."""
        given = {**(rolls or {})}
        before = int(self.log.count)
        self.told(lambda: rule("begin_encounter", "delve")(self.record, self.log))
        openings = [f"open({self.base}, {{}})", "d100={}"]
        enemies = range(SIDE_SLOTS, SIDE_SLOTS + int(self.record.fought_count))
        fighters = [*(i for i in range(self.record.sides[PARTY].count) if self.record.participants[i].hp > 0), *enemies]
        script = [
            text.format(value)
            for index in fighters
            for text, value in zip(openings, (index, given.get(self.name(index), 50)), strict=True)
        ]
        self.told(lambda: rule("set_up_combat", "delve")(self.record, self.log), *script)
        return self.events(before)

    def encounter(self, *rolls: str) -> list[Event]:
        """The encounter at hand from its beginning to its end."""
        return self.told(lambda: rule("resolve_encounter", "delve")(self.record, self.log), *rolls)

    def move_on(self, *rolls: str) -> list[Event]:
        """What comes after the encounter at hand."""
        return self.told(lambda: rule("next_encounter", "delve")(self.record, self.log), *rolls)

    # Who is where.

    @property
    def base(self) -> int:
        """The first tick of the encounter at hand."""
        return int(self.record.encounter) * TICKS_PER_ENCOUNTER

    def step(self, number: int) -> int:
        """The tick of a step of the encounter at hand, which is no fight."""
        return self.base + FIRST_STEP_TICK + number

    @property
    def rewards(self) -> int:
        """The tick of the rewards of the encounter at hand."""
        return self.base + REWARD_TICK

    def name(self, index: int) -> str:
        """The name of whoever is, or is about to be, in a slot."""
        number = index if index < SIDE_SLOTS else index + int(self.record.fought_first)
        return str(self.compiled.books["unit"][number])

    def index(self, name: str) -> int:
        """The slot of `1.a`, `2.b` or, in a run, `2.0.b`."""
        number = list(self.compiled.books["unit"]).index(name)
        return number if number < SIDE_SLOTS else number - int(self.record.fought_first)

    def __getitem__(self, name: str) -> Any:
        """The record of a participant."""
        return self.record.participants[self.index(name)]

    def state(self, name: str, *fields: str) -> tuple[int, ...]:
        """Some fields of a participant."""
        return tuple(int(self[name][field]) for field in fields)

    def hp(self, *names: str) -> tuple[int, ...]:
        """The HP of some participants."""
        return tuple(int(self[name].hp) for name in names)

    def used(self, name: str, skill: str) -> int:
        """How often somebody has used a skill in this fight."""
        return int(self[name].used[self.known(name, skill)])

    def known(self, name: str, skill: str) -> int:
        """A skill's place in somebody's memory."""
        code = list(self.compiled.books["skill"]).index(skill)
        slots = self.record.queue_slots[self[name].first_slot :][: self[name].slot_count]
        return next(int(slot.known) for slot in slots if slot.skill == code)

    # What they have.

    def afflict(
        self, name: str, condition: str, rounds: int = 9, potency: int = 0, *, by: str | None = None
    ) -> list[Event]:
        """Somebody gets a condition, of which they are the cause themselves unless said otherwise."""
        infliction = np.zeros(1, self.record.skills.dtype["conditions"].base)[0]
        infliction.condition = CONDITIONS.index(condition)
        infliction.rounds, infliction.potency = (0 if condition == "stunned" else rounds), potency
        actor, target = self[by or name], self[name]
        return self.told(lambda: rule("apply_condition", "delve")(self.record, actor, target, infliction, 0, self.log))

    def conditions(self, name: str) -> dict[str, Ends]:
        """Somebody's conditions in their order, with the rounds that are left and the potency."""
        someone = self[name]
        held = [CONDITIONS[code] for code in someone.affliction_order[: someone.affliction_count]]
        flags = {name for code, name in enumerate(CONDITIONS) if someone.conditions >> code & 1}
        assert flags == set(held)
        assert len(flags) == len(held)
        numbers = {name: someone.afflictions[CONDITIONS.index(name)] for name in held}
        return {name: (int(entry.rounds), int(entry.potency)) for name, entry in numbers.items()}

    # What is told.

    def opening(self, name: str, *, rounds: int = 1) -> str:
        """The opening of a participant's address in the round after so many rounds from now."""
        return f"open({self.record.tick + rounds}, {self.index(name)})"

    # Pieces of a fight.

    def turn(self, name: str, *rolls: str, opens: bool = True) -> list[Event]:
        """A turn in the current round, the first if none has begun; the rolls are those after the address."""
        self._be_in_a_round()
        opening = [self.opening(name, rounds=0)] if opens else []
        return self.told(lambda: rule("take_turn", "delve")(self.record, self[name], self.log), *opening, *rolls)

    def start_round(self) -> list[Event]:
        """The beginning of the next round."""
        return self.told(lambda: rule("start_round", "delve")(self.record, self.log))

    def round(self, *rolls: str) -> list[Event]:
        """The next round from its beginning to its end; the rolls are all of it, openings included."""
        return self.told(lambda: rule("play_round", "delve")(self.record, self.log), *rolls)

    def end_round(self, *rolls: str) -> list[Event]:
        """The end of the current round, the first if none has begun."""
        self._be_in_a_round()
        return self.told(lambda: rule("end_round", "delve")(self.record, self.log), *rolls)

    def next_round(self) -> None:
        """Another round, with nothing in it so far, not even a beginning."""
        self._be_in_a_round()
        self.record.combat_round += 1
        self.record.tick += 1

    def _be_in_a_round(self) -> None:
        if self.record.combat_round == 0:
            self.record.combat_round = 1
            self.record.tick = self.base + 1

    def play(self, stream: int = 0) -> Any:
        """All of it under its real dice; the result."""
        results = np.zeros(1, result_t)
        self.ruleset.kernels.play_many(self.records, stream, results, self.logs, None)
        return results[0]

    @property
    def living(self) -> Ends:
        """How many are alive on each side."""
        return int(self.record.sides[PARTY].living), int(self.record.sides[DUNGEON].living)


def of(events: Sequence[Event], kind: type[Kind]) -> list[Kind]:
    """The events of one kind."""
    return [event for event in events if isinstance(event, kind)]


def only(events: Sequence[Event], kind: type[Kind]) -> Kind:
    """The one event of a kind."""
    (found,) = of(events, kind)
    return found


def names(events: Sequence[Event]) -> list[str]:
    """The kinds of events, in order."""
    return [event.NAME for event in events]
