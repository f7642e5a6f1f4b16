"""The Python API of the lab that varies one scenario: sweep, sensitivity, variants."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Unpack

from fracas.api.arguments import (
    ScenarioLike,
    StudyOptions,
    check_kind,
    opened,
    paths_of,
    scenario_of,
    with_python_names,
)
from fracas.engine.scenario import Scenario, load_scenario
from fracas.lab.studies.sensitivity import sensitivity as try_stats
from fracas.lab.studies.sensitivity_result import Sensitivity
from fracas.lab.studies.sweep import axes_of
from fracas.lab.studies.sweep import sweep as sweep_scenario
from fracas.lab.studies.sweep_result import Sweep
from fracas.lab.studies.variant_sets import play_variants, read_variants, title_of, variants_of
from fracas.lab.studies.variants_result import VariantSet
from fracas.rulesets.contract.types import Override


@with_python_names
def sweep(
    scenario: ScenarioLike,
    ranges: Mapping[str, Any] | Sequence[str],
    n: int | None = None,
    *,
    side: int = 1,
    content: Iterable[str | Path] = (),
    **options: Unpack[StudyOptions],
) -> Sweep:
    """Vary values of a scenario and play the same battles with each.

    Args:
        scenario: a scenario from `load`, or anything that `load` takes.
        ranges: the values by path, `{"sides.0.units.0.attack": range(20, 41, 2)}`, or strings as on the command line,
            `["sides.0.units.0.attack=20:40:2"]`. Several make a grid of at most 1,000 points.
        n: battles per point, 1 to 10^8; defaults to 10,000. Battle i has the same dice at all points.
        side: the side whose score is measured, 1 or 2.
        content: folders whose content overrides the shipped content; for a `Scenario`, those it was loaded with.

    Returns:
        `base`, the unchanged scenario, and `points`, each with its `values`, its `score`, `gain` and
        their intervals; `as_json()`. Ctrl-C ends early with the complete points and sets `interrupted`.

    Raises:
        InputError: every path, value and amount that is not valid; nothing is played then.
        FaultError: a battle hit a limit of the engine.

    Source: docs/how-to/sweep-and-sensitivity.md.

        >>> found = sweep("examples/squads/standard-5v5.toml", {"sides.0.units.0.attack": [5, 45]}, n=50)
        >>> [point.gain > 0 for point in found.points]
        [False, True]
    """
    folders = paths_of("content", content)
    loaded = scenario_of(scenario, options.get("seed"), folders)
    axes = axes_of(ranges, *loaded.documents)
    with opened(options) as executor:
        return executor.finish_study(sweep_scenario(loaded, axes, n, side=side, folders=folders, threads=executor))


@with_python_names
def sensitivity(
    scenario: ScenarioLike,
    n: int | None = None,
    *,
    side: int = 1,
    step: float = 1,
    costs: Mapping[str, float] | None = None,
    pairs: int = 0,
    **options: Unpack[StudyOptions],
) -> Sensitivity:
    """Measure what one more point of each stat of each unit of a side is worth.

    Args:
        scenario: a scenario from `load`, or anything that `load` takes.
        n: battles per change, 1 to 10^8; defaults to 10,000. Battle i has the same dice in all.
        side: the side whose stats change and whose score is measured, 1 or 2.
        step: points to add to each stat; negative to subtract.
        costs: the cost of one point of a stat, by the stat's name; others cost 1.
        pairs: also try pairs of this many of the best stats, 2 to 40; 0 means none.

    Returns:
        `base`, the unchanged scenario; `stats`, the largest gain per point first, each with its `owner`, `name`,
        `path`, `score`, `gain`, `cost` and `per_point`; `pairs`, each with `synergy`; `skipped`, those at the end of
        their range; `as_json()`. Ctrl-C ends early and sets `interrupted`.

    Raises:
        InputError: the scenario or an amount is not valid, or the ruleset lists no stats.
        FaultError: a battle hit a limit of the engine.

    Source: docs/how-to/sweep-and-sensitivity.md.
    """
    with opened(options) as executor:
        loaded = scenario_of(scenario, options.get("seed"))
        return executor.finish_study(
            try_stats(loaded, n, side=side, step=step, costs=costs, pairs=pairs, threads=executor)
        )


@with_python_names
def variants(
    scenario: ScenarioLike,
    variants: str | Path | Mapping[str, Mapping[str, Any]],
    n: int | None = None,
    *,
    side: int = 1,
    **options: Unpack[StudyOptions],
) -> VariantSet:
    """Compare named variants with a scenario, using the same dice, and rank them, corrected for their number.

    Args:
        scenario: a scenario from `load`, or anything that `load` takes.
        variants: a file of variants, or a mapping from each variant's name to the values it replaces by path:
            `{"sharp": {"sides.0.units.0.attack": 40}}`.
        n: battles per variant, 1 to 10^8; defaults to 10,000. Battle i has the same dice in all.
        side: the side whose score is measured, 1 or 2.

    Returns:
        `base`, the unchanged scenario; `variants`, the best first, each with its `score`, `gain`, `together95` (a
        simultaneous 95% interval of the gain), `p`, `group` and `verdict`; `as_json()`. Ctrl-C ends early and sets
        `interrupted`.

    Raises:
        InputError: the scenario, a variant or an amount is not valid.
        FaultError: a battle hit a limit of the engine.

    Source: docs/how-to/compare-two-strategies.md.

        >>> found = variants("examples/squads/coin-toss.toml", {"sharp": {"sides.0.units.0.attack": 40}}, n=200)
        >>> found.variants[0].verdict
        'better'
    """
    base = scenario_of(scenario, options.get("seed"))
    with opened(options) as executor:
        if isinstance(variants, Mapping):
            named, title = variants_of(variants, base), "variants"
        else:
            check_kind("variants", variants, (str, Path), "a path or a mapping")
            named = read_variants(Path(variants), base, side, partial(_loaded, options.get("seed")))
            title = title_of(Path(variants))
        return executor.finish_study(play_variants(base, named, n, title=title, side=side, threads=executor))


def _loaded(seed: str | None, path: Path, values: Sequence[Override]) -> Scenario:
    return load_scenario(path, seed=seed, overrides=values)
