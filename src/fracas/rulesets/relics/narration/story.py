"""Narrate a relics battle; higher detail adds every effect and the arithmetic of every strike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fracas.events.story_layout import LINE_WIDTH, MARGIN, ending, heading, whole_story
from fracas.events.styled_text import ASIDE, EMPHASIS, HEADING, PLAIN, Line, Span, bar, clipped
from fracas.kernel.event_protocol import ALL, DECISIONS, DETAILS, Event
from fracas.rulesets.contract.types import Compiled, Document
from fracas.rulesets.relics.narration.arithmetic import Figures, short_sum
from fracas.rulesets.relics.narration.grouping import Beat, Columns, is_decay, wrapped
from fracas.rulesets.relics.narration.labels import RULE_WORDS, Participants
from fracas.rulesets.relics.narration.summary import summary_lines
from fracas.rulesets.relics.rules import events as kinds

BAR_WIDTH = 10
MOST_NAME = 24
STEP_WORDS = {"pre": "Before the battle", "battle_start": "Battle start"}
MARK_WORDS = {"exposed": "is Exposed", "wounded": "is Wounded"}
REASON_WORDS = {
    "right_fell": "{right} has fallen",
    "left_fell": "{left} has fallen",
    "both_fell": "both have fallen",
    "turn_cap": "the turn cap is reached",
}
# Events that announce the event after them.
Announcing = kinds.Modified | kinds.Roll
# Events that read the same at every detail.
Landmark = (
    kinds.Turn | kinds.First | kinds.Skip | kinds.Mark | kinds.Cut | kinds.Fall | kinds.PhaseBegins | kinds.Outcome
)
SetUp = kinds.Battle | kinds.Fighter | kinds.PieceWorn | kinds.Has


class Narrator:
    """Turns the events of one battle into lines, in order."""

    def __init__(self, participants: Participants, detail: str) -> None:
        self.participants = participants
        self.level = DETAILS.index(detail)
        self.standings = participants.standings()
        self.figures = Figures(participants, self.standings)
        self.columns = Columns(participants)
        self.worn: dict[str, list[str]] = {name: [] for name in participants.names}
        self.beat: Beat | None = None
        self.made_of: kinds.Attack | None = None
        self.running: list[kinds.Trigger] = []
        self.is_set_up = False
        self.coming: Event | None = None
        self.place = self.beat_start = 0

    def shows(self, detail: str) -> bool:
        """Whether the chosen detail includes this one."""
        return self.level >= DETAILS.index(detail)

    def tell(self, events: Sequence[Event]) -> Iterator[Line]:
        """All lines, in order."""
        for index, event in enumerate(events):
            self.coming = next((each for each in events[index + 1 :] if not isinstance(each, Announcing)), None)
            self.place = index
            for spans in self.lines(event):
                yield Line(event.tick, tuple(spans), self.place)
            self.participants.follow(self.standings, event)

    def lines(self, event: Event) -> Iterator[list[Span]]:
        """The lines of one event at the chosen detail."""
        if not self.is_set_up and not isinstance(event, SetUp):
            self.is_set_up = True
            yield from self.opening()
        if self.shows(DECISIONS):
            yield from self.in_full(event)
        else:
            yield from self.in_short(event)

    def in_short(self, event: Event) -> Iterator[list[Span]]:
        """The lines of an event at story detail: one line for what one piece does to one fighter."""
        match event:
            case kinds.Attack():
                self.made_of = event
            case kinds.Strike():
                yield from self.flushed()
                source = self.participants.weapon(self.participants.side(event.actor)) or event.actor
                made_of = short_sum(self.made_of, event) if self.made_of is not None else ""
                self.beat, self.beat_start = (
                    Beat(event.actor, source, event.target, is_strike=True, made_of=made_of),
                    self.place,
                )
            case kinds.Damage() | kinds.Heal() | kinds.Change():
                if not is_decay(event):
                    yield from self.gathered(event)
            case _ if isinstance(event, Landmark):
                yield from self.flushed()
                yield from self.landmark(event)

    def gathered(self, event: kinds.Damage | kinds.Heal | kinds.Change) -> Iterator[list[Span]]:
        """Add an event to the line being gathered, or start a new one."""
        source = event.source
        if source == "strike" and event.actor is not None:
            source = self.participants.weapon(self.participants.side(event.actor)) or event.actor
        if self.beat is None or not self.beat.fits(event.actor, source, event.target):
            yield from self.flushed()
            self.beat, self.beat_start = Beat(event.actor, source, event.target), self.place
        self.beat.take(event)

    def flushed(self) -> Iterator[list[Span]]:
        """The line gathered so far; clears it."""
        now, self.place = self.place, self.beat_start
        if self.beat is not None and self.beat.effects(self.participants.words):
            yield from self.columns.lines(self.beat)
        self.beat, self.place = None, now

    def in_full(self, event: Event) -> Iterator[list[Span]]:
        """The lines of an event with its figures; consequences are indented."""
        if not self.shows(event.DETAIL):
            return
        match event:
            case kinds.Battle() | kinds.Fighter() | kinds.Has():
                return
            case kinds.PieceWorn() if event.slot != "status":
                tier = f" ({event.tier})" if event.tier != "normal" else ""
                name = "(itself)" if event.slot == "trait" else event.piece
                self.worn[event.actor].append(f"{name}{tier}")
            case kinds.PieceWorn():
                return
            case kinds.Attack():
                self.made_of = event
            case kinds.Strike():
                self.running = []
                yield self.indented(0, self.figures.strike(event, self.made_of))
                self.made_of = None
            case kinds.Trigger():
                self.running = [each for each in self.running if each.depth < event.depth]
                yield self.indented(len(self.running), self.figures.trigger(event, self.shows(ALL)))
                self.running.append(event)
            case kinds.Step() | kinds.TurnEnd():
                self.running = []
                yield self.indented(0, self.stage(event))
            case _ if isinstance(event, Landmark):
                yield from self.landmark(event)
            case _:
                yield self.indented(self.depth_of(event), self.figures.spans(event))

    def depth_of(self, event: Event) -> int:
        """The indentation of an event: one level below the run of the piece that caused it, none for rules."""
        if isinstance(event, Announcing) and self.coming is not None:
            if isinstance(event, kinds.Modified):
                return self.depth_of(self.coming)
            if not self.is_running(event.actor, event.source):
                return self.level_of(self.coming, event)
        actor, source = getattr(event, "actor", None), getattr(event, "source", None)
        if source in RULE_WORDS:
            self.running = []
            return int(source in ("strike", "thorns"))
        if self.is_running(actor, source):
            while (self.running[-1].actor, self.running[-1].source) != (actor, source):
                self.running.pop()
        return len(self.running)

    def level_of(self, coming: Event, roll: kinds.Roll) -> int:
        """The indentation of a chance roll: that of the run it decides about, or of the run next to it."""
        if isinstance(coming, kinds.Trigger) and (coming.actor, coming.source) == (roll.actor, roll.source):
            return sum(each.depth < coming.depth for each in self.running)
        return max(len(self.running) - 1, 0)

    def is_running(self, actor: str | None, source: str | None) -> bool:
        """Whether an effect of the piece is running."""
        return any((each.actor, each.source) == (actor, source) for each in self.running)

    def indented(self, depth: int, spans: list[Span]) -> list[Span]:
        """An indented line."""
        return [(MARGIN * (1 + min(depth, 8)), PLAIN), *spans]

    def opening(self) -> Iterator[list[Span]]:
        """Who fights whom, and both fighters' starting values."""
        first, second = self.participants.names
        yield [
            (f"1 {first}", self.participants.role(first)),
            (" against ", PLAIN),
            (f"2 {second}", self.participants.role(second)),
        ]
        yield []
        yield heading("Before the first turn ", width=LINE_WIDTH)
        for name in self.participants.names:
            yield from self.standing(name, with_speed=True)
            if self.worn[name]:
                for index, row in enumerate(wrapped(self.worn[name], LINE_WIDTH - 10)):
                    yield [("    wears " if index == 0 else " " * 10, ASIDE), (row, PLAIN)]
        yield []

    def standing(self, name: str, *, with_speed: bool = False) -> Iterator[list[Span]]:
        """A fighter's HP, ATK, ARMOR and statuses, on one line or more."""
        own, width = (
            self.standings[name],
            min(MOST_NAME, max(len(self.participants.titled(each)) for each in self.participants.names)),
        )
        title = clipped(self.participants.titled(name), width)
        temporary = f"{own['temp_attack']:+}" if own["temp_attack"] else ""
        words = [f"{own['hp']}/{own['hp_max']}", f"ATK {own['attack']}{temporary}", f"ARMOR {own['armor']}"]
        words += [f"SPEED {own['speed']}"] if with_speed else []
        words += [f"{self.participants.words[status]} {stacks}" for status, stacks in own.statuses.items()]
        before = len(MARGIN) + width + BAR_WIDTH + 2
        for index, row in enumerate(wrapped(words, LINE_WIDTH - before, "  ")):
            if index:
                yield [(" " * before, PLAIN), (row, PLAIN)]
            else:
                gauge = bar(max(own["hp"], 0), own["hp_max"], BAR_WIDTH)
                yield [(f"{MARGIN}{title:{width}} {gauge} ", self.participants.role(name)), (row, PLAIN)]

    def stage(self, event: kinds.Step | kinds.TurnEnd) -> list[Span]:
        """The line for a set-up step or the end of a turn."""
        if isinstance(event, kinds.Step):
            return [
                (f"{STEP_WORDS[event.step]}, ", HEADING),
                (self.participants.titled(event.actor), self.participants.role(event.actor)),
            ]
        made = "1 strike" if event.strikes == 1 else f"{event.strikes} strikes"
        return [("End of the turn", HEADING), (f", {made} made", ASIDE)]

    def landmark(self, event: Event) -> Iterator[list[Span]]:
        """The lines of an event that reads the same at every detail."""
        match event:
            case kinds.Turn():
                yield from self.turn(event)
            case kinds.First():
                yield self.first(event)
            case kinds.Skip():
                left = f" and skips a strike; stun left: {event.stun}"
                yield self.about(event.actor, f" is stunned{left}." if event.reason == "stunned" else " cannot attack.")
            case kinds.Mark():
                yield self.about(event.target, f" {MARK_WORDS[event.mark]}.")
            case kinds.Cut():
                yield from self.cut(event)
            case kinds.Fall():
                yield self.about(event.target, f" falls with {event.hp} HP." if event.hp else " falls.")
            case kinds.PhaseBegins():
                became = self.participants.phase_name(event.target, event.phase)
                yield self.about(
                    event.target, f" gets up again as {became}: {event.hp} HP, ATK {event.attack}, ARMOR {event.armor}."
                )
            case kinds.Outcome():
                yield []
                yield self.ending(event)

    def cut(self, event: kinds.Cut) -> Iterator[list[Span]]:
        """What a guard dropped and why, wrapped to the line width."""
        spans = self.figures.cut(event)
        text = "".join(part for part, _ in spans)
        if len(text) <= LINE_WIDTH - len(MARGIN):
            yield [(MARGIN, PLAIN), *spans]
            return
        for index, row in enumerate(wrapped(text.split(), LINE_WIDTH - 2 * len(MARGIN), " ")):
            yield [(MARGIN if index == 0 else 2 * MARGIN, PLAIN), (row, EMPHASIS)]

    def turn(self, event: kinds.Turn) -> Iterator[list[Span]]:
        """A turn's heading and both fighters' standings."""
        self.running = []
        whose = f" {clipped(self.participants.titled(event.actor), MOST_NAME)}"
        yield []
        yield heading(f"Turn {event.turn} ", whose, self.participants.role(event.actor), LINE_WIDTH)
        for name in self.participants.names:
            yield from self.standing(name)

    def first(self, event: kinds.First) -> list[Span]:
        """Who acts first, and why."""
        speeds = event.speed_1, event.speed_2
        own, other = speeds if self.participants.side(event.actor) == 0 else speeds[::-1]
        why = {
            "speed": f"SPEED {own} against {other}",
            "tie_breaker": f"SPEED {own} each, by the tie breaker",
            "roll": f"SPEED {own} each, by a roll",
        }[event.reason]
        return self.about(event.actor, f" acts first: {why}.")

    def about(self, name: str, words: str) -> list[Span]:
        """A sentence about a fighter."""
        return [(MARGIN, PLAIN), (self.participants.titled(name), self.participants.role(name)), (words, EMPHASIS)]

    def ending(self, event: kinds.Outcome) -> list[Span]:
        """Who won and why, in a sentence."""
        left, right = (self.participants.titled(name) for name in self.participants.names)
        when = "before the first turn" if event.tick == 0 else f"in turn {event.tick}"
        why = REASON_WORDS[event.reason].format(left=left, right=right)
        names = [(self.participants.titled(name), self.participants.role(name)) for name in self.participants.names]
        winners = (None, *names)
        return ending(winners[event.winner], f" {when}: {why}.")


def narrate(events: Sequence[Event], compiled: Compiled, document: Document, detail: str) -> list[Line]:
    """The battle as lines, followed by a summary of what each piece contributed."""
    participants = Participants(document, compiled.books)
    return whole_story(Narrator(participants, detail).tell(events), summary_lines(events, participants), events)
