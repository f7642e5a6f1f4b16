"""Attacks of stacks for rule tests, in a few words each.

    fight = attack({"a": [unit("x", attack=5)]}, {"t": [unit("y", health=9)]}, heal_limit=1)
    events = fight.turn("a.x", (5, 4), (3, 1), (4, 2))

Stacks of the first mapping belong to red and attack, those of the second to blue and defend; the first of blue's stands
on the tile, the others around it. What is not said is neutral: scores of 0, 10 health, no moves, the options of `seed`.
Rolls are pairs: the highest number that may come, and the one that comes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
from tests.helpers.logged_fight import log_of
from tests.helpers.stacks_record import rolling

from fracas.kernel.event_protocol import Event
from fracas.plugins.compile import plain_plugins
from fracas.rulesets.contract.kernels import Kernels
from fracas.rulesets.contract.plugin_kinds import Plugin
from fracas.rulesets.contract.types import Document
from fracas.rulesets.stacks.campaign.commit import Made, tuples_of
from fracas.rulesets.stacks.content.compile import compile_battle
from fracas.rulesets.stacks.content.map_grid import around
from fracas.rulesets.stacks.content.move_types import MOVE_TYPE
from fracas.rulesets.stacks.rules import constants as codes
from fracas.rulesets.stacks.rules.entry_points import play_many
from fracas.rulesets.stacks.rules.events import PROTOCOL
from fracas.rulesets.stacks.rules.mechanics import end_turn, play_turn, set_up, start_turn, take_turn
from fracas.rulesets.stacks.rules.state import battle_t, log_t, result_t

Kind = TypeVar("Kind", bound=Event)
Units = Mapping[str, Sequence[Document]]

KERNELS = Kernels(play_many, result_t, log_t, battle_t, plugin=MOVE_TYPE)
TILE = (3, 3)
SEED_OPTIONS: Document = {
    "sides": "alliances",
    "order": "alternate",
    "valuation": "exact",
    "charge_estimate": "attack",
    "charge_damage": "damage",
    "riposte_damage": "damage",
    "riposte_to": "melee",
    "least_score": 0,
    "heal_limit": 3,
    "heal_self": True,
    "idle_rule": "attackers",
    "first_turn_idle": True,
    "idle_turns": 3,
    "stale_turns": 20,
    "turn_cap": 200,
    "advance": True,
}
ORIGINAL_OPTIONS: Document = {
    "sides": "factions",
    "order": "id",
    "valuation": "sampled",
    "charge_estimate": "value",
    "charge_damage": "attack",
    "riposte_damage": "attack",
    "riposte_to": "strike",
    "least_score": 1,
    "heal_limit": 1,
    "heal_self": False,
    "idle_rule": "anyone",
    "first_turn_idle": False,
    "idle_turns": 3,
    "stale_turns": 0,
    "turn_cap": 200,
    "advance": True,
}


def unit(name: str, *moves: str, health: int = 10, **numbers: int) -> Document:
    scores = {"attack": 0, "defence": 0, "damage": 0, "initiative": 0, **numbers}
    return {"id": name, "name": name.title(), "health": health, "moves": list(moves), **scores}


def document(red: Units, blue: Units, *, kind: str = "hex", number: int = 0, **options: Any) -> Document:
    """A resolved attack: the first of red's stacks attacks the tile of the first of blue's."""
    free = list(around(kind, TILE)[:-1])
    places = {name: free.pop(0) for name in red}
    places |= {name: TILE if number == 0 else free.pop(0) for number, name in enumerate(blue)}
    stacks = [
        {"id": name, "name": name.title(), "owner": owner, "at": list(places[name]), "units": [dict(u) for u in units]}
        for owner, side in (("red", red), ("blue", blue))
        for name, units in side.items()
    ]
    return {
        "ruleset": "stacks",
        "id": "test",
        "seed": "test",
        "profile": "seed",
        "options": SEED_OPTIONS | options,
        "map": {"kind": kind, "width": 8, "height": 8},
        "factions": {"red": {"name": "Red"}, "blue": {"name": "Blue"}},
        "tiles": {"3,3": {"owner": "blue"}},
        "stacks": stacks,
        "revision": 0,
        "attack": {"stack": next(iter(red)), "tile": list(TILE), "number": number},
    }


def attack(red: Units, blue: Units, plugins: Mapping[str, Plugin] | None = None, **options: Any) -> Fight:
    """A compiled attack, set up; keywords are options, `kind` and `number`."""
    return Fight(document(red, blue, **options), plugins)


class Fight:
    """One battle under test: its record, what is in its log, and the rules to apply one by one."""

    def __init__(self, given: Document, plugins: Mapping[str, Plugin] | None = None) -> None:
        self.document = given
        self.compiled = compile_battle(given, plugins or {})
        self.plugins = plain_plugins(KERNELS, self.compiled.plugins)
        self.records = self.compiled.own_record()
        self.record: Any = self.records[0]
        self.logs = log_of(self, log_t)
        self.log: Any = self.logs[0]
        set_up(self.record, self.log)
        start_turn(self.record, self.log)

    def id(self, name: str) -> int:
        """The id of a participant called `a.x`."""
        return list(self.compiled.books["unit"]).index(name)

    def __getitem__(self, name: str) -> Any:
        """The record of a participant called `a.x`."""
        return self.record.participants[self.id(name)]

    def health(self, *names: str) -> list[int]:
        """The health of participants."""
        return [int(self[name].health) for name in names]

    def events(self, first: int = 0) -> list[Event]:
        """All events logged so far, from one on."""
        assert self.log.fault == 0
        return PROTOCOL.decode(self.log.rows[first : self.log.count], self.compiled.books)

    def told(self, rule: Any, *rolls: tuple[int, int]) -> list[Event]:
        """Apply a rule under these rolls and tell what it logged."""
        before = int(self.log.count)
        with rolling(*rolls):
            rule()
        return self.events(before)

    def turn(self, name: str, *rolls: tuple[int, int]) -> list[Event]:
        """A participant's turn."""
        return self.told(lambda: take_turn(self.record, self.id(name), self.log, self.plugins), *rolls)

    def whole_turn(self, *rolls: tuple[int, int]) -> list[Event]:
        """A turn from its beginning to its end."""
        return self.told(lambda: play_turn(self.record, self.log, self.plugins), *rolls)

    def end(self) -> list[Event]:
        """The end of the turn that was begun, and the beginning of the next."""
        return self.told(lambda: end_turn(self.record, self.log)) + self.told(self.begin)

    def begin(self) -> None:
        """The beginning of a turn."""
        start_turn(self.record, self.log)

    def play(self, stream: int = 0) -> Any:
        """The whole battle from set-up under its real dice; the result."""
        results = np.zeros(1, result_t)
        play_many(self.records, stream, results, self.logs, self.plugins)
        return results[0]

    def tuples(self) -> list[Made]:
        """The result so far."""
        return tuples_of(self.log.rows[: self.log.count].tolist(), self.compiled.books)


def of(events: Sequence[Event], kind: type[Kind]) -> list[Kind]:
    """The events of one kind."""
    return [event for event in events if isinstance(event, kind)]


def names(events: Sequence[Event], *without: str) -> list[str]:
    """The kinds of events, in order, without some."""
    return [event.NAME for event in events if event.NAME not in without]


class Draws:
    """Whole numbers that a text decides, for worlds that are made up."""

    def __init__(self, number: int) -> None:
        self.state = number * 2_654_435_761 + 12_345

    def below(self, n: int) -> int:
        self.state = (self.state * 6_364_136_223_846_793_005 + 1_442_695_040_888_963_407) % 2**64
        return (self.state >> 33) % n

    def choose(self, options: Sequence[Any]) -> Any:
        return options[self.below(len(options))]


CHOOSABLE = [move for move in codes.MOVES if move != "riposte"]


def random_documents(first: int, count: int, moves: Sequence[str] = tuple(CHOOSABLE)) -> Iterator[Document]:
    """Made-up attacks of all kinds, the same for the same numbers."""
    for number in range(first, first + count):
        draws = Draws(number)
        kind = draws.choose(codes.MAP_KINDS)
        options = draws.choose((SEED_OPTIONS, ORIGINAL_OPTIONS))
        options = {
            name: draws.choose((value, SEED_OPTIONS[name], ORIGINAL_OPTIONS[name])) for name, value in options.items()
        }
        options["order"] = draws.choose(codes.ORDERS)
        sides = [_random_side(draws, letter, moves) for letter in "rb"]
        yield document(*sides, kind=kind, number=draws.choose((0, 0, 7)), **options)


def _random_side(draws: Draws, letter: str, moves: Sequence[str]) -> dict[str, list[Document]]:
    return {
        f"{letter}{stack}": [
            _random_unit(draws, f"{letter}{stack}{place}", moves) for place in range(draws.below(4) + 1)
        ]
        for stack in range(draws.below(2) + 1)
    }


def _random_unit(draws: Draws, name: str, moves: Sequence[str]) -> Document:
    most = draws.choose((2, 6, 9))
    health = draws.below(14) + 1
    scores = {score: draws.below(most + 1) for score in ("attack", "defence", "damage", "initiative")}
    known = sorted({draws.choose(moves) for _ in range(draws.below(4))})
    made = unit(name, *known, health=health, **scores)
    return made | ({"current": draws.below(health) + 1} if draws.below(4) == 0 else {})
