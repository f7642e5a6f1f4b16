"""A game's battles for agents: who decides when, which actions there are, and the entry points that play on.

Actions are numbers: the choices in order, each with all values of its parts. Units are counted from the side that
decides: its own places first. Decisions in replays name units by their numbers in the battle instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import Any, cast

import numpy as np
from blake3 import blake3

from fracas.kernel.entry_points import belongs_to, enumerator
from fracas.kernel.event_log import NOBODY
from fracas.kernel.generated_source import run_source
from fracas.kernel.jit import kernel
from fracas.kernel.stepping import place_of, scripted, stepper
from fracas.kernel.turn_order import LAST_NUMBER
from fracas.kit.declare import moves
from fracas.kit.declare.fields import Role
from fracas.kit.derive.compile import shown_titles, unit_titles
from fracas.kit.derive.decisions import Action
from fracas.kit.derive.functions import Functions, Part, Play, modules_of
from fracas.kit.derive.loops import UNDECIDED, Loops
from fracas.kit.derive.observation import Sight
from fracas.kit.derive.shape import Shape, file_name
from fracas.rulesets.contract.agents import AgentInterface, Terms
from fracas.rulesets.contract.readings import NetworkShape
from fracas.rulesets.contract.types import Compiled, Document

_DECIDES = {
    Play.BOTH: "Both sides, in each round, at once.",
    Play.TURNS: "A side, when one of its units has its turn and there is something that it may do.",
}


@dataclass(frozen=True)
class AgentParts:
    """What an interface for agents is made of."""

    name: str
    shape: Shape
    functions: Functions
    loops: Loops
    actions: tuple[Action, ...]
    untargeted: tuple[int, ...]
    sight: Sight
    battle: np.dtype[Any]
    trained: Path | None
    """The file of the trained policy; None if the author gives none."""


def has_choices(functions: Functions) -> bool:
    """Whether anybody chooses in a game's battles."""
    return functions.play is not Play.ROUNDS and "legal" in functions.rules


def interface_of(parts: AgentParts) -> AgentInterface:
    """The interface for agents of a game with choices."""
    kernels = agent_kernels(parts)
    coder = ActionCoder(parts)
    is_at_once = chooses_at_once(parts.shape, parts.functions)
    return AgentInterface(
        terms=_terms(parts),
        simultaneous=is_at_once,
        actions=len(parts.actions),
        features=parts.sight.features,
        step_many=kernels.step_many,
        play_script=kernels.play_script,
        actor_of=kernels.actor_of,
        encode=kernels.encode,
        decode=coder.decode,
        cursor_length=1,
        battle_types=(parts.battle,),
        fits=_fits,
        action_names=coder.names,
        given_to_agents=_nothing_to_change,
        content_players=lambda: (("scenario", None),),
        network=None if parts.trained is None else _network(parts, is_at_once),
        trained_file=parts.trained,
        observation_hash=parts.sight.key,
    )


def _network(parts: AgentParts, may_mix: bool) -> NetworkShape:
    """What trained policies are made of: every number of the observation is an input, every action has a score."""
    return NetworkShape(
        common=len(parts.sight.features), places=0, width=0, blocks=0, targets=1, plain=0, actions=len(parts.actions),
        acting=0, may_mix=may_mix,
    )  # fmt: skip


def _fits(compiled: Compiled, kind: np.dtype[Any]) -> bool:
    """A game has one type of record, which holds every battle."""
    return True


def _nothing_to_change(battle: Any, sides: Sequence[int]) -> None:
    """What chooses for a side is only asked where no agent plays it, and has dice of its own."""


def chooses_at_once(shape: Shape, functions: Functions) -> bool:
    """Whether both sides may have to choose at the same time."""
    if functions.play is Play.ADVANCE:
        values = [value for module in modules_of(shape.module) for value in vars(module).values()]
        codes = [value.__code__ for value in values if isinstance(value, FunctionType)]
        return moves.ask_both in values or any(moves.ask_both.__name__ in code.co_names for code in codes)
    return functions.play is Play.BOTH


def strategy_field(shape: Shape) -> str | None:
    """The field of a side with the strategy that chooses where no agent does; None for none."""
    return next((each.name for each in shape.side.fields if each.role is Role.STRATEGY), None)


def _terms(parts: AgentParts) -> Terms:
    functions = parts.functions
    words = _DECIDES.get(functions.play, "A side, whenever the rules ask it.")
    if functions.play is Play.ADVANCE and chooses_at_once(parts.shape, functions):
        words = "A side, whenever the rules ask it; they may ask both at once."
    coder = ActionCoder(parts)
    secret = [
        f"{plan.name}.{each.name}" for plan in parts.shape.plans.values() for each in plan.fields if each.spec.is_hidden
    ]
    hidden = f"The dice, and of the other side: {', '.join(secret)}." if secret else "The dice."
    return Terms(words, tuple(coder.described()), hidden)


# -- Actions -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ActionCoder:
    """Actions as numbers, as decisions, and as words."""

    of: AgentParts

    @property
    def second(self) -> int:
        """How many values the second part of an action has; 1 for none."""
        parts = self.of.functions.parts
        return parts[1].size if len(parts) > 1 else 1

    def has_target(self, choice: int) -> bool:
        """Whether actions with this choice have parts."""
        return bool(self.of.functions.parts) and choice not in self.of.untargeted

    def absolute(self, side: int, action: int) -> Action:
        """An action with units by their numbers in the battle, not counted from the side."""
        choice, *values = self.of.actions[action]
        if not self.has_target(choice):
            return choice, 0, 0
        most = self.of.shape.most_units
        turned = [
            (value + side * self.of.shape.capacity) % most if part.is_unit else value
            for part, value in zip(self.of.functions.parts, values, strict=False)
        ]
        first, second = [*turned, 0][:2]
        return choice, first, second

    def decode(self, side: int, action: int) -> tuple[int, int]:
        """The choice and the target of a side's action; NOBODY for an action without parts."""
        choice, first, second = self.absolute(side, action)
        return choice, first * self.second + second if self.has_target(choice) else NOBODY

    def names(self, document: Document, side: int) -> list[str]:
        """What a side's actions are called; empty for those with places where nobody stands."""
        shape = self.of.shape
        titles = [shown_titles(names, len(names)) for names in unit_titles(shape, document)]
        own, other = titles[side], titles[1 - side]
        other = [f"{name} (enemy)" if name in own else name for name in other]
        units = [*own, *[""] * (shape.capacity - len(own)), *other, *[""] * (shape.capacity - len(other))]
        found = []
        for choice, *values in self.of.actions:
            words = [self._choice(choice)]
            if self.has_target(choice):
                given = zip(self.of.functions.parts, values, strict=False)
                words += [units[value] if part.is_unit else self._value(part, value) for part, value in given]
            found.append(": ".join([words[0], ", ".join(words[1:])]) if len(words) > 1 else words[0])
            if not all(words):
                found[-1] = ""
        return found

    def _choice(self, choice: int) -> str:
        assert self.of.functions.choices is not None
        member = next(each for each in self.of.functions.choices if int(each) == choice)
        return file_name(member).replace("_", " ")

    def _value(self, part: Part, value: int) -> str:
        if part.enum is not None:
            member = next((each for each in part.enum if int(each) == value), None)
            return "" if member is None else file_name(member).replace("_", " ")
        board = self.of.shape.board
        if board is not None and part.size == board.spec.capacity:
            return f"{part.name} [{value % board.spec.width}, {value // board.spec.width}]"
        return f"{part.name} {value + 1}"

    def described(self) -> list[tuple[str, str]]:
        """Numbers of actions and what they do, for pages."""
        found = []
        at = 0
        for choice in dict.fromkeys(each[0] for each in self.of.actions):
            count = sum(1 for each in self.of.actions if each[0] == choice)
            words = self._choice(choice)
            if self.has_target(choice):
                words += ", by " + " and ".join(self._counted(part) for part in self.of.functions.parts)
            found.append((str(at) if count == 1 else f"{at:,} to {at + count - 1:,}", words))
            at += count
        return found

    def _counted(self, part: Part) -> str:
        name = part.name.replace("_", " ")
        if part.is_unit:
            return f"{name}: your {self.of.shape.capacity} places, then those of the other side"
        return f"{name}: {part.size} values"


# -- Kernels -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class AgentKernels:
    """The entry points, and what tests and tools call one by one."""

    source: str
    step_many: Callable[..., None]
    play_script: Callable[..., None]
    begin: Callable[..., Any]
    take: Callable[..., Any]
    observe: Callable[..., Any]
    legal: Callable[..., Any]
    actor_of: Callable[..., Any]
    encode: Callable[..., Any]


def agent_kernels(parts: AgentParts) -> AgentKernels:
    """Make a game's kernels for agents, and the entry points made of them."""
    source = _source(parts)
    scope: dict[str, Any] = {
        "__name__": parts.shape.module.__name__,
        **parts.loops.kernels,
        **{f"own_{name}": rule for name, rule in parts.functions.rules.items()},
        "own_observation": parts.functions.replaced.get("observation"),
        "place_of": place_of,
        "NOBODY": NOBODY,
        "LAST_NUMBER": LAST_NUMBER,
        "UNDECIDED": UNDECIDED,
        "ACTIONS": np.array(parts.actions, np.int64).reshape(-1, 3),
    }
    known = set(scope)
    run_source(source, scope)
    for name, value in scope.items():
        if name not in known and name.startswith("kit_"):
            kernel(value)
    found = {name: scope[f"kit_agents_{name}"] for name in ("begin", "take", "observe", "legal", "actor_of", "encode")}
    announce, write_result = parts.loops["kit_announce"], parts.loops["kit_write_result"]
    step_many = stepper(found["begin"], found["take"], found["observe"], "dice")
    play_script = scripted(
        found["begin"], found["take"], found["legal"], found["actor_of"], found["encode"], announce, write_result
    )
    # Bounds are in this source and in no rules hash, so compiled code is kept under the source's own hash.
    key = blake3(source.encode()).hexdigest()[:16]
    return AgentKernels(source, _named(step_many, key), _named(play_script, key), **found)


def solver_step(parts: AgentParts) -> Callable[..., None]:
    """The entry point that plays a page of states one round on, with the pair of choices that stands in each state.

    Only for games in which both choose at once.
    """
    assert parts.functions.chosen is not None
    source = _SOLVER_STEP.format(chosen=parts.functions.chosen.name)
    scope: dict[str, Any] = {
        "__name__": parts.shape.module.__name__,
        **{name: parts.loops[name] for name in ("kit_set_up", "kit_take")},
        "UNDECIDED": UNDECIDED,
    }
    run_source(source, scope)
    return _named(enumerator(kernel(scope["kit_solver_step"])), "with_choices")


def _named(entry: Callable[..., None], key: str) -> Callable[..., None]:
    """An entry point under a name of its own, which its compiled forms are kept under.

    It is another function than the one that `stepper` registers as making no arrays: an author's rules may.
    """
    made = cast(FunctionType, entry)
    named = FunctionType(made.__code__, made.__globals__, f"{made.__name__}_{key}", made.__defaults__, made.__closure__)
    named.__module__ = made.__module__
    return belongs_to(made, named)


def _source(parts: AgentParts) -> str:
    return "\n\n".join([parts.sight.source, *_legal(parts), _encode(parts), _machine(parts)]) + "\n"


def _legal(parts: AgentParts) -> list[str]:
    """The sources of `kit_mark_legal` and `kit_may_choose`: what a side or its unit may do."""
    mark: list[str] = []
    ask: list[str] = []
    at = 0
    sizes = [*(part.size for part in parts.functions.parts), 1, 1][:2]
    coder = ActionCoder(parts)
    for choice in dict.fromkeys(each[0] for each in parts.actions):
        indent = ""
        values = ["0", "0"]
        place = str(at)
        if coder.has_target(choice):
            for number, (name, size) in enumerate(zip(("first", "second"), sizes, strict=True)):
                if number < len(parts.functions.parts):
                    for lines in (mark, ask):
                        lines.append(f"{indent}for {name} in range({size}):")
                    indent += "    "
                    values[number] = name
            place = f"{at} + first" if len(parts.functions.parts) == 1 else f"{at} + first * {sizes[1]} + second"
        test = f"kit_legal(battle, me, {choice}{_arguments(parts, values)})"
        mark.append(f"{indent}mask[{place}] = 1 if {test} else 0")
        ask += [f"{indent}if {test}:", f"{indent}    return True"]
        at += sum(1 for each in parts.actions if each[0] == choice)
    ask.append("return False")
    return [
        "def kit_mark_legal(battle, me, side, mask):\n    " + "\n    ".join(mark),
        "def kit_may_choose(battle, me, side):\n    " + "\n    ".join(ask),
    ]


def _arguments(parts: AgentParts, values: Sequence[str]) -> str:
    """The parts of an action as the author's rules take them, from numbers counted from the side."""
    passed = []
    for part, value in zip(parts.functions.parts, values, strict=False):
        if part.is_unit:
            value = "0" if value == "0" else _turned(parts, value)
            value = f"kit_unit(battle, {value})"
        passed.append(f", {value}")
    return "".join(passed)


def _turned(parts: AgentParts, value: str) -> str:
    """A unit's number in the battle, from its number counted from the side; and back."""
    return f"({value} + side * {parts.shape.capacity}) % {parts.shape.most_units}"


def _encode(parts: AgentParts) -> str:
    """The source of `kit_agents_encode`: the action of a decision."""
    lines = []
    at = 0
    coder = ActionCoder(parts)
    for choice in dict.fromkeys(each[0] for each in parts.actions):
        count = sum(1 for each in parts.actions if each[0] == choice)
        lines.append(f"if choice == {choice}:")
        if not coder.has_target(choice):
            lines.append(f"    return {at} if target == NOBODY else NOBODY")
        else:
            first, second = f"target // {coder.second}", f"target % {coder.second}"
            turned = [
                _turned(parts, f"({value})") if part.is_unit else f"({value})"
                for part, value in zip(parts.functions.parts, (first, second), strict=False)
            ]
            total = f"{turned[0]} * {coder.second} + {turned[1]}" if len(turned) > 1 else turned[0]
            lines.append(f"    return {at} + {total} if 0 <= target < {count} else NOBODY")
        at += count
    return "\n    ".join(["def kit_agents_encode(battle, side, choice, target):", *lines, "return NOBODY"])


def _machine(parts: AgentParts) -> str:
    """The source of the other kernels, by the shape of play."""
    functions = parts.functions
    values = ("ACTIONS[action, 1]", "ACTIONS[action, 2]")
    pairs = zip(functions.parts, values, strict=False)
    turned = [_turned(parts, value) if part.is_unit else value for part, value in pairs]
    if parts.untargeted:
        aimless = " or ".join(f"ACTIONS[action, 0] == {choice}" for choice in parts.untargeted)
        turned = [f"(0 if {aimless} else {value})" for value in turned]
    first, second = [*turned, "0", "0"][:2]
    if functions.play is Play.BOTH:
        return _BOTH + _ENDS.format(me="battle.sides[side]", actor="side", who="NOBODY")
    if functions.play is Play.TURNS:
        return _TURNS.format(first=first, second=second)
    me = "kit_unit(battle, battle.actor)" if functions.chooser_is_unit else "battle.sides[side]"
    machine = _ADVANCE.format(
        me=me, first=first, second=f"battle.kit_parts[side, 1] = {second}" if len(functions.parts) > 1 else "pass"
    )
    who = "battle.actor if battle.reason == UNDECIDED else NOBODY" if functions.chooser_is_unit else "NOBODY"
    actor = "battle.actor" if functions.chooser_is_unit else "side"
    return machine + _ENDS.format(me=me, actor=actor, who=who)


# `kit_chooses` says whether a side has something to decide now.
_ENDS = """

def kit_agents_actor_of(battle, side, cursor):
    return {actor} if kit_chooses(battle, side, cursor) else NOBODY

def kit_agents_legal(battle, side, cursor, mask):
    mask[:] = 0
    if kit_chooses(battle, side, cursor):
        kit_mark_legal(battle, {me}, side, mask)

def kit_agents_observe(battle, agents, cursor, seen, masks, anew):
    who = {who}
    for number in range(len(agents)):
        kit_agents_legal(battle, agents[number], cursor, masks[number])
        kit_see(battle, agents[number], who, seen[number])
"""

_BOTH = """\
def kit_chooses(battle, side, cursor):
    return battle.reason == UNDECIDED and kit_may_choose(battle, battle.sides[side], side)

def kit_chosen_by(battle, agents, actions, side):
    number = place_of(agents, side)
    if number != NOBODY and kit_may_choose(battle, battle.sides[side], side):
        return int(ACTIONS[actions[number], 0])
    return kit_choice_of(battle, side)

def kit_go_on(battle, agents, cursor, log):
    while battle.reason == UNDECIDED:
        battle.tick += 1
        for number in range(len(agents)):
            if kit_may_choose(battle, battle.sides[agents[number]], agents[number]):
                return
        first = kit_choice_of(battle, 0)
        second = kit_choice_of(battle, 1)
        kit_take(battle, first, second, log)

def kit_agents_begin(battle, agents, cursor, log):
    kit_set_up(battle, log)
    cursor[0] = 0
    kit_go_on(battle, agents, cursor, log)

def kit_agents_take(battle, agents, actions, cursor, log):
    first = kit_chosen_by(battle, agents, actions, 0)
    second = kit_chosen_by(battle, agents, actions, 1)
    kit_take(battle, first, second, log)
    kit_go_on(battle, agents, cursor, log)
"""

# The cursor is the place in the round's order.
_TURNS = """\
def kit_whose_turn(battle, cursor):
    return kit_unit(battle, battle.kit_order[cursor[0]] & LAST_NUMBER)

def kit_go_on(battle, agents, cursor, log):
    while battle.reason == UNDECIDED:
        if cursor[0] >= battle.kit_turns:
            kit_end_round(battle, log)
            if battle.reason == UNDECIDED:
                kit_begin_round(battle, log)
                cursor[0] = 0
        else:
            unit = kit_whose_turn(battle, cursor)
            if kit_can_act(battle, unit):
                if place_of(agents, unit.side) != NOBODY and kit_may_choose(battle, unit, unit.side):
                    return
                kit_turn(battle, unit, log)
            cursor[0] += 1

def kit_agents_begin(battle, agents, cursor, log):
    kit_set_up(battle, log)
    cursor[0] = 0
    if battle.reason == UNDECIDED:
        kit_begin_round(battle, log)
    kit_go_on(battle, agents, cursor, log)

def kit_agents_take(battle, agents, actions, cursor, log):
    unit = kit_whose_turn(battle, cursor)
    side = unit.side
    action = actions[place_of(agents, side)]
    kit_act(battle, unit, int(ACTIONS[action, 0]), int({first}), int({second}), log)
    cursor[0] += 1
    kit_go_on(battle, agents, cursor, log)

def kit_agents_actor_of(battle, side, cursor):
    if battle.reason == UNDECIDED:
        unit = kit_whose_turn(battle, cursor)
        if unit.side == side:
            return unit.number
    return NOBODY

def kit_agents_legal(battle, side, cursor, mask):
    mask[:] = 0
    if kit_agents_actor_of(battle, side, cursor) != NOBODY:
        kit_mark_legal(battle, kit_whose_turn(battle, cursor), side, mask)

def kit_agents_observe(battle, agents, cursor, seen, masks, anew):
    who = NOBODY
    if battle.reason == UNDECIDED:
        who = kit_whose_turn(battle, cursor).number
    for number in range(len(agents)):
        kit_agents_legal(battle, agents[number], cursor, masks[number])
        kit_see(battle, agents[number], who, seen[number])
"""

_ADVANCE = """\
def kit_chooses(battle, side, cursor):
    if battle.reason != UNDECIDED or not battle.asked >> side & 1:
        return False
    return kit_may_choose(battle, {me}, side)

def kit_go_on(battle, agents, cursor, log):
    while battle.reason == UNDECIDED:
        kit_advance(battle, log)
        if battle.reason == UNDECIDED:
            for number in range(len(agents)):
                if kit_chooses(battle, agents[number], cursor):
                    return
            for side in range(2):
                if battle.asked >> side & 1:
                    kit_choose_for(battle, side)
            kit_act_all(battle, log)

def kit_agents_begin(battle, agents, cursor, log):
    kit_set_up(battle, log)
    cursor[0] = 0
    kit_go_on(battle, agents, cursor, log)

def kit_agents_take(battle, agents, actions, cursor, log):
    for side in range(2):
        if battle.asked >> side & 1:
            number = place_of(agents, side)
            if number != NOBODY and kit_chooses(battle, side, cursor):
                action = actions[number]
                battle.kit_choice[side] = ACTIONS[action, 0]
                battle.kit_parts[side, 0] = {first}
                {second}
            else:
                kit_choose_for(battle, side)
    kit_act_all(battle, log)
    kit_go_on(battle, agents, cursor, log)
"""

_SOLVER_STEP = """\
def kit_solver_step(battle, page):
    if page.begins:
        kit_set_up(battle, None)
    else:
        battle.tick += 1
        kit_take(battle, battle.sides[0].{chosen}, battle.sides[1].{chosen}, None)
    page.over = battle.reason != UNDECIDED
    page.rounds = battle.tick
    page.moment = battle.tick + 1
"""
