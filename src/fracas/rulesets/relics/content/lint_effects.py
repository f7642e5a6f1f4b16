"""Lint triggers, ops, flags and modifiers: find what is valid but probably a mistake."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fracas.conditions import parse, to_text
from fracas.conditions.range_analysis import SHARE_SCALE, Bounds, constant_value
from fracas.errors import InputError
from fracas.errors.suggestions import listed
from fracas.rulesets.contract.types import Finding
from fracas.rulesets.relics.content.fighter_resolver import conditions_of
from fracas.rulesets.relics.content.models.effects import Effect, Modifier, Op, effects_of, flag_uses
from fracas.rulesets.relics.content.models.items import Body
from fracas.rulesets.relics.content.op_forms import AmountOf
from fracas.rulesets.relics.content.vocabulary import is_own_status, least_of, vocabulary_for
from fracas.rulesets.relics.declarations.triggers import TRIGGERS
from fracas.rulesets.relics.declarations.types import NO_PAYLOAD
from fracas.rulesets.relics.rules import constants as codes

# Statuses that tick on HP or ARMOR.
TICKING = ("poison", "acid", "riptide", "regen")
# Fighters take turns, so each has half of them.
MOST_OWN_TURNS = codes.LARGEST_TURN_CAP // 2
IN_SET_UP = ("pre", "battle_start")
# Verbs that change nothing with an amount of 0.
NOTHING_AT_ZERO = frozenset(
    (
        codes.GAIN,
        codes.LOSE,
        codes.STEAL,
        codes.HEAL,
        codes.MOVE,
        codes.CONVERT,
        codes.SPEND,
        codes.EXTRA_STRIKES,
        codes.HASTEN,
        codes.DELAY,
        codes.COUNT,
    )
)
# A trigger that an op raises, with the status that it concerns, if any.
Raised = tuple[str, str | None]


@dataclass(frozen=True)
class FactRanges(Bounds):
    """The ranges of a condition's facts under a trigger; None for a modifier's condition."""

    trigger: str | None

    def values(self, fact: str) -> range:
        """The values that a fact can have."""
        match fact.rpartition(".")[2]:
            case "hp_pct":
                return range(-1, 100 * SHARE_SCALE + 1)
            case "hp_max" | "phase":
                return range(1, codes.LARGEST + 1)
            case "payload":
                return range(codes.LARGEST + 1 if self._has_payload else 1)
            case "turn":
                return range(1) if self.trigger in IN_SET_UP else range(codes.LARGEST_TURN_CAP + 1)
            case "strike":
                return range(1, codes.MOST_STRIKES + 1) if self.trigger == "on_hit" else range(codes.MOST_STRIKES + 1)
            case "items" | "empty_slots":
                return range(codes.MAX_ITEMS + 1)
        return range(least_of(fact), codes.LARGEST + 1)

    def size(self, group: str) -> int:
        """There are no groups."""
        return 0

    @property
    def _has_payload(self) -> bool:
        return self.trigger is not None and TRIGGERS[self.trigger].payload is not NO_PAYLOAD


@dataclass(frozen=True)
class Dressed(FactRanges):
    """The ranges of facts for a fighter whose gear is known."""

    tags: Counter[str]

    def values(self, fact: str) -> range:
        """The values that a fact can have; the count of a tag's pieces is fixed."""
        kind, _, tag = fact.partition(".")
        return range(self.tags[tag], self.tags[tag] + 1) if kind == "tags" else super().values(fact)


def gear_findings(entry: Body, where: str, tags: Counter[str]) -> Iterator[Finding]:
    """Conditions that never hold because the gear lacks a tag."""
    for place, condition in conditions_of(entry):
        trigger = place.split(".")[1] if place.startswith("triggers.") else None
        try:
            tree = parse(condition, vocabulary_for(condition), where=where, content=True).tree
        except InputError:
            continue
        if tree is None or constant_value(tree, FactRanges(trigger)) is not None:
            continue
        if constant_value(tree, Dressed(trigger, tags)) is False:
            yield Finding("never-holds", f"{where}.{place}", f"{to_text(tree)} is never true with the gear it wears")


def body_findings(entry: Body, where: str, *, owner_gets_bone: bool = True) -> Iterator[Finding]:
    """Findings in a body's triggers and modifiers; `owner_gets_bone`: corroded_bone_receiver is `owner`, or unknown."""
    for trigger, entries in entry.triggers.items():
        for index, each in enumerate(entries):
            path = f"{where}.triggers.{trigger}.{index}"
            yield from _entry_findings(trigger, each, path)
        if any(effect.do[-1].op == "spend" for effect in effects_of(entries, trigger)):
            path = f"{where}.triggers.{trigger}"
            yield Finding("spends-for-nothing", path, "an effect ends with spend, so it buys nothing")
    for index, modifier in enumerate(entry.modifiers):
        yield from _modifier_findings(modifier, f"{where}.modifiers.{index}")
    yield from _unable(entry, where)
    yield from _circles(entry, where, owner_gets_bone)
    yield from _counter_findings(entry, where)


def _entry_findings(trigger: str, entry: Effect | Op, path: str) -> Iterator[Finding]:
    ops = entry.do if isinstance(entry, Effect) else [entry]
    lead = f"{path}.do" if isinstance(entry, Effect) else ""
    if isinstance(entry, Effect):
        yield from _effect_findings(trigger, entry, path)
    for index, op in enumerate(ops):
        at = f"{lead}.{index}" if lead else path
        yield from _chance_findings(op, at)
        yield from _condition_findings(op.if_, trigger, at)
        nothing = why_nothing(op)
        if nothing is not None:
            yield Finding("does-nothing", at, f"{op.op} {nothing}")


def _effect_findings(trigger: str, effect: Effect, path: str) -> Iterator[Finding]:
    yield from _chance_findings(effect, path)
    yield from _condition_findings(effect.if_, trigger, path)
    if trigger == "status_ticked" and effect.of is not None and effect.of not in TICKING:
        message = f"{effect.of} does not tick on HP or ARMOR"
        yield Finding("never-runs", f"{path}.of", message, f"the statuses that do are {listed(TICKING, 'and')}")
    most = {"every_n_turns": MOST_OWN_TURNS, "countdown": MOST_OWN_TURNS}.get(trigger)
    if most is not None and effect.n is not None and effect.n > most:
        yield Finding("never-runs", f"{path}.n", f"no fighter has more than {most} turns")


def _chance_findings(part: Effect | Op, path: str) -> Iterator[Finding]:
    if part.chance == 0:
        yield Finding("never-runs", f"{path}.chance", "a chance of 0 never succeeds")


def _condition_findings(condition: object, trigger: str | None, path: str) -> Iterator[Finding]:
    if condition is None:
        return
    try:
        tree = parse(condition, vocabulary_for(condition), where=path, content=True).tree
    except InputError:
        return
    if tree is None:
        yield Finding("always-holds", f"{path}.if", "the condition is always true")
        return
    value = constant_value(tree, FactRanges(trigger))
    if value is None:
        return
    under = f"under {trigger}" if trigger is not None else "of a modifier"
    if value:
        yield Finding("always-holds", f"{path}.if", f"{to_text(tree)} is always true {under}")
    else:
        yield Finding("never-holds", f"{path}.if", f"{to_text(tree)} is never true {under}")


def why_nothing(op: Op) -> str | None:
    """Why an op can never change anything; None if it can."""
    amount = op.argument("amount")
    is_zero = amount == 0 or (isinstance(amount, AmountOf) and amount.times == 0)
    if is_zero and op.form.verb in NOTHING_AT_ZERO:
        return "of 0 changes nothing"
    if op.argument("percent") == 0:
        return "of 0 per cent changes nothing"
    if op.op == "convert" and op.argument("from") == op.argument("to"):
        return f"converts {op.argument('to')} into itself"
    return None


def _modifier_findings(modifier: Modifier, path: str) -> Iterator[Finding]:
    yield from _condition_findings(modifier.if_, None, path)
    if modifier.amount == 0 or modifier.percent == 0:
        yield Finding("does-nothing", path, f"{modifier.modifier} of 0 changes nothing")


def cannot_attack(entry: Body) -> bool:
    """Whether a body always keeps its owner from striking."""
    is_flagged = any(form.modifier == "cannot_attack" for form, _ in flag_uses(entry.flags))
    return is_flagged or any(each.modifier == "cannot_attack" and each.if_ is None for each in entry.modifiers)


def _unable(entry: Body, where: str) -> Iterator[Finding]:
    if not cannot_attack(entry):
        return
    for trigger in ("on_hit", "every_n_strikes"):
        if entry.triggers.get(trigger):
            yield Finding(
                "never-runs", f"{where}.triggers.{trigger}", "its owner cannot attack, so it makes no strikes"
            )


# Effects that trigger themselves.


def _circles(entry: Body, where: str, owner_gets_bone: bool) -> Iterator[Finding]:
    """Effects of one body that trigger themselves, directly or through others; guards drop the second run."""
    effects = [
        (trigger, place, each)
        for trigger, entries in entry.triggers.items()
        for place, each in enumerate(entries)
        if not _is_limited(each)
    ]
    following = {
        number: [other for other, target in enumerate(effects) if _answers(target, raised_by(each, owner_gets_bone))]
        for number, (_, _, each) in enumerate(effects)
    }
    for number, (trigger, place, _) in enumerate(effects):
        circle = _way_back(number, following)
        if circle is not None and number == min(circle):
            path = f"{where}.triggers.{trigger}.{place}"
            names = " -> ".join(effects[each][0] for each in (*circle, number))
            message = f"it triggers itself ({names}); a guard drops the second run and reports it as cut"
            yield Finding("answers-itself", path, message, "set per_turn = 1 if it should run once")


def _is_limited(entry: Effect | Op) -> bool:
    return isinstance(entry, Effect) and 1 in (entry.per_turn, entry.per_battle)


def _way_back(start: int, following: dict[int, list[int]]) -> list[int] | None:
    """The shortest chain from an effect back to itself; None if there is none."""
    chains = [[start]]
    seen: set[int] = set()
    while chains:
        chain = chains.pop(0)
        for after in following[chain[-1]]:
            if after == start:
                return chain
            if after not in seen:
                seen.add(after)
                chains.append([*chain, after])
    return None


def _answers(effect: tuple[str, int, Effect | Op], raised: set[Raised]) -> bool:
    trigger, _, entry = effect
    of = entry.of if isinstance(entry, Effect) else None
    return any(name == trigger and (of is None or status is None or of == status) for name, status in raised)


def raised_by(entry: Effect | Op, owner_gets_bone: bool) -> set[Raised]:
    """The triggers of its owner that an effect can raise, except those that occur once in a battle."""
    found: set[Raised] = set()
    for op in entry.do if isinstance(entry, Effect) else [entry]:
        if why_nothing(op) is None and op.chance != 0:
            found |= _raised(op)
            if op.form.verb == codes.CORRODE and owner_gets_bone:
                found.add(("armor_gained", None))
    return found


def given_by(op: Op) -> tuple[str, ...]:
    """The statuses that an op adds stacks of."""
    key = {codes.GAIN: "status", codes.CONVERT: "to"}.get(op.form.verb)
    name = op.argument(key) if key is not None else None
    return () if name is None else (name,)


def _raised(op: Op) -> set[Raised]:
    target = op.argument("target") or op.argument("to") or "self"
    on_self, on_enemy = target != "enemy", target not in ("self",)
    what = op.argument("status") or op.argument("stat") or op.argument("what") or op.argument("from") or "armor"
    match op.form.verb:
        case codes.GAIN | codes.DOUBLE | codes.RESTORE:
            return _gained(what, on_self, on_enemy)
        case codes.LOSE | codes.HALVE | codes.SPEND:
            return _lost(what) if on_self else set()
        case codes.SET:
            return _gained(what, on_self, on_enemy) | (_lost(what) if on_self else set())
        case codes.STEAL:
            return _gained(what, True, False)
        case codes.HEAL | codes.HEAL_FULL:
            return {("on_heal", None), ("on_overheal", None)} if on_self else set()
        case codes.DEAL | codes.PIERCE | codes.EXTRA_DAMAGE:
            hurt = {("armor_lost", None), ("hp_lost", None)} if on_self else set()
            return hurt | ({("damage_outside_strikes", None)} if on_enemy else set())
        case codes.EXECUTE:
            return {("hp_lost", None)} if on_self else set()
        case codes.MOVE:
            return _gained(what, on_self, not on_self) | (set() if on_self else _lost(what))
        case codes.CONVERT:
            return (_lost(what) if on_self else set()) | _gained(op.argument("to"), on_self, on_enemy)
    return set()


def _statuses(what: str) -> Sequence[str]:
    if what in ("random", "each"):
        return codes.STATUSES
    return (what,) if what in codes.STATUSES or is_own_status(what) else ()


def _gained(what: str, on_self: bool, on_enemy: bool) -> set[Raised]:
    found: set[Raised] = set()
    for status in _statuses(what):
        if on_self:
            found |= {("status_gained", status)} | ({("thorns_gained", None)} if status == "thorns" else set())
        if on_enemy:
            found.add(("enemy_status_gained", status))
    if on_self:
        single = {"armor": "armor_gained", "attack": "attack_gained", "speed": "speed_gained", "hp": "on_heal"}
        found |= {(single[what], None)} if what in single else set()
    return found


def _lost(what: str) -> set[Raised]:
    # When the maximum falls below HP, HP falls with it.
    single = {"armor": "armor_lost", "speed": "speed_lost", "hp": "hp_lost", "health": "hp_lost"}
    found: set[Raised] = {("status_lost", status) for status in _statuses(what)}
    return found | ({(single[what], None)} if what in single else set())


# Counters.


def _counter_findings(entry: Body, where: str) -> Iterator[Finding]:
    """A counter that is never read, or that is read and never changes."""
    effects = [each for entries in entry.triggers.values() for each in entries]
    ops = [op for each in effects for op in (each.do if isinstance(each, Effect) else [each])]
    is_counted = any(op.op in ("count", "set_counter") for op in ops)
    amounts = [op.amount for op in ops] + [each.amount for each in entry.modifiers]
    conditions = [each.if_ for each in (*effects, *ops, *entry.modifiers)]
    is_read = any(isinstance(each, AmountOf) and each.of == "counter" for each in amounts)
    is_read = is_read or any("counter" in str(each) for each in conditions if each is not None)
    if is_counted and not is_read:
        yield Finding("unread-counter", f"{where}.triggers", "it changes its counter but never reads it")
    if is_read and not is_counted:
        yield Finding("idle-counter", where, "it reads its counter but never changes it, so the counter stays 0")
