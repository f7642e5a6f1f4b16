"""Compile a resolved relics battle into one record: names become numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from fracas.content.references import numbered
from fracas.content.validate import validate
from fracas.errors import InputError, Problem
from fracas.errors.suggestions import quoted
from fracas.rulesets.contract.plugin_kinds import Plugin
from fracas.rulesets.contract.types import Compiled, Document
from fracas.rulesets.relics.content.compile_effects import EffectWriter
from fracas.rulesets.relics.content.equipment import Piece, pieces_of, start_of, state_of
from fracas.rulesets.relics.content.models.fighters import ResolvedFighter
from fracas.rulesets.relics.content.models.scenario import Resolved
from fracas.rulesets.relics.content.places import SIDES, worn_pieces
from fracas.rulesets.relics.content.vocabulary import countable, own_tags_in, vocabulary_of
from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.relics.rules.events import CODEBOOKS
from fracas.rulesets.relics.rules.state import battle_t
from fracas.rulesets.shared.fill import fill
from fracas.rulesets.shared.seeds import key_words


def compile_battle(
    document: Document, plugins: Mapping[str, Plugin], *, strict: bool = False, sound: Resolved | None = None
) -> Compiled:
    """Compile a resolved document into a playable record; `sound` is its model, if already validated.

    Raises:
        InputError: a fighter without HP, an invalid condition, or more effects than a battle has room for.
    """
    resolved = sound or validate(Resolved, document, "scenario")
    return _Compiler(resolved, document).compile()


class _Compiler:
    def __init__(self, resolved: Resolved, document: Document) -> None:
        self.resolved = resolved
        self.records = np.zeros(1, battle_t)
        self.battle = self.records[0]
        self.problems: list[Problem] = []
        self.asked_tags = own_tags_in(document)
        self.own_tags = counted_tags(self.asked_tags, document)
        self.own_statuses = sorted(resolved.statuses)
        fighters = enumerate((resolved.left, resolved.right))
        self.pieces = [pieces_of(fighter, side, resolved.statuses) for side, fighter in fighters]

    def compile(self) -> Compiled:
        """The record and its books.

        Raises:
            InputError: every problem found.
        """
        fill(self.battle.options, self.resolved.options)
        self.battle.piece_kinds[:] = codes.NOBODY
        if len(self.own_tags) > codes.OWN_TAGS:
            message = f"a battle can count {codes.OWN_TAGS} own tags; this one counts {len(self.own_tags)}"
            self.problems.append(Problem("left, right", message, "count fewer tags"))
            del self.own_tags[codes.OWN_TAGS :]
        vocabulary = vocabulary_of(tuple(self.asked_tags), tuple(self.own_statuses))
        writer = EffectWriter(
            self.battle, self.resolved.options, self.problems, self.pieces, vocabulary, self.own_statuses
        )
        for side, fighter in enumerate((self.resolved.left, self.resolved.right)):
            self._write_build(side, fighter)
            writer.write(side, self.pieces[side])
        writer.finish()
        if self.problems:
            raise InputError(dict.fromkeys(self.problems))
        self.battle.deterministic = not (writer.draws or self.resolved.options.tie_breaker == "random")
        self.battle.dice.key[:] = key_words(self.resolved.seed)
        return Compiled(self.records, {**books(self.resolved, self.pieces), "own_tag": self.own_tags})

    def _write_build(self, side: int, fighter: ResolvedFighter) -> None:
        build = self.battle.builds[side]
        where = SIDES[side]
        self._check_numbers(where, fighter)
        if fighter.state is not None:
            start = state_of(fighter.state, self.own_statuses)
        else:
            start = start_of(fighter, self.pieces[side])
        if start[codes.HP_MAX] < 1:
            message = f"has {start[codes.HP_MAX]} HP with everything it wears"
            self.problems.append(Problem(where, message, "a fighter needs at least 1: give it more health"))
        build.start[: len(start)] = start
        if fighter.state is not None:
            build.struck = fighter.state.struck_this_turn
            build.exposed, build.wounded = fighter.state.exposed_triggered, fighter.state.wounded_triggered
        build.item_count = len(fighter.items)
        build.phase_count = 1 + len(fighter.phases)
        build.phases[0].start[: len(start)] = start
        for number, phase in enumerate(fighter.phases, 1):
            values = build.phases[number].start
            stats = phase.stats
            values[codes.HP] = values[codes.HP_MAX] = stats.health
            values[codes.ATTACK], values[codes.ARMOR], values[codes.SPEED] = stats.attack, stats.armor, stats.speed
        fighter_tier = codes.TIERS.index(fighter.tier)
        for piece in self.pieces[side]:
            # There is one trait for each phase; show the first.
            if piece.is_shown and self.battle.piece_kinds[piece.number] == codes.NOBODY:
                self.battle.piece_kinds[piece.number] = piece.kind
                self.battle.piece_tiers[piece.number] = fighter_tier if piece.number % codes.PIECES == 0 else piece.tier
        counted = (*codes.TAGS, *self.own_tags)
        worn = [piece.tags for piece in self.pieces[side] if piece.counts_tags]
        build.tags[: len(counted)] = [sum(tag in tags for tags in worn) for tag in counted]

    def _check_numbers(self, where: str, fighter: ResolvedFighter) -> None:
        """Check that a fighter's own statuses exist and leave room for the numbers of its sets."""
        room = codes.PIECES - codes.FIRST_SET - len(self.own_statuses)
        if len(fighter.sets) > room:
            message = (
                f"has {len(fighter.sets)} sets; beside {len(self.own_statuses)} own statuses there is room for {room}"
            )
            self.problems.append(
                Problem(f"{where}.sets", message, "wear fewer sets, or fewer pieces that use own statuses")
            )
        stacks = fighter.state.statuses if fighter.state is not None else {}
        for name in sorted(stacks.keys() - set(self.own_statuses)):
            self.problems.append(Problem(f"{where}.state.statuses", f"there is no status {quoted(name)}"))


def counted_tags(asked: list[str], document: Document) -> list[str]:
    """The counted tags apart from built-in ones: first those that something asks for, then those worn."""
    worn = {tag for side in SIDES for piece in worn_pieces(document[side]) for tag in piece.get("tags", ())}
    return asked + [tag for tag in countable(worn) if tag not in asked][: max(0, codes.OWN_TAGS - len(asked))]


def books(resolved: Resolved, pieces: list[list[Piece]]) -> Mapping[str, Any]:
    """The code books of a battle; no two sources of a side have the same name."""
    sources = [""] * codes.PIECE_SLOTS + list(codes.RULE_SOURCES)
    for side in pieces:
        taken = set(codes.RULE_SOURCES)
        for piece in side:
            # There is one trait for each phase.
            if not sources[piece.number]:
                sources[piece.number] = numbered(piece.name, taken, codes.PIECES)
                taken.add(sources[piece.number])
    own = {"fighter": [resolved.left.name, resolved.right.name], "source": sources}
    if resolved.statuses:
        own["quantity"] = [*codes.QUANTITIES, *sorted(resolved.statuses)]
    return {**CODEBOOKS, **own}
