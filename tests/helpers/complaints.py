"""Checks that need no model of a battle: the order of its events, the rolls behind them, the bounds of its state."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from tests.helpers.retelling import Retelling

from fracas.events.protocol import Event, Protocol
from fracas.kernel.event_log import COLUMNS, NOBODY
from fracas.rulesets.contract.types import Document
from fracas.rulesets.squads import events as kinds
from fracas.rulesets.squads.rules.constants import MAX_CHARGE, SIDE_SLOTS

ACTOR, TARGET = COLUMNS.index("actor"), COLUMNS.index("target")

LETTERS = {
    "battle": "B",
    "round": "R",
    "initiative": "i",
    "stunned": "s",
    "choice": "c",
    "target": "t",
    "power": "p",
    "roll": "r",
    "stage": "g",
    "hit": "h",
    "charge": "+",
    "fall": "f",
    "heal": "H",
    "shield": "S",
    "effect": "e",
    "suffer": "w",
    "expire": "x",
    "outcome": "O",
}
# An action: choice, a target, then effect by effect, last the actor's own charge.
EFFECTS = r"(?:p(?:r?g)*hx?[f+]?|pH|pS|pe|e)"
TURN = rf"(?:s|ct?{EFFECTS}*\+?)"
ROUND = rf"Ri+{TURN}+(?:wf?)*x*"
WHOLE = re.compile(rf"B(?:{ROUND})+O")


def order_complaints(events: Sequence[Event]) -> list[str]:
    """Whether the kinds of events come in the documented order."""
    text = "".join(LETTERS[event.NAME] for event in events)
    if WHOLE.fullmatch(text):
        return []
    return [f"the events do not come in the documented order: {text[:200]}"]


def dice_complaints(events: Sequence[Event], notes: Sequence[str], document: Document) -> list[str]:
    """Whether exactly those rolls were made that the events tell of, each address opened once."""
    indices = Retelling(document).indices
    expected: list[str] = []
    for event in events:
        match event:
            case kinds.Round():
                expected += [f"open({event.tick},65535)", *["word"] * 16]
            case kinds.Choice():
                expected.append(f"open({event.tick},{indices[event.actor]})")
            case kinds.Target() if event.roll >= 0:
                expected.append(f"below({event.candidates})={event.roll}")
            case kinds.Roll():
                expected.append(f"d100={event.roll}")
    made = ["word" if note.startswith("word=") else note for note in notes]
    # Turning to a battle's stream stands at this address; nothing is ever taken from it.
    made = made[1:] if made[:1] == ["open(0,0)"] else made
    opened = [note for note in made if note.startswith("open")]
    found = [] if made == expected else ["the rolls are not those that the events tell of"]
    return found + [f"{note} is opened again" for note in dict.fromkeys(opened) if opened.count(note) > 1]


def row_complaints(rows: Any, protocol: Protocol) -> list[str]:
    """Whether what a kind does not use is 0, and -1 where no actor or target belongs."""
    found = []
    for row in rows.tolist():
        used = {0, 1}
        for plan in protocol.plan(row[1]):
            used |= {plan.column, plan.column + 1} if plan.is_word else {plan.column}
        unused = {column: NOBODY if column in (ACTOR, TARGET) else 0 for column in range(len(COLUMNS))}
        if any(row[column] != value for column, value in unused.items() if column not in used):
            found.append(f"{row} holds something in a column that its kind does not use")
    return found


def state_complaints(battle: Any) -> list[str]:
    """What no record of a battle may ever hold, however it came about."""
    found = []
    for side in battle.sides:
        units = [battle.units[index] for index in range(side.first, side.first + side.unit_count)]
        if int(side.living) != sum(int(unit.hp) > 0 for unit in units):
            found.append(f"side {side.first // SIDE_SLOTS + 1} counts {side.living} living units")
        for unit in units:
            bounds = {
                "hp": (0, int(unit.max_hp)),
                "charge": (0, MAX_CHARGE),
                "shield": (0, 10**9),
                "cooldown": (0, 1000),
                "ultimate_cooldown": (0, 1000),
                "attack_up": (0, 1000),
                "attack_down": (0, 90),
                "stunned": (0, 1),
                "just_stunned": (0, 1),
                "wound": (0, 10**9),
                "wound_strikes": (0, 1000),
            }
            for field, (low, high) in bounds.items():
                if not low <= int(unit[field]) <= high:
                    found.append(f"unit {unit.index} has {field} {unit[field]}")
    return found
