"""Generates a game's loops around its rules: set-up, rounds, turns, asks; and the entry points made of them.

The loops are source, one text a game, so that they read like rules and compile like rules: no call through a table, no
branch for another shape of play. `own_...` are the author's rules, `kit_...` the kit's.

A place to resume from (kernel/snapshots.py) has six numbers: where; then, from a decision, in *turns* the place in the
order, else the side; the choice and its two parts; the round to stop before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from fracas.kernel.condition_evaluator import EVERY_UNIT, SCALAR, compare, evaluate
from fracas.kernel.dice import below, open_address, tie_word
from fracas.kernel.entry_points import batch, enumerator, rollout
from fracas.kernel.event_log import NOBODY, emit
from fracas.kernel.generated_source import run_source
from fracas.kernel.jit import kernel
from fracas.kernel.snapshots import FROM_DECISION, FROM_SET_UP, WITH_CHOICE, stops_before
from fracas.kernel.turn_order import LAST_NUMBER, LATE_SHIFT, order_key, place_of_next, put_in_order, take_out
from fracas.kit.declare.boards import board_source
from fracas.kit.declare.dice import ACT_LANES, CHOICE_LANES, END_LANE, ORDER_LANE, ROUND_LANE
from fracas.kit.derive.bind import reset_lines, tell_lines, unit_source
from fracas.kit.derive.functions import Functions, Play
from fracas.kit.derive.minds import FIRST, LOWEST, RANDOM, SELF
from fracas.kit.derive.record import Machine, result_fields
from fracas.kit.derive.shape import Shape
from fracas.kit.derive.strategies import Strategies, has_minds

# The kinds of the rows that the kit writes. Those of authors begin at 1 and end below.
MOST_EVENTS = 200
START, OUTCOME, UNIT_SETS, SIDE_SETS, BATTLE_SETS = range(MOST_EVENTS + 1, MOST_EVENTS + 6)
# The most choices that a round may ask for in the shape *advance*.
MOST_ASKS = 10_000
PLACE_LENGTH = 6
UNDECIDED = 0


@dataclass(frozen=True)
class Loops:
    """A game's kernels, by name, and the source that they were made from."""

    source: str
    kernels: Mapping[str, Callable[..., Any]]

    def __getitem__(self, name: str) -> Callable[..., Any]:
        return self.kernels[name]


@dataclass(frozen=True)
class EntryPoints:
    """What `Kernels` of the contract asks for."""

    play_many: Callable[..., None]
    resume_many: Callable[..., None]
    enumerate_step: Callable[..., None]


def machine_of(shape: Shape, functions: Functions, times: int) -> Machine:
    """What the loops of a game keep in its record."""
    is_asking = functions.play is Play.ADVANCE
    return Machine(
        functions.play is Play.TURNS, is_asking, len(functions.parts), functions.triggers, times, has_minds(shape)
    )


def loops_of(
    shape: Shape,
    functions: Functions,
    machine: Machine,
    cap_reason: int,
    fields: Mapping[tuple[type, str], int],
    strategies: Strategies,
) -> Loops:
    """Make a game's loops. `fields` are the numbers of drawn State fields in rows."""
    writer = _Writer(shape, functions, machine, cap_reason, fields, strategies)
    source = "\n\n".join(writer.texts()) + "\n"
    scope: dict[str, Any] = {
        "__name__": shape.module.__name__,
        **{f"own_{name}": rule for name, rule in functions.rules.items()},
        **{f"fact_{name}": rule for name, rule in functions.facts.items()},
        **_SCOPE,
    }
    run_source(source, scope)
    made = {name: kernel(value) for name, value in scope.items() if name.startswith("kit_") and callable(value)}
    return Loops(source, made)


def entry_points(loops: Loops) -> EntryPoints:
    """The entry points made of a game's loops."""
    write_result = loops["kit_write_result"]
    return EntryPoints(
        batch(loops["kit_play"], write_result),
        rollout(loops["kit_resume"], write_result),
        enumerator(loops["kit_step"]),
    )


_FUNCTIONS = (
    open_address, tie_word, below, emit, order_key, put_in_order, place_of_next, take_out, compare, evaluate,
)  # fmt: skip
# What the generated source reads besides the author's rules.
_SCOPE: dict[str, Any] = {
    **{each.__name__: each for each in _FUNCTIONS},
    "NOBODY": NOBODY,
    "FROM_DECISION": FROM_DECISION,
    "FROM_SET_UP": FROM_SET_UP,
    "stops_before": stops_before,
    "WITH_CHOICE": WITH_CHOICE,
    "LATE_SHIFT": LATE_SHIFT,
    "LAST_NUMBER": LAST_NUMBER,
    "ACT_LANES": ACT_LANES,
    "CHOICE_LANES": CHOICE_LANES,
    "END_LANE": END_LANE,
    "ORDER_LANE": ORDER_LANE,
    "ROUND_LANE": ROUND_LANE,
    "START": START,
    "OUTCOME": OUTCOME,
    "MOST_ASKS": MOST_ASKS,
    "UNDECIDED": UNDECIDED,
    "SCALAR": SCALAR,
    "EVERY_UNIT": EVERY_UNIT,
    "FIRST": FIRST,
    "RANDOM": RANDOM,
    "SELF": SELF,
    "LOWEST": LOWEST,
}


@dataclass(frozen=True)
class _Writer:
    """Writes the source."""

    shape: Shape
    functions: Functions
    machine: Machine
    cap: int
    fields: Mapping[tuple[type, str], int]
    strategies: Strategies

    def texts(self) -> Iterator[str]:
        """All functions; each after those that it calls."""
        yield self._function("kit_reset(battle)", reset_lines(self.shape, self.machine))
        yield from self._units()
        yield from self.strategies.facts.source()
        if self.machine.minds:
            yield "def kit_holds(battle, me, condition):\n    return kit_meets(battle, me, battle.kit_minds, condition)"
        yield from self._legal()
        yield from self.strategies.source(self._part_arguments("first", "second"))
        yield from self._triggers()
        if self.machine.asks:
            yield _ASK.format(side="me.side" if self.functions.chooser_is_unit else "me.number")
        if self.shape.board is not None:
            spec = self.shape.board.spec
            yield board_source(spec.width, spec.height, spec.shape)
        yield self._tell()
        yield _SET_UP.format(set_up=self._if("set_up", "own_set_up(battle, log)"), settle=self._settle())
        yield self._write_result()
        yield {
            Play.ROUNDS: self._rounds,
            Play.BOTH: self._both,
            Play.TURNS: self._turns,
            Play.ADVANCE: self._advance,
        }[self.functions.play]()
        yield self._tail()
        yield _PLAY

    def _function(self, head: str, lines: Iterator[str]) -> str:
        return "\n".join([f"def {head}:", *(f"    {line}" for line in lines)])

    def _if(self, rule: str, call: str) -> str:
        return call if self.functions.has(rule) else "pass"

    def _settle(self) -> str:
        """What follows every act, turn and round: waiting triggers, then what no column has told."""
        calls = ["kit_drain(battle, log)"] if self.machine.triggers is not None else []
        calls += ["kit_tell(battle, log)"] if self._told else []
        return "; ".join(calls) or "pass"

    @property
    def _told(self) -> list[str]:
        kinds = {"battle": BATTLE_SETS, "side": SIDE_SETS, "unit": UNIT_SETS}
        return list(tell_lines(self.shape, self.fields, kinds))

    def _tell(self) -> str:
        lines = [f"    {line}" for line in self._told]
        return self._function("kit_tell(battle, log)", iter(["if log is not None:", *lines] if lines else ["pass"]))

    @property
    def _count(self) -> str:
        units = self.shape.units
        return self.shape.side.counts[units.name] if units is not None else ""

    def _units(self) -> Iterator[str]:
        """The look-up of units, and who is present and may act."""
        if self.shape.units is None:
            return
        yield unit_source(self.shape, "kit_unit").rstrip()
        yield _JOIN.format(count=self._count)
        if self.functions.has("present"):
            yield "def kit_present(battle, unit):\n    return own_present(battle, unit)"
        else:
            has_hp = "hp" in self.shape.unit.by_name
            test = "unit.hp > 0" if has_hp else f"unit.place < battle.sides[unit.side].{self._count}"
            yield f"def kit_present(battle, unit):\n    return {test}"
        rule = "own_can_act" if self.functions.has("can_act") else "kit_present"
        yield f"def kit_can_act(battle, unit):\n    return {rule}(battle, unit)"

    def _legal(self) -> Iterator[str]:
        """What the author's `legal` allows, at units that are present."""
        if not self.functions.has("legal"):
            return
        parts = self.functions.parts
        names = "".join(f", {part.name}" for part in parts)
        aims = [f"kit_present(battle, {part.name})" for part in parts if part.is_unit]
        if aims and self.strategies.untargeted:
            aimless = " or ".join(f"choice == {each}" for each in sorted(self.strategies.untargeted))
            aims = [f"({aimless} or {' and '.join(aims)})"]
        tests = " and ".join([*aims, f"own_legal(battle, me, choice{names})"])
        yield f"def kit_legal(battle, me, choice{names}):\n    return {tests}"

    def _triggers(self) -> Iterator[str]:
        if self.machine.triggers is not None:
            yield _TRIGGERS.format(times=self.machine.times)

    def _write_result(self) -> str:
        return self._function("kit_write_result(battle, result)", self._result_lines())

    def _result_lines(self) -> Iterator[str]:
        yield "result.rounds = battle.tick"
        for name, plan in result_fields(self.shape).items():
            if plan is self.shape.battle:
                yield f"result.{name} = battle.{name}"
            else:
                yield "for side in battle.sides:"
                yield f"    result.{name}[side.number] = side.{name}"
        units, side = self.shape.units, self.shape.side
        yield "for side in battle.sides:"
        yield "    left = 0"
        yield "    standing = 0"
        if units is None:
            vital = self.shape.vital(side)
            yield f"    left = side.{vital.name}" if vital is not None else "    pass"
            yield "    standing = 1" if vital is None else "    standing = 1 if left > 0 else 0"
        else:
            vital = self.shape.vital(self.shape.unit)
            yield f"    for unit in side.{units.name}[: side.{self._count}]:"
            yield "        if kit_present(battle, unit):"
            yield "            standing += 1"
            if vital is not None:
                yield f"            left += unit.{vital.name}"
        yield "    result.hp_left[side.number] = left"
        yield "    result.units_left[side.number] = standing"

    # -- the shapes --------------------------------------------------------------------------------------------------

    def _rounds(self) -> str:
        return _ROUNDS.format(cap=self.cap, settle=self._settle())

    def _both(self) -> str:
        assert self.functions.chosen is not None
        name = self.functions.chosen.name
        choose = "return own_choose(battle, me)" if self.functions.has("choose") else self._first_legal("me", "    ")
        return _BOTH.format(cap=self.cap, settle=self._settle(), chosen=name, choose=choose)

    def _first_legal(self, me: str, indent: str) -> str:
        """The default of `choose`: the first legal action. If none is legal, the first of all."""
        choices = self.functions.choices
        assert choices is not None
        lines = self.strategies.following(me)
        for member in choices:
            lines += [f"if kit_legal(battle, {me}, {int(member)}):", f"    return {int(member)}"]
        lines.append(f"return {int(next(iter(choices)))}")
        return f"\n{indent}".join(lines)

    def _part_arguments(self, first: str, second: str) -> str:
        """The parts of an action as the author's rules take them."""
        passed = []
        for part, value in zip(self.functions.parts, (first, second), strict=False):
            passed.append(f"kit_unit(battle, {value})" if part.is_unit else value)
        return "".join(f", {each}" for each in passed)

    def _choose(self, me: str) -> str:
        """The body of kit_choose: the author's, or the first legal action; a choice and two parts."""
        parts = self.functions.parts
        if self.functions.has("choose"):
            return {
                0: f"return own_choose(battle, {me}), 0, 0",
                1: f"choice, first = own_choose(battle, {me})\n    return choice, first, 0",
                2: f"choice, first, second = own_choose(battle, {me})\n    return choice, first, second",
            }[len(parts)]
        choices = self.functions.choices
        assert choices is not None
        sizes = [*(part.size for part in parts), 1, 1][:2]
        arguments = self._part_arguments("first", "second")
        lines = self.strategies.following(me)
        for member in choices:
            lines += [
                f"for first in range({sizes[0]}):",
                f"    for second in range({sizes[1]}):",
                f"        if kit_legal(battle, {me}, {int(member)}{arguments}):",
                f"            return {int(member)}, first, second",
            ]
        lines.append(f"return {int(next(iter(choices)))}, 0, 0")
        return "\n    ".join(lines)

    def _turns(self) -> str:
        assert self.shape.units is not None
        if self.functions.has("take_turn"):
            turn = _OWN_TURN.format(settle=self._settle())
        else:
            arguments = self._part_arguments("first", "second")
            turn = _CHOSEN_TURN.format(choose=self._choose("unit"), arguments=arguments, settle=self._settle())
        return (
            turn
            + "\n\n"
            + _TURNS.format(
                cap=self.cap,
                settle=self._settle(),
                begin_round=self._if("begin_round", "own_begin_round(battle, log)"),
                end_round=self._if("end_round", "own_end_round(battle, log)"),
                units=self.shape.units.name,
                count=self._count,
            )
        )

    def _advance(self) -> str:
        me = "kit_unit(battle, battle.actor)" if self.functions.chooser_is_unit else "battle.sides[side]"
        return _ADVANCE.format(
            cap=self.cap,
            settle=self._settle(),
            choose=self._choose("me"),
            me=me,
            arguments=self._part_arguments("battle.kit_parts[side, 0]", "battle.kit_parts[side, 1]"),
            second="battle.kit_parts[side, 1] = second" if len(self.functions.parts) > 1 else "pass",
        )

    def _tail(self) -> str:
        resumed, step, moment = "", "kit_next(battle, None)", "battle.tick + 1"
        match self.functions.play:
            case Play.BOTH:
                resumed = _BOTH_RESUMED
            case Play.TURNS:
                resumed = _TURNS_RESUMED + ("" if self.functions.has("take_turn") else _CHOSEN_TURN_RESUMED)
                step = "kit_next_turn(battle)"
                moment = f"(battle.tick + 1) * {self.shape.most_units + 1} - battle.kit_turns"
            case Play.ADVANCE:
                second = "battle.kit_parts[place[1], 1] = place[4]" if len(self.functions.parts) > 1 else "pass"
                resumed = _ADVANCE_RESUMED.format(second=second)
                moment = "battle.tick * (MOST_ASKS + 2) + battle.kit_asks + 1"
        return _TAIL.format(resumed=resumed, step=step, moment=moment)


_SET_UP = """\
def kit_set_up(battle, log):
    kit_reset(battle)
    open_address(battle.dice, 0, ROUND_LANE)
    if log is not None:
        emit(log, 0, START, NOBODY, NOBODY, battle.options.round_cap, 0, 0, 0)
    {set_up}
    {settle}"""

_JOIN = """\
def kit_join(battle, unit):
    side = battle.sides[unit.side]
    if unit.place >= side.{count}:
        side.{count} = unit.place + 1"""

_ASK = """\
def kit_ask(battle, me):
    battle.asked = 1 << {side}
    battle.actor = me.number"""

_TRIGGERS = """\
def kit_later(battle, me, what, target):
    if battle.kit_ran[me.number, what] < {times}:
        battle.kit_ran[me.number, what] += 1
        waiting = battle.kit_waiting
        battle.kit_queue[waiting, 0] = me.number
        battle.kit_queue[waiting, 1] = what
        battle.kit_queue[waiting, 2] = target.number
        battle.kit_waiting = waiting + 1

def kit_drain(battle, log):
    if battle.kit_waiting == 0:
        return
    first = 0
    while first < battle.kit_waiting:
        me, what, target = battle.kit_queue[first, 0], battle.kit_queue[first, 1], battle.kit_queue[first, 2]
        first += 1
        own_happen(battle, kit_unit(battle, me), what, kit_unit(battle, target), log)
    for place in range(battle.kit_waiting):
        battle.kit_ran[battle.kit_queue[place, 0], battle.kit_queue[place, 1]] = 0
        for column in range(3):
            battle.kit_queue[place, column] = 0
    battle.kit_waiting = 0"""

_PLAY = """\
def kit_play(battle, log, plugins):
    kit_set_up(battle, log)
    while battle.reason == UNDECIDED:
        kit_next(battle, log)
    kit_announce(battle, log)

def kit_announce(battle, log):
    if log is not None:
        emit(log, battle.tick, OUTCOME, NOBODY, NOBODY, battle.winner, battle.reason, 0, 0)"""

# The round cap ends a battle behind its last round, in every shape.
_END = """\
    if battle.reason == UNDECIDED and battle.tick >= battle.options.round_cap:
        battle.winner = 0
        battle.reason = {cap}"""

_ROUNDS = (
    """\
def kit_next(battle, log):
    battle.tick += 1
    open_address(battle.dice, battle.tick, ROUND_LANE)
    own_play_round(battle, log)
    {settle}
"""
    + _END
)

_BOTH = (
    """\
def kit_choose(battle, me):
    {choose}

def kit_choice_of(battle, side):
    open_address(battle.dice, battle.tick, CHOICE_LANES + side)
    return kit_choose(battle, battle.sides[side])

def kit_take(battle, first, second, log):
    battle.sides[0].{chosen} = first
    battle.sides[1].{chosen} = second
    open_address(battle.dice, battle.tick, ROUND_LANE)
    own_play_round(battle, log)
    {settle}
"""
    + _END
    + """

def kit_next(battle, log):
    battle.tick += 1
    first = kit_choice_of(battle, 0)
    second = kit_choice_of(battle, 1)
    kit_take(battle, first, second, log)"""
)

_OWN_TURN = """\
def kit_turn(battle, unit, log):
    open_address(battle.dice, battle.tick, unit.number)
    own_take_turn(battle, unit, log)
    {settle}"""

_CHOSEN_TURN = """\
def kit_choose(battle, unit):
    {choose}

def kit_act(battle, unit, choice, first, second, log):
    open_address(battle.dice, battle.tick, unit.number)
    own_act(battle, unit, choice{arguments}, log)
    {settle}

def kit_turn(battle, unit, log):
    open_address(battle.dice, battle.tick, CHOICE_LANES + unit.number)
    choice, first, second = kit_choose(battle, unit)
    kit_act(battle, unit, choice, first, second, log)"""

_TURNS = (
    """\
def kit_begin_round(battle, log):
    battle.tick += 1
    battle.kit_turns = 0
    open_address(battle.dice, battle.tick, ROUND_LANE)
    {begin_round}
    {settle}
    if battle.reason != UNDECIDED:
        return
    open_address(battle.dice, battle.tick, ORDER_LANE)
    count = 0
    for side in battle.sides:
        for unit in side.{units}[: side.{count}]:
            word = tie_word(battle.dice)
            if kit_can_act(battle, unit):
                key = order_key(own_initiative(battle, unit), word, unit.number)
                count = put_in_order(battle.kit_order, count, key)
    battle.kit_turns = count

def kit_end_round(battle, log):
    open_address(battle.dice, battle.tick, END_LANE)
    {end_round}
    {settle}
"""
    + _END
    + """

def kit_take_turns(battle, first, log):
    for place in range(first, battle.kit_turns):
        unit = kit_unit(battle, battle.kit_order[place] & LAST_NUMBER)
        if kit_can_act(battle, unit):
            kit_turn(battle, unit, log)
            if battle.reason != UNDECIDED:
                return
    kit_end_round(battle, log)

def kit_next(battle, log):
    kit_begin_round(battle, log)
    if battle.reason == UNDECIDED:
        kit_take_turns(battle, 0, log)

def kit_next_turn(battle):
    if battle.kit_turns == 0:
        kit_begin_round(battle, None)
    acted = False
    while battle.kit_turns > 0 and not acted and battle.reason == UNDECIDED:
        place = place_of_next(battle.dice, battle.kit_order, battle.kit_turns, LATE_SHIFT)
        unit = kit_unit(battle, battle.kit_order[place] & LAST_NUMBER)
        battle.kit_turns = take_out(battle.kit_order, battle.kit_turns, place)
        if kit_can_act(battle, unit):
            kit_turn(battle, unit, None)
            acted = True
    if battle.kit_turns == 0 and battle.reason == UNDECIDED:
        kit_end_round(battle, None)"""
)

_ADVANCE = """\
def kit_choose(battle, me):
    {choose}

def kit_choose_for(battle, side):
    open_address(battle.dice, battle.tick, CHOICE_LANES + 2 * battle.kit_asks + side)
    me = {me}
    choice, first, second = kit_choose(battle, me)
    battle.kit_choice[side] = choice
    battle.kit_parts[side, 0] = first
    {second}

def kit_act(battle, side, log):
    open_address(battle.dice, battle.tick, ACT_LANES + 2 * battle.kit_asks + side)
    me = {me}
    own_act(battle, me, battle.kit_choice[side]{arguments}, log)
    {settle}

def kit_advance(battle, log):
    battle.asked = 0
    own_advance(battle, log)
    {settle}
    if battle.reason == UNDECIDED:
        battle.kit_asks += 1
        if battle.asked == 0 or battle.kit_asks > MOST_ASKS:
            battle.winner = 0
            battle.reason = {cap}
            battle.asked = 0

def kit_act_all(battle, log):
    asked = battle.asked
    battle.asked = 0
    for side in range(2):
        if asked >> side & 1 and battle.reason == UNDECIDED:
            kit_act(battle, side, log)

def kit_next(battle, log):
    kit_advance(battle, log)
    if battle.reason == UNDECIDED:
        for side in range(2):
            if battle.asked >> side & 1:
                kit_choose_for(battle, side)
        kit_act_all(battle, log)"""

# Playing on from a place, and the steps of exact odds: the same in every shape, but for what a place in a round means.
_TAIL = """\
def kit_resume(battle, place, plugins):
    if place[0] == FROM_SET_UP:
        kit_set_up(battle, None)
{resumed}    while battle.reason == UNDECIDED and not stops_before(place, battle.tick + 1):
        kit_next(battle, None)

def kit_step(battle, page):
    if page.begins:
        kit_set_up(battle, None)
    else:
        {step}
    page.over = battle.reason != UNDECIDED
    page.rounds = battle.tick
    page.moment = {moment}"""

_BOTH_RESUMED = """\
    elif place[0] == WITH_CHOICE:
        battle.tick += 1
        first = kit_choice_of(battle, 0)
        second = kit_choice_of(battle, 1)
        if place[1] == 0:
            first = place[2]
        else:
            second = place[2]
        kit_take(battle, first, second, None)
"""

_TURNS_RESUMED = """\
    elif place[0] == FROM_DECISION:
        kit_take_turns(battle, place[1], None)
"""

_CHOSEN_TURN_RESUMED = """\
    elif place[0] == WITH_CHOICE:
        unit = kit_unit(battle, battle.kit_order[place[1]] & LAST_NUMBER)
        kit_act(battle, unit, place[2], place[3], place[4], None)
        if battle.reason == UNDECIDED:
            kit_take_turns(battle, place[1] + 1, None)
"""

_ADVANCE_RESUMED = """\
    elif place[0] == FROM_DECISION or place[0] == WITH_CHOICE:
        for side in range(2):
            if battle.asked >> side & 1:
                kit_choose_for(battle, side)
        if place[0] == WITH_CHOICE:
            battle.kit_choice[place[1]] = place[2]
            battle.kit_parts[place[1], 0] = place[3]
            {second}
        kit_act_all(battle, None)
"""
