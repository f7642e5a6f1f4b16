"""Formats the arithmetic of a delve battle, so that you can check every roll by hand."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from fracas.rulesets.contract.types import Document
from fracas.rulesets.delve.narration.grouping import EventGroup, first_of
from fracas.rulesets.delve.narration.labels import Character
from fracas.rulesets.delve.rules import constants as codes
from fracas.rulesets.delve.rules import events as kinds

# The distance from the highest critical roll to the first fumble.
FROM_CRITICAL_TO_FUMBLE = 91


def signed(number: int, words: str = "") -> str:
    """A term of a sum: `+ 5 words` or `- 3 words`."""
    return f"{'-' if number < 0 else '+'} {abs(number)}{' ' + words if words else ''}"


def clamped(total: int, chance: int) -> str:
    """A sum and the chance after clamping."""
    if total == chance:
        return str(chance)
    return f"{total}, {'at least' if total < chance else 'at most'} {chance}"


def roll_text(roll: int, chance: int) -> str:
    """A d100 beside its target number."""
    return f"{roll}{'≤' if roll <= chance else '>'}{chance}"


def initiative_text(event: kinds.Initiative) -> str:
    """The arithmetic of an initiative."""
    return f"{event.roll} {signed(event.modifier, 'weapon')} - {event.speed} speed = {event.total}"


def order_text(event: kinds.TurnOrder) -> str:
    """The arithmetic of a place in the order: the initiative, changed by conditions."""
    changes = {
        codes.SLOWED_DELAY: "slowed",
        -codes.HASTED_LEAD: "hasted",
        codes.SLOWED_DELAY - codes.HASTED_LEAD: "slowed and hasted",
    }
    if not event.change:
        return str(event.effective)
    return f"{event.total} {signed(event.change, changes.get(event.change, ''))} = {event.effective}"


def to_hit(odds: kinds.Odds, attack: kinds.Attack, skill: Document, target: Character) -> str:
    """The arithmetic of a chance to hit, and the result of the roll."""
    terms = [
        str(codes.BASE_CHANCE),
        signed(odds.attribute, skill.get("attack") or ""),
        f"- {odds.against} {skill.get('defense') or ''}",
    ]
    terms += [signed(odds.modifier, "skill")] if odds.modifier else []
    blindness = odds.penalty - target.evasion
    terms += [f"- {target.evasion} evasion"] if target.evasion else []
    terms += [f"- {blindness} blinded"] if blindness else []
    total = codes.BASE_CHANCE + odds.attribute - odds.against + odds.modifier - odds.penalty
    fumble = min(codes.GREATEST_FUMBLE, attack.critical_up_to + FROM_CRITICAL_TO_FUMBLE)
    edges = f"critical to {attack.critical_up_to}, fumble from {fumble}"
    made_of = f"to hit {' '.join(terms)} = {clamped(total, attack.chance)}"
    return f"{made_of}; rolled {attack.roll}: {attack.verdict} ({edges})"


def damage_text(group: EventGroup, skill: Document, scale: int, actor: Character) -> str | None:
    """The arithmetic of damage, from the roll to the shield; None if the stroke does no damage."""
    amount, damage = first_of(kinds.Amount, group), first_of(kinds.Damage, group)
    attack, hit = first_of(kinds.Attack, group), first_of(kinds.Hit, group)
    if amount is None or damage is None:
        return None
    magic = skill.get("element") == "magic"
    value = amount.roll + amount.from_attribute
    steps = [f"damage {_rolled(amount, 'logic' if magic else 'might')} = {value}"]
    if damage.scaled != value or scale != 100:
        steps.append(f"{scale}% by difficulty = {damage.scaled}")
    steps += _changes(damage, actor)
    if damage.armor:
        steps.append(f"- {damage.armor} {'resistance' if magic else 'armor'} = {damage.changed - damage.armor}")
    value = damage.changed - damage.armor
    if attack is not None and attack.verdict == "critical":
        value *= 2
        steps.append(f"doubled = {value}")
    if value != damage.damage:
        steps.append(f"{'at least' if value < damage.damage else 'at most'} {damage.damage}")
    if hit is not None and hit.absorbed:
        steps.append(f"- {hit.absorbed} by the shield = {hit.damage - hit.absorbed}")
    if hit is not None and hit.lost < hit.damage - hit.absorbed:
        steps.append(f"{hit.lost} HP were left")
    return ", ".join(steps)


def _changes(damage: kinds.Damage, actor: Character) -> Iterator[str]:
    """Damage after Weakened, then after Empowered."""
    value = damage.scaled
    for condition, percent in (("weakened", codes.WEAKENED_PCT), ("empowered", codes.EMPOWERED_PCT)):
        if condition in actor.conditions:
            value = value * percent // 100
            yield f"{condition} {percent}% = {value}"


def healing_text(amount: kinds.Amount, heal: kinds.Heal) -> str:
    """The arithmetic of healing."""
    steps = [f"healing {_rolled(amount, 'presence')} = {heal.healing}"]
    if heal.effective != heal.healing:
        steps.append(f"halved by bleeding = {heal.effective}")
    if heal.restored != heal.effective:
        steps.append(f"{heal.restored} were missing")
    return ", ".join(steps)


def _rolled(amount: kinds.Amount, attribute: str) -> str:
    return f"{amount.roll} of {amount.low} to {amount.high} {signed(amount.from_attribute, attribute)}"


def check_text(event: kinds.Check, challenge: int, more: int) -> str:
    """The arithmetic of a check's chance."""
    total = codes.BASE_CHANCE + event.value - challenge - more
    terms = f"{codes.BASE_CHANCE} + {event.value} {event.check} - {challenge} difficulty"
    terms += f" {signed(-more, 'by the difficulty level')}" if more else ""
    return f"{terms} = {clamped(total, event.chance)}; rolled {event.roll}"


def value_text(member: Document, check: str, value: int) -> str:
    """The arithmetic of a member's value for a check."""
    if check not in codes.TRAININGS:
        return f"{check} {value}"
    attribute = codes.ATTRIBUTES[codes.TRAINED_BY[codes.TRAININGS.index(check)]]
    training = (member.get("training") or {}).get(check) or 0
    return f"{check} {value} = {attribute} {value - training} + {training} training"


def flee_text(event: kinds.Flee, member: Character, enemy: Character) -> str:
    """The arithmetic of the chance to flee."""
    total = codes.BASE_CHANCE + member.speed - enemy.speed
    terms = f"{codes.BASE_CHANCE} + {member.speed} speed - {enemy.speed} speed of {enemy.title}"
    return f"{terms} = {clamped(total, event.chance)}; rolled {event.roll}"


def wrapped(parts: list[str], width: int) -> Iterator[str]:
    """Wrap the parts of a list into lines of at most this width."""
    line = ""
    for part, following in pairwise([*parts, ""]):
        text = part + (", " if following else "")
        if line and len(line) + len(text.rstrip()) > width:
            yield line.rstrip()
            line = ""
        line += text
    if line:
        yield line
