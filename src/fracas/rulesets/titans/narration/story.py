"""Narrate a titans duel: both titans' HP and charge each round and a line per event; more at higher detail."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from fracas.conditions import parse, to_text
from fracas.events.story_layout import (
    ASIDE_MARGIN,
    LINE_WIDTH,
    MARGIN,
    NarratorBase,
    asides,
    ending,
    heading,
    whole_story,
)
from fracas.events.styled_text import ASIDE, EMPHASIS, HARM, HELP, PLAIN, Line, Span, bar, clipped
from fracas.kernel.event_protocol import ALL, STORY, Event
from fracas.rulesets.contract.types import Compiled, Document
from fracas.rulesets.titans.content.vocabulary import VOCABULARY
from fracas.rulesets.titans.narration.arithmetic import Arithmetic, figure
from fracas.rulesets.titans.narration.labels import Duelist, duelists_of, follow
from fracas.rulesets.titans.narration.summary import summary_lines
from fracas.rulesets.titans.rules import events as kinds
from fracas.rulesets.titans.rules.constants import ACTIONS, MAX_CHARGE, OBSTACLES

HP_BAR_WIDTH, CHARGE_BAR_WIDTH = 6, 5
# The widest that the columns for names, actions and HP may be together, so that a line with damage fits.
COLUMNS_WIDTH = 58
ATTACKS, DEFENDS, *_ = ACTIONS

REASON_WORDS = {
    "knock_out": "the other titan has fallen",
    "cap_hp": "higher share of HP at the round cap",
    "cap_equal": "equal shares of HP at the round cap",
    "forfeit": "the other player missed three deadlines",
    "both_forfeit": "both players missed three deadlines",
}
OBSTACLE_WORDS = {OBSTACLES[0]: "can no longer act", OBSTACLES[1]: "no longer has enough charge"}


class Narrator(NarratorBase):
    """Turns the events of one duel into lines."""

    def __init__(self, document: Document, detail: str) -> None:
        self.detail = detail
        self.document = document
        self.duelists = duelists_of(document)
        self.arithmetic = Arithmetic(document)
        self.ability_names = {key: ability["name"] for key, ability in document["abilities"].items()}
        self.name_width = max(len(duelist.title) for duelist in self.duelists.values())
        self.hp_width = 2 * len(str(max(duelist.max_hp for duelist in self.duelists.values()))) + 1
        longest = max(len(name) for name in (*self.ability_names.values(), *ACTIONS))
        self.verb_width = min(longest, COLUMNS_WIDTH - 2 * self.name_width - self.hp_width)
        self.verb = ""
        self.is_critical = False
        self.growth: dict[str, list[str]] = {}

    @cached_property
    def rules(self) -> dict[str, list[str]]:
        """The conditions of each player's policy."""
        return {player["name"]: _rule_texts(player["policy"]) for player in self.document["players"]}

    def lines(self, event: Event) -> Iterator[list[Span]]:
        """The lines of one event at the chosen detail, formulas first."""
        if self.detail == ALL:
            yield from asides(self.arithmetic.lines(event))
        yield from self.happening(event)
        follow(self.duelists, event)

    def happening(self, event: Event) -> Iterator[list[Span]]:
        """The lines of an event without its formulas."""
        match event:
            case kinds.Duel():
                yield from self.opening()
            case kinds.Round():
                yield from self.round(event)
            case kinds.Choice() if self.detail != STORY:
                yield from self.choice(event)
            case kinds.Act():
                yield from self.act(event)
            case kinds.Skipped():
                what = self.action_words(event.action, event.ability)
                yield [*self.named(event.actor), (f" {OBSTACLE_WORDS[event.obstacle]}: no {what}", ASIDE)]
            case kinds.Hit() if event.roll >= event.chance:
                yield [*self.doing(event.actor), ("misses", ASIDE)]
            case kinds.Critical():
                self.is_critical = event.roll < event.chance
            case kinds.Damage():
                yield from self.damage(event)
            case kinds.Heal():
                amount = f"{f'+{event.hp - event.before}':>6} "
                yield [*self.doing(event.actor), (amount, HELP), *self.health(self.duelists[event.actor], event.hp)]
            case kinds.Shield():
                yield [*self.doing(event.actor), (f"shield of {figure(event.shield)} for this round", HELP)]
            case kinds.Charge():
                yield from self.charge(event)
            case kinds.Change() | kinds.Expire():
                yield from self.change(event)
            case kinds.Fall():
                yield [*self.named(event.target), (" falls.", EMPHASIS)]
            case kinds.Outcome():
                yield from self.outcome(event)
            case kinds.Experience():
                yield from self.experience(event)
            case kinds.Growth() if self.detail != STORY and event.gained:
                words = f" grows at level {event.level}: {event.stat} +{event.gained}"
                yield [*self.named(event.actor), (words, HELP)]

    def opening(self) -> Iterator[list[Span]]:
        """Who fights whom."""
        first, second = self.duelists.values()
        for duelist, lead in ((first, ""), (second, "against ")):
            words = f" with {clipped(duelist.name, 24)}, {duelist.max_hp} HP"
            name = (f"{duelist.index + 1} {clipped(duelist.player, 24)}", duelist.role)
            yield [(lead, PLAIN), name, (words, PLAIN)]

    def round(self, event: kinds.Round) -> Iterator[list[Span]]:
        """A round's heading and both titans' standings."""
        note = " sudden death" if 0 < self.document["options"]["sudden_death"] <= event.tick else ""
        yield []
        yield heading(f"Round {event.tick} ", note, EMPHASIS)
        standing = ((event.hp_1, event.charge_1), (event.hp_2, event.charge_2))
        for duelist, (hp, charge) in zip(self.duelists.values(), standing, strict=True):
            duelist.hp, duelist.charge = hp, charge
            ready = f"charge {bar(charge, MAX_CHARGE, CHARGE_BAR_WIDTH)} {charge}"
            health = self.health(duelist, hp)
            yield [(f"{MARGIN}{duelist.title:{self.name_width}} ", duelist.role), *health, (f"  {ready}", PLAIN)]

    def choice(self, event: kinds.Choice) -> Iterator[list[Span]]:
        """What a player chose, and why."""
        duelist = self.duelists[event.actor]
        what = self.action_words(event.action, event.ability)
        player = (f"{MARGIN}{duelist.index + 1} {clipped(duelist.player, 24)}", duelist.role)
        yield [player, (f" chooses {what}", EMPHASIS)]
        texts = self.rules[event.actor]
        is_by_rule = 0 <= event.rule < len(texts)
        yield from asides([f"rule {event.rule + 1}: {texts[event.rule]}" if is_by_rule else event.why])

    def act(self, event: kinds.Act) -> Iterator[list[Span]]:
        """A titan acts; for most actions the following events say how."""
        self.is_critical = False
        self.verb = self.action_words(event.action, event.ability)
        if event.action == DEFENDS:
            yield [*self.doing(event.actor), ("is on guard", PLAIN)]
        elif event.ability is not None:
            cost = self.document["abilities"][event.ability]["cost"]
            left = self.duelists[event.actor].charge - cost
            yield [*self.doing(event.actor), (f"for {cost} charge, {left} left", PLAIN)]

    def damage(self, event: kinds.Damage) -> Iterator[list[Span]]:
        """The damage of a hit; notes that do not fit go on a line of their own."""
        other = self.duelists[event.target]
        lost = event.before - event.hp
        notes = [" critical!"] if self.is_critical else []
        notes += [f" shield -{figure(round(event.absorbed, 1))}"] if event.absorbed else []
        self.is_critical = False
        amount: Span = (f"{f'-{lost}' if lost else '0':>6} ", HARM)
        target: Span = (f"{other.title:{self.name_width}} ", other.role)
        line = [*self.doing(event.actor), amount, target, *self.health(other, event.hp)]
        note: Span = ("".join(notes), EMPHASIS)
        if sum(len(text) for text, _ in (*line, note)) <= LINE_WIDTH:
            yield [*line, note]
        else:
            yield line
            yield [(ASIDE_MARGIN, PLAIN), note]

    def charge(self, event: kinds.Charge) -> Iterator[list[Span]]:
        """A change of charge and its cause."""
        words = f"charge {event.before} → {event.charge}"
        role = HELP if event.charge >= event.before else HARM
        if event.source == "a rest" or (event.source == "an ability" and event.actor == event.target):
            yield [*self.doing(event.actor), (words, role)]
        elif event.source == "an ability":
            other = self.duelists[event.target]
            yield [*self.doing(event.actor), (f"{other.title}: ", other.role), (words, role)]
        elif self.detail != STORY or event.charge != event.before:
            why = "for defending" if event.source == "an attack while defending" else "for its hit"
            yield [*self.named(event.target), (f" {words} {why}", role)]

    def change(self, event: kinds.Change | kinds.Expire) -> Iterator[list[Span]]:
        """A stat change that starts or ends."""
        other = self.duelists[event.target]
        sign = f"{event.percent:+}%"
        if isinstance(event, kinds.Change):
            role = HELP if event.percent > 0 else HARM
            words = f"{event.stat} {sign} to round {event.until}"
            yield [*self.doing(event.actor), (f"{other.title}: ", other.role), (words, role)]
        elif self.detail != STORY or not event.by_time:
            how = "is over" if event.by_time else "is cleansed"
            yield [*self.named(event.target), (f" {event.stat} {sign} {how}", ASIDE)]

    def outcome(self, event: kinds.Outcome) -> Iterator[list[Span]]:
        """Who won and why, and the HP left."""
        yield []
        first, second = self.duelists.values()
        names = [(f"{each.index + 1} {clipped(each.player, 20)}", each.role) for each in (first, second)]
        winners = (None, *names)
        yield ending(winners[event.winner], f" in round {event.tick}: {REASON_WORDS[event.reason]}.")
        yield [(f"HP left: {first.title} {event.hp_1}, {second.title} {event.hp_2}.", PLAIN)]

    def experience(self, event: kinds.Experience) -> Iterator[list[Span]]:
        """The experience and levels that a titan gained."""
        risen = f" (+{event.levels})" if event.levels else ""
        words = f" gains {event.gained} experience: level {event.level}{risen} with {event.experience}"
        yield [*self.named(event.actor), (words, HELP)]

    def action_words(self, action: str, ability: str | None) -> str:
        """The displayed name of an action."""
        return action if ability is None else clipped(self.ability_names[ability], self.verb_width)

    def named(self, player: str) -> list[Span]:
        """A titan's name at the start of a line."""
        duelist = self.duelists[player]
        return [(MARGIN + duelist.title, duelist.role)]

    def doing(self, player: str) -> list[Span]:
        """The columns for a titan and its action."""
        duelist = self.duelists[player]
        return [
            (f"{MARGIN}{duelist.title:{self.name_width}} ", duelist.role),
            (f"{self.verb:{self.verb_width}} ", PLAIN),
        ]

    def health(self, duelist: Duelist, hp: int) -> list[Span]:
        """A titan's HP as a bar and in figures."""
        figures = f"{hp}/{duelist.max_hp}".rjust(self.hp_width)
        return [(bar(hp, duelist.max_hp, HP_BAR_WIDTH), duelist.role), (f" {figures} HP", ASIDE)]


def _rule_texts(policy: str | Document) -> list[str]:
    """A policy's rules as text, with conditions in canonical spelling."""
    rules = policy.get("rules") or [] if isinstance(policy, dict) else []
    texts = []
    for rule in rules:
        tree = parse(rule.get("when"), VOCABULARY, where="").tree
        chance = f", chance {rule['chance']}%" if rule.get("chance", 100) < 100 else ""
        texts.append(f"{'always' if tree is None else to_text(tree)}{chance}")
    return texts


def narrate(events: Sequence[Event], compiled: Compiled, document: Document, detail: str) -> list[Line]:
    """The duel as lines, followed by a summary of what each titan did."""
    return whole_story(Narrator(document, detail).tell(events), summary_lines(events, document), events)
