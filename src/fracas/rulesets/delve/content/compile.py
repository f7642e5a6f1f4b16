"""Compiles a resolved delve battle into one record: names become numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

import numpy as np

from fracas.conditions.compiler import Pool, Program
from fracas.content.packs import unknown_name
from fracas.content.part_cache import made_once
from fracas.content.references import numbered
from fracas.content.validate import validate
from fracas.errors import InputError, Problem
from fracas.kernel.integer_math import percent
from fracas.rulesets.contract.plugin_kinds import Plugin
from fracas.rulesets.contract.types import Compiled, Document
from fracas.rulesets.delve.content.fights import fights, numbered_skills, queues, skills_in_use, table_after
from fracas.rulesets.delve.content.models import quests
from fracas.rulesets.delve.content.models.characters import PhaseNumbers
from fracas.rulesets.delve.content.models.scenario import Resolved
from fracas.rulesets.delve.content.models.skills import QueueSlot
from fracas.rulesets.delve.content.participant_numbers import (
    Participant,
    SlotNumbers,
    ends,
    own_numbers,
    program_of,
    programs_of,
    skill_numbers,
    write_phase,
)
from fracas.rulesets.delve.content.quest_resolver import rarity_weights, rows_without_rarity
from fracas.rulesets.delve.content.trained_policies import POLICIES
from fracas.rulesets.delve.rules import constants as codes
from fracas.rulesets.delve.rules.events import CODEBOOKS
from fracas.rulesets.delve.rules.state import battle_t
from fracas.rulesets.shared.fill import fill
from fracas.rulesets.shared.seeds import key_words

NO_CONSEQUENCE = quests.ResolvedConsequence()
# Fields that the rules ignore: creatures that differ only in these share a number.
OF_THE_INDIVIDUAL = frozenset({"id", "name", "loot_table_id"})


def compile_battle(
    document: Document, plugins: Mapping[str, Plugin], *, strict: bool = False, sound: Resolved | None = None
) -> Compiled:
    """Compile a resolved document into a record ready to play; `sound` is its model if it has been checked already.

    Raises:
        InputError: an invalid condition, a missing skill or table, or more of something than fits.
    """
    resolved = sound or validate(Resolved, document, "scenario")
    return _Compiler(resolved, strict).compile()


class _Compiler:
    def __init__(self, resolved: Resolved, strict: bool) -> None:
        self.resolved = resolved
        self.strict = strict
        self.records = np.zeros(1, battle_t)
        self.battle = self.records[0]
        self.pool = Pool()
        self.problems: list[Problem] = []
        self.skill_codes = {name: code for code, name in enumerate(skills_of(resolved))}
        self.table_codes = {name: code for code, name in enumerate(sorted(resolved.loot_tables))}
        self.taken = dict.fromkeys(("queue_slots", "phases", "decision_options", "roster"), 0)
        self.foe_codes: dict[str, int] = {}

    def compile(self) -> Compiled:
        """The record and its books.

        Raises:
            InputError: every problem found.
        """
        resolved, battle = self.resolved, self.battle
        for name, code in self.skill_codes.items():
            battle.skills[code] = skill_numbers(resolved.skills[name])
        fill(battle.options, resolved.options)
        fill(battle.difficulty, resolved.difficulty)
        POLICIES.write(battle, resolved.policies)
        self._write_party()
        if resolved.quest is None:
            self._write_lone_encounter(resolved.enemies or [])
        else:
            self._write_quest(resolved.quest)
        if self.problems:
            raise InputError(dict.fromkeys(self.problems))
        self.pool.write(battle, where="queues")
        battle.dice.key[:] = key_words(resolved.seed)
        return Compiled(self.records, books(resolved))

    def _room(self, pool: str, wanted: int, where: str) -> int:
        """Reserve entries of a pool, and return the index of the first.

        Raises:
            InputError: they do not fit.
        """
        first, room = self.taken[pool], len(self.battle[pool])
        if first + wanted > room:
            what = {"queue_slots": "queue slots", "decision_options": "options", "roster": "enemies"}.get(pool, pool)
            raise InputError.of(where, f"a battle can have at most {room:,} {what}")
        self.taken[pool] += wanted
        return first

    # Participants.

    def _write_party(self) -> None:
        for side_index, side in enumerate(self.battle.sides):
            side.first = side_index * codes.SIDE_SLOTS
        self.battle.sides[codes.PARTY].count = len(self.resolved.party)
        for side_index, member in enumerate(self.resolved.party):
            self.battle.participants[side_index] = own_numbers(member)
            record = self.battle.participants[side_index]
            record.index = record.number = side_index
            record.damage_pct = 100
            self._write_participant(record, member, f"party.{side_index}")
        slots = self.battle.queue_slots[: self.taken["queue_slots"]]
        self.battle.counted_slots = min(len(slots), codes.RESULT_SLOTS)
        self.battle.counted_skills = min(slots["skill"].max() + 1, codes.RESULT_SKILLS)

    def _write_participant(self, record: Any, participant: Participant, path: str) -> None:
        """Write a participant's phases and queues; its own numbers are in the record already."""
        known: dict[str, int] = {}
        phases: list[PhaseNumbers] = list(getattr(participant, "phases", ()))
        record.phase_count = len(phases)
        record.first_phase = self._room("phases", len(phases), f"{path}.phases")
        for index, phase in enumerate(phases):
            write_phase(self.battle.phases[record.first_phase + index], phase)
        programs = programs_of(participant, strict=self.strict)
        for where, queue in queues(participant):
            first = self._write_queue(queue, known, f"{path}.{where}", programs.get(where, ()))
            owner = record if where == "queue" else self.battle.phases[record.first_phase + int(where.split(".")[1])]
            owner.first_slot, owner.slot_count = first, len(queue)
        record.known_count = len(known)
        if len(known) > codes.MAX_KNOWN:
            message = f"its queues use {len(known)} different skills; at most {codes.MAX_KNOWN} are allowed"
            self.problems.append(Problem(path, message))

    def _write_queue(
        self, queue: Sequence[QueueSlot], known: dict[str, int], path: str, programs: Sequence[Program]
    ) -> int:
        """Write a queue and return where it begins; `known` lists the skills that its owner keeps track of."""
        first = self._room("queue_slots", len(queue), path)
        slots = zip_longest(queue, programs)
        rows = [self._slot(slot, known, f"{path}.{index}", program) for index, (slot, program) in enumerate(slots)]
        self.battle.queue_slots[first : first + len(rows)] = rows
        return first

    def _slot(self, slot: QueueSlot, known: dict[str, int], path: str, program: Program | None) -> SlotNumbers:
        """A slot of a queue as numbers; for one with a problem, as far as they are known."""
        if slot.skill not in self.skill_codes:
            self.problems.append(unknown_name(f"{path}.skill", "skill", slot.skill, self.skill_codes))
            return SlotNumbers()
        numbers = SlotNumbers(
            skill=self.skill_codes[slot.skill],
            known=known.setdefault(slot.skill, len(known)),
            cost=self.resolved.skills[slot.skill].cost,
            selector=0 if slot.target is None else codes.SELECTORS.index(slot.target),
        )
        if program is None:
            try:
                program = program_of(slot, f"{path}.when", strict=self.strict)
            except InputError as error:
                self.problems += error.problems
                return numbers
        return SlotNumbers(*numbers[:4], *self.pool.add(program))

    def _enlist(self, enemies: Sequence[quests.ResolvedCreature], path: str) -> tuple[int, int]:
        """Write the enemies of one fight into the roster; return where they begin, and their number."""
        first = self._room("roster", len(enemies), path)
        for index, enemy in enumerate(enemies):
            self.battle.roster[first + index] = self._foe(enemy, f"{path}.{index}")
        return first, len(enemies)

    def _foe(self, creature: quests.ResolvedCreature, path: str) -> int:
        """The number of a creature; creatures that are alike share one."""
        alike = made_once(creature, "alike", lambda: creature.model_dump_json(exclude=set(OF_THE_INDIVIDUAL)))
        if alike not in self.foe_codes:
            code = len(self.foe_codes)
            if code == codes.MAX_FOES:
                raise InputError.of(path, f"a battle can have at most {code} different creatures")
            self.foe_codes[alike] = code
            self.battle.foes[code] = own_numbers(creature)
            record, difficulty = self.battle.foes[code], self.resolved.difficulty
            record.side, record.damage_pct = codes.DUNGEON, difficulty.creature_damage
            record.max_hp = max(1, percent(creature.hp, difficulty.creature_hp))
            self._write_participant(record, creature, path)
        return self.foe_codes[alike]

    # Encounters.

    def _write_lone_encounter(self, enemies: Sequence[quests.ResolvedCreature]) -> None:
        self.battle.journey = codes.LONE_ENCOUNTER
        self.battle.encounter_count = 1
        record = self.battle.encounters[0]
        record.type = codes.COMBAT
        record.first_foe, record.foe_count = self._enlist(enemies, "enemies")

    def _write_quest(self, quest: quests.ResolvedQuest) -> None:
        self.battle.journey = codes.RUN
        self.battle.encounter_count = len(quest.encounters)
        for number, encounter in enumerate(quest.encounters):
            self._write_encounter(self.battle.encounters[number], encounter, f"quest.encounters.{number}")
        self.battle.chest_table = self._table(quest.chest_table_id or quest.loot_table_id, "quest.chest_table_id")
        self.problems += write_loot(self.battle, self.resolved)

    def _table(self, name: str, path: str) -> int:
        if name not in self.table_codes:
            self.problems.append(unknown_name(path, "loot table", name, self.table_codes))
        return self.table_codes.get(name, 0)

    def _write_encounter(self, record: Any, encounter: quests.ResolvedEncounter, path: str) -> None:
        record.type = codes.ENCOUNTER_TYPES.index(encounter.type)
        record.xp, record.loot = encounter.xp, int(encounter.loot)
        record.gold = ends(encounter.gold)
        enemies = encounter.enemies if isinstance(encounter, quests.ResolvedCombat) else []
        self._write_foes(record, encounter, enemies, path, "enemies")
        match encounter:
            case quests.Trap():
                record.difficulty, record.avoid = encounter.detect, encounter.avoid
                record.damage = ends(encounter.damage)
            case quests.Hazard():
                record.check, record.difficulty = codes.CHECKS.index(encounter.check), encounter.difficulty
                record.damage = ends(encounter.damage)
            case quests.ResolvedDecision():
                self._write_decision(record, encounter, path)
            case quests.ResolvedPuzzle():
                self._write_puzzle(record, encounter, path)

    def _write_decision(self, record: Any, encounter: quests.ResolvedDecision, path: str) -> None:
        record.option_count = len(encounter.options)
        record.first_option = self._room("decision_options", record.option_count, path)
        for index, option in enumerate(encounter.options):
            entry = self.battle.decision_options[record.first_option + index]
            entry.check = codes.CHECKS.index(option.check) if option.check is not None else codes.NO_CHECK
            entry.difficulty = option.difficulty
            for key, consequence in (("success", option.success), ("failure", option.failure or NO_CONSEQUENCE)):
                where = f"{path}.options.{index}.{key}"
                self._write_consequence(entry[key], encounter, consequence, where)

    def _write_puzzle(self, record: Any, encounter: quests.ResolvedPuzzle, path: str) -> None:
        """Write a puzzle as a decision among its checks, all with the same consequences."""
        record.option_count = len(encounter.checks)
        record.first_option = self._room("decision_options", record.option_count, path)
        options = self.battle.decision_options[record.first_option :]
        self._write_consequence(options[0].success, encounter, encounter.success, f"{path}.success")
        self._write_consequence(options[0].failure, encounter, encounter.failure, f"{path}.failure")
        for index, check in enumerate(encounter.checks):
            options[index] = options[0]
            options[index].check, options[index].difficulty = codes.CHECKS.index(check), encounter.difficulty

    def _write_consequence(
        self, record: Any, encounter: quests.ResolvedEncounter, consequence: quests.ResolvedConsequence, path: str
    ) -> None:
        fill(record, consequence)
        record.harms = int(consequence.damage is not None)
        record.damage = ends(consequence.damage)
        self._write_foes(record, encounter, consequence.ambush or [], path, "ambush")

    def _write_foes(
        self,
        record: Any,
        encounter: quests.ResolvedEncounter,
        foes: Sequence[quests.ResolvedCreature],
        path: str,
        key: str,
    ) -> None:
        """Write the enemies that may be fought in an encounter, and the loot table after that fight."""
        quest = self.resolved.quest
        assert quest is not None
        record.first_foe, record.foe_count = self._enlist(foes, f"{path}.{key}")
        record.table = self._table(table_after(quest, encounter, foes), path)


def write_loot(battle: Any, resolved: Resolved) -> Iterator[Problem]:
    """Write everything that items are made from, and report its problems. delve/README.md, "An item"."""
    templates = {name: code for code, name in enumerate(sorted(resolved.items))}
    bonuses = [resolved.bonuses[name] for name in sorted(resolved.bonuses)]
    for code, (name, table) in enumerate(sorted(resolved.loot_tables.items())):
        record, path = battle.tables[code], f"loot_tables.{name}"
        record.row_count = len(table.rows)
        yield from rows_without_rarity(table, resolved.difficulty, path)
        for index, row in enumerate(table.rows):
            if row.template not in templates:
                yield unknown_name(f"{path}.rows.{index}.template", "item", row.template, templates)
                continue
            record.weights[index] = row.weight
            record.rows[index].template = templates[row.template]
            record.rows[index].rarity_weights[:] = list(
                rarity_weights(row.rarity_weights, resolved.difficulty).values()
            )
    for name, code in templates.items():
        slot = resolved.items[name].slot
        weights = [bonus.weight * (not bonus.slots or slot in bonus.slots) for bonus in bonuses]
        battle.templates[code].bonus_weights[: len(weights)] = weights
        battle.templates[code].bonus_total = sum(weights)
    for rarity_name, rarity in resolved.rarities.items():
        record = battle.rarities[codes.RARITIES.index(rarity_name)]
        record.bonus_count = rarity.bonuses
        record.tier_weights[:] = [getattr(rarity.tiers, tier) for tier in codes.TIERS]
    for code, bonus in enumerate(bonuses):
        battle.bonuses[code].amounts[:] = bonus.amounts


def skills_of(resolved: Resolved) -> list[str]:
    """The skills of a battle in the order of their numbers."""
    return numbered_skills(resolved.skills, skills_in_use(resolved.party))


def books(resolved: Resolved) -> Mapping[str, Sequence[Any]]:
    """The code books of a battle. Units have the unique names that events and `explain` use."""
    empty = [None] * (codes.SIDE_SLOTS - len(resolved.party))
    units: list[Any] = [*(f"1.{member.id}" for member in resolved.party), *empty]
    titles: list[Any] = [*(member.name for member in resolved.party), *empty]
    for fight in fights(resolved):
        lead = "2" if resolved.quest is None else f"2.{fight.encounter}"
        for enemy in fight.enemies:
            units.append(_free_name(f"{lead}.{enemy.id}", units))
            titles.append(enemy.name)
    own: Mapping[str, Sequence[Any]] = {
        "unit": units,
        "title": titles,
        "skill": skills_of(resolved),
        "item": sorted(resolved.items),
        "bonus": sorted(resolved.bonuses),
    }
    return {**CODEBOOKS, **own}


def _free_name(name: str, taken: Sequence[Any]) -> str:
    """A name, with the next free number if it is taken: after rat and rat-2 another rat-2 is rat-3."""
    stem, _, number = name.rpartition("-")
    if name in taken and number.isdecimal() and stem in taken:
        name = stem
    return numbered(name, taken, codes.MAX_ROSTER)
