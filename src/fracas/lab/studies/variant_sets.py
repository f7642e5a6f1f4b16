"""`variants`: several named variants against one scenario A on the same dice, ranked with a correction."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from pathlib import Path
from statistics import NormalDist
from typing import Annotated, Any

import numpy as np
from msgspec.structs import asdict
from pydantic import Field, model_validator

from fracas.content.validate import Model, shown, validate
from fracas.engine.player import Notice
from fracas.engine.scenario import Scenario
from fracas.errors import InputError, Problem
from fracas.errors.suggestions import quoted
from fracas.files.read import read_document
from fracas.lab.execution.interrupts import DeferInterrupt
from fracas.lab.execution.progress import Steps
from fracas.lab.execution.thread_executor import ExecutorOrThreads
from fracas.lab.simulation.statistic_rows import facts_of
from fracas.lab.statistics.intervals import CONFIDENCE, mean_and_error, two_sided
from fracas.lab.studies.overrides import with_overrides, with_part
from fracas.lab.studies.paired_battles import PairedScore, paired_runs, scores_for_side
from fracas.lab.studies.roster import Name, file_beside, split_side
from fracas.lab.studies.variants_result import Base, Correction, Ranked, VariantSet
from fracas.rulesets.contract.analysis import WON
from fracas.rulesets.contract.types import Override, Rows

MOST = 200
# Scores of all variants are in memory at once, a byte for each battle.
MOST_SCORES = 10**9
BETTER, WORSE, LEVEL = "better", "worse", "not told apart"

Load = Callable[[Path, Sequence[Override]], Scenario]


class VariantEntry(Model):
    """One variant: how it differs from A."""

    name: Name
    note: Annotated[str, Field(max_length=2000)] = ""
    file: str | None = None
    """A scenario file in the set's folder or below it, in place of A's."""
    set: dict[str, Any] = Field(default_factory=dict)
    """Values to replace by path, like --set."""
    part: dict[str, str] = Field(default_factory=dict)
    """Parts of the side from other files, like --part of compare: { strategy = "other.toml" }."""

    @model_validator(mode="after")
    def _differs(self) -> VariantEntry:
        if self.file is None and not self.set and not self.part:
            raise ValueError("does not differ from A: write set, part or file")
        return self


class VariantFile(Model):
    """A set of variants."""

    id: Name | None = None
    """The name of the set; by default its file's name."""
    note: Annotated[str, Field(max_length=2000)] = ""
    variants: Annotated[list[VariantEntry], Field(min_length=1, max_length=MOST)]

    @model_validator(mode="after")
    def _names_are_different(self) -> VariantFile:
        names = [each.name for each in self.variants]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise ValueError(f"two variants are called {quoted(twice)}")
        return self


@dataclass(frozen=True)
class Named:
    """A variant that is ready to play."""

    name: str
    scenario: Scenario


def read_variants(path: Path, base: Scenario, side: int, load: Load, folders: Sequence[Path] = ()) -> list[Named]:
    """Read a file of variants, each checked and ready to play.

    `load` loads a scenario file with the command's options and replaced values; `base` is A.

    Raises:
        InputError: everything that is wrong with the file and its variants.
    """
    entries = validate(VariantFile, read_document(path), str(path)).variants
    found: list[Named] = []
    problems: list[Problem] = []
    for index, entry in enumerate(entries):
        where = f"{path}: variants.{index}"
        try:
            found.append(Named(entry.name, _scenario(entry, path, where, base, side, load, folders)))
        except InputError as error:
            problems += [Problem(f"{where}: {p.where}", p.message, p.suggestion) for p in error.problems]
    if problems:
        raise InputError(dict.fromkeys(problems))
    return found


def variants_of(values: Mapping[str, Any], base: Scenario) -> list[Named]:
    """Variants from a mapping: each name with the values that it replaces, by path.

    Raises:
        InputError: everything that is wrong with them.
    """
    if not 1 <= len(values) <= MOST:
        raise InputError.of("variants", f"there must be 1 to {MOST}, not {len(values)}")
    found: list[Named] = []
    problems: list[Problem] = []
    for name, changes in values.items():
        try:
            if not isinstance(changes, Mapping) or not changes:
                raise InputError.of("values", f"{shown(changes)} is not a table of values by path")
            overrides = [Override(tuple(str(path).split(".")), value, "set") for path, value in changes.items()]
            found.append(Named(str(name), with_overrides(base, overrides)))
        except InputError as error:
            problems += [Problem(f"variants[{name}]: {p.where}", p.message, p.suggestion) for p in error.problems]
    if problems:
        raise InputError(problems)
    return found


def title_of(path: Path) -> str:
    """The name of a set: its id, or its file's name."""
    return validate(VariantFile, read_document(path), str(path)).id or path.stem


def _scenario(
    entry: VariantEntry, path: Path, where: str, base: Scenario, side: int, load: Load, folders: Sequence[Path]
) -> Scenario:
    values = [Override(tuple(key.split(".")), value, "set") for key, value in entry.set.items()]
    if entry.file is not None:
        scenario = load(file_beside(path, entry.file, f"{where}.file"), values)
        if scenario.ruleset is not base.ruleset:
            raise InputError.of("file", f"is for {scenario.ruleset.name}, but {base.id} is for {base.ruleset.name}")
    else:
        scenario = with_overrides(base, values, folders) if values else base
    for part, source in entry.part.items():
        name, of_side = split_side(source)
        given_side = of_side if str(name) != source else None
        scenario = with_part(scenario, side, part, file_beside(path, str(name), f"{where}.part"), given_side)
    return scenario if scenario.seed == base.seed else scenario.with_seed(base.seed)


@DeferInterrupt()
def play_variants(
    scenario: Scenario,
    variants: Sequence[Named],
    n: int | None = None,
    *,
    title: str = "variants",
    side: int = 1,
    threads: ExecutorOrThreads = None,
    steps: Steps | None = None,
    notice: Notice | None = None,
) -> VariantSet:
    """Play n battles of A and of each variant with the same dice, and rank them.

    Intervals, verdicts and groups are corrected for all pairs of A and the variants: at most 5% of all sets, however
    large, have a wrong one. Ctrl-C ends with the complete variants.

    Raises:
        InputError: an amount is out of range, or the scores do not fit in memory.
        FaultError: a battle hit a limit of the engine.
    """
    settings = paired_runs(n, side, threads, notice, len(variants))
    if settings.battles * (len(variants) + 1) > MOST_SCORES:
        most = MOST_SCORES // (len(variants) + 1)
        raise InputError.of("-n", f"{settings.battles:,} is too many for {len(variants):,} variants; at most {most:,}")
    base = settings.play(scenario)
    scores, outcomes = [scores_for_side(side, base.scores)], [settings.outcome(base, base)]
    interrupted = base.results.interrupted
    try:
        for done, each in enumerate(() if interrupted else variants):
            if steps is not None:
                steps(done, len(variants), each.name)
            played = base if each.scenario.fingerprint == scenario.fingerprint else settings.play(each.scenario)
            if played.results.interrupted:
                interrupted = True
                break
            scores.append(scores_for_side(side, played.scores))
            outcomes.append(settings.outcome(base, played))
    except KeyboardInterrupt:
        interrupted = True
    count = min(len(scores), len(outcomes))
    ranked, base_group = _ranked(variants, scores[:count], outcomes[:count])
    return VariantSet(
        **facts_of(scenario),
        set=title,
        side=side,
        base=Base(group=base_group, **asdict(outcomes[0])),
        possible=len(variants),
        variants=ranked,
        correction=Correction(comb(len(ranked) + 1, 2)),
        interrupted=interrupted,
    )


def _ranked(
    variants: Sequence[Named], scores: Sequence[Rows], outcomes: Sequence[PairedScore]
) -> tuple[list[Ranked], int]:
    """The variants, the best first, and the group of A.

    Every pair of A and the variants is a test, and one correction for all of them (Bonferroni) makes the p-values, the
    intervals that invert them and the groups, so no two of these can contradict each other.
    """
    certain = [each.results.deterministic for each in outcomes]
    leads = {
        (one, other): _apart(scores[one], scores[other], certain[one] and certain[other])
        for one, other in combinations(range(len(outcomes)), 2)
    }
    tests = max(1, len(leads))
    reach = NormalDist().inv_cdf(1 - (1 - CONFIDENCE) / (2 * tests))
    p_values = {pair: min(1.0, tests * p) for pair, (*_, p) in leads.items()}
    order = sorted(range(len(outcomes)), key=lambda place: (-outcomes[place].score, place))
    groups = _groups(order, p_values)
    found = []
    for rank, place in enumerate((place for place in order if place), 1):
        outcome, (mean, error, _) = outcomes[place], leads[0, place]
        together = (max(-1.0, mean - reach * error), min(1.0, mean + reach * error)) if error else outcome.gain95
        each, p = variants[place - 1], p_values[0, place]
        variant = Ranked(
            rank=rank,
            name=each.name,
            group=groups[place],
            verdict=LEVEL if p > 1 - CONFIDENCE else BETTER if outcome.gain > 0 else WORSE,
            p=p,
            together95=together,
            content_fingerprint=each.scenario.fingerprint,
            **asdict(outcome),
        )
        found.append(variant)
    return found, groups[0]


def _groups(order: Sequence[int], p_values: Mapping[tuple[int, int], float]) -> dict[int, int]:
    """The group of each variant: no two of a group can be told apart."""
    group: list[int] = []
    number, found = 1, {}
    for place in order:
        if any(p_values[min(place, each), max(place, each)] <= 1 - CONFIDENCE for each in group):
            number, group = number + 1, []
        group.append(place)
        found[place] = number
    return found


def _apart(one: Rows, other: Rows, is_certain: bool) -> tuple[float, float, float]:
    """Another's mean lead in points, its standard error, and its p-value."""
    count = min(len(one), len(other))
    if not count:
        return 0.0, 0.0, 1.0
    values, times = np.unique(other[:count] - one[:count], return_counts=True)
    signed = [(int(value) / WON, int(number)) for value, number in zip(values, times, strict=True)]
    total = sum(value * number for value, number in signed)
    if is_certain:
        return total / count, 0.0, float(not total)
    mean, error = mean_and_error(total, sum(value * value * number for value, number in signed), count, -1.0, 1.0)
    return mean, error, two_sided(mean, error)
