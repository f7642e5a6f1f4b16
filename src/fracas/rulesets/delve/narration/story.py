"""Tells a delve battle as a story: one line for each action on a target, with reasons and arithmetic on request."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from fracas.events.story_layout import MARGIN, RULE_WIDTH, aside, whole_story
from fracas.events.styled_text import ASIDE, EMPHASIS, HARM, HELP, PLAIN, Line, Span
from fracas.kernel.event_protocol import ALL, STORY, Event
from fracas.rulesets.contract.types import Compiled, Document
from fracas.rulesets.delve.narration.arithmetic import (
    damage_text,
    flee_text,
    healing_text,
    initiative_text,
    order_text,
    roll_text,
    to_hit,
    wrapped,
)
from fracas.rulesets.delve.narration.encounter_text import EncounterNarrator
from fracas.rulesets.delve.narration.grouping import EventGroup, all_of, first_of, group_events, strokes
from fracas.rulesets.delve.narration.labels import Books, Character, Participants, short
from fracas.rulesets.delve.narration.layout import Page, plain_line, rule
from fracas.rulesets.delve.narration.summary import summary_lines
from fracas.rulesets.delve.rules import events as kinds
from fracas.rulesets.delve.rules.constants import HARMFUL_CONDITIONS, TICKS_PER_ENCOUNTER

# The words for a condition when it ticks.
TICK_WORDS = {"poisoned": "poison", "burning": "fire", "regenerating": "regeneration"}
ROUT_WORDS = ("No party member is left standing", "No enemy is left standing")


class Narrator:
    """Turns the events of one delve battle into lines."""

    def __init__(self, books: Books, document: Document, detail: str) -> None:
        self.document = document
        self.detail = detail
        self.participants = Participants(books, document)
        self.page = Page()
        self.outside_fights = EncounterNarrator(self.participants, self.page, detail)
        self.is_run = "quest" in document and document["quest"] is not None
        self.page.measure(self.participants.members(), [])

    def tell(self, events: Sequence[Event]) -> Iterator[Line]:
        """All lines, in order."""
        index = 0
        for group in group_events(events):
            self.outside_fights.standing.difference_update(event.target for event in all_of(kinds.Fall, group))
            for spans in self.lines(group):
                yield Line(group[0].tick, tuple(spans), index)
            index += len(group)

    def lines(self, group: EventGroup) -> Iterator[list[Span]]:
        """The lines of a group of events at the chosen detail."""
        match group[0]:
            case kinds.Encounter() as event:
                yield from self.encounter(event)
            case kinds.Ambush():
                yield [(MARGIN, PLAIN), ("An ambush!", EMPHASIS)]
            case kinds.Ready():
                yield from self.ready(group)
            case kinds.Round() as event:
                yield from self.round(event)
            case kinds.Initiative() | kinds.TurnOrder() | kinds.Regain():
                if self.detail == ALL:
                    yield from self.listed(group)
            case kinds.PassedOver() | kinds.Use():
                yield from self.turn(group)
            case kinds.Stunned() as event:
                actor = self.participants.of(event.actor)
                actor.conditions.discard("stunned")
                yield [(MARGIN, PLAIN), (actor.title, actor.role), (" is stunned and loses the turn", HARM)]
            case kinds.Phase() as event:
                yield from self.phase(event)
            case kinds.ConditionTick() as event:
                yield from self.condition_tick(event, group)
            case kinds.Rout() as event:
                waiting = f"; turns cancelled: {event.waiting}" if event.waiting else ""
                yield [(MARGIN, PLAIN), (ROUT_WORDS[event.side == 2], EMPHASIS), (waiting, ASIDE)]
            case kinds.Flee() as event:
                yield from self.flee(event)
            case _:
                yield from self.outside_fights.lines(group)

    # Encounters and rounds

    def encounter(self, event: kinds.Encounter) -> Iterator[list[Span]]:
        """An encounter's heading; a lone one needs none."""
        encounter = self.participants.encounter(event.number)
        present = self.participants.begin(event.number)
        fights = bool(self.participants.foes_of(event.number))
        self.page.measure(present if fights else self.participants.members(), self.skills_of(present) if fights else [])
        self.outside_fights.begin(event.number)
        if self.is_run:
            yield []
            yield rule(f"Encounter {event.number}: {encounter.get('name') or event.type}", event.type, "═")
        for line in textwrap.wrap(encounter.get("text") or "", RULE_WIDTH - 2 * len(MARGIN)):
            yield plain_line(line, ASIDE)

    def skills_of(self, present: Sequence[Character]) -> list[str]:
        """The display names of all skills that these characters may use."""
        queues = [character.queue for character in present]
        queues += [phase.get("queue") or [] for one in present for phase in one.data.get("phases") or []]
        return [self.participants.skill_name(slot["skill"]) for queue in queues for slot in queue]

    def ready(self, group: EventGroup) -> Iterator[list[Span]]:
        """The enemies of the party; at full detail everybody's HP and resource."""
        names = [event.actor for event in all_of(kinds.Ready, group)]
        foes = [name for name in names if self.participants.of(name).side]
        self.participants.begin(0, names)
        self.outside_fights.fought = [self.participants.of(name).data for name in foes]
        self.outside_fights.standing = set(foes)
        present = [self.participants.of(name) for name in names]
        self.page.measure(present, self.skills_of(present))
        parts = [f"{self.full_name(name)} {self.participants.of(name).max_hp} HP" for name in foes]
        for line in wrapped(parts, RULE_WIDTH - 12):
            yield [(MARGIN, PLAIN), ("against " if line.startswith(parts[0]) else "        ", ASIDE), (line, PLAIN)]
        if self.detail == ALL:
            yield from self.listed(group)

    def full_name(self, name: str) -> str:
        """A character's full name before its first short title."""
        character = self.participants.of(name)
        full = str(character.data["name"])
        return full if short(full) == character.title else character.title

    def round(self, event: kinds.Round) -> Iterator[list[Span]]:
        """A round's heading; in a run with the place that `--from` and `--round` take."""
        moment = f"{event.tick // TICKS_PER_ENCOUNTER}.{event.round}" if self.is_run else str(event.round)
        yield []
        yield rule(f"Round {moment}", f"party {event.living_1}, enemies {event.living_2}")

    def listed(self, group: EventGroup) -> Iterator[list[Span]]:
        """Everybody's HP, initiative or regained resource as a list, at full detail."""
        parts: list[str] = []
        words = ""
        for event in group:
            title = self.participants.of(str(getattr(event, "actor", ""))).title
            match event:
                case kinds.Ready():
                    words = "ready: "
                    kind = (self.participants.of(event.actor).data.get("resource") or {}).get("kind", "")
                    resource = f" {event.resource}/{event.max_resource} {kind}" if event.max_resource else ""
                    parts.append(f"{title} {event.hp}/{event.max_hp} HP{resource}")
                case kinds.Initiative():
                    yield aside(f"initiative of {title}: {initiative_text(event)}")
                case kinds.TurnOrder():
                    words = "order: "
                    parts.append(f"{title} {order_text(event)}")
                case kinds.Regain():
                    words = "regained: "
                    parts.append(f"{title} +{event.gained} = {event.resource}")
        for index, line in enumerate(wrapped(parts, RULE_WIDTH - 6 - len(words))):
            yield aside((" " * len(words) if index else words) + line)

    # Turns

    def turn(self, group: EventGroup) -> Iterator[list[Span]]:
        """A turn: the decision and its reasons, then the results."""
        use = first_of(kinds.Use, group)
        actor = self.participants.of(str(getattr(group[0], "actor", "")))
        if self.detail != STORY:
            yield from self.decision(group, actor, use)
        if use is None:
            words = " passes: no slot of the queue can be used"
            yield [(MARGIN, PLAIN), (actor.title, actor.role), (words, ASIDE)]
            return
        done = [(self.participants.of(target), rows) for target, rows in strokes(group)]
        lines = [self.outcome(use.skill, actor, target, rows) for target, rows in done]
        if len(done) > 2 and self.detail == STORY and _is_one_for_all(done):
            everybody = Character("everybody", actor.side, 1, {}, (), 0, 0)
            yield from self.page.doing(actor, self.participants.skill_name(use.skill), everybody, notes=lines[0][3])
            self.remember(done)
            return
        for index, ((target, rows), (roll, change, hp, notes, fell)) in enumerate(zip(done, lines, strict=True)):
            if self.detail == ALL:
                yield from self.arithmetic(use.skill, actor, target, rows)
            who, what = (None, "") if index else (actor, self.participants.skill_name(use.skill))
            yield from self.page.doing(who, what, target, roll, change, hp, notes, fell)
            self.remember([(target, rows)])

    def decision(self, group: EventGroup, actor: Character, use: kinds.Use | None) -> Iterator[list[Span]]:
        """The queue slot that was used, and why those above were passed over."""
        name = str(getattr(group[0], "actor", ""))
        if use is not None:
            skill, _ = self.participants.slot(name, use.slot)
            yield [(MARGIN, PLAIN), (actor.title, actor.role), (f" uses slot {use.slot}, {skill}", EMPHASIS)]
        for passed in all_of(kinds.PassedOver, group):
            skill, condition = self.participants.slot(name, passed.slot)
            yield aside(f"{passed.slot} {skill}: {self.obstacle(passed, condition)}")
        if use is not None:
            skill, condition = self.participants.slot(name, use.slot)
            reasons = [f"its condition holds: {condition}"] if condition else []
            reasons += [f"costs {use.cost}, leaves {use.resource}"] if use.cost else []
            if reasons:
                yield aside(f"{use.slot} {skill}: {'; '.join(reasons)}")
        aim = first_of(kinds.Target, group)
        if aim is not None:
            rolled = f", rolled {aim.roll}" if aim.roll >= 0 else ""
            of = f" of {aim.candidates}" if aim.candidates > 1 else ""
            yield aside(f"aims at {self.participants.of(aim.target).title}: {aim.selector}{of}{rolled}")

    def obstacle(self, passed: kinds.PassedOver, condition: str) -> str:
        """Why a slot was passed over."""
        match passed.obstacle:
            case "its condition does not hold":
                return f"{passed.obstacle}: {condition}"
            case "it cannot be paid":
                cost = self.participants.skills[passed.skill].get("cost") or 0
                return f"{passed.obstacle}: costs {cost}, there are {passed.figure}"
            case "cooling down":
                return f"{passed.obstacle}, rounds left: {passed.figure}"
        return str(passed.obstacle)

    def outcome(
        self, skill: str, actor: Character, target: Character, rows: EventGroup
    ) -> tuple[str, int | str | None, int | None, list[Span], bool]:
        """A skill's result for one target: the roll, HP change, HP left, notes, and whether the target fell."""
        attack, hit, heal = (first_of(kind, rows) for kind in (kinds.Attack, kinds.Hit, kinds.Heal))
        roll = roll_text(attack.roll, attack.chance) if isinstance(attack, kinds.Attack) else ""
        change: int | str | None = None
        hp = None
        notes: list[Span] = []
        if isinstance(hit, kinds.Hit):
            change, hp = -hit.lost, hit.hp
            notes += [(f"shield -{hit.absorbed}", HELP)] if hit.absorbed else []
        elif isinstance(heal, kinds.Heal):
            change, hp = heal.restored, heal.hp
        if isinstance(attack, kinds.Attack):
            if attack.verdict in ("miss", "fumble"):
                change = attack.verdict
            elif attack.verdict == "critical":
                notes.insert(0, ("critical!", EMPHASIS))
        notes += [condition_note(event, self.detail) for event in all_of(kinds.Condition, rows)]
        if self.detail != STORY:
            notes += [(f"{event.condition} is used up", ASIDE) for event in all_of(kinds.Expire, rows)]
        return roll, change, hp, notes, first_of(kinds.Fall, rows) is not None

    def arithmetic(self, skill: str, actor: Character, target: Character, rows: EventGroup) -> Iterator[list[Span]]:
        """The arithmetic of a skill's result for one target."""
        data = self.participants.skills[skill]
        odds, attack = first_of(kinds.Odds, rows), first_of(kinds.Attack, rows)
        if odds is not None and attack is not None:
            yield aside(to_hit(odds, attack, data, target))
        scale = self.document["difficulty"]["creature_damage"] if actor.side else 100
        words = damage_text(rows, data, scale, actor)
        if words is not None:
            yield aside(words)
        amount, heal = first_of(kinds.Amount, rows), first_of(kinds.Heal, rows)
        if amount is not None and heal is not None:
            yield aside(healing_text(amount, heal))

    def remember(self, done: Sequence[tuple[Character, EventGroup]]) -> None:
        """Update which conditions each character has."""
        for target, rows in done:
            for event in rows:
                match event:
                    case kinds.Condition() if event.effect in ("applied", "refreshed"):
                        target.conditions.add(event.condition)
                    case kinds.Expire():
                        target.conditions.discard(event.condition)
                    case kinds.Fall():
                        target.conditions.clear()

    # What else happens in a fight

    def phase(self, event: kinds.Phase) -> Iterator[list[Span]]:
        """A boss enters a phase."""
        boss = self.participants.of(event.actor)
        entered = boss.enter(event.phase)
        changed = [key for key in ("queue", "armor", "resistance", "evasion", "regeneration") if entered.get(key)]
        changed += list(entered.get("attributes") or {})
        words = f" at {event.hp}/{event.max_hp} HP: {entered.get('name', 'another phase')}"
        new = f"  new: {', '.join(changed)}" if changed else ""
        yield [(MARGIN, PLAIN), (boss.title, boss.role), (words, EMPHASIS), (new, ASIDE)]
        if self.detail == ALL:
            yield aside(f"the phase begins at {event.threshold}% of HP")

    def condition_tick(self, event: kinds.ConditionTick, group: EventGroup) -> Iterator[list[Span]]:
        """A condition at a round's end: what it does; at full detail also that it is still there."""
        target, source = self.participants.of(event.target), self.participants.of(event.actor)
        ended, fell = first_of(kinds.Expire, group), first_of(kinds.Fall, group) is not None
        notes: list[Span] = []
        if self.detail != STORY and ended is not None:
            notes.append((f"{event.condition} ends", ASIDE))
        elif self.detail == ALL and event.condition != "stunned":
            notes.append((f"{event.rounds} left", ASIDE))
        if event.amount:
            change = event.amount if event.condition == "regenerating" else -event.amount
            name = TICK_WORDS.get(event.condition, event.condition)
            yield from self.page.doing(source, name, target, "", change, event.hp, notes, fell)
        elif self.detail == ALL or notes:
            words = event.condition if self.detail == ALL or ended is None else ""
            line: list[Span] = [(f"      {target.title}: ", ASIDE), (words, ASIDE)]
            yield [*line, *((f" {text}" if words else text, role) for text, role in notes)]
        self.remember([(target, group)])

    def flee(self, event: kinds.Flee) -> Iterator[list[Span]]:
        """The party tries to flee."""
        member, enemy = self.participants.of(event.actor), self.participants.of(event.target)
        if self.detail == ALL:
            yield aside(flee_text(event, member, enemy))
        verdict = "and the party gets away" if event.roll <= event.chance else "but the party does not get away"
        hp = f" at {event.hp}/{event.max_hp} HP" if self.detail != STORY else ""
        words = f" leads the escape{hp}, {roll_text(event.roll, event.chance)}, {verdict}"
        yield [(MARGIN, PLAIN), (member.title, member.role), (words, EMPHASIS)]


def condition_note(event: kinds.Condition, detail: str) -> Span:
    """A note on what became of a condition; above story detail with its potency and its rounds."""
    if event.effect not in ("applied", "refreshed"):
        return f"not {event.condition}: {event.effect}", ASIDE
    role = HARM if event.condition in HARMFUL_CONDITIONS else HELP
    strength = f" {event.potency}" if event.potency else ""
    if detail == STORY:
        return f"{event.condition}{strength}", role
    lasting = f" for {event.rounds} round{'s' if event.rounds > 1 else ''}" if event.rounds else ""
    again = " again" if event.effect == "refreshed" else ""
    return f"{event.condition}{strength}{again}{lasting}", role


def _is_one_for_all(done: Sequence[tuple[Character, EventGroup]]) -> bool:
    """Whether a skill did the same to each target: only conditions, with equal potency."""
    if any(not isinstance(event, kinds.Condition) for _, rows in done for event in rows):
        return False
    notes = [[condition_note(event, ALL) for event in all_of(kinds.Condition, rows)] for _, rows in done]
    return all(note == notes[0] for note in notes)


def narrate(events: Sequence[Event], compiled: Compiled, document: Document, detail: str) -> list[Line]:
    """The battle as lines; after a story comes a table of what everyone dealt and took, and what was found."""
    narrator = Narrator(compiled.books, document, detail)
    return whole_story(narrator.tell(events), summary_lines(events, narrator.participants), events)
