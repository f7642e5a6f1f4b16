"""Tells a stacks battle as a story between two drawings of the field, with choices and arithmetic on request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fracas.errors.suggestions import listed
from fracas.events.story_layout import MARGIN, NarratorBase, aside, asides, ending, heading, hp_bar, whole_story
from fracas.events.styled_text import ASIDE, EMPHASIS, HARM, HELP, PLAIN, SIDE_1, SIDE_2, Line, Span
from fracas.kernel.event_protocol import ALL, STORY, Event
from fracas.rulesets.contract.types import Compiled, Document
from fracas.rulesets.stacks.narration.battlefield_drawing import draw
from fracas.rulesets.stacks.narration.labels import Participants, follow
from fracas.rulesets.stacks.narration.summary import losses, summary_lines
from fracas.rulesets.stacks.rules import events as kinds
from fracas.rulesets.stacks.rules.constants import TICKS_PER_ATTACK

BAR_WIDTH = 8
MOVE_WIDTH = 9
# The most considered values to name with a choice; the rest are only counted.
MOST_NAMED = 4

REASON_WORDS = {
    "defenders_fell": "no defender is left standing",
    "attackers_fell": "no attacker is left standing",
    "both_fell": "nobody is left standing on either side",
    "turn_cap": "no more turns are played",
    "unopposed": "nobody defends the tile",
}


class Narrator(NarratorBase):
    """Turns the events of one stacks battle into lines."""

    def __init__(self, participants: Participants, detail: str) -> None:
        self.participants = participants
        self.detail = detail
        self.healths = participants.healths
        titles = [member.title for member in participants.members.values()]
        self.name_width = max((len(title) for title in titles), default=0)
        self.considered: list[kinds.Considered] = []
        self.blows: dict[tuple[str, str | None, str], list[int]] = {}
        self.fallen: list[str] = []
        self.line_start = 0
        self.idlers: list[str] = []
        self.end = kinds.TurnEnd(0, 0, 0, 0, 0)

    def lines(self, event: Event) -> Iterator[list[Span]]:
        """The lines of one event at the chosen detail."""
        if self.detail == STORY and isinstance(event, kinds.Considered | kinds.Choice | kinds.Wait | kinds.TurnEnd):
            yield from self.flushed()
        change = follow(self.healths, event)
        match event:
            case kinds.Battle():
                yield from self.opening(event)
            case kinds.Turn():
                yield from self.turn(event)
            case kinds.Considered():
                self.considered.append(event)
            case kinds.Choice() | kinds.Wait():
                yield from self.decision(event)
                self.considered = []
            case kinds.Move():
                yield from self.move(event, change)
            case kinds.Fall():
                yield from self.fall(event)
            case kinds.TurnEnd():
                yield from self.turn_end(event)
            case kinds.Outcome():
                yield from self.outcome(event)
            case kinds.Trial() | kinds.Roll() | kinds.Amount() | kinds.Scores() | kinds.Health():
                yield from self.remark(event)

    def opening(self, event: kinds.Battle) -> Iterator[list[Span]]:
        """Who attacks whom, and the field before the battle."""
        yield self.headline(event)
        yield []
        yield from draw(self.participants, self.healths)

    def headline(self, event: kinds.Battle) -> list[Span]:
        """Who attacks whom."""
        first, second = self.participants.side_names
        numbered = f", attack {event.number} of a campaign" if event.number else ""
        return [
            (f"1 {self.participants.leader}", self.role(0)),
            (f" of {first} attacks {self.participants.tile}, defended by ", PLAIN),
            (f"2 {second}", self.role(1)),
            (numbered, ASIDE),
        ]

    def turn(self, event: kinds.Turn) -> Iterator[list[Span]]:
        """A turn's heading."""
        first, second = self.participants.side_names
        yield []
        yield heading(f"Turn {event.turn} ", f" {first} {event.living_1} standing, {second} {event.living_2}")

    def decision(self, event: kinds.Choice | kinds.Wait) -> Iterator[list[Span]]:
        """A participant's choice, and the values that it compared."""
        if self.detail == STORY:
            if isinstance(event, kinds.Wait):
                self.idlers.append(self.title(event.actor))
            return
        if isinstance(event, kinds.Wait):
            what = "no move is worth more than 0" if event.viable else "no move is possible"
            yield [*self.named(event.actor), (" waits", EMPHASIS), (f": {what}", ASIDE)]
        else:
            times = f", up to {event.repeats} times" if event.repeats > 1 else ""
            words = f" chooses {_spoken(event.move)} on {self.title(event.target)}"
            yield [*self.named(event.actor), (words, EMPHASIS), (f", worth {_value(event.value)}{times}", ASIDE)]
        yield from self.comparison()

    def comparison(self) -> Iterator[list[Span]]:
        """The moves and targets considered: all of them, or the best."""
        pairs = self.considered
        if self.detail == ALL:
            for pair in pairs:
                mark = " the best so far" if pair.is_best else ""
                words = f"{_spoken(pair.move)} on {self.title(pair.target)}: {_value(pair.value)}{mark}"
                yield aside(words)
            return
        best = sorted(pairs, key=lambda pair: -pair.value)[:MOST_NAMED]
        named = [f"{_spoken(pair.move)} on {self.title(pair.target)} {_value(pair.value)}" for pair in best]
        rest = len(pairs) - len(best)
        if named:
            more = f" and {rest} more, none better" if rest else ""
            words = f"considered {', '.join(named)}{more}"
            yield from asides([words])

    def move(self, event: kinds.Move, change: int) -> Iterator[list[Span]]:
        """A tuple of the result: actor, move, target and health left; a story merges those of a turn."""
        if self.detail == STORY:
            if not self.blows:
                self.line_start = self.place
            entry = self.blows.setdefault((event.actor, event.target, event.move), [0, 0])
            entry[0] += change
            entry[1] += 1
            return
        yield self.blow(event.actor, event.target, event.move, change, 1)
        if self.detail == ALL and abs(change) != event.effect:
            yield aside(f"the effect was {event.effect}")

    def flushed(self) -> Iterator[list[Span]]:
        """The results of a participant's turn, for a story; moves without effect wait for the turn's end."""
        now, self.place = self.place, self.line_start
        for (actor, target, move), (change, times) in self.blows.items():
            if change or target is None:
                yield self.blow(actor, target, move, change, times)
            elif move != "riposte":
                self.idlers.append(self.title(actor))
        for name in self.fallen:
            yield self.falling(name)
        self.blows, self.fallen, self.place = {}, [], now

    def blow(self, actor: str, target: str | None, move: str, change: int, times: int) -> list[Span]:
        """One line in columns: actor, move, target, change of health, health left."""
        own = self.participants.members[actor]
        whom = target if target is not None else actor
        other = self.participants.members[whom]
        count = f" ×{times}" if times > 1 else ""
        amount = (f"{change:+}" if change else "0").rjust(5)
        left = self.healths[whom]
        width = max(2 * len(str(member.full)) + 1 for member in self.participants.members.values())
        return [
            (MARGIN, PLAIN),
            (own.title.ljust(self.name_width + 1), own.role),
            (f"{_spoken(move)}{count}".ljust(MOVE_WIDTH + 3), PLAIN),
            ("→ ", ASIDE),
            (other.title.ljust(self.name_width), other.role),
            (amount, HELP if change > 0 else HARM if change else ASIDE),
            *hp_bar(left, other.full, other.role, BAR_WIDTH, width),
        ]

    def fall(self, event: kinds.Fall) -> Iterator[list[Span]]:
        """A participant dies; a story says so after the moves of the turn."""
        if self.detail == STORY:
            self.fallen.append(event.target)
        else:
            yield self.falling(event.target)

    def falling(self, name: str) -> list[Span]:
        """The line for a participant that dies, below the column of targets."""
        member = self.participants.members[name]
        before = MARGIN + " " * (self.name_width + 1 + MOVE_WIDTH + 3 + 2)
        return [(before, PLAIN), (member.title, member.role), (" falls.", EMPHASIS)]

    def turn_end(self, event: kinds.TurnEnd) -> Iterator[list[Span]]:
        """The moves without effect, and the idle and stale turns, which can end the attack."""
        self.end = event
        if self.idlers:
            names = list(dict.fromkeys(self.idlers))
            who = listed(names, "and") if len(names) <= MOST_NAMED else f"{len(names)} of them"
            yield [(f"{MARGIN}Without effect: {who}.", ASIDE)]
        self.idlers = []
        limit = self.participants.world.options
        if event.idle:
            yield [(f"{MARGIN}Idle turns in a row: {event.idle} of {limit.idle_turns}.", ASIDE)]
        if event.stale and limit.stale_turns and self.detail == ALL:
            yield [(f"{MARGIN}Stale turns in a row: {event.stale} of {limit.stale_turns}.", ASIDE)]
        if self.detail == ALL:
            first, second = self.participants.side_names
            yield [(f"{MARGIN}Health: {first} {event.health_1}, {second} {event.health_2}.", ASIDE)]

    def remark(self, event: Event) -> Iterator[list[Span]]:
        """The arithmetic, at full detail only."""
        if self.detail != ALL:
            return
        match event:
            case kinds.Trial():
                hit = f", damage {event.amount}" if event.amount >= 0 else ": no hit"
                on = f"{_spoken(event.move)} on {self.title(event.target)}"
                words = f"tries {on}: {event.roll} against {event.against}{hit}"
            case kinds.Roll():
                verdict = "a hit" if event.roll > event.against else "no hit"
                rolls = f"rolled {event.roll} of 0-{event.attack} against {event.against} of 0-{event.defence}"
                words = f"{self.title(event.actor)} at {self.title(event.target)}: {rolls}, {verdict}"
            case kinds.Amount():
                words = f"rolled {event.roll} of {event.low}-{event.high}"
            case kinds.Scores():
                scores = f"attack {event.attack}, defence {event.defence}, damage {event.damage}"
                words = f"{self.title(event.target)} now has {scores}"
            case kinds.Health():
                words = f"{self.title(event.target)}: health {event.before} -> {event.health}"
            case _:
                return
        yield aside(words)

    def outcome(self, event: kinds.Outcome) -> Iterator[list[Span]]:
        """Who won, why, and the field after the battle."""
        yield []
        yield self.ending(event)
        if self.may_advance(event):
            yield [(f"Once this is committed, {self.participants.leader} moves onto {self.participants.tile}.", PLAIN)]
        yield []
        yield from draw(self.participants, self.healths)

    def ending(self, event: kinds.Outcome) -> list[Span]:
        """Who won and why, in a sentence."""
        turns = self.end.tick % TICKS_PER_ATTACK
        when = "" if event.reason == "unopposed" else f" in turn {turns}"
        if event.reason == "repelled":
            return [(f"The attack is repelled{when}: {self.why_repelled()}.", EMPHASIS)]
        names = [(f"{side + 1} {name}", self.role(side)) for side, name in enumerate(self.participants.side_names)]
        winners = (None, *names)
        return ending(winners[event.winner], f"{when}: {REASON_WORDS[event.reason]}.")

    def why_repelled(self) -> str:
        """Which limit ended the attack: idle or stale turns."""
        options = self.participants.world.options
        if self.end.idle >= options.idle_turns:
            whom = "nobody was" if options.idle_rule == "anyone" else "no defender was"
            return f"{whom} hurt for {options.idle_turns} turns"
        return f"neither side's health reached a new low for {options.stale_turns} turns"

    def may_advance(self, event: kinds.Outcome) -> bool:
        """Whether committing the result moves the attacking stack onto the tile."""
        world = self.participants.world
        is_free = not any(stack.at == world.attack.tile and self.is_standing(stack.id) for stack in world.stacks)
        return event.winner == 1 and world.options.advance and is_free and self.is_standing(world.attack.stack)

    def is_standing(self, stack: str) -> bool:
        """Whether any unit of a stack is alive; true for bystanders."""
        own = [self.healths[name] for name, member in self.participants.members.items() if member.stack == stack]
        return any(own) or not own

    def title(self, unit: str) -> str:
        """A unit's side number and display name; both sides may field the same unit."""
        return self.participants.members[unit].title

    def named(self, unit: str) -> list[Span]:
        """A unit's name at the start of a line."""
        member = self.participants.members[unit]
        return [(MARGIN, PLAIN), (member.title, member.role)]

    def role(self, side: int) -> str:
        """The text role of a side."""
        return (SIDE_1, SIDE_2)[side]


def _spoken(name: str) -> str:
    return name.replace("_", " ")


def _value(value: float) -> str:
    """A value, rounded for display."""
    return f"{value:.3f}".rstrip("0").rstrip(".")


def narrate(events: Sequence[Event], compiled: Compiled, document: Document, detail: str) -> list[Line]:
    """The battle as lines; after the last drawing comes a table of what every unit dealt and took."""
    participants = Participants(document)
    return whole_story(Narrator(participants, detail).tell(events), summary_lines(events, participants), events)


def in_short(events: Sequence[Event], document: Document) -> Iterator[list[Span]]:
    """A battle of a campaign in three lines: who attacked whom, how it ended, and each side's losses."""
    participants = Participants(document)
    narrator = Narrator(participants, STORY)
    for event in events:
        follow(narrator.healths, event)
        match event:
            case kinds.Battle():
                yield narrator.headline(event)
            case kinds.TurnEnd():
                narrator.end = event
            case kinds.Outcome():
                yield narrator.ending(event)
    yield from losses(events, participants)


def tell_of_campaign(event: Event) -> list[Span]:
    """How an attack of a campaign changed the world, or why it was skipped."""
    match event:
        case kinds.Skipped():
            return [(f"Skipped: {event.obstacle}.", EMPHASIS)]
        case kinds.Commit():
            gone = f"{event.units} unit{'' if event.units == 1 else 's'} removed"
            moved = ", the stack moves onto the tile" if event.advanced else ""
            return [(f"Committed: {gone}{moved}; the world's revision is {event.revision}.", ASIDE)]
    return []
