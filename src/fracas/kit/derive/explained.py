"""A condition at one moment of a game's battle (`fracas lab explain`), and what it can never be (`content lint`)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from fracas.conditions import parse
from fracas.conditions.compiler import Program
from fracas.conditions.range_analysis import SHARE_SCALE, Bounds, constant_value
from fracas.errors import InputError, UsageError
from fracas.errors.suggestions import listed, nearest, quoted
from fracas.kernel.turn_order import LAST_NUMBER
from fracas.kit.declare.fields import LEAST, MOST
from fracas.kit.declare.records import LARGEST_ROUND_CAP
from fracas.kit.derive.compile import unit_titles
from fracas.kit.derive.decisions import Decider, open_choice
from fracas.kit.derive.facts import ALLIES, Facts
from fracas.kit.derive.functions import Play
from fracas.kit.derive.loops import UNDECIDED
from fracas.kit.derive.minds import minds_t
from fracas.kit.derive.reading import Reading
from fracas.kit.derive.shape import Form, Plan
from fracas.kit.derive.strategies import Strategies
from fracas.rulesets.contract.types import Asked, Compiled, Document, Explanation, Finding, Override
from fracas.rulesets.shared.condition_dry_run import GroupSituation, dry_run, whole_number
from fracas.rulesets.shared.condition_lint import condition_findings as condition_lint


@dataclass(frozen=True)
class Explainer:
    """Answers `explain` for a game."""

    name: str
    decider: Decider
    facts: Facts

    def units(self, compiled: Compiled) -> list[str]:
        """Who decides: the units that files gave, or both sides."""
        if not self.facts.decides_unit:
            return ["1", "2"]
        units = self.facts.shape.units
        assert units is not None
        capacity = self.facts.shape.capacity
        given = [int(side[f"kit_given_{units.name}"]) for side in compiled.record[0]["sides"]]
        names = compiled.books["unit"]
        return [names[side * capacity + index] for side in range(2) for index in range(given[side])]

    def explain(self, compiled: Compiled, asked: Asked) -> Explanation:
        """Play up to a decision, apply the overrides, and evaluate the condition there.

        Raises:
            InputError: see the contract.
        """
        unit, round = asked["unit"], asked["round"]
        known = self.units(compiled)
        if unit not in known:
            hint = nearest(unit, known) or f"write {listed(known)}"
            raise UsageError.of("--unit", f"nobody here is called {quoted(unit)}", hint)
        number = list(compiled.books["unit"]).index(unit) if self.facts.decides_unit else int(unit) - 1

        def reach(_: Program) -> Moment:
            battle = self.decider.after_set_up(compiled, asked["stream"])
            if not self._play_until(battle, round, number):
                message = f"{unit} decides nothing in round {round}: {self._why_not(battle, number)}"
                raise UsageError.of("--round", message)
            return Moment(np.zeros(1, minds_t)[0], self, battle, number, list(compiled.books["unit"]))

        vocabulary = self.facts.vocabulary
        example = (vocabulary.unit_facts[0] if vocabulary.unit_facts else vocabulary.facts[0]).example
        if vocabulary.unit_facts:
            example = f"enemies.any({example})"
        return dry_run(reach, vocabulary, asked, example=example)

    def me(self, battle: Any, number: int) -> Any:
        """Who decides, by its number."""
        if self.facts.decides_unit:
            return self.decider.loops["kit_unit"](battle, number)
        return battle.sides[number]

    def _why_not(self, battle: Any, number: int) -> str:
        if battle.reason != UNDECIDED:
            return f"the battle is over in round {battle.tick}"
        me = self.me(battle, number)
        if self.facts.decides_unit and not self.decider.loops["kit_present"](battle, me):
            return "it is not there any more"
        return "it is not its turn in this round"

    def _play_until(self, battle: Any, round: int, number: int) -> bool:
        """Play up to a decision; False if there is none in that round."""
        next_round = self.decider.loops["kit_next"]
        play = self.decider.functions.play
        while battle.reason == UNDECIDED and battle.tick < round - 1:
            next_round(battle, None)
        if battle.reason != UNDECIDED:
            return False
        if play is Play.TURNS:
            return self._turn(battle, number)
        if play is Play.ADVANCE:
            return self._ask(battle, round, number)
        battle.tick += 1
        me = self.me(battle, number)
        return not self.facts.decides_unit or bool(self.decider.loops["kit_present"](battle, me))

    def _turn(self, battle: Any, number: int) -> bool:
        loops = self.decider.loops
        loops["kit_begin_round"](battle, None)
        for index in range(int(battle.kit_turns)):
            unit = loops["kit_unit"](battle, int(battle.kit_order[index]) & LAST_NUMBER)
            if battle.reason != UNDECIDED or not loops["kit_can_act"](battle, unit):
                continue
            if int(unit.number) == number:
                open_choice(battle, number)
                return True
            loops["kit_turn"](battle, unit, None)
        return False

    def _ask(self, battle: Any, round: int, number: int) -> bool:
        loops = self.decider.loops
        while battle.reason == UNDECIDED and battle.tick <= round:
            loops["kit_advance"](battle, None)
            if battle.reason != UNDECIDED:
                return False
            asked = [side for side in range(2) if int(battle.asked) >> side & 1]
            if int(battle.tick) == round:
                who = [int(battle.actor)] if self.decider.functions.chooser_is_unit else asked
                if number in who:
                    return True
            for side in asked:
                loops["kit_choose_for"](battle, side)
            loops["kit_act_all"](battle, None)
        return False


@dataclass
class Moment(GroupSituation):
    """A battle as somebody sees it who decides. `battle` is the program's record; `real` is the battle."""

    explainer: Explainer
    real: Any
    number: int
    names: list[str]

    def apply(self, override: Override) -> None:
        """Set State: `units.1.ant.hp`, `sides.1.gold`, `battle.weather`, or the round."""
        path, where = override.path, override.label
        shape = self.explainer.facts.shape
        match path:
            case ("round",):
                self.real.tick = whole_number(override.value, 1, LARGEST_ROUND_CAP, where)
                return
            case ("battle", name):
                self._set(shape.battle, self.real, name, override.value, where)
                return
            case ("sides", ("1" | "2") as side, name):
                self._set(shape.side, self.real.sides[int(side) - 1], name, override.value, where)
                return
            case ("units", side, unit, name) if shape.units is not None:
                known = f"{side}.{unit}"
                if known not in self.names:
                    raise InputError.of(where, f"there is no unit {quoted(known)}", nearest(known, self.names))
                record = self.explainer.decider.loops["kit_unit"](self.real, self.names.index(known))
                self._set(shape.unit, record, name, override.value, where)
                return
        units = "units.SIDE.UNIT.FIELD=N, " if shape.units is not None else ""
        hint = f"write round=N, {units}sides.SIDE.FIELD=N or battle.FIELD=N, with sides 1 and 2"
        raise InputError.of(where, "is not a path of the state", hint)

    @staticmethod
    def _set(plan: Plan, record: Any, name: str, value: Any, where: str) -> None:
        fields = {each.name: each for each in plan.states if not each.is_list and each.form is not Form.RECORD}
        if name not in fields:
            raise InputError.of(where, f"the State of {plan.name} has no {quoted(name)}", nearest(name, fields))
        record[name] = whole_number(int(value) if isinstance(value, bool) else value, LEAST, MOST, where)

    def read(self, program: Program) -> None:
        """Read the facts that the condition asks for."""
        me = self.explainer.me(self.real, self.number)
        self.explainer.decider.loops["kit_read"](self.real, me, self.battle, 0, len(program.asks))

    def living(self, group: int) -> int:
        """How many units of a group are present."""
        me = self.explainer.me(self.real, self.number)
        own = int(me.side if self.explainer.facts.decides_unit else me.number)
        side = self.real.sides[own if group == ALLIES else 1 - own]
        return int(self.explainer.decider.loops["kit_count"](self.real, side))


@dataclass(frozen=True)
class FactBounds(Bounds):
    """The bounds of facts in one scenario."""

    facts: Facts
    sizes: tuple[int, int]
    round_cap: int

    def values(self, fact: str) -> range:
        """The values that a fact can have; a share in hundredths of a percent."""
        if fact == "round":
            return range(1, self.round_cap + 1)
        if fact in ("allies.count", "enemies.count"):
            return range(self.size(fact.partition(".")[0]) + 1)
        known = {**self.facts.vocabulary.inner_by_name, **self.facts.vocabulary.fact_by_name}[fact]
        low, high = known.limits  # type: ignore[union-attr]  # only facts are compared
        # Rules may raise State above what it is a part of, so shares have no upper end.
        scale = SHARE_SCALE if fact.endswith("_pct") else 1
        return range(low * scale, (MOST if fact.endswith("_pct") else high) * scale + 1)

    def size(self, group: str) -> int:
        """The most units of a group."""
        return max(self.sizes)


def condition_findings(reading: Reading, facts: Facts, document: Document) -> Iterator[Finding]:
    """Unknown names in the conditions of a resolved document, and conditions that never or always hold."""
    reserve = facts.shape.units.spec.reserve if facts.shape.units is not None else 0
    sizes = [len(names) + reserve for names in unit_titles(facts.shape, document)]
    bounds = FactBounds(facts, (sizes[0], sizes[1]), int(document["options"]["round_cap"]))
    for path, written in reading.conditions(document):
        parsed = parse(written, facts.vocabulary, where=path)
        value = None if parsed.tree is None else constant_value(parsed.tree, bounds)
        # With an unknown name in it, that it never holds means nothing.
        yield from condition_lint(parsed, value or (None if parsed.warnings else value), path)


def strategy_findings(strategies: Strategies, document: Document) -> Iterator[Finding]:
    """Lines of a strategy that nothing can reach, because the same line stands above them without a condition."""
    field = strategies.field
    for number, side in enumerate(document["sides"] if field is not None else ()):
        assert field is not None
        seen: set[str] = set()
        for index, line in enumerate(side.get(field.name, ())):
            path = f"sides.{number}.{field.name}.{index}"
            if line["do"] in seen:
                message = f"is never reached: a line above does {quoted(line['do'])} whenever it is legal"
                yield Finding("never-reached", path, message)
            if line.get("when") in (None, "", "always") and line.get("target") != "self":
                seen.add(line["do"])
