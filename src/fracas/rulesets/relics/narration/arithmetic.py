"""Single relics events in words, with their figures: the value before, the value after and how it came about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fracas.events.styled_text import ASIDE, EMPHASIS, HARM, HELP, PLAIN, Span
from fracas.kernel.event_protocol import Event
from fracas.rulesets.relics.declarations.triggers import TRIGGERS
from fracas.rulesets.relics.declarations.types import NO_PAYLOAD
from fracas.rulesets.relics.narration.labels import RULE_WORDS, FighterStanding, Participants
from fracas.rulesets.relics.rules import events as kinds
from fracas.rulesets.relics.rules.constants import MOST_RUNS, MOST_STRIKES

MOMENT_WORDS = {"now": "in this turn", "next_turn": "in the next turn", "every_turn": "in every turn"}
RULES_DOING = {
    **RULE_WORDS,
    "strike": "the strike",
    "fatigue": "fatigue",
    "turn_end": "the end of the turn",
    "phase": "the phase",
}


class Figures:
    """Words for the events of one battle; `standings` holds the values before the event."""

    def __init__(self, participants: Participants, standings: Mapping[str, FighterStanding]) -> None:
        self.participants = participants
        self.standings = standings

    def spans(self, event: Event) -> list[Span]:
        """The line of an event that changes something or prevents a change."""
        match event:
            case kinds.Damage():
                return [*self.about(event.target), (f"{event.absorbed + event.lost} damage", HARM), *self.hit(event)]
            case kinds.Heal():
                return [*self.about(event.target), (f"healed {event.healed}", HELP), *self.healed(event)]
            case kinds.Change():
                return [*self.about(event.target), *self.changed(event)]
            case kinds.Immune():
                words = f"immune to {event.stacks} {self.participants.words[event.quantity]}"
                return [*self.about(event.target), (words, PLAIN), *self.by(event.actor, event.source)]
            case kinds.ExtraStrikes():
                more = (
                    f"{event.strikes} more {'strike' if event.strikes == 1 else 'strikes'} {MOMENT_WORDS[event.moment]}"
                )
                return [*self.about(event.target), (more, PLAIN), *self.by(event.actor, event.source)]
            case kinds.Countdown():
                words = f"countdown of {event.piece} {event.left - event.change} → {event.left}"
                return [*self.about(event.target), (words, PLAIN), *self.by(event.actor, event.source)]
            case kinds.Counter():
                words = f"counter of {event.source} {event.value - event.change} → {event.value}"
                return [*self.about(event.actor), (words, PLAIN)]
        return self.arithmetic(event)

    def arithmetic(self, event: Event) -> list[Span]:
        """The line of an event that only full detail shows."""
        match event:
            case kinds.Roll():
                return [(self.roll(event), ASIDE)]
            case kinds.Modified():
                percent = "%" if event.modifier.endswith("_pct") else ""
                name = event.modifier.removesuffix("_pct").replace("_", " ")
                words = f"{name} {event.total:+}{percent}: {event.before} → {event.after}"
                return [*self.about(event.target), (words, ASIDE)]
            case kinds.Unpaid():
                price = f"{event.price} {self.participants.words[event.quantity]}"
                return [*self.about(event.actor), (f"cannot pay {price} for {event.source}, has {event.value}", ASIDE)]
            case kinds.Has():
                return [*self.about(event.actor), (f"{self.participants.words[event.quantity]} {event.value}", ASIDE)]
        return []

    def trigger(self, event: kinds.Trigger, with_payload: bool) -> list[Span]:
        """The line of an effect that runs, with the payload of its trigger."""
        payload = TRIGGERS[event.trigger].payload
        number = f" ({payload.doc}: {event.payload})" if with_payload and payload is not NO_PAYLOAD else ""
        moment = self.moment(event.actor, event.trigger, event.source)
        return [(f"{moment}: ", ASIDE), (event.source, self.participants.role(event.actor)), (number, ASIDE)]

    def moment(self, actor: str, trigger: str, source: str) -> str:
        """A trigger in words, with its `n` if the piece uses it with only one."""
        form = TRIGGERS[trigger]
        numbers = self.participants.numbers(self.participants.side(actor), source, trigger) if form.takes_n else []
        if len(numbers) == 1:
            return form.text.format(n=numbers[0])
        words = trigger.replace("_", " ").replace("hp", "HP")
        return f"{words[0].upper()}{words[1:]}"

    def strike(self, event: kinds.Strike, made_of: kinds.Attack | None) -> list[Span]:
        """The line of a strike: who strikes, and the ATK part with its sum, if known."""
        weapon = self.participants.weapon(self.participants.side(event.actor))
        first: list[Span] = [
            (self.participants.titled(event.actor), self.participants.role(event.actor)),
            (f" strikes{f' with {weapon}' if weapon else ''}", EMPHASIS),
        ]
        if made_of is None:
            halved = ", halved by Freeze" if event.frozen else ""
            return [*first, (f": {event.part}{halved}", PLAIN)]
        return [*first, (": ", PLAIN), (attack_sum(made_of, event), PLAIN)]

    def cut(self, event: kinds.Cut) -> list[Span]:
        """What a guard dropped, and why."""
        moment = self.moment(event.actor, event.trigger, event.source or "") if event.trigger else ""
        what = f"{event.source} ({moment})"
        why = {
            "reentry": f"{what} would trigger itself",
            "depth": f"{what} would run at depth {event.depth}",
            "runs": f"{MOST_RUNS:,} effects have run in this step; {what} and all that follow",
            "strikes": f"more than {MOST_STRIKES} strikes in one turn",
        }[event.guard]
        how = "are dropped" if event.guard in ("runs", "strikes") else "and is dropped"
        return [
            ("Cut: ", EMPHASIS),
            (f"{self.participants.titled(event.actor)}: ", self.participants.role(event.actor)),
            (f"{why} {how}.", EMPHASIS),
        ]

    def about(self, name: str) -> list[Span]:
        """Whom a line is about."""
        return [(self.participants.titled(name), self.participants.role(name)), (": ", PLAIN)]

    def by(self, actor: str | None, source: str) -> list[Span]:
        """What did something."""
        if source in RULES_DOING:
            return [(f" by {RULES_DOING[source]}", ASIDE)]
        if actor is None:
            return [(f" by {source}", ASIDE)]
        return [(" by ", ASIDE), (source, self.participants.role(actor))]

    def hit(self, event: kinds.Damage) -> Iterator[Span]:
        """What damage took from ARMOR and HP."""
        own = self.standings[event.target]
        parts = [f"ARMOR {own['armor']} → {own['armor'] - event.absorbed}"] if event.absorbed else []
        parts += [f"HP {own['hp']} → {event.hp}"] if event.lost else []
        yield from self.by(event.actor, event.source)
        yield f"{', ' if parts else ''}{', '.join(parts)}", PLAIN

    def healed(self, event: kinds.Heal) -> Iterator[Span]:
        """The HP that a heal gave, and its excess."""
        yield from self.by(event.actor, event.source)
        yield f", HP {event.hp - event.healed} → {event.hp}", PLAIN
        if event.excess:
            yield f", {event.excess} excess", ASIDE

    def changed(self, event: kinds.Change) -> Iterator[Span]:
        """A quantity before and after."""
        harm = event.quantity == "hp" and event.change < 0
        yield (
            f"{self.participants.words[event.quantity]} {event.value - event.change} → {event.value}",
            HARM if harm else PLAIN,
        )
        yield from self.by(event.actor, event.source)

    def roll(self, event: kinds.Roll) -> str:
        """A roll and what it decides."""
        if event.purpose == "chance":
            verdict = "succeeds" if event.roll <= event.against else "fails"
            return f"{event.source}: {event.against}% chance, rolled {event.roll} of 1-100: {verdict}"
        picked = f"rolled {event.roll} of 0-{event.against - 1}"
        if event.purpose == "first":
            return f"Who acts first: {picked}, the {('left', 'right')[event.roll]}"
        if event.purpose == "target":
            return f"{event.source} picks a target: {picked}, {('its owner', 'the enemy')[event.roll]}"
        what = {"status": "a status", "effect": "a piece"}[event.purpose]
        return f"{event.source} picks {what}: {picked}"


def attack_sum(attack: kinds.Attack, strike: kinds.Strike) -> str:
    """The sum of a strike's ATK part: `ATK 4 + 2 temporary + 1 bonus = 7, +50% = 10, halved = 5`."""
    terms = [f"ATK {attack.attack}"]
    terms += [f"{_sign(attack.temporary)} temporary"] if attack.temporary else []
    terms += [f"{_sign(attack.bonus)} bonus"] if attack.bonus else []
    total = attack.attack + attack.temporary + attack.bonus
    text = " ".join(terms) + (f" = {total}" if len(terms) > 1 else "")
    text += ", at least 0" if total < 0 else ""
    if attack.percent:
        least = ", at least -100%" if attack.percent < -100 else ""
        text += f", {attack.percent:+}%{least} = {strike.before}"
    return text + (f", halved by Freeze = {strike.part}" if strike.frozen else "")


def short_sum(attack: kinds.Attack, strike: kinds.Strike) -> str:
    """The same sum, shortened: `4 ATK + 2, +50% to 9, halved to 4 by Freeze`; empty if the part is ATK alone."""
    terms = [f"{attack.attack} ATK", *(_sign(each) for each in (attack.temporary, attack.bonus) if each)]
    parts = [" ".join(terms)]
    parts += [f"{attack.percent:+}% to {strike.before}"] if attack.percent else []
    parts += [f"halved to {strike.part} by Freeze"] if strike.frozen else []
    is_plain = len(terms) == len(parts) == 1 and attack.attack >= 0
    return "" if is_plain else ", ".join(parts)


def _sign(number: int) -> str:
    return f"{'-' if number < 0 else '+'} {abs(number)}"
