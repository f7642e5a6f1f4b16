"""`ladder`: one build against every opponent of the content, from both sides."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fracas.engine.player import Notice
from fracas.engine.scenario import Scenario
from fracas.lab.execution.interrupts import DeferInterrupt
from fracas.lab.execution.progress import Steps
from fracas.lab.execution.thread_executor import ExecutorOrThreads
from fracas.lab.simulation.results import Results
from fracas.lab.simulation.scores import with_document
from fracas.lab.simulation.simulate import check_amounts, simulate
from fracas.lab.simulation.statistic_rows import facts_of
from fracas.lab.studies.ladder_result import Ladder, Rung, SideRecord
from fracas.rulesets.contract.types import LadderRung

DEFAULT_BATTLES = 1_000


@DeferInterrupt()
def run_ladder(
    scenario: Scenario,
    n: int | None = None,
    *,
    content: Sequence[Path] = (),
    threads: ExecutorOrThreads = None,
    steps: Steps | None = None,
    notice: Notice | None = None,
) -> Ladder:
    """Play side 1 of a scenario against every opponent, n battles from each side; a single one if luck plays no part.

    Streams start at 0 in each match-up. Ctrl-C ends with the complete rungs.

    Raises:
        InputError: the ruleset has no opponents, or an amount is out of range.
        FaultError: a battle hit a limit of the engine.
    """
    check_amounts(n, None, threads)
    matches = scenario.ruleset.ladder(scenario.document, content)
    battles = n or DEFAULT_BATTLES
    planned = 2 * len(matches) * battles
    facts = facts_of(scenario)
    build, _ = facts.pop("names")
    ladder = Ladder(**facts, build=build, opponents=len(matches), rungs=[])
    try:
        for done, match in enumerate(matches):
            if steps is not None:
                steps(done, len(matches), match.name)
            first, second = (
                simulate(with_document(scenario, document), battles, threads=threads, notice=notice, planned=planned)
                for document in match.documents
            )
            if first.interrupted or second.interrupted:
                ladder.interrupted = True
                break
            ladder.rungs.append(_rung(match, first, second))
    except KeyboardInterrupt:
        ladder.interrupted = True
    return ladder


def _rung(match: LadderRung, first: Results, second: Results) -> Rung:
    """The battles against an opponent: with the build as side 1, then as side 2."""
    as_1, as_2 = (
        SideRecord(
            battles=results.battles,
            wins=results.wins[side],
            losses=results.wins[1 - side],
            draws=results.draws,
            share=results.shares[side],
            interval95=results.interval95[side],
            rounds_mean=results.rounds.mean,
            deterministic=results.deterministic,
        )
        for side, results in enumerate((first, second))
    )
    return Rung(
        kind=match.kind,
        id=match.id,
        name=match.name,
        level=match.level,
        as_1=as_1,
        as_2=as_2,
        results=(first, second),
    )
