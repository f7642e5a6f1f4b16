"""Squads battles for rule tests, in a few words each.

    fight = battle(side(unit("a", attack=40)), side(unit("b", "mage", hp=90)), chain="classic")
    events = fight.turn("1.a", "d100=100")

What is not said is neutral: 100 HP, 100 attack, no defense, speed 10, a class ability and an ultimate that are never
used, a balanced formation, no environment, and a damage chain without stages, so that an attack's damage is its power
and nothing is rolled. Everything goes through the public resolve and compile, so only valid battles can be built.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
from tests.helpers.logged_fight import LoggedFight, log_of
from tests.helpers.rules import rule

from fracas.kernel.event_protocol import Event
from fracas.plugins.compile import plain_plugins
from fracas.rulesets import registry
from fracas.rulesets.contract.plugin_kinds import Plugin
from fracas.rulesets.contract.types import Document, Source
from fracas.rulesets.squads.rules.constants import SIDE_SLOTS, SLOTS
from fracas.rulesets.squads.rules.state import log_t, result_t

Kind = TypeVar("Kind", bound=Event)
Stage = Callable[[Any, int, int, int], int]

IDLE = "idle"
NEVER = "not always"


def damage(**power: int) -> Document:
    return {"type": "damage", **power}


def heal(**power: int) -> Document:
    return {"type": "heal", **power}


def shield(rounds: int, **power: int) -> Document:
    return {"type": "shield", "rounds": rounds, **power}


def attack_up(percent: int, rounds: int) -> Document:
    return {"type": "attack_up", "percent": percent, "rounds": rounds}


def attack_down(percent: int, rounds: int) -> Document:
    return {"type": "attack_down", "percent": percent, "rounds": rounds}


def taunt(rounds: int) -> Document:
    return {"type": "taunt", "rounds": rounds}


def stun() -> Document:
    return {"type": "stun"}


def wound(rounds: int, **power: int) -> Document:
    """Damage over time."""
    return {"type": "damage_over_time", "rounds": rounds, **power}


def ability(name: str, reach: str, *effects: Document, cooldown: int = 0) -> Document:
    return {"id": name, "name": name.title(), "reach": reach, "cooldown": cooldown, "effects": list(effects)}


def unit(
    name: str,
    role: str = "warrior",
    *,
    hp: int = 100,
    attack: int = 100,
    defense: int = 0,
    speed: int = 10,
    class_ability: str = IDLE,
    ultimate: str = IDLE,
) -> Document:
    numbers = {"hp": hp, "attack": attack, "defense": defense, "speed": speed}
    return {"id": name, "class": role, **numbers, "class_ability": class_ability, "ultimate": ultimate}


def side(
    *units: Document,
    formation: str | None = None,
    priority: Sequence[str] | None = None,
    orders: Mapping[str, Document] | None = None,
    allies: Sequence[str] | None = None,
) -> Document:
    strategy: Document = {"abilities": {**(orders or {})}}
    if formation is not None:
        strategy["formation"] = formation
    if priority is not None:
        strategy["targetPriority"] = list(priority)
    if allies is not None:
        strategy["allyPriority"] = list(allies)
    return {"units": list(units), "strategy": strategy}


def battle(
    first: Document,
    second: Document,
    *,
    abilities: Sequence[Document] = (),
    chain: str | Sequence[Document] = (),
    options: Mapping[str, Any] | None = None,
    stages: Mapping[str, Stage] | None = None,
    **scenario: Any,
) -> Fight:
    """A compiled battle, set up; `stages` are plug-ins, further keywords are keys of the scenario."""
    sides = [first, second]
    for each in sides:
        each["strategy"]["abilities"].setdefault(IDLE, {"when": NEVER})
    known = [ability(IDLE, "self", taunt(1)), *abilities]
    damage_chain = chain if isinstance(chain, str) else {"stages": list(chain)}
    document = {
        "ruleset": "squads",
        "abilities": {entry["id"]: entry for entry in known},
        "options": {"chain": damage_chain, **(options or {})},
        "sides": sides,
        **scenario,
    }
    plugins = {name: Plugin(name, (function,), "0" * 64, "test") for name, function in (stages or {}).items()}
    return Fight(document, plugins)


class Fight(LoggedFight):
    """One battle under test: its record, what is in its log, and the rules to apply one by one."""

    def __init__(self, document: Document, plugins: Mapping[str, Plugin] | None = None) -> None:
        self.given_plugins = plugins or {}
        self.ruleset = registry.get("squads")
        self.resolution = self.ruleset.resolve(document, Source("test"), (), self.given_plugins)
        self.document = self.resolution.document
        self.compiled = self.ruleset.compile(self.document, self.given_plugins)
        self.plugins = plain_plugins(self.ruleset.kernels, self.compiled.plugins)
        self.records = self.compiled.own_record()
        self.record: Any = self.records[0]
        self.logs = log_of(self, log_t)
        self.log: Any = self.logs[0]
        rule("set_up")(self.record, self.log)

    def again(self) -> Fight:
        """The same battle from its start."""
        return Fight(self.document, self.given_plugins)

    @property
    def tick(self) -> int:
        """The round."""
        return int(self.record.tick)

    @tick.setter
    def tick(self, value: int) -> None:
        self.record.tick = value

    def index(self, name: str) -> int:
        """The index of a unit called `1.a`."""
        return list(self.compiled.books["unit"]).index(name)

    def __getitem__(self, name: str) -> Any:
        """The record of a unit called `1.a`."""
        return self.record.units[self.index(name)]

    def state(self, name: str, *fields: str) -> tuple[int, ...]:
        """Some fields of a unit."""
        return tuple(int(self[name][field]) for field in fields)

    def turn(self, name: str, *rolls: str, opens: bool = True) -> list[Event]:
        """A unit's turn in the current round, the first if none has begun; the rolls are those after its address."""
        self.tick = max(self.tick, 1)
        opening = [f"open({self.tick}, {self.index(name)})"] if opens else []
        return self.told(lambda: rule("take_turn")(self.record, self[name], self.log, self.plugins), *opening, *rolls)

    def end_round(self) -> list[Event]:
        """The end of the current round, at which nothing is rolled."""
        self.tick = max(self.tick, 1)
        return self.told(lambda: rule("end_round")(self.record, self.log))

    def table(self, words: Mapping[str, int] | None = None) -> list[str]:
        """What the table rolls for the next round; a word for each unit that is named, 0 for all other slots."""
        values = {self.index(name): word for name, word in (words or {}).items()}
        return [f"open({self.tick + 1}, table)", *(f"word={values.get(index, 0)}" for index in range(SLOTS))]

    def start_round(self, words: Mapping[str, int] | None = None) -> list[Event]:
        """The beginning of the next round."""
        return self.told(lambda: rule("start_round")(self.record, self.log), *self.table(words))

    def round(self, *rolls: str, words: Mapping[str, int] | None = None) -> list[Event]:
        """The next round from its beginning to its end; the rolls are those after the table's, openings included."""
        return self.told(lambda: rule("play_round")(self.record, self.log, self.plugins), *self.table(words), *rolls)

    def play(self, stream: int = 0) -> Any:
        """The whole battle from set-up under its real dice; the result."""
        results = np.zeros(1, result_t)
        self.ruleset.kernels.play_many(self.records, stream, results, self.logs, self.plugins)
        return results[0]

    def opening(self, name: str, after: int = 0) -> str:
        """The opening of a unit's address in the round after so many rounds from now."""
        return f"open({self.tick + 1 + after}, {self.index(name)})"


def of(events: Sequence[Event], kind: type[Kind]) -> list[Kind]:
    """The events of one kind."""
    return [event for event in events if isinstance(event, kind)]


def names(events: Sequence[Event]) -> list[str]:
    """The kinds of events, in order."""
    return [event.NAME for event in events]


def side_of(index: int) -> int:
    """The side, 1 or 2, that an index belongs to."""
    return index // SIDE_SLOTS + 1
