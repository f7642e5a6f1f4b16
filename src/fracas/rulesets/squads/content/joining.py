"""Joins two compiled sides to a battle: a tenth of the time that compiling the battle takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fracas.content.validate import validate
from fracas.events.protocol import Codebooks
from fracas.rulesets.contract.joining import SideJoiner
from fracas.rulesets.contract.types import Compiled, ResolvedScenario, Rows
from fracas.rulesets.squads.content.compile import SLOTS_OF_A_UNIT, chain_of, compile_battle
from fracas.rulesets.squads.content.models.abilities import Ability
from fracas.rulesets.squads.content.models.names import BASIC_ATTACK
from fracas.rulesets.squads.content.models.scenario import Resolved
from fracas.rulesets.squads.rules import constants as codes
from fracas.rulesets.squads.rules.state import battle_t

SLOTS = ("basic", *SLOTS_OF_A_UNIT)


@dataclass(frozen=True)
class SidePart:
    """A compiled side."""

    options: Rows
    key: Rows
    """Of the dice."""
    entry: Rows
    """The side's own fields, ()."""
    units: Rows
    """Its units, as of the first side."""
    network: Rows | None
    """Its trained policy, ()."""
    abilities: dict[str, tuple[Ability, bytes]]
    """The abilities of its units and their rows, by id; equal ones of a joiner's parts are one object."""
    slots: tuple[tuple[str, ...], ...]
    """The ids of its units' abilities, by slot and unit."""
    programs: tuple[tuple[int, int, bytes, bytes], ...]
    """The slot and the unit of each order, the steps of its condition and what that asks, in the order of compiling."""
    ids: tuple[str, ...]
    """The ids of its units."""
    titles: tuple[str, ...]
    """Their names."""
    books: Codebooks
    """The code books of all battles; those of units and abilities are replaced."""

    @property
    def count(self) -> int:
        """The number of its units."""
        return len(self.units)


class SquadsJoiner(SideJoiner):
    """Joins sides under one set of options and one modifier."""

    def __init__(self) -> None:
        self._chains: dict[tuple[bool, bool], tuple[Rows, int]] = {}
        self._known: dict[str, Ability] = {}
        self._example: Resolved | None = None

    def part(self, resolution: ResolvedScenario) -> SidePart:
        """See `SideJoiner`."""
        resolved = resolution.sound or validate(Resolved, resolution.document, "scenario")
        self._example = self._example or resolved
        compiled = compile_battle(resolution.document, {}, sound=resolved)
        side, battle = resolved.sides[0], compiled.record[0]
        slots = tuple(
            tuple(BASIC_ATTACK if slot == "basic" else getattr(unit, slot) for unit in side.units) for slot in SLOTS
        )
        names = [BASIC_ATTACK, *sorted(name for name in resolved.abilities if name != BASIC_ATTACK)]
        owned = {BASIC_ATTACK, *(name for each in slots for name in each)}
        abilities = {
            name: (self._same(name, resolved.abilities[name]), battle.abilities[code : code + 1].tobytes())
            for code, name in enumerate(names)
            if name in owned
        }
        programs = []
        for number in range(len(side.units)):
            for slot, title in enumerate(SLOTS):
                if side.strategy.abilities.get(slots[slot][number]) is not None:
                    order = battle.units[number][title]
                    steps = battle.steps[order.first_step : order.first_step + order.step_count]
                    asks = battle.asks[order.first_ask : order.first_ask + order.ask_count]
                    programs.append((slot, number, steps.tobytes(), asks.tobytes()))
        return SidePart(
            battle.options.copy(),
            battle.dice.key.copy(),
            battle.sides[0].copy(),
            battle.units[: len(side.units)].copy(),
            None if side.strategy.network is None else battle.networks[0].copy(),
            abilities,
            slots,
            tuple(programs),
            tuple(unit.id for unit in side.units),
            tuple(unit.name for unit in side.units),
            compiled.books,
        )

    def join(self, first: SidePart, second: SidePart) -> Compiled | None:
        """See `SideJoiner`."""
        for name in first.abilities.keys() & second.abilities.keys():
            if first.abilities[name][0] is not second.abilities[name][0]:
                return None
        steps, asks = _Pieces(battle_t["steps"]), _Pieces(battle_t["asks"])
        record = np.zeros(1, battle_t)
        battle = record[0]
        battle.options = first.options
        battle.dice.key = first.key
        battle.chain, battle.chain_length = self._chain(first, second)
        abilities = {**first.abilities, **second.abilities}
        names = [BASIC_ATTACK, *sorted(name for name in abilities if name != BASIC_ATTACK)]
        ability_codes = {name: code for code, name in enumerate(names)}
        if len(names) > len(battle.abilities):
            return None
        _write(record, "abilities", [abilities[name][1] for name in names])
        for place, part in enumerate((first, second)):
            _write_side(battle, place, part, ability_codes, steps, asks)
        if not (steps.write(record, "steps") and asks.write(record, "asks")) or asks.largest > len(battle.facts):
            return None
        placed = [
            (-speed, place * codes.SIDE_SLOTS + number)
            for place, part in enumerate((first, second))
            for number, speed in enumerate(part.units["speed"].tolist())
        ]
        battle.fielded = len(placed)
        battle.by_speed[: len(placed)] = [number for _, number in sorted(placed)]
        return Compiled(record, _books(first, second, {name: abilities[name][0].name for name in names}))

    def _same(self, name: str, ability: Ability) -> Ability:
        """The ability of this id that is equal to one, if there was one before."""
        known = self._known.setdefault(name, ability)
        return known if known == ability else ability

    def _chain(self, first: SidePart, second: SidePart) -> tuple[Rows, int]:
        """The damage chain, without the stages that change nothing for either side."""
        # All that the sides decide about it: see `_is_idle` of the compiler.
        idle = {
            "formation": all(part.entry["attack_pct"] == 100 for part in (first, second)),
            "environment": all(bool((part.units["damage_pct"] == 100).all()) for part in (first, second)),
        }
        key = idle["formation"], idle["environment"]
        if key not in self._chains:
            assert self._example is not None, "the parts are of another joiner"
            self._chains[key] = chain_of(self._example, idle)
        return self._chains[key]


def _books(first: SidePart, second: SidePart, abilities: dict[str, str]) -> Codebooks:
    """The code books of a battle; the names of its abilities by their ids, in the order of their codes."""
    units: list[str | None] = [None] * codes.SLOTS
    titles: list[str | None] = [None] * codes.SLOTS
    for place, part in enumerate((first, second)):
        start = place * codes.SIDE_SLOTS
        units[start : start + part.count] = [f"{place + 1}.{name}" for name in part.ids]
        titles[start : start + part.count] = part.titles
    own: Codebooks = {
        "unit": units,
        "title": titles,
        "ability": list(abilities.values()),
        "ability_id": list(abilities),
    }
    return {**first.books, **own}


class _Pieces:
    """The steps or the asks of a battle; equal ones are stored once, as in `conditions.compiler.Pool`."""

    def __init__(self, kind: np.dtype[Any]) -> None:
        self.size = kind.base.itemsize
        self.first: dict[bytes, int] = {}
        self.parts: list[bytes] = []
        self.count = 0

    @property
    def largest(self) -> int:
        """The length of the longest piece."""
        return max(map(len, self.first), default=0) // self.size

    def add(self, piece: bytes) -> int:
        """Where a piece begins."""
        found = self.first.get(piece)
        if found is None:
            found = self.first[piece] = self.count
            self.parts.append(piece)
            self.count += len(piece) // self.size
        return found

    def write(self, record: Rows, name: str) -> bool:
        """Write all pieces; False if the record has no room for them."""
        if self.count > battle_t[name].shape[0]:
            return False
        _write(record, name, self.parts)
        return True


def _write(record: Rows, name: str, parts: list[bytes]) -> None:
    """Write rows to the beginning of a field."""
    assert battle_t.fields is not None
    data, start = b"".join(parts), battle_t.fields[name][1]
    record.view(np.uint8)[start : start + len(data)] = np.frombuffer(data, np.uint8)


def _write_side(
    battle: Any, place: int, part: SidePart, ability_codes: dict[str, int], steps: _Pieces, asks: _Pieces
) -> None:
    """Write a side, its units and their orders."""
    battle.sides[place] = part.entry
    battle.sides[place].first = start = place * codes.SIDE_SLOTS
    if part.network is not None:
        battle.networks[place] = part.network
    units = battle.units[start : start + part.count]
    units[...] = part.units
    units["index"] += start
    units["side"] = place
    for title, names in zip(SLOTS, part.slots, strict=True):
        units[title]["ability"] = [ability_codes[name] for name in names]
    first_steps, first_asks = ([[0] * part.count for _ in SLOTS] for _ in range(2))
    for slot, number, own_steps, own_asks in part.programs:
        first_steps[slot][number] = steps.add(own_steps)
        first_asks[slot][number] = asks.add(own_asks)
    for slot, title in enumerate(SLOTS):
        units[title]["first_step"] = first_steps[slot]
        units[title]["first_ask"] = first_asks[slot]
