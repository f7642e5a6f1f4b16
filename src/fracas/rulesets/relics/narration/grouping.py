"""Group neighbouring events of one source and one target into one line of a story."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from fracas.events.story_layout import LINE_WIDTH, MARGIN
from fracas.events.styled_text import ASIDE, HARM, HELP, PLAIN, Span, clipped
from fracas.kernel.event_protocol import Event
from fracas.rulesets.relics.narration.labels import RULE_WORDS, Participants
from fracas.rulesets.relics.rules import events as kinds

Doing = kinds.Damage | kinds.Heal | kinds.Change
# The widest columns for the source and the target; longer names are cut.
MOST_WHO, MOST_WHOM = 30, 22


def is_decay(event: Doing) -> bool:
    """Whether a status or temporary ATK ran out by itself; the standings of the next turn show it."""
    return isinstance(event, kinds.Change) and event.actor is None and event.quantity not in ("hp", "armor", "hp_max")


@dataclass(slots=True)
class Beat:
    """Consecutive changes of one fighter by one source."""

    actor: str | None
    source: str
    target: str
    is_strike: bool = False
    made_of: str = ""
    """The terms of a strike's ATK part, if there are others than ATK."""
    armor: int = 0
    hp: int = 0
    healed: int = 0
    is_damage: bool = False
    changes: dict[str, int] = field(default_factory=dict)

    def fits(self, actor: str | None, source: str, target: str) -> bool:
        """Whether an event belongs in the same line."""
        return (self.actor, self.source, self.target) == (actor, source, target)

    def take(self, event: Event) -> None:
        """Add what an event changed."""
        match event:
            case kinds.Damage():
                self.is_damage = True
                self.armor += event.absorbed
                self.hp += event.lost
            case kinds.Heal():
                self.healed += event.healed
            case kinds.Change():
                self.changes[event.quantity] = self.changes.get(event.quantity, 0) + event.change

    def effects(self, named: Mapping[str, str]) -> list[str]:
        """What changed, in words: `-3 ARMOR`, `-2 HP`, `+2 Thorns`; `named` has the names of quantities."""
        words = [f"-{self.armor} ARMOR"] if self.armor else []
        words += [f"-{self.hp} HP"] if self.hp else []
        words += ["no damage"] if self.is_damage and not words else []
        words += [f"+{self.healed} HP"] if self.healed else []
        return words + [f"{change:+} {named[name]}" for name, change in self.changes.items() if change]

    @property
    def role(self) -> str:
        """The text role: harm, help or plain."""
        if self.is_damage or self.changes.get("hp", 0) < 0:
            return HARM
        return HELP if self.healed else PLAIN


class Columns:
    """The column widths of one battle's story."""

    def __init__(self, participants: Participants) -> None:
        self.participants = participants
        worn = [f"1 {participants.name_of(piece)}" for side in participants.pieces for piece in side]
        weapons = [f"1 {participants.weapon(side) or name} strikes" for side, name in enumerate(participants.names)]
        self.who = min(MOST_WHO, max(map(len, [*worn, *weapons])))
        self.whom = min(MOST_WHOM, max(len(participants.titled(name)) for name in participants.names))

    def lines(self, beat: Beat) -> list[list[Span]]:
        """A beat as lines: source, target and changes, wrapped to the line width."""
        participants = self.participants
        who, role = RULE_WORDS.get(beat.source, beat.source), PLAIN
        if beat.actor is not None:
            does = " strikes" if beat.is_strike else ""
            name = clipped(f"{participants.side(beat.actor) + 1} {who}", self.who - len(does))
            who, role = f"{name}{does}", participants.role(beat.actor)
        arrow, whom = ("→ ", participants.titled(beat.target)) if beat.target != beat.actor else ("  ", "")
        before: list[Span] = [
            (f"{MARGIN}{clipped(who, self.who):{self.who}} ", role),
            (arrow, ASIDE),
            (f"{clipped(whom, self.whom):{self.whom}}  ", participants.role(beat.target)),
        ]
        width = sum(len(text) for text, _ in before)
        rows = _with_aside(
            wrapped(beat.effects(participants.words), LINE_WIDTH - width), beat.made_of, LINE_WIDTH - width
        )
        return [
            [*(before if index == 0 else [(" " * width, PLAIN)]), (row, beat.role)] for index, row in enumerate(rows)
        ]


def _with_aside(rows: list[str], aside: str, width: int) -> list[str]:
    """The rows with an aside in brackets after the last, or below it if it does not fit."""
    if not aside:
        return rows
    if len(f"{rows[-1]} ({aside})") <= width:
        return [*rows[:-1], f"{rows[-1]} ({aside})"]
    return [*rows, *wrapped(f"({aside})".split(), width, " ")]


def wrapped(words: list[str], width: int, joint: str = ", ") -> list[str]:
    """Words joined into lines of at most `width` characters; a longer word has its own line."""
    rows: list[str] = []
    for word in words:
        if rows and len(rows[-1]) + len(joint) + len(word) <= width:
            rows[-1] += f"{joint}{word}"
        else:
            rows.append(word)
    return rows
