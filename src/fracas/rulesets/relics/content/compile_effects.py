"""Compile effects, ops and modifiers into flat tables, by trigger and in firing order.

relics/README.md, Effects to Modifiers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, NamedTuple, TypeVar

from fracas.conditions import And, Tree, Vocabulary, parse
from fracas.conditions.compiler import Pool, compile_condition
from fracas.content.part_cache import made_once
from fracas.errors import InputError, Problem
from fracas.errors.suggestions import quoted
from fracas.rulesets.relics.content.compile_fast_path import write_quick
from fracas.rulesets.relics.content.equipment import Piece, clamped
from fracas.rulesets.relics.content.models.effects import Effect, Modifier, Op, effects_of, flag_uses
from fracas.rulesets.relics.content.models.items import Body
from fracas.rulesets.relics.content.models.rule_options import ResolvedOptions
from fracas.rulesets.relics.content.op_forms import AmountOf
from fracas.rulesets.relics.declarations.types import LEAST_BONUS, LEAST_BONUS_PERCENT
from fracas.rulesets.relics.rules import constants as codes

# The ranks of on-hit classes in each order.
ON_HIT_RANKS = {"removes_first": (0, 1, 2), "damage_first": (1, 2, 0), "slots": (0, 0, 0)}
QUANTITY = {name: code for code, name in enumerate(codes.QUANTITIES)} | {
    "health": codes.HP_MAX,
    "random": codes.RANDOM_STATUS,
    "each": codes.EACH_STATUS,
}
NO_QUANTITY = -1
# Verbs by the argument that becomes `other`.
OTHER = {codes.CONVERT: "to", codes.CORRODE: "percent", codes.EXTRA_STRIKES: "when", codes.RETRIGGER: "trigger"}
Number = int | str | AmountOf | None
Entry = TypeVar("Entry")


@dataclass(frozen=True)
class _Due:
    """An effect with its piece; `factor` is the tier's, or 1 if its numbers already include it."""

    piece: Piece
    effect: Effect
    factor: int
    where: str


@dataclass(frozen=True)
class _WornModifier:
    """A modifier with its piece."""

    piece: Piece
    modifier: Modifier
    where: str


class AmountNumbers(NamedTuple):
    """An amount as numbers, in the order of `amount_t`."""

    kind: int = 0
    number: int = 0
    fact: int = 0
    times: int = 0
    per: int = 0


class EffectWriter:
    """Writes the effects of fighters' pieces into a battle record and collects problems."""

    def __init__(
        self,
        battle: Any,
        options: ResolvedOptions,
        problems: list[Problem],
        worn: Sequence[Sequence[Piece]],
        vocabulary: Vocabulary,
        own_statuses: Sequence[str],
    ) -> None:
        self.battle = battle
        self.worn = worn
        self.vocabulary = vocabulary
        self.quantities = QUANTITY | {name: code for code, name in enumerate(own_statuses, codes.FIRST_OWN_STATUS)}
        self.effects, self.ops, self.modifiers = battle.effects, battle.ops, battle.modifiers
        self.ranks = ON_HIT_RANKS[options.onhit_order]
        self.meets_armor = options.hp_minus_route == "armor"
        self.problems = problems
        self.pool = Pool()
        self.effect_count = self.op_count = self.modifier_count = 0
        self._unconditional: tuple[int, ...] | None = None
        self.draws = False
        """Whether anything written so far can draw dice."""

    def write(self, side: int, pieces: list[Piece]) -> None:
        """Write the effects and modifiers of a fighter."""
        build = self.battle.builds[side]
        first = self.effect_count
        by_trigger = _by_name(entry for piece in pieces for entry in _effects(piece))
        spans = []
        for trigger, name in enumerate(codes.TRIGGERS):
            due = by_trigger.get(name, [])
            if trigger == codes.ON_HIT:
                due.sort(key=lambda entry: self.ranks[entry.effect.do[0].form.on_hit])
            spans.append((self.effect_count, len(due)))
            for entry in due:
                self._write_effect(trigger, name, entry, pieces)
        build.listeners[: len(spans)] = spans
        build.hears = sum(1 << trigger for trigger, (_, entries) in enumerate(spans) if entries)
        build.effects = (first, self.effect_count - first)
        self._write_modifiers(build, pieces)

    def finish(self) -> None:
        """Write the conditions and the fast path, and report every table that overflows."""
        counts = (
            ("effects", self.effect_count, codes.MAX_EFFECTS),
            ("ops", self.op_count, codes.MAX_OPS),
            ("modifiers", self.modifier_count, codes.MAX_MODIFIERS),
        )
        for name, count, most in counts:
            if count > most:
                message = f"a battle has room for {most:,} {name}; this one needs {count:,}"
                self.problems.append(Problem("left, right", message, "wear fewer items, or items that do less"))
        try:
            self.pool.write(self.battle, where="left, right")
        except InputError as error:
            self.problems += error.problems
        if not self.problems:
            write_quick(self.battle)

    def _write_effect(self, trigger: int, name: str, due: _Due, pieces: list[Piece]) -> None:
        effect = due.effect
        index = self.effect_count
        self.effect_count += 1
        first_op = self.op_count
        condition = self._condition(effect.if_, implied_by(due.piece, name, effect), f"{due.where}.if")
        for number, op in enumerate(effect.do):
            self._write_op(op, due, pieces, f"{due.where}.do.{number}")
        if index >= codes.MAX_EFFECTS:
            return
        asks = effect.n or effect.of or effect.per_turn or effect.per_battle or due.piece.phase
        # In the order of `effect_t`, as one write; the last field is the room that widens it.
        subject = (trigger, due.piece.number, due.piece.phase, effect.n or 0)
        of = self._code_of(effect.of, f"{due.where}.of") if effect.of else NO_QUANTITY
        limits = (self._chance(effect.chance), effect.per_turn or 0, effect.per_battle or 0)
        self.effects[index] = (*subject, of, *limits, condition, first_op, self.op_count - first_op, int(not asks), 0)

    def _write_op(self, op: Op, due: _Due, pieces: list[Piece], where: str) -> None:
        index = self.op_count
        self.op_count += 1
        condition = self._condition(op.if_, op.form.when, f"{where}.if")
        if index >= codes.MAX_OPS:
            return
        verb = codes.DEAL if op.op == "enemy_hp_minus" and self.meets_armor else op.form.verb
        target = codes.TARGETS.index(op.argument("to" if op.form.verb == codes.MOVE else "target"))
        quantity, other = self._quantity_of(op, where), self._other_of(op, where)
        which = retriggered = 0
        if op.form.verb == codes.RETRIGGER:
            which = codes.SELECTIONS.index(op.argument("which"))
            retriggered = _pieces_with(op.argument("tag"), due.piece, pieces)
            self.draws |= which == codes.RANDOM_PIECE
        is_tiered = any(argument.name == "amount" and argument.tiered for argument in op.form.arguments)
        amount = self._amount(op.argument("amount"), due.factor if is_tiered else 1, 0, where)
        chance = self._chance(op.chance)
        parts = (2 if target == codes.BOTH else 1) * (len(codes.STATUSES) if quantity == codes.EACH_STATUS else 1)
        is_written = target in (codes.SELF, codes.ENEMY) and quantity < codes.RANDOM_STATUS
        plain = int(is_written and amount.kind == codes.NUMBER_AMOUNT)
        self.draws |= target == codes.RANDOM or quantity == codes.RANDOM_STATUS
        # In the order of `op_t`: one write takes as long as two of its sixteen fields.
        subject = (verb, target, quantity, other, which, retriggered)
        self.ops[index] = (*subject, amount, condition, chance, op.repeat * parts, parts, plain)

    def _write_modifiers(self, build: Any, pieces: list[Piece]) -> None:
        by_modifier = _by_name(entry for piece in pieces for entry in _modifiers(piece))
        spans, sums, varies = [], [], 0
        for code, name in enumerate(codes.MODIFIERS):
            first, all_held = self.modifier_count, by_modifier.get(name, [])
            for each in all_held:
                self._write_modifier(each)
            spans.append((first, len(all_held)))
            written = self.modifiers[first : first + len(all_held)]
            is_fixed = all(_is_fixed(entry) for entry in written)
            total = int(written["amount"]["number"].sum()) if all_held and is_fixed else 0
            sums.append(clamped(total, -codes.LARGEST, codes.LARGEST))
            varies |= int(not is_fixed) << code
        build.modifiers[: len(spans)] = spans
        build.holds = sum(1 << code for code, (_, entries) in enumerate(spans) if entries)
        build.sums[: len(sums)], build.varies = sums, varies

    def _write_modifier(self, each: _WornModifier) -> None:
        modifier, piece = each.modifier, each.piece
        index = self.modifier_count
        self.modifier_count += 1
        condition = self._condition(modifier.if_, stacks_of(piece), f"{each.where}.if")
        if index >= codes.MAX_MODIFIERS:
            return
        record = self.modifiers[index]
        record.source, record.phase = piece.number, piece.phase
        status = modifier.status
        record.quantity = self._code_of(status, f"{each.where}.status") if status else NO_QUANTITY
        names = [argument.name for argument in modifier.form.arguments]
        if "percent" in names:
            record.amount = self._amount(modifier.percent, 1, LEAST_BONUS_PERCENT, each.where)
        else:
            amount = modifier.amount if "amount" in names else 1
            factor = piece.factor if "amount" in names else 1
            record.amount = self._amount(amount, factor, LEAST_BONUS, each.where)
        record.condition = condition
        record.is_limited = modifier.tag is not None or modifier.source is not None
        record.pieces, record.rules = _limits(modifier, self.worn)

    def _quantity_of(self, op: Op, where: str) -> int:
        """The number of the quantity that an op concerns."""
        names = {codes.CONVERT: ("from",), codes.SPEND: ("what",)}.get(op.form.verb, ("stat", "status"))
        found = ((name, op.argument(name)) for name in names)
        return next(
            (self._code_of(value, f"{where}.{name}") for name, value in found if value is not None), NO_QUANTITY
        )

    def _other_of(self, op: Op, where: str) -> int:
        verb = op.form.verb
        if verb not in OTHER:
            return 0
        value = op.argument(OTHER[verb])
        if verb == codes.CONVERT:
            return self._code_of(value, f"{where}.to")
        if verb == codes.EXTRA_STRIKES:
            return codes.MOMENTS.index(value)
        return codes.TRIGGERS.index(value) if verb == codes.RETRIGGER else int(value)

    def _code_of(self, name: str, where: str) -> int:
        """The number of a quantity; an unknown status is a problem."""
        if name not in self.quantities:
            self.problems.append(Problem(where, f"there is no status {quoted(name)}"))
        return self.quantities.get(name, NO_QUANTITY)

    def _amount(self, amount: Number, factor: int, least: int, where: str) -> AmountNumbers:
        if isinstance(amount, AmountOf) and amount.of not in self.vocabulary.fact_by_name:
            self.problems.append(Problem(f"{where}.amount.of", f"there is no status for {quoted(amount.of)}"))
            return AmountNumbers()
        return amount_numbers(amount, factor, least, self.vocabulary)

    def _chance(self, chance: int | None) -> int:
        if chance is None:
            return -1
        self.draws |= 0 < chance < codes.LARGEST_CHANCE
        return chance

    def _condition(self, written: Any, implied: str, where: str) -> Any:
        """The place of a condition's program; for an invalid condition, that of no condition."""
        if written is None and not implied and self._unconditional is not None:
            return self._unconditional
        try:
            found = [self._tree(source, where) for source in (implied or None, written)]
            trees = [tree for tree in found if tree is not None]
        except InputError as error:
            self.problems += error.problems
            trees = []
        tree = And(tuple(trees)) if len(trees) > 1 else next(iter(trees), None)
        span = tuple(self.pool.add(compile_condition(tree, self.vocabulary)))
        if tree is None:
            self._unconditional = span
        return span

    def _tree(self, source: Any, where: str) -> Tree | None:
        return parse(source, self.vocabulary, where=where, content=True).tree


def stacks_of(piece: Piece) -> str:
    """The condition for a piece to do anything: for an own status, that its owner has stacks of it."""
    return f"self.{piece.status} > 0" if piece.status else ""


def implied_by(piece: Piece, trigger: str, effect: Effect) -> str:
    """The condition that an effect inherits from its piece; none if it answers the loss of its own status."""
    is_its_loss = trigger == "status_lost" and effect.of == piece.status
    return "" if is_its_loss else stacks_of(piece)


def _is_fixed(entry: Any) -> bool:
    """Whether a modifier always applies, to everything alike."""
    is_general = entry.phase == 0 and entry.quantity == NO_QUANTITY and entry.is_limited == 0
    return bool(is_general and entry.condition.step_count == 0 and entry.amount.kind == codes.NUMBER_AMOUNT)


def _limits(modifier: Modifier, worn: Sequence[Sequence[Piece]]) -> tuple[int, int]:
    """The pieces and rules that a modifier is limited to, as bit sets."""
    pieces = rules = 0
    for side, side_pieces in enumerate(worn):
        for piece in side_pieces:
            fits = modifier.tag is None or (piece.counts_tags and modifier.tag in piece.tags)
            if fits and modifier.source in (None, "pieces"):
                pieces |= 1 << piece.number
            if fits and modifier.source in (None, "strike") and piece.number % codes.PIECES == codes.WEAPON_PIECE:
                rules |= 1 << codes.STRIKE_BITS + side
    if modifier.tag is None:
        for source, name in enumerate(codes.RULE_SOURCES):
            rules |= int(modifier.source in (None, name)) << source
        # A bare-handed strike is a strike as well.
        rules |= (0 if modifier.source not in (None, "strike") else 0b11) << codes.STRIKE_BITS
    # The last bit of an int64 is its sign.
    return pieces - (1 << 64 if pieces >> 63 else 0), rules


def _effects(piece: Piece) -> Iterator[tuple[str, _Due]]:
    """A piece's effects by trigger, then those of its flags."""
    for trigger, place, effect in made_once(piece.body, "effects", lambda: tuple(_numbered_effects(piece.body))):
        yield trigger, _Due(piece, effect, piece.factor, f"{piece.path}.triggers.{trigger}.{place}")
    for form, number in flag_uses(piece.body.flags):
        if form.trigger:
            effect = _effect_of_flag(form.op, min(number * piece.factor, codes.LARGEST))
            yield form.trigger, _Due(piece, effect, 1, f"{piece.path}.flags")


@lru_cache(maxsize=1024)
def _effect_of_flag(op: str, number: int) -> Effect:
    return Effect(do=[Op.model_validate([op, number])])


@cache
def _modifier_of_flag(modifier: str) -> Modifier:
    return Modifier.model_validate([modifier])


def _numbered_effects(body: Body) -> Iterator[tuple[str, int, Effect]]:
    for trigger, entries in body.triggers.items():
        for index, effect in enumerate(effects_of(entries, trigger)):
            yield trigger, index, effect


def _modifiers(piece: Piece) -> Iterator[tuple[str, _WornModifier]]:
    """A piece's modifiers by kind, then those of its flags."""
    for index, modifier in enumerate(piece.body.modifiers):
        yield modifier.modifier, _WornModifier(piece, modifier, f"{piece.path}.modifiers.{index}")
    for form, _ in flag_uses(piece.body.flags):
        if form.modifier:
            yield form.modifier, _WornModifier(piece, _modifier_of_flag(form.modifier), f"{piece.path}.flags")


def _by_name(entries: Iterable[tuple[str, Entry]]) -> dict[str, list[Entry]]:
    """Entries grouped by name, in order."""
    found: dict[str, list[Entry]] = {}
    for name, entry in entries:
        found.setdefault(name, []).append(entry)
    return found


def _pieces_with(tag: str, own: Piece, pieces: Iterable[Piece]) -> int:
    """The other pieces that an op may retrigger, as a bit set: those with the tag, if given; no statuses."""
    others = [piece for piece in pieces if piece.number != own.number and not piece.status]
    fitting = [piece for piece in others if not tag or tag in piece.tags]
    bits = 0
    for piece in fitting:
        bits |= 1 << piece.number % codes.PIECES
    return bits


def amount_numbers(amount: Number, factor: int, least: int, vocabulary: Vocabulary) -> AmountNumbers:
    """An amount as numbers, multiplied by a tier's factor and limited to its range."""
    if amount == "all":
        return AmountNumbers(kind=codes.ALL_AMOUNT, per=1)
    if isinstance(amount, AmountOf):
        times = clamped(amount.times * (1 if amount.per == 100 else factor), -codes.LARGEST, codes.LARGEST)
        fact = vocabulary.fact_by_name[amount.of].code
        return AmountNumbers(kind=codes.FACT_AMOUNT, fact=fact, times=times, per=amount.per)
    number = clamped(amount * factor, least, codes.LARGEST) if isinstance(amount, int) else 0
    return AmountNumbers(number=number, per=1)
