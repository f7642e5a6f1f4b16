"""Analyses of a draft: odds, comparison, why, numbers that would help, conditions at a moment.

The lab computes them; this module starts the computations, adds up their parts and stops them.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from fracas.engine.battle import Battle, check_stream, play_battle
from fracas.engine.overrides import parse_override
from fracas.engine.scenario import Scenario
from fracas.errors import InputError
from fracas.lab.explain.why import why
from fracas.lab.explain.why_result import Why
from fracas.lab.simulation.results import Results
from fracas.lab.simulation.simulate import simulate
from fracas.lab.statistics.intervals import wilson_interval
from fracas.lab.studies.compare import compare
from fracas.lab.studies.compare_result import Comparison
from fracas.lab.studies.sensitivity import sensitivity
from fracas.lab.studies.sensitivity_result import Sensitivity
from fracas.replay.bundle_file import bundle_of
from fracas.rulesets.contract.types import Explanation, Rows
from fracas.studio.drafts import Draft
from fracas.studio.jobs import Job, JobStoppedError

# The odds are as good as they are shown once their half-width is this share.
FINE_ENOUGH = 0.001
MOST_BATTLES = 2_000_000
FIRST_PART, LARGEST_PART = 256, 1 << 17
# A part should take about this long, so that the odds move often.
PART_SECONDS = 0.3
MOST_PAIRS = 50_000
ROLLOUTS = 256
BATTLES_PER_STAT = 2_000
LISTED_BATTLES = 48
MOST_STATES = 20


def threads() -> int:
    """How many threads compute: one core stays free for the page."""
    return max(1, (os.cpu_count() or 1) - 1)


def odds(draft: Draft, job: Job) -> Iterator[dict[str, Any]]:
    """The odds after more and more battles, until they are precise enough or time is up.

    Yields:
        `{names, battles, wins, draws, shares, intervals, rounds, deterministic, done}`, shares from 0 to 1.

    Raises:
        InputError: the draft is not valid.
    """
    scenario = draft.scenario
    names = list(scenario.ruleset.side_names(scenario.document))
    battles, size, rounds = 0, FIRST_PART, 0
    counts = [0, 0, 0]
    shown: dict[str, Any] = {}
    while True:
        started = time.perf_counter()
        try:
            # However short the time is, there is a first answer.
            watch = job.check if shown else job.check_wanted
            part = simulate(scenario, size, start=battles, threads=threads(), progress=watch, planned=size)
        except JobStoppedError:
            if shown and not job.is_stopped:
                yield {**shown, "done": True}
            return
        battles += part.battles
        rounds += part.tally.rounds
        counts = [sum(pair) for pair in zip(counts, (part.draws, *part.wins), strict=True)]
        shown = _odds(names, battles, counts, rounds, part)
        widest = max(high - low for low, high in shown["intervals"])
        is_over = part.deterministic or widest / 2 <= FINE_ENOUGH or battles >= MOST_BATTLES or job.left <= 0
        if job.is_stopped:
            return
        yield {**shown, "done": is_over}
        if is_over:
            return
        pace = part.battles / max(time.perf_counter() - started, 1e-6)
        size = int(min(max(FIRST_PART, pace * PART_SECONDS), 4 * size, LARGEST_PART, MOST_BATTLES - battles))


def _odds(names: Sequence[str], battles: int, counts: Sequence[int], rounds: int, part: Results) -> dict[str, Any]:
    draws, *wins = counts
    return {
        "names": names,
        "battles": battles,
        "wins": wins,
        "draws": draws,
        "shares": [count / battles for count in wins],
        "intervals": [
            [count / battles] * 2 if part.deterministic else list(wilson_interval(count, battles)) for count in wins
        ],
        "rounds": rounds / battles,
        "deterministic": part.deterministic,
    }


def compared(before: Draft, after: Draft, side: int, job: Job, label: str = "before") -> Comparison:
    """Two drafts in the same battles: A is the version before, which has a label.

    Raises:
        InputError: one of them is not valid, they are the same battle, or of different rulesets.
        JobStoppedError: the job ended.
    """
    return compare(
        before.scenario,
        after.scenario,
        MOST_PAIRS,
        side=side,
        labels=(label, "now"),
        threads=threads(),
        steps=job.check,
    )


def explained(draft: Draft, stream: int, job: Job) -> Why:
    """The explanation of a battle.

    Raises:
        InputError: the draft is not valid, or the ruleset has no rollouts.
        JobStoppedError: the job ended.
    """
    return why(draft.scenario, stream, ROLLOUTS, content=draft.content, threads=threads(), steps=job.check)


def worth_of_numbers(draft: Draft, side: int, job: Job) -> Sensitivity:
    """What one more of each number of a side is worth.

    Raises:
        InputError: the draft is not valid, or the ruleset lists no numbers.
        JobStoppedError: the job ended.
    """
    return sensitivity(draft.scenario, BATTLES_PER_STAT, side=side, threads=threads(), steps=job.check)


def battles_of(draft: Draft) -> list[dict[str, Any]]:
    """The first battles under the draft's seed: who won, and after how many rounds.

    Raises:
        InputError: the draft is not valid.
    """
    found: list[dict[str, Any]] = []

    def keep(first: int, rows: Rows) -> None:
        for index, row in enumerate(rows):
            found.append({"stream": first + index, "winner": int(row["winner"]), "rounds": int(row["rounds"])})

    simulate(draft.scenario, LISTED_BATTLES, threads=1, sink=keep)
    return found


def battle_of(draft: Draft, stream: int) -> Battle:
    """One battle with its log.

    Raises:
        InputError: the draft is not valid, or there is no such battle.
    """
    check_stream(stream, "battle")
    return play_battle(draft.scenario, stream)


def packed(draft: Draft) -> Any:
    """The draft's first battle as a bundle: compiled, for devices without Fracas.

    Raises:
        InputError: the draft is not valid.
    """
    return msgspec.to_builtins(bundle_of(battle_of(draft, 0)))


def units_of(draft: Draft) -> list[str]:
    """Who decides in the draft's battles, as conditions are asked for them.

    Raises:
        InputError: the draft is not valid.
    """
    scenario = draft.scenario
    return scenario.ruleset.explained_units(scenario.compiled)


def at_a_moment(
    draft: Draft, unit: str, condition: str, place: str, stream: int, state: Sequence[str] = ()
) -> dict[str, Any]:
    """A condition at a unit's decision: whether it holds, and the value of each of its parts.

    `place` is a round as `fracas lab explain --round` takes it, empty for the first. `state` changes the situation,
    each of the form PATH=VALUE.

    Raises:
        InputError: the draft or the condition is not valid, or there is no such decision.
    """
    check_stream(stream, "battle")
    if len(state) > MOST_STATES:
        raise InputError.of("state", f"has more than {MOST_STATES} changes")
    found = _explain(draft.scenario, unit, condition, place, stream, state)
    return {
        "unit": found.unit,
        "round": found.round,
        "encounter": found.encounter,
        "value": found.value,
        "verdict": found.verdict,
        "nodes": [
            {"depth": node.depth, "text": node.text, "value": node.value, "detail": node.detail} for node in found.nodes
        ],
        "warnings": [str(warning) for warning in found.warnings],
    }


def _explain(
    scenario: Scenario, unit: str, condition: str, place: str, stream: int, state: Sequence[str]
) -> Explanation:
    places = scenario.ruleset.tick_labels(scenario.document)
    try:
        encounter, number = places.decision(place.strip() or places.first_round)
    except ValueError as error:
        raise InputError.of("round", str(error)) from None
    has_conditions = bool(scenario.ruleset.vocabulary.facts)
    if has_conditions and not condition.strip():
        raise InputError.of("condition", "is missing", "write one, such as self.hp_pct < 50")
    return scenario.ruleset.explain(
        scenario.compiled,
        stream=stream,
        unit=unit,
        when=condition if has_conditions else None,
        round=number,
        state=[parse_override(text, "state") for text in state],
        encounter=encounter,
    )
