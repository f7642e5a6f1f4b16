"""Proves a plug-in's move type before use: runs its five functions on a thousand random states.

stacks/README.md, Plug-in moves. The states belong to no battle, and everything runs in a separate process
(fracas.plugins.sandbox).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from blake3 import blake3

from fracas.errors import InputError, Problem
from fracas.kernel.dice import between, open_address, seek_stream
from fracas.kernel.event_log import NOBODY
from fracas.kernel.records import checked
from fracas.rulesets.contract.plugin_kinds import Plugin
from fracas.rulesets.stacks.content.compile import flags_of, write_move_type
from fracas.rulesets.stacks.content.map_grid import adjacent_directions, directions_of
from fracas.rulesets.stacks.rules import constants as codes
from fracas.rulesets.stacks.rules.events import Roll
from fracas.rulesets.stacks.rules.participants import relation
from fracas.rulesets.stacks.rules.rolls import begin_making
from fracas.rulesets.stacks.rules.state import battle_t

STATES = 1000
# A call takes well under a millisecond; this allows for a busy machine.
SLOWEST_CALL = 0.5
CODE = codes.FIRST_PLUGIN_MOVE
# The fields that a making changes, besides the dice.
OF_A_MAKING = frozenset({"move_type", "overfull", "roll_count", "rolls", "tuple_count", "tuples"})
# More random numbers than a state needs.
WORDS = 2048
# A record that refuses fractions; a real one would truncate them silently.
CHECKED_BATTLE = checked(battle_t)
LEAST_EFFECT, MOST_EFFECT = -(2**31), 2**31 - 1


def prove(plugin: Plugin, say: Callable[[str], None]) -> list[Problem]:
    """Prove a move type: the first fault of each of its functions.

    Args:
        plugin: the move type.
        say: called with the function that is tried next.
    """
    problems: dict[str, Problem] = {}
    moves = _moves(plugin)
    for number in range(STATES):
        try:
            _Trial(plugin, moves, number, say).run(problems.keys())
        except InputError as error:
            for problem in error.problems:
                problems.setdefault(problem.where, problem)
            if len(problems) == len(codes.MOVE_FUNCTIONS):
                break
    return list(problems.values())


class _Trial:
    """One random state, and the five functions tried on it."""

    def __init__(self, plugin: Plugin, moves: Any, number: int, say: Callable[[str], None]) -> None:
        self.plugin = plugin
        self.say = say
        numbers = Numbers(f"a state to prove a move type on: {number}")
        self.battle = random_battle(numbers, moves)
        involved = [int(each) for each in self.battle.involved[: self.battle.involved_count]]
        living = [each for each in involved if self.battle.participants[each].health > 0]
        self.actor = numbers.choose(living)
        self.target = numbers.choose(involved)
        self.known = {NOBODY, *involved}

    def where(self, function: str) -> str:
        return f"{self.plugin.file}: {self.plugin.name}.{function}"

    def run(self, faulty: Any) -> None:
        """Try the functions without a fault so far.

        Raises:
            InputError: a function breaks a rule.
        """
        related = relation(self.battle, self.actor, self.target)
        if self.battle.move_types[CODE].aims & related == 0:
            return
        viable = False
        for place in (codes.IS_VIABLE, codes.EXPECTED_VALUE, codes.REPEATS):
            if self.where(codes.MOVE_FUNCTIONS[place]) not in faulty and (place == codes.IS_VIABLE or viable):
                answer = self.pure(place)
                viable = bool(answer) if place == codes.IS_VIABLE else viable
                if place == codes.EXPECTED_VALUE and not np.isfinite(answer):
                    self.refuse(place, f"returns {answer}", "a value is a finite number")
        if viable and self.where("generate") not in faulty:
            effects = list(self.generate())
            if self.where("apply") not in faulty:
                for target, effect in effects:
                    self.apply(target, effect)

    def refuse(self, index: int, message: str, suggestion: str | None = None) -> None:
        """Report a fault of a function.

        Raises:
            InputError: always.
        """
        raise InputError.of(self.where(codes.MOVE_FUNCTIONS[index]), message, suggestion)

    def timed(self, index: int, *numbers: int) -> Any:
        """Call a function and return its answer; refuse it if the call takes too long."""
        self.say(f"{self.plugin.name}.{codes.MOVE_FUNCTIONS[index]}")
        started = time.perf_counter()
        answer = self.plugin.functions[index](self.battle, *numbers)
        if time.perf_counter() - started > SLOWEST_CALL:
            self.refuse(index, "takes too long", f"a call may take {SLOWEST_CALL} seconds")
        return answer

    def pure(self, index: int) -> Any:
        """Call a function that must be pure: no changes, no draws, and the same answer twice."""
        self.battle.move_type = CODE
        before = parts_of(self.battle)
        answer = self.timed(index, self.actor, self.target)
        self.refuse_changes(index, before, frozenset())
        if self.plugin.functions[index](self.battle, self.actor, self.target) != answer and answer == answer:
            self.refuse(index, "gives different answers to the same call", "read only the battle")
        return answer

    def refuse_changes(self, index: int, before: dict[str, bytes], allowed: frozenset[str]) -> None:
        """Refuse changes to anything but the allowed fields.

        Raises:
            InputError: something else changed.
        """
        after = parts_of(self.battle)
        changed = [name for name, held in before.items() if name not in allowed and after[name] != held]
        if "dice" in changed:
            self.refuse(index, "draws from the dice", "only generate may roll")
        if changed:
            self.refuse(index, f"changes the battle ({', '.join(changed)})", "only apply may change participants")

    def generate(self) -> Iterator[tuple[int, int]]:
        """Run `generate` and return the tuples that it leaves: target and effect."""
        battle = self.battle
        open_address(battle.dice, battle.tick, self.actor)
        begin_making(battle)
        battle.move_type = CODE
        before, dice = parts_of(battle), battle.dice.copy()
        self.timed(codes.GENERATE, self.actor, self.target)
        self.refuse_changes(codes.GENERATE, before, OF_A_MAKING | {"dice"})
        if battle.overfull:
            limits = f"{codes.MAX_TUPLES} tuples and {codes.MAX_ROLLS} rolls"
            self.refuse(codes.GENERATE, "leaves or rolls too much", f"at most {limits} in one making")
        self.refuse_hidden_rolls(dice)
        for made in battle.tuples[: battle.tuple_count]:
            target, effect = int(made.target), int(made.effect)
            if target not in self.known:
                self.refuse(codes.GENERATE, f"leaves a tuple for {target}, not a participant", "-1 means no target")
            if not LEAST_EFFECT <= effect <= MOST_EFFECT:
                self.refuse(codes.GENERATE, f"leaves an effect of {effect:,}", "an effect fits 32 bits")
            yield target, effect

    def refuse_hidden_rolls(self, dice: Any) -> None:
        """Refuse draws other than the rolls noted for the log.

        Raises:
            InputError: there were more draws.
        """
        for roll in self.battle.rolls[: self.battle.roll_count]:
            if roll.kind == Roll.KIND:
                between(dice, 0, int(roll.b))
                between(dice, 0, int(roll.d))
            else:
                between(dice, int(roll.b), int(roll.c))
        now = self.battle.dice
        if any(dice[name] != now[name] for name in ("tick", "lane", "block", "cursor")):
            self.refuse(codes.GENERATE, "draws a roll that no event records", "roll with damage_roll or own_roll")

    def apply(self, target: int, effect: int) -> None:
        """Apply a tuple, and again in a battle with other dice and in another turn."""
        other = self.battle.copy()
        participants = other.participants.copy()
        other.turn, other.tick, other.dice.cursor, other.tuple_count = other.turn + 3, other.tick + 3, 0, 0
        self.battle.move_type = other.move_type = CODE
        before = parts_of(self.battle)
        self.timed(codes.APPLY, self.actor, target, effect)
        self.refuse_changes(codes.APPLY, before, frozenset({"participants"}))
        self.refuse_strangers(participants, target)
        self.plugin.functions[codes.APPLY](other, self.actor, target, effect)
        if other.participants.tobytes() != self.battle.participants.tobytes():
            message = "depends on the turn, the dice or the making"
            self.refuse(codes.APPLY, message, "read only participants and effect, because replays call it again")

    def refuse_strangers(self, before: Any, target: int) -> None:
        """Refuse changes to anything but health and scores of actor and target, or beyond their bounds.

        Raises:
            InputError: something else changed, or a value is out of bounds.
        """
        for number, (then, now) in enumerate(zip(before, self.battle.participants, strict=True)):
            if then.tobytes() == now.tobytes():
                continue
            if number not in (self.actor, target):
                self.refuse(codes.APPLY, "changes a participant that is neither actor nor target")
            compared = [name for name in then.dtype.names if name not in ("health", "attack", "defence", "damage")]
            changed = [name for name in compared if not np.array_equal(then[name], now[name])]
            if changed:
                self.refuse(codes.APPLY, f"changes {', '.join(changed)} of a participant")
            if not 0 <= now.health <= now.full_health:
                self.refuse(codes.APPLY, f"leaves a health of {now.health}", "it must be 0 to full_health")
            if any(abs(now[name]) > codes.LARGEST_SCORE for name in ("attack", "defence", "damage")):
                self.refuse(codes.APPLY, "leaves a score beyond 10,000")


def parts_of(battle: Any) -> dict[str, bytes]:
    """The memory of each field of a battle."""
    return {name: battle[name].tobytes() for name in battle.dtype.names}


class Numbers:
    """Random numbers for states; cheaper to set up than dice."""

    def __init__(self, text: str) -> None:
        self.left = np.frombuffer(blake3(text.encode()).digest(length=4 * WORDS), "<u4").astype(np.int64)

    def take(self, *shape: int) -> Any:
        """An array of numbers of 32 bits."""
        count = math.prod(shape)
        taken, self.left = self.left[:count], self.left[count:]
        return taken.reshape(shape)

    def below(self, n: int) -> int:
        """A number from 0 to n - 1."""
        return int(self.take(1)[0] % n)

    def choose(self, options: Sequence[int]) -> int:
        """One of several."""
        return options[self.below(len(options))]


def random_battle(numbers: Numbers, moves: Any) -> Any:
    """A random state in the middle of a battle: hurt and dead participants, changed scores, earlier moves.

    Args:
        numbers: what decides the state.
        moves: the move types, as `_moves` makes them.
    """
    battle = np.zeros(1, CHECKED_BATTLE)[0]
    kind = codes.MAP_KINDS[numbers.below(len(codes.MAP_KINDS))]
    battle.direction_count = len(directions_of(kind))
    battle.turn = numbers.below(6)
    battle.tick = battle.turn
    battle.noting = 1
    for name, most in (("least_score", 1), ("riposte_to", 1), ("heal_limit", 3), ("heal_self", 1)):
        battle.options[name] = numbers.below(most + 1)
    battle.options.idle_turns, battle.options.turn_cap = 3, 200
    battle.move_type_count = CODE + 1
    battle["move_types"][:] = moves
    battle.places["stack"] = NOBODY
    involved: list[int] = []
    for direction, others in enumerate(adjacent_directions(kind)):
        battle.places[direction].adjacent = sum(1 << other for other in others)
        # The attacked tile and one neighbour are never empty, so that there are two sides.
        is_tile = direction == battle.direction_count - 1
        if is_tile or direction == 0 or numbers.below(3) == 0:
            count = 1 + numbers.below(codes.STACK_SLOTS)
            side = codes.DEFENDERS if is_tile else numbers.below(2) * min(direction, 1)
            place = battle.places[direction]
            place.stack, place.unit_count = direction, count
            place.role = codes.ATTACKS if side == codes.ATTACKERS else codes.DEFENDS
            ids = np.arange(count) + direction * codes.STACK_SLOTS
            _write_participants(numbers, battle["participants"], ids, side, direction)
            involved += ids.tolist()
    battle.participants[involved[0]].health = battle.participants[involved[0]].full_health
    battle.involved_count = len(involved)
    for order in ("involved", "even_order", "odd_order"):
        battle[order][: len(involved)] = involved
    battle.dice.key[:] = numbers.take(8)
    seek_stream(battle.dice, 0)
    return battle


def _moves(plugin: Plugin) -> Any:
    """The move types of every state: those that ship, and the plug-in."""
    moves = np.zeros(1, CHECKED_BATTLE)[0].move_types
    for code in range(CODE):
        write_move_type(moves[code], flags_of(code, None))
    write_move_type(moves[CODE], flags_of(CODE, plugin))
    return moves


def _write_participants(numbers: Numbers, participants: Any, ids: Any, side: int, direction: int) -> None:
    def write(name: str, values: Any) -> None:
        participants[name][ids] = values

    drawn = numbers.take(len(ids), 16).T
    most = np.array((5, 12, 40, 1000))[drawn[0] % 4]
    for index, name in enumerate(("attack", "defence", "damage")):
        first = drawn[1 + index] % (most + 1)
        write(f"first_{name}", first)
        write(name, first + drawn[4 + index] % 5 - 2)
    full = 1 + drawn[7] % np.array((4, 20, 10_000))[drawn[8] % 3]
    healths = np.stack((np.zeros_like(full), np.ones_like(full), full, drawn[10] % (full + 1)))
    write("id", ids)
    write("side", side)
    write("direction", direction)
    write("full_health", full)
    write("first_health", 1 + drawn[9] % full)
    write("health", healths[drawn[11] % 4, np.arange(len(ids))])
    write("initiative", drawn[12] % 20)
    write("can_riposte", drawn[13] % 2)
    write("move_count", 2)
    participants["moves"][ids, 0] = drawn[14] % codes.RIPOSTE
    participants["moves"][ids, 1] = CODE
    participants["used"][ids, CODE] = np.array((0, 0, 1, 3))[drawn[15] % 4]
