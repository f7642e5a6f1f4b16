"""Battles stopped in their middle, in plain Python: at the start of each round, and at every choice (`why`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from fracas.kernel.dice import open_address, seek_stream
from fracas.kernel.snapshots import FROM_DECISION, FROM_ROUND, WITH_CHOICE, mutable_spans, save_snapshot
from fracas.kernel.turn_order import LAST_NUMBER
from fracas.kit.declare.dice import CHOICE_LANES
from fracas.kit.derive.functions import Functions, Play
from fracas.kit.derive.loops import PLACE_LENGTH, UNDECIDED, Loops
from fracas.kit.derive.shape import Shape, file_name
from fracas.rulesets.contract.analysis import Decision, DecisionPoint, Option
from fracas.rulesets.contract.types import Compiled, Document

Action = tuple[int, int, int]


def place(*numbers: int) -> tuple[int, ...]:
    """A place to resume from, as long as the kernels need it."""
    return (*numbers, *(0,) * (PLACE_LENGTH - len(numbers)))


def open_choice(battle: Any, number: int) -> None:
    """Open the address of a choice: a unit's by its number, a side's, or that of an ask."""
    open_address(battle.dice, battle.tick, CHOICE_LANES + number)


@dataclass(frozen=True)
class Decider:
    """Plays a game's battles in plain Python and stops where somebody chooses."""

    shape: Shape
    functions: Functions
    loops: Loops
    constant_fields: frozenset[str]
    actions: tuple[Action, ...]
    """Every action: a choice and its two parts."""
    strategy: str = ""
    """The field of a side that holds its strategy."""
    untargeted: frozenset[int] = frozenset()
    """Choices without a target."""

    def after_set_up(self, compiled: Compiled, stream: int) -> Any:
        """A battle after its set-up."""
        battle = compiled.own_record()[0]
        seek_stream(battle.dice, stream)
        self.loops["kit_set_up"](battle, None)
        return battle

    def decision_points(self, compiled: Compiled, document: Document, stream: int) -> Iterator[DecisionPoint]:
        """The start of each round, and each choice between several actions."""
        records = compiled.own_record()
        battle = records[0]
        spans = mutable_spans(records.dtype, self.constant_fields)
        seek_stream(battle.dice, stream)
        self.loops["kit_set_up"](battle, None)
        walk = {
            Play.ROUNDS: self._rounds,
            Play.BOTH: self._both,
            Play.TURNS: self._turns,
            Play.ADVANCE: self._advance,
        }[self.functions.play]
        names = compiled.books["unit"]
        for tick, where, decision in walk(battle, names):
            yield DecisionPoint(tick, save_snapshot(records, spans), where, decision)

    def _rounds(self, battle: Any, names: Sequence[str]) -> Iterator[tuple[int, tuple[int, ...], Decision | None]]:
        while battle.reason == UNDECIDED:
            yield int(battle.tick) + 1, place(FROM_ROUND), None
            self.loops["kit_next"](battle, None)

    def _both(self, battle: Any, names: Sequence[str]) -> Iterator[tuple[int, tuple[int, ...], Decision | None]]:
        while battle.reason == UNDECIDED:
            yield int(battle.tick) + 1, place(FROM_ROUND), None
            battle.tick += 1
            chosen = [int(self.loops["kit_choice_of"](battle, side)) for side in range(2)]
            battle.tick -= 1
            for side in range(2):
                me = battle.sides[side]
                known = [each for each in self.actions if self.is_legal(battle, me, each)]
                battle.tick += 1
                line = self._line(battle, me, side, side)
                battle.tick -= 1
                found = self._decision(side, str(side + 1), known, (chosen[side], 0, 0), WITH_CHOICE, side, line)
                if found is not None:
                    yield int(battle.tick) + 1, place(FROM_ROUND), found
            self.loops["kit_next"](battle, None)

    def _turns(self, battle: Any, names: Sequence[str]) -> Iterator[tuple[int, tuple[int, ...], Decision | None]]:
        while battle.reason == UNDECIDED:
            yield int(battle.tick) + 1, place(FROM_ROUND), None
            self.loops["kit_begin_round"](battle, None)
            for at in range(int(battle.kit_turns)):
                unit = self.loops["kit_unit"](battle, int(battle.kit_order[at]) & LAST_NUMBER)
                if battle.reason != UNDECIDED or not self.loops["kit_can_act"](battle, unit):
                    continue
                if self.functions.has("take_turn"):
                    self.loops["kit_turn"](battle, unit, None)
                    continue
                open_choice(battle, int(unit.number))
                choice = tuple(int(each) for each in self.loops["kit_choose"](battle, unit))
                known = [each for each in self.actions if self.is_legal(battle, unit, each)]
                line = self._line(battle, unit, int(unit.side), int(unit.number))
                who = names[unit.number]
                found = self._decision(int(unit.side), who, known, choice, WITH_CHOICE, at, line, names)
                if found is not None:
                    yield int(battle.tick), place(FROM_DECISION, at), found
                self.loops["kit_act"](battle, unit, *choice, None)
            if battle.reason == UNDECIDED:
                self.loops["kit_end_round"](battle, None)

    def _advance(self, battle: Any, names: Sequence[str]) -> Iterator[tuple[int, tuple[int, ...], Decision | None]]:
        tick = -1
        while battle.reason == UNDECIDED:
            if int(battle.tick) != tick:
                tick = int(battle.tick)
                yield tick + 1, place(FROM_ROUND), None
            self.loops["kit_advance"](battle, None)
            if battle.reason != UNDECIDED:
                return
            asked = [side for side in range(2) if int(battle.asked) >> side & 1]
            for side in asked:
                self.loops["kit_choose_for"](battle, side)
            for side in asked:
                me = self.chooser(battle, side)
                parts = [int(each) for each in battle.kit_parts[side]]
                chosen = (int(battle.kit_choice[side]), parts[0], parts[1] if len(parts) > 1 else 0)
                known = [each for each in self.actions if self.is_legal(battle, me, each)]
                who = names[int(battle.actor)] if self.functions.chooser_is_unit else str(side + 1)
                line = self._line(battle, me, side, 2 * int(battle.kit_asks) + side)
                found = self._decision(side, who, known, chosen, WITH_CHOICE, side, line, names)
                if found is not None:
                    yield int(battle.tick), place(FROM_DECISION, side), found
            self.loops["kit_act_all"](battle, None)

    def chooser(self, battle: Any, side: int) -> Any:
        """Who chooses for a side: the asked unit, or the side itself."""
        if self.functions.chooser_is_unit:
            return self.loops["kit_unit"](battle, int(battle.actor))
        return battle.sides[side]

    def is_legal(self, battle: Any, me: Any, action: Action) -> bool:
        """Whether an action is legal now."""
        passed = [
            self.loops["kit_unit"](battle, value) if part.is_unit else value
            for part, value in zip(self.functions.parts, action[1:], strict=False)
        ]
        return bool(self.loops["kit_legal"](battle, me, action[0], *passed))

    def _decision(
        self,
        side: int,
        who: str,
        known: list[Action],
        chosen: tuple[int, ...],
        where: int,
        at: int,
        line: int = 0,
        names: Sequence[str] = (),
    ) -> Decision | None:
        """A decision between several legal actions; None if there was no choice, or the choice was not legal."""
        if len(known) < 2 or chosen not in known:
            return None
        lines = {chosen: f" (line {line})"} if line else {}
        options = [Option(self.label(each, names) + lines.get(each, ""), place(where, at, *each)) for each in known]
        return Decision(side + 1, who, known.index(chosen), options)

    def _line(self, battle: Any, me: Any, side: int, number: int) -> int:
        """The line of a strategy that chooses now, from 1; 0 for none."""
        if not self.strategy:
            return 0
        open_choice(battle, number)
        found = self.loops["kit_line"](battle, me)
        line = int(found[0] if isinstance(found, tuple) else found)
        return line - int(battle.sides[side][self.strategy].first) + 1 if line >= 0 else 0

    def label(self, action: Action, names: Sequence[str] = ()) -> str:
        """What people call an action; `names` are those of the units."""
        choices = self.functions.choices
        assert choices is not None
        name = next((file_name(each) for each in choices if int(each) == action[0]), str(action[0]))
        parts = []
        aimed = () if action[0] in self.untargeted else self.functions.parts
        for part, value in zip(aimed, action[1:], strict=False):
            if part.is_unit and value < len(names):
                parts.append(names[value])
            elif part.enum is not None:
                told = next((file_name(each) for each in part.enum if int(each) == value), str(value))
                parts.append(told.replace("_", " "))
            else:
                parts.append(str(value))
        return " ".join([name.replace("_", " "), *parts])


def actions_of(functions: Functions, untargeted: Sequence[int]) -> tuple[Action, ...]:
    """Every action of a game: choices in order, each with all values of its parts, unless it has none."""
    if functions.choices is None:
        return ()
    sizes = [*(part.size for part in functions.parts), 1, 1][:2]
    return tuple(
        (int(choice), first, second)
        for choice in functions.choices
        for first in range(1 if int(choice) in untargeted else sizes[0])
        for second in range(1 if int(choice) in untargeted else sizes[1])
    )
