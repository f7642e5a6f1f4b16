"""Tells a squads battle as a story: one line for each hit, heal or effect, with reasons and arithmetic on request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from fracas.conditions import parse, to_text
from fracas.events.story_layout import MARGIN, NarratorBase, aside, ending, heading, hp_bar, whole_story
from fracas.events.styled_text import ASIDE, EMPHASIS, HARM, HELP, PLAIN, SIDE_1, SIDE_2, Line, Span
from fracas.kernel.event_protocol import ALL, STORY, Event
from fracas.rulesets.contract.types import Compiled, Document
from fracas.rulesets.squads.content.library import ABILITY_SLOTS
from fracas.rulesets.squads.content.models.abilities import EFFECTS
from fracas.rulesets.squads.content.models.rules_tables import figure_text
from fracas.rulesets.squads.content.vocabulary import VOCABULARY
from fracas.rulesets.squads.narration.summary import summary_lines
from fracas.rulesets.squads.rules import events as kinds

BAR_WIDTH = 8

OUTCOME_WORDS = {
    "wiped_out": "everyone on the other side has fallen",
    "both_wiped_out": "nobody is left standing",
    "cap_hp": "more HP left at the round cap",
    "cap_equal": "equal HP at the round cap",
}


@dataclass(frozen=True, slots=True)
class _Fighter:
    title: str
    side: int
    max_hp: int

    @property
    def role(self) -> str:
        return (SIDE_1, SIDE_2)[self.side - 1]


class Narrator(NarratorBase):
    """Turns the events of one squads battle into lines."""

    def __init__(self, document: Document, detail: str) -> None:
        self.detail = detail
        self.sides = [side["name"] for side in document["sides"]]
        self.fighters: dict[str, _Fighter] = {}
        for place, side in enumerate(document["sides"]):
            for unit in side["units"]:
                self.fighters[f"{place + 1}.{unit['id']}"] = _Fighter(unit["name"], place + 1, unit["hp"])
        self.orders = _orders(document)
        self.name_width = max(len(self.title(unit)) for unit in self.fighters)
        self.ability_width = max(len(ability["name"]) for ability in document["abilities"].values())
        self.hp_width = max(2 * len(str(fighter.max_hp)) + 1 for fighter in self.fighters.values())
        self.ability = ""
        self.critical = False
        self.power = 0
        self.figures: list[str] = []

    def lines(self, event: Event) -> Iterator[list[Span]]:
        """The lines of one event at the chosen detail."""
        match event:
            case kinds.Battle():
                yield [(f"1 {self.sides[0]}", SIDE_1), (" against ", PLAIN), (f"2 {self.sides[1]}", SIDE_2)]
            case kinds.Round():
                yield from self.round(event)
            case kinds.Choice():
                self.ability = event.ability
                yield from self.choice(event)
            case kinds.Roll():
                self.critical |= event.roll <= event.chance
                self.figures.append(f"rolled {event.roll}, critical at {event.chance} or less")
            case kinds.Hit():
                yield from self.hit(event)
            case kinds.Outcome():
                yield from self.outcome(event)
            case kinds.Target() | kinds.Initiative() | kinds.Power() | kinds.Stage() | kinds.Charge() | kinds.Expire():
                yield from self.remark(event)
            case _:
                yield from self.happening(event)

    def round(self, event: kinds.Round) -> Iterator[list[Span]]:
        """A round's heading."""
        standing = f" {self.sides[0]} {event.living_1} standing, {self.sides[1]} {event.living_2}"
        yield []
        yield heading(f"Round {event.tick} ", standing)

    def choice(self, event: kinds.Choice) -> Iterator[list[Span]]:
        """Why an ability was chosen."""
        if self.detail == STORY:
            return
        yield [*self.named(event.actor), (f" chooses {event.ability}", EMPHASIS)]
        for slot, verdict in (("ultimate", event.ultimate), ("class_ability", event.class_ability)):
            name, condition = self.orders[event.actor, slot]
            reason = f"{verdict}: {condition}" if condition and "condition" in verdict else verdict
            if verdict != "not considered":
                yield aside(f"{slot.replace('_', ' ')} {name}: {reason}")

    def hit(self, event: kinds.Hit) -> Iterator[list[Span]]:
        """A hit: the HP lost, the damage that the shield absorbed, and the HP left."""
        if self.detail == ALL and self.figures:
            yield aside(", ".join(self.figures))
        self.figures = []
        notes: list[Span] = []
        if self.critical:
            notes.append((" critical!", EMPHASIS))
        if event.absorbed:
            notes.append((f" shield -{event.absorbed}", HELP))
        self.critical = False
        lost: Span = (f"{'-' + str(event.lost) if event.lost else '0':>5}", HARM)
        yield [*self.doing(event.actor, event.target), lost, *self.health(event.target, event.hp), *notes]

    def happening(self, event: Event) -> Iterator[list[Span]]:
        """Heals, shields, effects, damage over time, falls and stuns."""
        match event:
            case kinds.Heal():
                yield from self.environment(event.healing)
                amount: Span = (f"{'+' + str(event.restored):>5}", HELP)
                yield [*self.doing(event.actor, event.target), amount, *self.health(event.target, event.hp)]
            case kinds.Shield():
                yield from self.environment(event.pool)
                words = f"  shield of {event.pool}, to round {event.until}"
                words = words if event.outcome == "applied" else f"  shield of {event.pool}: {event.outcome}"
                yield [*self.doing(event.actor, event.target), (words, HELP)]
            case kinds.Effect():
                effect = EFFECTS[event.effect]
                words = effect.TOLD.format(amount=event.amount, until=event.until)
                words = words if event.outcome == "applied" else f"{event.effect} lost: {event.outcome}"
                yield [*self.doing(event.actor, event.target), (f"  {words}", HARM if effect.HOSTILE else HELP)]
            case kinds.Fall():
                before = " " * (self.name_width + 1 + self.ability_width)
                yield [(MARGIN + before + "   ", PLAIN), *self.name(event.target), (" falls.", EMPHASIS)]
            case kinds.Stunned():
                yield [*self.named(event.actor), (" is stunned and loses the turn", HARM)]
            case _ if type(event) in kinds.LATER:
                yield self.later(event)

    def later(self, event: Any) -> list[Span]:
        """What an effect does later; any event of `kinds.LATER`."""
        lost: Span = (f"{'-' + str(event.lost):>5}", HARM)
        words = kinds.LATER[type(event)].told
        return [*self.doing(event.actor, event.target, words), lost, *self.health(event.target, event.hp)]

    def environment(self, value: int) -> Iterator[list[Span]]:
        """A heal or shield after the environment's percentage, if that changed it."""
        if self.detail == ALL and value != self.power:
            yield aside(f"under the environment: {value}")

    def remark(self, event: Event) -> Iterator[list[Span]]:
        """Reasons and arithmetic, which a plain story leaves out."""
        if self.detail == STORY:
            return
        words = ""
        match event:
            case kinds.Target():
                words = f"aims at {self.title(event.target)}: {_selection(event)}"
            case kinds.Expire():
                words = f"{self.title(event.target)}: {event.effect} {'ends' if event.by_time else 'is used up'}"
            case kinds.Charge() if self.detail == ALL:
                words = f"{self.title(event.actor)} charge +{event.gained} = {event.charge}"
            case kinds.Initiative() if self.detail == ALL:
                words = f"{event.place}. {self.title(event.actor)}, speed {event.speed}, word {event.word}"
            case kinds.Power() if self.detail == ALL:
                shares = {"attack": event.from_attack, "defense": event.from_defense, "HP": event.from_hp}
                parts = " + ".join(f"{value} from {name}" for name, value in shares.items() if value)
                self.figures = []
                self.power = event.power
                words = f"power {event.power}: {parts or 'nothing'}"
            case kinds.Stage():
                self.figures.append(_stage(event))
        if words:
            yield aside(words)

    def outcome(self, event: kinds.Outcome) -> Iterator[list[Span]]:
        """Who won, why, and the HP that each side has left."""
        yield []
        winners = (None, (self.sides[0], SIDE_1), (self.sides[1], SIDE_2))
        yield ending(winners[event.winner], f" in round {event.tick}: {OUTCOME_WORDS[event.reason]}.")
        yield [(f"HP left: {self.sides[0]} {event.hp_1}, {self.sides[1]} {event.hp_2}.", PLAIN)]

    def title(self, unit: str) -> str:
        """A unit's side number and display name; both sides may field the same unit."""
        fighter = self.fighters[unit]
        return f"{fighter.side} {fighter.title}"

    def name(self, unit: str) -> list[Span]:
        """A unit's display name in its side's colour."""
        return [(self.title(unit), self.fighters[unit].role)]

    def named(self, unit: str) -> list[Span]:
        """A unit's name at the start of a line."""
        return [(MARGIN, PLAIN), *self.name(unit)]

    def doing(self, actor: str, target: str, what: str = "") -> list[Span]:
        """Who does what to whom, in columns; without `what` it is the ability in use."""
        fighter, other = self.fighters[actor], self.fighters[target]
        return [
            (MARGIN, PLAIN),
            (self.title(actor).ljust(self.name_width + 1), fighter.role),
            ((what or self.ability).ljust(self.ability_width), PLAIN),
            (" → ", ASIDE),
            (self.title(target).ljust(self.name_width), other.role),
        ]

    def health(self, unit: str, hp: int) -> list[Span]:
        """A unit's HP as a bar and in figures."""
        fighter = self.fighters[unit]
        return hp_bar(hp, fighter.max_hp, fighter.role, BAR_WIDTH, self.hp_width)


def _selection(event: kinds.Target) -> str:
    if event.roll >= 0:
        return f"random, rolled {event.roll} of {event.candidates}"
    if event.entry >= 0:
        return f"priority entry {event.entry + 1}, {event.selector}"
    return event.selector if event.candidates == 1 else f"{event.selector} of {event.candidates}"


def _stage(event: kinds.Stage) -> str:
    """A damage stage as an equation."""
    figure = figure_text(event.stage, event.figure)
    return f"{event.stage}{figure and ' ' + figure} = {event.after}"


def _orders(document: Document) -> dict[tuple[str, str], tuple[str, str]]:
    """Each unit's ultimate and class ability: display name, and its condition as text, empty if it has none."""
    orders: dict[tuple[str, str], tuple[str, str]] = {}
    for place, side in enumerate(document["sides"]):
        configured: dict[str, Any] = side["strategy"]["abilities"]
        for unit in side["units"]:
            for slot in ABILITY_SLOTS:
                tree = parse(configured.get(unit[slot], {}).get("when"), VOCABULARY, where="").tree
                name = document["abilities"][unit[slot]]["name"]
                orders[f"{place + 1}.{unit['id']}", slot] = (name, "" if tree is None else to_text(tree))
    return orders


def narrate(events: Sequence[Event], compiled: Compiled, document: Document, detail: str) -> list[Line]:
    """The battle as lines; after a story comes a table of what every unit dealt and took."""
    return whole_story(Narrator(document, detail).tell(events), summary_lines(events, document), events)
