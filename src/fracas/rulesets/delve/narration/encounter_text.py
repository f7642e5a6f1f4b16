"""Tells everything in a delve story except fights: traps, decisions, hazards, rest, puzzles, rewards, start and end."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from fracas.events.story_layout import ASIDE_MARGIN, LINE_WIDTH, MARGIN, RULE_WIDTH, aside
from fracas.events.styled_text import ASIDE, EMPHASIS, HARM, HELP, PLAIN, SIDE_1, Span
from fracas.kernel.event_protocol import ALL, STORY
from fracas.rulesets.contract.types import Document
from fracas.rulesets.delve.narration.arithmetic import check_text, roll_text, value_text, wrapped
from fracas.rulesets.delve.narration.grouping import EventGroup, all_of, first_of
from fracas.rulesets.delve.narration.labels import Character, Participants
from fracas.rulesets.delve.narration.layout import Page, plain_line
from fracas.rulesets.delve.rules import events as kinds
from fracas.rulesets.delve.rules.constants import FIRST_STEP_TICK, TICKS_PER_ENCOUNTER, TRAININGS

# The result of a check by encounter type and step: failure and success.
CHECK_WORDS = {
    ("trap", 0): ("notices nothing", "notices it in time"),
    ("trap", 1): ("is caught", "gets away"),
    ("hazard", 0): ("", "half of it"),
}
PLAIN_CHECK_WORDS = ("fails", "succeeds")
OUTCOME_WORDS = {
    "Victory": ("Victory", HELP),
    "Survived": ("They come through", PLAIN),
    "PartyWipe": ("The party has fallen", HARM),
    "Fled": ("They have fled", HARM),
}
SOURCE_WORDS = {"encounter": "loot", "extra": "extra loot", "chest": "the chest"}


class EncounterNarrator:
    """Tells everything except fights."""

    def __init__(self, participants: Participants, page: Page, detail: str) -> None:
        self.participants = participants
        self.page = page
        self.detail = detail
        self.document = participants.document
        self.encounter: Document = {}
        self.choice = 0
        self.gold = 0
        self.fought: list[Document] = []
        self.standing: set[str] = set()

    def begin(self, number: int) -> None:
        """An encounter begins."""
        self.encounter = self.participants.encounter(number)
        self.choice = 0
        self.gold = 0
        self.fought = []
        self.standing = set()

    def lines(self, group: EventGroup) -> Iterator[list[Span]]:
        """The lines of a group of events outside fights."""
        match group[0]:
            case kinds.Start() as event:
                yield from self.start(event)
            case kinds.Option():
                yield from self.options(all_of(kinds.Option, group))
            case kinds.Choice() as event:
                yield from self.chosen(event)
            case kinds.Check() as event:
                yield from self.check(event, group)
            case kinds.Harm() as event:
                self.widen([])
                member, fell = self.participants.of(event.target), first_of(kinds.Fall, group) is not None
                if self.detail == ALL:
                    yield aside(harm_text(event, event.roll != event.damage))
                yield from self.page.doing(member, "", None, "", -event.lost, event.hp, fell=fell)
            case kinds.Restore() as event:
                yield from self.restore(event)
            case kinds.Consequence() as event:
                yield from self.consequence(event)
            case kinds.EncounterEnd() as event:
                yield from self.encounter_end(event)
            case kinds.Reward() as event:
                yield from self.reward(event)
            case kinds.LootRoll() as event:
                yield from self.loot(group, event)
            case kinds.Item() as event:
                yield from item_lines(self.document, (f"{MARGIN}{SOURCE_WORDS[event.source]}: ", PLAIN), group)
                yield from self.origin(group)
            case kinds.Outcome() as event:
                yield from self.outcome(event)

    def widen(self, checks: list[str]) -> None:
        """Widen the columns for the names of checks, unless a fight has made them wider."""
        self.page.measure(self.participants.members(), checks)

    # Beginning and end

    def start(self, event: kinds.Start) -> Iterator[list[Span]]:
        """The party and its quest, or its enemies."""
        level = self.document["difficulty"]["name"]
        quest = self.document.get("quest")
        if quest:
            many = f"{event.encounters} encounter{'s' if event.encounters > 1 else ''}"
            yield [(str(quest["name"]), EMPHASIS), (f" ({level}), {many}", ASIDE)]
            for line in textwrap.wrap(quest.get("text") or "", RULE_WIDTH - len(MARGIN)):
                yield plain_line(line, ASIDE)
        else:
            yield [("The party", SIDE_1), (" meets its enemies", PLAIN), (f" ({level})", ASIDE)]
        width = max(len(member.title) for member in self.participants.members())
        for member in self.participants.members():
            yield [(MARGIN, PLAIN), (member.title.ljust(width), member.role), (f"  {introduction(member)}", ASIDE)]
        if event.flee_below and self.detail != STORY:
            yield aside(f"the party flees below {event.flee_below}% of its HP")

    def outcome(self, event: kinds.Outcome) -> Iterator[list[Span]]:
        """How the run or the lone encounter ended."""
        yield []
        number = event.tick // TICKS_PER_ENCOUNTER
        quest = self.document.get("quest")
        if quest is None:
            where = f" in round {event.tick}"
            words = {"victory": "Victory", "party_wipe": "The party has fallen", "fled": "The party has fled"}
            yield [(f"{words.get(event.reason, 'A draw: both sides are still standing')}{where}.", EMPHASIS)]
            yield [(f"HP left: the party {event.hp_1}, its enemies {event.hp_2}.", PLAIN)]
            return
        words = {
            "completed": "is complete",
            "party_wipe": f"ends in failure: the party fell in encounter {number} and lost everything it found",
            "fled": f"is abandoned: the party fled from encounter {number}",
        }
        yield [(str(quest["name"]), EMPHASIS), (f" {words.get(event.reason, 'is over')}.", EMPHASIS)]

    # Encounters that are no fights

    def options(self, events: list[kinds.Option]) -> Iterator[list[Span]]:
        """The options, each with the member who is best at it."""
        if self.detail == STORY:
            return
        for event in events:
            best = "needs no skill"
            if event.actor is not None:
                best = f"{event.check}, best is {self.participants.of(event.actor).title} with {event.value}"
            yield aside(f"{event.option} {self.option_name(event.option)}: {best}")

    def option_name(self, index: int) -> str:
        """The name of an option of the current decision."""
        return str(self.option(index).get("name") or f"option {index}")

    def option(self, index: int | None = None) -> Document:
        """An option of the current decision, by default the chosen one."""
        options = self.encounter.get("options") or []
        number = self.choice if index is None else index
        return options[number] if 0 <= number < len(options) else {}

    def chosen(self, event: kinds.Choice) -> Iterator[list[Span]]:
        """The option that the party takes."""
        self.choice = event.option
        name = self.option_name(event.option)
        yield [
            (MARGIN, PLAIN),
            ("The party", SIDE_1),
            (f" chooses to {name}" if name[:1].islower() else f": {name}", EMPHASIS),
        ]

    def check(self, event: kinds.Check, group: EventGroup) -> Iterator[list[Span]]:
        """A member's check, and the harm after it."""
        self.widen([*TRAININGS])
        member, success = self.participants.of(event.actor), event.roll <= event.chance
        step = int(event.tick % TICKS_PER_ENCOUNTER != FIRST_STEP_TICK)
        words = CHECK_WORDS.get((self.encounter.get("type", ""), step), PLAIN_CHECK_WORDS)[success]
        harm = first_of(kinds.Harm, group)
        if self.detail == ALL:
            yield aside(value_text(member.data, event.check, event.value))
            yield aside(check_text(event, self.challenge(step), self.document["difficulty"]["check"]))
            if harm is not None:
                yield aside(harm_text(harm, success))
        notes: list[Span] = [(words, HELP if success else HARM)] if words else []
        fell = first_of(kinds.Fall, group) is not None
        roll = roll_text(event.roll, event.chance)
        change, hp = (-harm.lost, harm.hp) if harm is not None else (None, None)
        yield from self.page.doing(member, event.check, None, roll, change, hp, notes, fell)

    def challenge(self, step: int) -> int:
        """The difficulty of the current check, without the difficulty level's share."""
        encounter = self.encounter
        match encounter.get("type"):
            case "trap":
                return int(encounter["avoid" if step else "detect"])
            case "decision":
                return int(self.option().get("difficulty") or 0)
        return int(encounter.get("difficulty") or 0)

    def restore(self, event: kinds.Restore) -> Iterator[list[Span]]:
        """A member recovers."""
        if self.detail == STORY and not event.restored and not event.gained:
            return
        self.widen([])
        kind = (self.participants.of(event.target).data.get("resource") or {}).get("kind", "resource")
        notes: list[Span] = [(f"{kind} +{event.gained} = {event.resource}", HELP)] if event.gained else []
        yield from self.page.doing(
            self.participants.of(event.target), "", None, "", event.restored or "", event.hp, notes
        )

    def consequence(self, event: kinds.Consequence) -> Iterator[list[Span]]:
        """The consequence of a decision or a puzzle."""
        self.gold = event.gold
        branch = self.option() if self.encounter.get("options") else self.encounter
        text = (branch.get("success" if event.success else "failure") or {}).get("text") or ""
        for line in textwrap.wrap(text, RULE_WIDTH - len(MARGIN)):
            yield plain_line(line, ASIDE)
        brings = {"gold": event.gold, "more rolls for loot": event.loot_rolls, "encounters skipped": event.skip}
        parts = [f"{what}: {amount}" for what, amount in brings.items() if amount]
        if parts:
            yield plain_line(", ".join(parts), HELP)

    # Rewards

    def encounter_end(self, event: kinds.EncounterEnd) -> Iterator[list[Span]]:
        """How an encounter ended; for a lone one the outcome says so."""
        if self.document.get("quest") is None:
            return
        words, role = OUTCOME_WORDS.get(event.outcome, (event.outcome, PLAIN))
        fought = f" after {event.rounds} round{'s' if event.rounds > 1 else ''}" if event.rounds else ""
        still = ", the enemies still standing" if event.outcome == "Survived" and self.standing else ""
        yield [(MARGIN, PLAIN), (f"{words}{fought}{still}.", role), (f" Members alive: {event.members}.", ASIDE)]

    def reward(self, event: kinds.Reward) -> Iterator[list[Span]]:
        """Experience and gold."""
        parts = [f"{event.xp} XP for each of {event.members}"] if event.xp else []
        parts += [f"{event.gold} gold"] if event.gold else []
        reduced = " (reduced: the fight was survived, not won)" if event.reduced else ""
        if parts or self.detail == ALL:
            yield plain_line(f"{', '.join(parts) or 'no XP or gold'}{reduced}")
        if self.detail == ALL:
            yield from self.sums(event)

    def sums(self, event: kinds.Reward) -> Iterator[list[Span]]:
        """The arithmetic of XP and gold."""
        share = self.document["options"]["survived_share"]
        of_enemies = sum(enemy.get("xp_reward") or 0 for enemy in self.fought)
        less = f", {share}% of it" if event.reduced else ""
        made_of = f"({of_enemies} for enemies + {self.encounter.get('xp') or 0})"
        yield aside(f"XP {made_of}, {self.document['difficulty']['xp']}% of it{less} = {event.xp}")
        gold = self.encounter.get("gold") or {}
        if gold.get("max") or self.gold:
            terms = [f"{gold['min']} to {gold['max']} rolled"] if gold.get("max") else []
            terms += [str(self.gold)] if self.gold else []
            yield aside(f"gold {' + '.join(terms)}{less} = {event.gold}")

    def loot(self, group: EventGroup, roll: kinds.LootRoll) -> Iterator[list[Span]]:
        """A roll for loot, and the item if it succeeded."""
        lead: Span = (f"{MARGIN}{SOURCE_WORDS[roll.source]} {roll_text(roll.roll, roll.chance)}: ", PLAIN)
        yield from item_lines(self.document, lead, group)
        yield from self.origin(group)

    def origin(self, group: EventGroup) -> Iterator[list[Span]]:
        """The dice address that proves an item, at full detail."""
        origin = first_of(kinds.Origin, group)
        if self.detail == ALL and origin is not None:
            yield aside(f"rolled at tick {origin.tick}, lane {origin.lane:#x}; its first word is {origin.word}")


def introduction(member: Character) -> str:
    """One line about a member: class, level, HP, resource."""
    data = member.data
    role = str(data.get("class") or "").replace("_", " ").capitalize()
    resource = data.get("resource") or {}
    parts = [f"{role} level {data['level']}".strip(), f"{member.max_hp} HP"]
    parts += [f"{resource['max']} {resource['kind']}"] if resource.get("max") else []
    return ", ".join(parts)


def harm_text(event: kinds.Harm, success: bool) -> str:
    """The arithmetic of harm outside fights."""
    halved = f", halved = {event.damage}" if event.damage != event.roll or (success and event.roll == 0) else ""
    left = f", {event.lost} HP were left" if event.lost < event.damage else ""
    return f"harm: rolled {event.roll}{halved}{left}"


def item_lines(document: Document, lead: Span, group: EventGroup, tail: str = "") -> Iterator[list[Span]]:
    """The lines of an item: name, rarity and bonuses; bonuses that do not fit go below."""
    found = first_of(kinds.Item, group)
    if found is None:
        yield [lead, ("nothing", ASIDE)]
        return
    bonuses = [
        f"{bonus['name']} ({event.tier}, {bonus['stat'].replace('_', ' ')} {event.amount:+d})"
        for event in all_of(kinds.Bonus, group)
        for bonus in (document["bonuses"][event.bonus],)
    ]
    name = str(document["items"][found.item]["name"])
    line = [lead, (name, EMPHASIS), (f", {found.rarity.replace('_', ' ')}{tail}", PLAIN)]
    words = ", ".join(bonuses)
    if sum(len(text) for text, _ in line) + 2 + len(words) <= LINE_WIDTH:
        yield [*line, (f"  {words}", HELP)] if words else line
        return
    yield line
    for text in wrapped(bonuses, RULE_WIDTH - len(ASIDE_MARGIN)):
        yield [(ASIDE_MARGIN + text, HELP)]
