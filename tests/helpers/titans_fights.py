"""Duels of titans for rule tests, in a few words each.

    fight = duel(titan(hp=20, attack=8), titan(defense=6), defend_charge=20)
    events = fight.quick("attack", "rest", "open(1,0)", "unit=0.5", "open(1,1)")

What is not said is neutral: 30 HP, stats of 10, no defense, one ability that does nothing, the options of `seed`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import numpy as np
import pytest
from tests.helpers.logged_fight import log_of
from tests.helpers.scripted_dice import Script

from fracas.kernel import dice as real
from fracas.kernel.event_protocol import Event
from fracas.rulesets.contract.types import Document
from fracas.rulesets.titans.content.compile import compile_battle
from fracas.rulesets.titans.rules import constants as codes
from fracas.rulesets.titans.rules.entry_points import play_many
from fracas.rulesets.titans.rules.events import PROTOCOL
from fracas.rulesets.titans.rules.mechanics import announce_outcome, play_round, set_up
from fracas.rulesets.titans.rules.state import log_t, result_t

Kind = TypeVar("Kind", bound=Event)
SEED_OPTIONS: Document = {
    "round_cap": 100,
    "sudden_death": 0,
    "misses": False,
    "criticals": False,
    "stamina_charges": False,
    "rest_charge": 60,
    "defend_charge": 20,
    "attack_charge": 0,
    "experience": False,
    "generated_hp_low": 20,
    "generated_hp_high": 50,
    "generated_abilities": 1,
    "generated_stats": "four",
    "stats_public": True,
    "locked": False,
}
HEAD_OPTIONS: Document = SEED_OPTIONS | {
    "sudden_death": 51,
    "misses": True,
    "criticals": True,
    "stamina_charges": True,
    "rest_charge": 20,
    "attack_charge": 10,
    "experience": True,
}
IDLE = {"id": "idle", "name": "Idle", "cost": 0, "effects": [{"type": "cleanse"}]}


def ability(name: str, *effects: Document, cost: int = 0) -> Document:
    return {"id": name, "name": name.title(), "cost": cost, "effects": list(effects)}


def titan(*abilities: Document, **values: Any) -> Document:
    """A titan with its abilities written out; `of` puts them where they belong."""
    stats = {"attack": 10, "defense": 0, "speed": 10, "stamina": 10, "evasion": 0, "accuracy": 0, "critical": 0}
    return {
        "name": "Titan",
        "hp": 30,
        **stats,
        "level": 1,
        "experience": 0,
        **values,
        "own": list(abilities or (IDLE,)),
    }


def document(first: Document, second: Document, policies: Sequence[Any] = (), **options: Any) -> Document:
    """A resolved duel."""
    given = [*policies, *({"choices": []} for _ in range(2 - len(policies)))]
    players = [
        {
            "name": name,
            "titan": {key: value for key, value in one.items() if key != "own"}
            | {"abilities": [each["id"] for each in one["own"]]},
            "policy": policy,
        }
        for name, one, policy in zip(("Ada", "Bo"), (first, second), given, strict=True)
    ]
    base = HEAD_OPTIONS if options.pop("head", False) else SEED_OPTIONS
    return {
        "ruleset": "titans",
        "id": "test",
        "seed": "test",
        "profile": "seed",
        "options": base | options,
        "players": players,
        "abilities": {each["id"]: each for one in (first, second) for each in one["own"]},
    }


def duel(first: Document, second: Document, policies: Sequence[Any] = (), **options: Any) -> Fight:
    """A compiled duel, set up; keywords are options, `head` those of that profile."""
    return Fight(document(first, second, policies, **options))


@contextmanager
def rolling(*rolls: str) -> Iterator[None]:
    """Let the rules of titans roll what the script says, and nothing else."""
    script = Script(rolls)
    replacements = script.replacements()
    originals = {getattr(real, name): name for name in replacements}
    with pytest.MonkeyPatch.context() as patch:
        for module in [module for name, module in sys.modules.items() if name.startswith("fracas.rulesets.titans.")]:
            for attribute, value in list(vars(module).items()):
                if callable(value) and value in originals:
                    patch.setattr(module, attribute, replacements[originals[value]])
        yield
    script.finish()


class Fight:
    """One duel under test: its record, what is in its log, and its rounds one by one."""

    def __init__(self, given: Document) -> None:
        self.document = given
        self.compiled = compile_battle(given, {})
        self.records = self.compiled.own_record()
        self.record: Any = self.records[0]
        self.logs = log_of(self, log_t)
        self.log: Any = self.logs[0]
        set_up(self.record, self.log)

    @property
    def ada(self) -> Any:
        """Player 1's titan."""
        return self.record.titans[0]

    @property
    def bo(self) -> Any:
        """Player 2's titan."""
        return self.record.titans[1]

    def events(self, first: int = 0) -> list[Event]:
        """All events logged so far, from one on."""
        assert self.log.fault == 0
        return PROTOCOL.decode(self.log.rows[first : self.log.count], self.compiled.books)

    def told(self, rule: Any, *rolls: str) -> list[Event]:
        """Apply a rule under these rolls and tell what it logged."""
        before = int(self.log.count)
        with rolling(*rolls):
            rule()
        return self.events(before)

    def submit(self, *choices: str) -> None:
        """What both choose in the next round."""
        for place, name in enumerate(choices):
            own = [*codes.ACTIONS[:3], *self.document["players"][place]["titan"]["abilities"]]
            policy = self.record.policies[place]
            policy.kind = codes.BY_LIST
            policy.choice_count = self.record.tick + 1
            policy.choices[self.record.tick] = codes.MISSED if name == "missed" else own.index(name)

    def round(self, first: str, second: str, *rolls: str) -> list[Event]:
        """A round with these choices."""
        self.submit(first, second)
        return self.told(lambda: play_round(self.record, self.log), *rolls)

    def policy_round(self, *rolls: str) -> list[Event]:
        """A round in which the policies choose."""
        return self.told(lambda: play_round(self.record, self.log), *rolls)

    def quick(self, first: str, second: str, *rolls: str) -> list[Event]:
        """A round in which player 1 acts first; `rolls` are those of the actions."""
        tick = self.record.tick + 1
        return self.round(first, second, f"open({tick},table)", "unit=0.5", "unit=0.25", *rolls)

    def slow(self, first: str, second: str, *rolls: str) -> list[Event]:
        """A round in which player 2 acts first."""
        tick = self.record.tick + 1
        return self.round(first, second, f"open({tick},table)", "unit=0.25", "unit=0.5", *rolls)

    def finish(self, *rolls: str) -> list[Event]:
        """The outcome."""
        return self.told(lambda: announce_outcome(self.record, self.log), *rolls)

    def play(self, stream: int = 0) -> Any:
        """The whole duel from set-up under its real dice; the result."""
        results = np.zeros(1, result_t)
        play_many(self.records, stream, results, self.logs, None)
        return results[0]


def of(events: Sequence[Event], kind: type[Kind]) -> list[Kind]:
    """The events of one kind."""
    return [event for event in events if isinstance(event, kind)]


def names(events: Sequence[Event], *without: str) -> list[str]:
    """The kinds of events, in order, without some."""
    return [event.NAME for event in events if event.NAME not in without]
