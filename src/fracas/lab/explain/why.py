"""`why`: explain how one battle ended by its odds in every round, luck and decisions, and the loser's best change."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from fracas.engine.battle import Battle, check_stream, check_whole, play_battle
from fracas.engine.player import Notice
from fracas.engine.scenario import Scenario
from fracas.errors import InputError
from fracas.lab.execution.interrupts import AllowInterrupt
from fracas.lab.execution.progress import Steps
from fracas.lab.explain.rollout_scores import (
    Estimate,
    score_difference,
    scores_for_side,
    top_candidates,
    total_advantage,
    win_probability,
)
from fracas.lab.explain.rollouts import BRANCH, RolloutRunner, RolloutScores, RolloutStart, rollout_from
from fracas.lab.explain.turning_point import pivotal_round, round_label, round_story
from fracas.lab.explain.why_result import (
    BestChange,
    ChangeSearch,
    DecisionCost,
    PivotalTurn,
    RoundOdds,
    Timing,
    TurningPoint,
    Why,
)
from fracas.lab.simulation.scores import with_document
from fracas.lab.simulation.simulate import check_amounts
from fracas.lab.simulation.statistic_rows import facts_of
from fracas.rulesets.contract.analysis import DRAWN, LOST, WON, Decision, DecisionPoint, Dimension, SideRef
from fracas.rulesets.shared.seeds import key_words

DEFAULT_BRANCHES = 1_000
LEAST_BRANCHES, MOST_BRANCHES = 32, 10**6
# All choices are first tried on an eighth of the streams, or on fewer if there are very many choices.
FIRST_SHARE = 8
LEAST_STREAMS = 16
SCREENED_PER_BRANCH = 100
# The most decisions of a side, choices of a decision, and changes that are measured closely.
CLOSE_DECISIONS, CLOSE_CHOICES, CLOSE_CHANGES = 6, 3, 8
MOST_CHANGES = 1_000


@AllowInterrupt()
def why(
    scenario: Scenario,
    stream: int = 0,
    n: int = DEFAULT_BRANCHES,
    *,
    part: str | None = None,
    content: Iterable[str | Path] = (),
    threads: int | None = None,
    steps: Steps | None = None,
    notice: Notice | None = None,
) -> Why:
    """Explain battle number `stream` with n rollouts from each of its rounds.

    Changes come from one part of the ruleset (by default its first), over the shipped content and these folders.
    `steps` is called with the work done, the total, and what is being done.

    Raises:
        InputError: an amount out of range, no such part, or a ruleset without rollouts.
        FaultError: a battle hit a limit of the engine.
    """
    check_stream(stream, "--stream")
    check_whole("-n", n, LEAST_BRANCHES, MOST_BRANCHES)
    check_amounts(None, None, threads)
    lab = scenario.ruleset.analysis
    if part is not None and part not in lab.parts:
        lab.check_part(part)
    battle = play_battle(scenario, stream, notice=notice)
    points = lab.decision_points(scenario.compiled, scenario.document, stream)
    rounds = sum(point.decision is None for point in points)
    brancher = RolloutRunner(scenario, planned=n * rounds, threads=threads, notice=notice)
    folders = [Path(folder) for folder in content]
    started = time.perf_counter()
    explainer = _Explainer(battle, points, n, brancher, part or next(iter(lab.parts), ""), folders, steps)
    result = explainer.whole()
    result.timing = Timing(seconds=round(time.perf_counter() - started, 6), threads=brancher.workers)
    return result


@dataclass(frozen=True)
class _DecisionAt:
    """A decision point in the course of the battle."""

    point: DecisionPoint
    decision: Decision


@dataclass
class _Explainer:
    """Builds the explanation of one battle."""

    battle: Battle
    points: Sequence[DecisionPoint]
    n: int
    brancher: RolloutRunner
    part: str
    folders: Sequence[Path]
    steps: Steps | None
    done: int = 0
    planned: int = 0
    outcomes_from: dict[int, RolloutScores] = field(default_factory=dict)
    """By the decision point's number: how the battle ends from there."""
    left_to_chance: dict[int, float] = field(default_factory=dict)
    """By the decision point's number: how much a choice left to chance changed side 1's odds."""

    @property
    def scenario(self) -> Scenario:
        return self.battle.scenario

    @property
    def sides(self) -> tuple[int, ...]:
        """The sides to explain the battle to, the loser first."""
        return (3 - self.battle.winner, self.battle.winner) if self.battle.winner else (1, 2)

    def whole(self) -> Why:
        """The complete explanation; after Ctrl-C the parts that are complete."""
        battle = self.battle
        result = Why(
            **facts_of(self.scenario),
            stream=battle.stream,
            winner=battle.winner,
            loser=3 - battle.winner if battle.winner else None,
            reason=battle.reason,
            rounds=battle.rounds,
            digest=battle.digest,
            branches=self.n,
            branch_seed=self.scenario.seed + BRANCH,
            battle=battle,
        )
        decisions = [
            (number, _DecisionAt(point, point.decision))
            for number, point in enumerate(self.points)
            if point.decision is not None
        ]
        options = sum(1 + len(each.decision.choices) for _, each in decisions)
        self.planned = len(self.points) - len(decisions) + options
        try:
            self.follow([number for number, point in enumerate(self.points) if point.decision is None], "rounds")
            result.standings = self.standings()
            result.deterministic = self.is_certain()
            result.decisions = self.weigh(decisions)
            result.weighed = len(decisions)
            result.standings = self.standings()
            result.turning_point = self.turning_point(result.standings)
            for side in self.sides[: 1 if battle.winner else 2]:
                result.searches.append(self.search(side))
        except KeyboardInterrupt:
            result.standings = result.standings or self.standings()
            result.interrupted = True
        return result

    def played(self, branches: Iterable[RolloutStart], first: int, end: int, said: str) -> Iterator[RolloutScores]:
        """Outcomes in order, with progress reports."""
        for outcomes in self.brancher.all_outcomes(branches, first, end):
            self.done += 1
            if self.steps is not None:
                self.steps(self.done, max(self.planned, self.done), said)
            yield outcomes

    def at(self, number: int, resume_at: tuple[int, ...] | None = None) -> RolloutStart:
        """The start of a rollout at a decision point."""
        return rollout_from(self.scenario, self.points[number], resume_at)

    def follow(self, numbers: Sequence[int], said: str) -> None:
        """Play rollouts of the battle as it went from each of these decision points, on all streams."""
        branches = (self.at(number) for number in numbers)
        # Not strict: after Ctrl-C the first ones are kept.
        for number, outcomes in zip(numbers, self.played(branches, 0, self.n, said), strict=False):
            self.outcomes_from[number] = outcomes

    def is_certain(self) -> bool:
        """Whether the battle is free of luck."""
        return self.brancher.outcomes(self.brancher.from_start(self.scenario), 0, 1).is_certain

    def final(self) -> float:
        """Side 1's actual score."""
        return {0: DRAWN, 1: WON, 2: LOST}[self.battle.winner] / 2

    def standings(self) -> list[RoundOdds]:
        """The odds in every round with rollouts, and how much each round changed them."""
        rounds = [number for number in sorted(self.outcomes_from) if self.points[number].decision is None]
        odds = [win_probability(self.outcomes_from[number]) for number in rounds]
        is_whole = len(rounds) == sum(point.decision is None for point in self.points)
        following = [each.value for each in odds[1:]] + ([self.final()] if is_whole else [])
        ends = [*rounds[1:], len(self.points)]
        return [
            self.round_odds(number, end, estimate, after)
            for number, end, estimate, after in zip(rounds, ends, odds, following, strict=False)
        ]

    def round_odds(self, number: int, end: int, estimate: Estimate, after: float) -> RoundOdds:
        """The odds at a decision point, and what changed them up to another one."""
        decision = sum(self.left_to_chance.get(inner, 0.0) for inner in range(number, end))
        change, (low, high) = after - estimate.value, estimate.interval95
        luck = change - decision
        return RoundOdds(
            tick=self.points[number].tick,
            place=self.place(self.points[number]),
            odds=(estimate.value, 1 - estimate.value),
            interval95=((low, high), (1 - high, 1 - low)),
            # Side 2's nothing has no minus.
            change=(change, 0.0 - change),
            luck=(luck, 0.0 - luck),
            decision=(decision, 0.0 - decision),
            after=after,
        )

    def place(self, point: DecisionPoint) -> str:
        """The label of a decision point's tick."""
        return round_label(self.scenario, point.tick)

    # Decisions

    def weigh(self, decisions: Sequence[tuple[int, _DecisionAt]]) -> list[DecisionCost]:
        """The most costly decisions by side; also records what choices left to chance changed.

        All choices are tried on the first streams, promising ones on half of all streams; the cost of a choice is then
        measured on the other half, which had no part in finding it.
        """
        options = sum(len(each.decision.choices) for _, each in decisions)
        first = self.first_streams(options)
        screened = self.screen(decisions, first)
        half = self.n // 2
        costly: list[DecisionCost] = []
        self.planned += 2 * CLOSE_DECISIONS * (CLOSE_CHOICES + 3)
        for side in self.sides:
            ranked = self.most_promising(decisions, screened, side)
            measured = [self.measure(decisions[index], screened[index], few, half) for index, few in ranked]
            of_side = [each for each in measured if each is not None]
            costly += sorted(of_side, key=lambda each: (-each.cost, each.tick))
        return costly

    def first_streams(self, options: int) -> int:
        """How many streams a first look at this many choices takes."""
        return min(
            max(LEAST_STREAMS, min(self.n // FIRST_SHARE, SCREENED_PER_BRANCH * self.n // max(options, 1))), self.n // 2
        )

    def screen(self, decisions: Sequence[tuple[int, _DecisionAt]], first: int) -> list[list[RolloutScores]]:
        """The score of each decision's choices on the first streams; records what choices left to chance changed."""
        branches = (
            self.at(number, resume_at)
            for number, each in decisions
            for resume_at in (None, *(choice.resume_at for choice in each.decision.choices))
        )
        outcomes = self.played(branches, 0, first, "decisions")
        screened: list[list[RolloutScores]] = []
        for number, each in decisions:
            free = next(outcomes)
            tried = [next(outcomes) for _ in each.decision.choices]
            screened.append(tried)
            if (free.scores != tried[each.decision.chosen].scores).any():
                self.left_to_chance[number] = self.chance(number, each.decision)
        return screened

    def chance(self, number: int, decision: Decision) -> float:
        """How much the choice that chance made changed side 1's odds, over all streams."""
        free, taken = (
            self.brancher.outcomes(self.at(number, resume_at), 0, self.n)
            for resume_at in (None, decision.choices[decision.chosen].resume_at)
        )
        return score_difference(taken, free, 1).value

    def most_promising(
        self, decisions: Sequence[tuple[int, _DecisionAt]], screened: Sequence[Sequence[RolloutScores]], side: int
    ) -> list[tuple[int, list[int]]]:
        """A side's most promising decisions to improve, the most promising first, each with its best choices."""
        ranked: list[tuple[int, int, list[int]]] = []
        for index, (_, each) in enumerate(decisions):
            decision, tried = each.decision, screened[index]
            if decision.side == side:
                advantages = [total_advantage(outcomes, tried[decision.chosen], side) for outcomes in tried]
                few = top_candidates(advantages, CLOSE_CHOICES)
                if few:
                    ranked.append((-advantages[few[0]], index, few))
        return [(index, few) for _, index, few in sorted(ranked)[:CLOSE_DECISIONS]]

    def measure(
        self, deciding: tuple[int, _DecisionAt], screened: Sequence[RolloutScores], few: Sequence[int], half: int
    ) -> DecisionCost | None:
        """A decision's cost; None if half of the streams find nothing better than the actual choice."""
        number, each = deciding
        decision = each.decision
        numbers = [decision.chosen, *few]
        places_to_resume = [decision.choices[choice].resume_at for choice in numbers]
        first = len(screened[0].scores)
        later = self.played((self.at(number, resume_at) for resume_at in places_to_resume), first, half, "decisions")
        base, *tried = (screened[choice].joined(outcomes) for choice, outcomes in zip(numbers, later, strict=True))
        best = top_candidates([total_advantage(outcomes, base, decision.side) for outcomes in tried], 1)
        if not best:
            return None
        pair = [self.at(number, resume_at) for resume_at in (places_to_resume[0], places_to_resume[1 + best[0]])]
        chosen, better = self.played(pair, half, self.n, "decisions")
        odds, best_odds = (win_probability(each, decision.side) for each in (chosen, better))
        cost = score_difference(better, chosen, decision.side)
        return DecisionCost(
            tick=each.point.tick,
            place=self.place(each.point),
            side=decision.side,
            unit=decision.unit,
            chosen=decision.choices[decision.chosen].label,
            best=decision.choices[few[best[0]]].label,
            choices=len(decision.choices),
            odds=odds.value,
            interval95=odds.interval95,
            best_odds=best_odds.value,
            best_interval95=best_odds.interval95,
            cost=cost.value,
            cost95=cost.interval95,
        )

    # The turning point

    def turning_point(self, standings: Sequence[RoundOdds]) -> TurningPoint | None:
        """The round in which the loser's odds fell most, and the turn of that round in which they fell most."""
        pivotal = pivotal_round(standings, self.battle.winner)
        if pivotal is None:
            return None
        standing, side = pivotal
        before, after = standing.odds[side - 1], standing.after if side == 1 else 1 - standing.after
        return TurningPoint(
            tick=standing.tick,
            place=standing.place,
            side=side,
            before=before,
            after=after,
            change=after - before,
            luck=standing.luck[0] if side == 1 else -standing.luck[0],
            turn=self.turn(standing, side),
            story=round_story(self.battle, standing),
        )

    def turn(self, standing: RoundOdds, side: int) -> PivotalTurn | None:
        """The turn of the round in which a side's odds fell most, among turns of units with a choice."""
        numbers = [
            number
            for number, point in enumerate(self.points)
            if point.tick == standing.tick and point.decision is not None
        ]
        self.planned += len(numbers)
        self.follow(numbers, "the turning point")
        odds = [win_probability(self.outcomes_from[number], side).value for number in numbers]
        odds.append(standing.after if side == 1 else 1 - standing.after)
        falls = [before - after for before, after in pairwise(odds)]
        if not falls or max(falls) <= 0:
            return None
        turn = falls.index(max(falls))
        decision = self.points[numbers[turn]].decision
        assert decision is not None
        label = decision.choices[decision.chosen].label
        return PivotalTurn(unit=decision.unit, did=label, before=odds[turn], after=odds[turn + 1])

    # The best change

    def search(self, side: int) -> ChangeSearch:
        """The best single change to how a side plays: found on half of the streams, measured on the other half."""
        try:
            dimensions = [
                dimension
                for dimension in self.scenario.ruleset.analysis.search_space(
                    SideRef(self.scenario.document, side), self.folders
                )
                if not self.part or dimension.part == self.part
            ]
        except InputError as error:
            return ChangeSearch(side=side, refusal="; ".join(str(problem) for problem in error.problems))
        possible = [
            (dimension, value)
            for dimension in dimensions
            for value in range(len(dimension.values))
            if value != dimension.current
        ]
        count = min(len(possible), MOST_CHANGES)
        tried = [possible[number * len(possible) // count] for number in range(count)]
        self.planned += len(tried) + CLOSE_CHANGES + 5
        best = self.best_change(side, tried)
        return ChangeSearch(side=side, tried=len(tried), possible=len(possible), best=best)

    def best_change(self, side: int, tried: Sequence[tuple[Dimension, int]]) -> BestChange | None:
        """The change with the largest gain; None if none is better on the half that finds it."""
        half, base = self.n // 2, self.brancher.from_start(self.scenario)
        first = self.first_streams(len(tried))
        start = self.brancher.outcomes(base, 0, first)
        screen = self.played(map(self.changed, tried), 0, first, "changes")
        few, kept = self.keep_best(screen, start, side)
        branches = [self.changed(tried[number]) for number in few]
        unchanged = start.joined(self.brancher.outcomes(base, first, half))
        later = self.played(branches, first, half, "changes")
        advantages = [
            total_advantage(kept[number].joined(outcomes), unchanged, side)
            for number, outcomes in zip(few, later, strict=True)
        ]
        best = top_candidates(advantages, 1)
        if not best:
            return None
        branch, (dimension, value) = branches[best[0]], tried[few[best[0]]]
        unchanged, changed = self.played([base, branch], half, self.n, "changes")
        own = key_words(self.scenario.seed)
        score = scores_for_side(self.brancher.outcomes(branch, self.battle.stream, self.battle.stream + 1, own), 1)
        odds, changed_odds = (win_probability(each, side) for each in (unchanged, changed))
        gain = score_difference(changed, unchanged, side)
        return BestChange(
            part=dimension.part,
            name=dimension.name,
            path=".".join(dimension.path),
            before=dimension.labels[dimension.current],
            after=dimension.labels[value],
            value=dimension.values[value],
            odds=odds.value,
            interval95=odds.interval95,
            changed_odds=changed_odds.value,
            changed_interval95=changed_odds.interval95,
            gain=gain.value,
            gain95=gain.interval95,
            same_dice_winner={WON: 1, DRAWN: 0, LOST: 2}[int(score[0])],
        )

    @staticmethod
    def keep_best(
        screen: Iterable[RolloutScores], start: RolloutScores, side: int
    ) -> tuple[list[int], dict[int, RolloutScores]]:
        """The numbers of the best few on the first streams, and their outcomes."""
        outcomes = list(screen)
        few = top_candidates([total_advantage(each, start, side) for each in outcomes], CLOSE_CHANGES)
        return few, {number: outcomes[number] for number in few}

    def changed(self, change: tuple[Dimension, int]) -> RolloutStart:
        """A whole battle with one dimension changed."""
        scenario = self.scenario
        document = scenario.ruleset.analysis.with_choices(scenario.document, [change], self.folders)
        return self.brancher.from_start(with_document(scenario, document))
