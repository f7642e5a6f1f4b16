"""Fights of relics for rule tests, in a few words each.

    fight = Fight(fighter(item(battle_start=[["gain_armor", 2]]), hp=10), fighter(attack=3))
    fight.set_up()
    fight.left["armor"]                 # 2
    fight.told                          # ["armor of left +2"], rows since the last rule, in short

What is not said is neutral: 20 of 20 HP, all else 0, the options of the canvas. `set_up`, `turn`, `strikes` and the
like apply a rule under scripted dice: every roll must be named, none may be left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
from tests.helpers.rules import rule
from tests.helpers.scripted_dice import scripted_dice

from fracas.kernel.event_protocol import Event
from fracas.rulesets.contract.types import Document, Source
from fracas.rulesets.registry import get
from fracas.rulesets.relics.content.compile import compile_battle
from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.relics.rules import events as told
from fracas.rulesets.relics.rules.entry_points import play_many
from fracas.rulesets.relics.rules.events import PROTOCOL
from fracas.rulesets.relics.rules.state import log_t, result_t

Kind = TypeVar("Kind", bound=Event)

CANVAS: Document = {
    "tie_breaker": "left_first",
    "stat_caps": {"attack": 20, "armor": 20, "speed": 20, "health": 20},
    "stat_cap_mode": "reject",
    "allow_pre_phase": True,
    "freeze_side": "defender",
    "freeze_decay": "every_turn",
    "thorns_clear": "struck",
    "death_check": "steps",
    "corroded_bone_receiver": "enemy",
    "onhit_order": "removes_first",
    "onhit_damage_route": "hp",
    "hp_minus_route": "hp",
    "riptide_route": "hp",
    "cadence_parity": "even",
    "fatigue_start": 40,
    "turn_cap": 500,
}
GAME: Document = CANVAS | {
    "freeze_side": "attacker",
    "freeze_decay": "own_turn",
    "thorns_clear": "fired",
    "death_check": "at_once",
    "corroded_bone_receiver": "owner",
    "onhit_order": "slots",
    "onhit_damage_route": "armor",
    "hp_minus_route": "armor",
    "riptide_route": "armor",
}
# One log for all: it is large, and only its beginning is ever written.
LOG = np.zeros(1, log_t)
STATE_NAMES = {"attack": "atk", "temp_attack": "temp_atk"}
LANES = {"pre_left": 0xFF00, "pre_right": 0xFF01, "tie": 0xFFFF}


def item(name: str = "thing", *, stats: Any = None, **keys: Any) -> Document:
    """A piece; keywords are triggers and keys of pieces (`tier`, `tags`, `flags`, `modifiers`, `unique`)."""
    own: Document = {key: keys.pop(key) for key in ("tier", "tags", "flags", "modifiers", "unique") if key in keys}
    unknown = set(keys) - set(codes.TRIGGERS)
    assert not unknown, f"neither triggers nor keys of a piece: {unknown}"
    return {"id": name, "name": name, "stats": dict(stats or {}), "triggers": keys, **own}


def fighter(*items: Document, hp: int = 20, hp_max: int | None = None, **keys: Any) -> Document:
    """A fighter as it stands: keywords are quantities, marks (`wounded_triggered`) and keys of resolved fighters."""
    state: Document = {"hp": hp, "hp_max": max(hp, 20) if hp_max is None else hp_max, "atk": 0, "speed": 0}
    for name in codes.QUANTITIES[2:]:
        if name in keys:
            state[STATE_NAMES.get(name, name)] = keys.pop(name)
    for name in ("struck_this_turn", "exposed_triggered", "wounded_triggered", "statuses"):
        if name in keys:
            state[name] = keys.pop(name)
    return {"name": "", "stats": {}, "state": state, "items": list(items), **keys}


def build(*items: Document, stats: Mapping[str, int] | None = None, **keys: Any) -> Document:
    """A fighter whose values are made of its stats and those of its pieces."""
    return {"name": "", "stats": dict(stats or {}), "items": list(items), **keys}


def document(left: Document, right: Document, **options: Any) -> Document:
    """A resolved battle of two fighters called left and right."""
    return {
        "ruleset": "relics",
        "id": "test",
        "seed": "test",
        "profile": "canvas",
        "options": CANVAS | options,
        "left": left | {"name": "left"},
        "right": right | {"name": "right"},
    }


class Side:
    """A fighter of a fight: its quantities by name, and what else its record has."""

    def __init__(self, fight: Fight, number: int) -> None:
        self.fight, self.number = fight, number

    @property
    def record(self) -> Any:
        """Its record."""
        return self.fight.record.fighters[self.number]

    def __getitem__(self, name: str) -> int:
        quantities = self.fight.compiled.books["quantity"]
        if name in quantities:
            return int(self.record["values"][quantities.index(name)])
        return int(self.record[name])

    def __setitem__(self, name: str, value: int) -> None:
        quantities = self.fight.compiled.books["quantity"]
        if name in quantities:
            self.record["values"][quantities.index(name)] = value
        else:
            self.record[name] = value

    def has(self, **values: int) -> bool:
        """Whether it has these values; else the test fails and says what it has."""
        found = {name: self[name] for name in values}
        assert found == values
        return True


class Fight:
    """One battle under test, ready to be set up."""

    def __init__(self, left: Document, right: Document | None = None, **options: Any) -> None:
        self._take(document(left, right if right is not None else fighter(), **options))

    @classmethod
    def of_document(cls, resolved_document: Document) -> Fight:
        """A fight that is resolved already."""
        fight = cls.__new__(cls)
        fight._take(resolved_document)
        return fight

    def _take(self, resolved_document: Document) -> None:
        self.document = resolved_document
        self.warnings: list[str] = []
        self.compiled = compile_battle(self.document, {})
        self.records = self.compiled.own_record()
        self.record: Any = self.records[0]
        self.log: Any = LOG[0]
        self.log.count = 0
        self.log.fault = 0
        self.left, self.right = Side(self, codes.LEFT), Side(self, codes.RIGHT)
        self.events: list[Event] = []
        """What the last rule wrote."""

    def apply(self, name: str, *rolls: str, arguments: Sequence[Any] = ()) -> list[Event]:
        """Apply a rule under these rolls; its events."""
        before = int(self.log.count)
        with scripted_dice(*[_with_lanes(roll) for roll in rolls], ruleset="relics"):
            rule(name, "relics")(self.record, *arguments, self.log)
        assert self.log.fault == 0
        self.events = PROTOCOL.decode(self.log.rows[before : self.log.count], self.compiled.books)
        return self.events

    def set_up(self, *rolls: str) -> Fight:
        """Set-up, to the row that says who acts first."""
        self.apply("set_up", *rolls)
        return self

    def turn(self, *rolls: str) -> Fight:
        """A whole turn."""
        self.apply("play_turn", *rolls)
        return self

    def begin(self, *rolls: str) -> Fight:
        """A turn's start, its turn_start effects included."""
        self.apply("begin_turn", *rolls)
        events = self.events
        self.apply("start_turn")
        self.events = events + self.events
        return self

    def strikes(self, *rolls: str) -> Fight:
        """A turn's strikes."""
        self.apply("make_strikes", *rolls)
        return self

    def end(self, *rolls: str) -> Fight:
        """A turn's end."""
        self.apply("end_turn", *rolls)
        return self

    def struck(self, *rolls: str) -> Fight:
        """Set-up, then the first turn to the end of its strikes; what is told is that of the strikes."""
        self.set_up().begin()
        return self.strikes(*rolls)

    def play(self, stream: int = 0) -> Any:
        """The whole battle under its real dice; the result. All its events are told."""
        results = np.zeros(1, result_t)
        play_many(self.records, stream, results, LOG, None)
        self.events = PROTOCOL.decode(self.log.rows[: self.log.count], self.compiled.books)
        return results[0]

    @property
    def told(self) -> list[str]:
        """What changed, in short: damage, heals, changes, marks and what else rows say of them."""
        return [text for event in self.events if (text := brief(event))]

    @property
    def triggers(self) -> list[str]:
        """Which effects ran: `on_hit thing`."""
        return [f"{each.trigger} {each.source}" for each in of(self.events, told.Trigger)]

    @property
    def is_over(self) -> bool:
        """Whether the battle has been decided."""
        return bool(self.record.reason != codes.UNDECIDED)

    @property
    def reason(self) -> str:
        """How it ended."""
        return codes.REASONS[self.record.reason]


def resolved(left: Document, right: Document, profile: str = "canvas", **options: Any) -> Fight:
    """A fight of two fighters as files write them, with the content that ships."""
    written = {"ruleset": "relics", "id": "test", "profile": profile, "options": options}
    names = {"left": left | {"name": "left"}, "right": right | {"name": "right"}}
    resolution = get("relics").resolve({**written, **names}, Source("test.toml"))
    fight = Fight.of_document(resolution.document)
    fight.warnings = [str(problem) for problem in resolution.warnings]
    return fight


def _with_lanes(roll: str) -> str:
    for name, lane in LANES.items():
        roll = roll.replace(name, str(lane))
    return roll


def of(events: Sequence[Event], kind: type[Kind]) -> list[Kind]:
    """The events of one kind."""
    return [event for event in events if isinstance(event, kind)]


def brief(event: Event) -> str:
    """An event as a short text, if it is one that changes something."""
    match event:
        case told.Damage():
            return f"{event.source} on {event.target}: {event.absorbed} armor, {event.lost} hp"
        case told.Heal():
            return f"heal {event.target}: {event.healed}" + (f", {event.excess} over" if event.excess else "")
        case told.Change():
            return f"{event.quantity} of {event.target} {event.change:+d}"
        case told.Mark():
            return f"{event.target} {event.mark}"
        case told.Immune():
            return f"{event.target} immune to {event.stacks} {event.quantity}"
        case told.Unpaid():
            return f"{event.actor} cannot pay {event.price} {event.quantity}"
        case told.ExtraStrikes():
            return f"{event.strikes} strikes for {event.target} {event.moment}"
        case told.Counter():
            return f"counter of {event.source} {event.change:+d}"
        case told.Countdown():
            return f"countdown of {event.piece} {event.change:+d}"
        case told.Skip():
            return f"{event.actor} {event.reason}"
        case told.Modified():
            return f"{event.modifier} {event.before} to {event.after}"
        case told.Cut():
            return f"cut {event.guard} of {event.trigger} {event.source}"
        case told.Fall():
            return f"{event.target} falls"
        case told.PhaseBegins():
            return f"{event.target} in phase {event.phase}"
    return ""


def after(
    op: Any, left: Mapping[str, Any] | None = None, right: Mapping[str, Any] | None = None, *rolls: str, **options: Any
) -> Fight:
    """A fight of two fighters of these values, set up, with one op under the left's battle_start."""
    entries = op if isinstance(op, dict) or (op and isinstance(op[0], list)) else [op]
    one = fighter(item(battle_start=entries), **dict(left or {}))
    return Fight(one, fighter(**dict(right or {})), **options).set_up(*rolls)


def on_hit(
    op: Any, left: Mapping[str, Any] | None = None, right: Mapping[str, Any] | None = None, **options: Any
) -> Fight:
    """A fight of two fighters of these values, with an op under the left's on_hit, after its first strike."""
    entries = op if op and isinstance(op[0], list) else [op]
    one = fighter(item(on_hit=entries), **({"speed": 1} | dict(left or {})))
    return Fight(one, fighter(**dict(right or {})), **options).struck()
