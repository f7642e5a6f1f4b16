"""`optimise`: search for a better strategy, queue, build or line-up, in stages, and test it on unused battles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

from blake3 import blake3

from fracas.engine.player import Notice
from fracas.engine.scenario import Scenario
from fracas.errors import InputError, UsageError
from fracas.errors.suggestions import listed, nearest, quoted
from fracas.lab.execution.checks import check_side
from fracas.lab.execution.interrupts import DeferInterrupt
from fracas.lab.execution.progress import Steps
from fracas.lab.execution.thread_executor import ExecutorOrThreads
from fracas.lab.search.ask_tell import AskTellOptimizer
from fracas.lab.search.candidate_race import (
    BattleBudget,
    Candidate,
    CandidateEvaluator,
    Choices,
    SearchInterrupted,
    evaluate_one,
    race,
    ranked,
    survivors,
)
from fracas.lab.search.final_test import IMPROVED, Worth, run_final_test
from fracas.lab.search.local_search import Polisher, trimmed
from fracas.lab.search.optimise_result import TOP, Change, Final, Leader, Optimised, Polish, SearchSettings, Stage
from fracas.lab.simulation.simulate import check_amounts
from fracas.lab.simulation.statistic_rows import facts_of
from fracas.lab.statistics.sequential_test import SignTest
from fracas.lab.studies.roster import Entrant
from fracas.rulesets.contract.analysis import Dimension, SideRef
from fracas.rulesets.contract.types import Document, Source

# After this many known proposals in a row the optimiser has nothing new to propose.
PATIENCE = 3
# The stages spend at most this share of the budget; the rest is for the local search.
STAGES_SHARE = 1 / 2


@DeferInterrupt()
def optimise(
    scenario: Scenario,
    *,
    side: int = 1,
    part: str | None = None,
    against: Sequence[Entrant] = (),
    held_out: Sequence[Entrant] = (),
    search_seed: str | None = None,
    settings: SearchSettings | None = None,
    content: Sequence[Path] = (),
    threads: ExecutorOrThreads = None,
    steps: Steps | None = None,
    notice: Notice | None = None,
) -> Optimised:
    """Search for the best choices in one part of a side, and test them on unused battles.

    Without `against` the opponent is the scenario's other side. `held_out` are opponents that the search never meets.
    Equal inputs give equal results on any executor. After Ctrl-C you get the best so far.

    Raises:
        InputError: the side has nothing to vary, there is no such part, an amount is out of range, an opponent does not
            fit, or the optimiser library is not installed.
        FaultError: a battle hit a limit of the engine.
    """
    check_side(side)
    check_amounts(None, None, threads)
    settings = settings or SearchSettings()
    settings.check()
    chosen, dimensions = dimensions_of(scenario, side, part, content)
    names = scenario.ruleset.side_names(scenario.document)
    opponents = tuple(against) or (Entrant(names[2 - side], scenario, 3 - side),)
    _refuse_strangers(scenario, [*opponents, *held_out])
    seed = search_seed or f"{scenario.seed}/optimise"
    evaluator = CandidateEvaluator(
        scenario, side, dimensions, opponents, threads=threads, notice=notice, planned=settings.budget
    )
    search = _Search(evaluator, settings, seed, steps)
    search.run()
    best = search.leaders[0]
    final: Final | None = None
    worths: dict[str, Worth] = {}
    interrupted = search.interrupted
    if not interrupted and best.choices != evaluator.present:
        everybody = CandidateEvaluator(
            scenario, side, dimensions, [*opponents, *held_out], threads=threads, notice=notice
        )
        try:
            test, count = SignTest(settings.delta), len(opponents)
            final, worths = run_final_test(everybody, count, best.choices, test, settings.pairs, search.say)
        except (SearchInterrupted, KeyboardInterrupt):
            interrupted = True
    return Optimised(
        **facts_of(scenario),
        side=side,
        part=chosen,
        search_seed=seed,
        knobs=len(dimensions),
        combinations=combinations(dimensions),
        enumerated=search.is_small,
        opponents=[opponent.name for opponent in opponents],
        held_out=[opponent.name for opponent in held_out],
        stages=search.stages,
        polish=search.polish,
        changes=[
            _change(dimension, number, worths.get(dimension.name))
            for dimension, number in changes_of(dimensions, best.choices)
        ],
        leaders=[_leader(each, dimensions) for each in search.leaders[:TOP]],
        final=final,
        is_better=final is not None and final.verdict == IMPROVED,
        document=_settled(evaluator, best.choices, content),
        interrupted=interrupted,
        given=scenario,
    )


def combinations(dimensions: Sequence[Dimension]) -> int:
    """How many combinations of values some dimensions have."""
    return math.prod(len(dimension.values) for dimension in dimensions)


def changes_of(dimensions: Sequence[Dimension], choices: Choices) -> list[tuple[Dimension, int]]:
    """The dimensions whose value differs from the given one, with the new value's number."""
    pairs = zip(dimensions, choices, strict=True)
    return [(dimension, number) for dimension, number in pairs if number != dimension.current]


def _change(dimension: Dimension, number: int, worth: Worth | None) -> Change:
    gain, gain95 = worth or (None, None)
    return Change(
        knob=dimension.name,
        path=".".join(dimension.path),
        before=dimension.labels[dimension.current],
        after=dimension.labels[number],
        value=dimension.values[number],
        worth=gain,
        worth95=gain95,
        keys=dimension.path,
    )


def _leader(candidate: Candidate, dimensions: Sequence[Dimension]) -> Leader:
    changes = changes_of(dimensions, candidate.choices)
    labels = {dimension.name: dimension.labels[number] for dimension, number in changes}
    return Leader(candidate.share, candidate.interval95, candidate.streams, labels)


def dimensions_of(
    scenario: Scenario, side: int, part: str | None, content: Sequence[Path]
) -> tuple[str, list[Dimension]]:
    """A part of a side, by default the ruleset's first one, and its dimensions.

    Raises:
        InputError: there is no such part, or nothing in it can be varied.
    """
    lab = scenario.ruleset.analysis
    dimensions = lab.search_space(SideRef(scenario.document, side), content)
    parts = list(dict.fromkeys([*lab.parts, *(dimension.part for dimension in dimensions)]))
    if part is not None and part not in parts:
        hint = nearest(part, parts) or (f"write {listed(parts)}" if parts else None)
        raise UsageError.of("--part", f"there is no part {quoted(part)} to search in {scenario.ruleset.name}", hint)
    able = [
        each for each in parts if any(dimension.part == each and len(dimension.values) > 1 for dimension in dimensions)
    ]
    chosen = part or next(iter(able), parts[0] if parts else "side")
    found = [dimension for dimension in dimensions if dimension.part == chosen and len(dimension.values) > 1]
    if not found:
        hint = f"write {listed([f'--part {quoted(each)}' for each in able])}" if able else None
        raise UsageError.of("--part", f"nothing in the {chosen} of side {side} can be varied", hint)
    return chosen, found


def _refuse_strangers(scenario: Scenario, opponents: Sequence[Entrant]) -> None:
    for opponent in opponents:
        if opponent.scenario.ruleset is not scenario.ruleset:
            names = opponent.scenario.ruleset.name, scenario.ruleset.name
            raise InputError.of(opponent.name, f"is for {names[0]}, but the scenario is for {names[1]}")


def _settled(evaluator: CandidateEvaluator, choices: Choices, content: Sequence[Path]) -> Document:
    """A candidate's document without the parts that its choices no longer use."""
    ruleset = evaluator.given.ruleset
    resolution = ruleset.resolve(
        evaluator.document(choices), Source("the improved scenario"), content, evaluator.plugins
    )
    return resolution.document


@dataclass(eq=False)
class _Search:
    """A search in progress."""

    evaluator: CandidateEvaluator
    settings: SearchSettings
    seed: str
    steps: Steps | None
    known: dict[Choices, Candidate] = field(default_factory=dict)
    stages: list[Stage] = field(default_factory=list)
    leaders: list[Candidate] = field(default_factory=list)
    polish: Polish | None = None
    interrupted: bool = False

    @property
    def is_small(self) -> bool:
        """Whether the search space is small enough to try all of it."""
        return combinations(self.evaluator.dimensions) <= self.settings.trials

    def run(self) -> None:
        """Run all stages; `leaders` then holds the survivors, the best first."""
        try:
            self._first_stage()
            for number, wanted in enumerate(self.settings.stages[1:], 1):
                self._later_stage(number, wanted)
            self._finish()
        except (SearchInterrupted, KeyboardInterrupt):
            self.interrupted = True
        if not self.leaders:
            played = [each for each in self.known.values() if each.streams]
            self.leaders = ranked(played) or [self.evaluator.candidate(self.evaluator.present)]

    def say(self, text: str) -> None:
        """Report progress."""
        if self.steps is not None:
            self.steps(min(self.evaluator.battles, self.settings.budget), self.settings.budget, text)

    def _purse(self, is_last: bool) -> BattleBudget:
        """The budget of a stage: half of what is left, the last stage three quarters."""
        share = 1 if self.is_small else STAGES_SHARE
        left = max(0, int(self.settings.budget * share) - self.evaluator.battles)
        return BattleBudget(left * 3 // 4 if is_last else left // 2)

    def _keep(self, number: int) -> int:
        return self.settings.keep[number] if number < len(self.settings.keep) else TOP

    def _first_stage(self) -> None:
        wanted = self.settings.stages[0] / 100
        battle_budget = self._purse(len(self.settings.stages) == 1)
        if self.is_small:
            self._try_all(wanted, battle_budget)
        else:
            self._try_proposals(wanted, battle_budget)
        measured = [each for each in self.known.values() if each.streams]
        alive = survivors(measured)[: self._keep(0)]
        reached = max(each.half_width for each in alive)
        is_cut = battle_budget.battles <= 0
        self.stages.append(Stage(wanted, reached, len(measured), len(alive), self.evaluator.battles, is_cut))
        self.leaders = alive

    def _try_all(self, wanted: float, battle_budget: BattleBudget) -> None:
        """Try every combination, the given one first."""
        everything = product(*(range(len(dimension.values)) for dimension in self.evaluator.dimensions))
        for choices in dict.fromkeys([self.evaluator.present, *everything]):
            if not self._tried(choices, wanted, battle_budget):
                return

    def _try_proposals(self, wanted: float, battle_budget: BattleBudget) -> None:
        """Try the optimiser's proposals until there are enough candidates or it proposes nothing new."""
        proposer = AskTellOptimizer(self.evaluator.dimensions, self.seed)
        for turn in range(PATIENCE * self.settings.trials):
            # The optimiser samples the whole space; every second proposal is a neighbour of the best candidate.
            wish = self._neighbour() if turn % 2 else None
            choices, tell = proposer.ask(wish)
            if choices not in self.known and not self._tried(choices, wanted, battle_budget):
                return
            tell(self.known[choices].share)
            if len(self.known) >= self.settings.trials:
                return

    def _neighbour(self) -> Choices | None:
        """An untried neighbour of the best candidate: one dimension changed, in an order that the seed decides."""
        best = max(self.known.values(), key=lambda each: each.share).choices
        turns = (
            (*best[:index], value, *best[index + 1 :])
            for index, dimension in enumerate(self.evaluator.dimensions)
            for value in range(len(dimension.values))
        )
        untried = [choices for choices in turns if choices not in self.known]
        return min(untried, key=lambda choices: blake3(f"{self.seed}{choices}".encode()).digest(), default=None)

    def _tried(self, choices: Choices, wanted: float, battle_budget: BattleBudget) -> bool:
        """Measure a new candidate; False if the budget is spent."""
        if self.known and battle_budget.battles <= 0:
            return False
        candidate = self.evaluator.candidate(choices)
        best = max(self.known.values(), key=lambda each: each.share, default=None)
        evaluate_one(self.evaluator, candidate, best, wanted, battle_budget)
        self.known[choices] = candidate
        self.say(f"±{wanted:.2%}: {len(self.known):,} candidates, the best {max(self._best_share(), 0):.1%}")
        return True

    def _best_share(self) -> float:
        return max(each.share for each in self.known.values())

    def _later_stage(self, number: int, wanted: float) -> None:
        is_last = number + 1 == len(self.settings.stages)

        def report_progress(alive: Sequence[Candidate]) -> None:
            self.say(f"±{wanted / 100:.2%}: {len(alive)} left, the best {alive[0].share:.2%}")

        alive, stage = race(
            self.evaluator, self.leaders, wanted / 100, self._keep(number), self._purse(is_last), report_progress
        )
        self.leaders = alive
        self.stages.append(stage)

    def _finish(self) -> None:
        """Improve the best candidate one dimension at a time, then undo every change that gains nothing."""
        best = self.leaders[0]
        if not self.is_small:
            battle_budget = BattleBudget(max(0, self.settings.budget - self.evaluator.battles))
            polisher = Polisher(self.evaluator, self.seed, self.known, battle_budget, self.say)
            self.polish = polisher.found
            best = self._leading(polisher.run(best))
        self._leading(trimmed(self.evaluator, best, self.known, self.say))

    def _leading(self, best: Candidate) -> Candidate:
        """Make a candidate the best one, and return it."""
        self.leaders = [best, *(each for each in self.leaders if each is not best)]
        return best
