"""`fracas compare`: test which of two scenarios is better, in pairs of battles with the same dice."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from fracas.cli.shared.execution_options import StudyOptions
from fracas.cli.shared.exit_status import DONE, INTERRUPTED
from fracas.cli.shared.fail_if import fail_status, parse_conditions
from fracas.cli.shared.output import notice, print_warnings
from fracas.cli.shared.parameters import FailIf, File, Side
from fracas.cli.shared.results import print_findings
from fracas.cli.shared.scenario_options import JudgedOptions, load_file
from fracas.errors import InputError, UsageError

if TYPE_CHECKING:
    from fracas.engine.scenario import Scenario


def compare(
    file: File,
    other: Annotated[
        Path | None, Parameter(help="B, another scenario file. Default: A, changed by --b-set and --part.")
    ] = None,
    /,
    *,
    b_set: Annotated[list[str] | None, Parameter(name="--b-set", help="Replace a value in B only. Repeatable.")] = None,
    part: Annotated[
        list[str] | None,
        Parameter(
            name="--part",
            help="Take a part of B's side from another file: strategy=FILE, or FILE:2 for its side 2. Repeatable.",
        ),
    ] = None,
    side: Side = 1,
    delta: Annotated[
        float, Parameter(name="--delta", help="Smallest relevant effect: the share above half of the differing pairs.")
    ] = 0.02,
    n: Annotated[int | None, Parameter(name="-n", help="Most pairs to play, 1 to 10^9. Default: 100,000.")] = None,
    all_: Annotated[bool, Parameter(name="--all", help="Play all -n pairs, even if the test decides sooner.")] = False,
    fail_if: FailIf = None,
    options: JudgedOptions = JudgedOptions(),
    study: StudyOptions = StudyOptions(),
) -> int:
    """Play A and B with the same dice, pair by pair, until it is clear which one is better or that neither is.

    A sequential test looks at the pairs with different results: is A or B better in more than half of them? If A and B
    are equal, it reports a difference in at most 5% of cases, however often it looks. --set changes both scenarios.
    Ctrl-C ends early and reports the pairs played so far.

    Try:

        fracas compare examples/squads/standard-5v5.toml --b-set sides.0.units.0.attack=26
        fracas compare examples/squads/standard-5v5.toml --part strategy=examples/squads/border-clash.toml -n 5000
        fracas compare examples/squads/standard-5v5.toml examples/squads/flanking-vs-defensive.toml --side 2
        fracas compare examples/squads/standard-5v5.toml --b-set sides.0.units.0.attack=26 --fail-if "difference < 0"
    """
    from fracas.engine.overrides import parse_override
    from fracas.lab.simulation.simulate import MOST_BATTLES
    from fracas.lab.studies.compare import check_comparison, labels_of
    from fracas.lab.studies.compare import compare as compare_scenarios

    conditions = parse_conditions(fail_if)
    check_comparison(n, side, delta, study.threads)
    for text in b_set or []:
        parse_override(text, "--b-set")
    parts = [_parsed_part(text) for text in part or []]
    if other is None and not b_set and not parts:
        raise InputError.of("B", "is missing, so there is nothing to compare A with", "add a file, --b-set or --part")

    def loaded(path: Path, sets: list[str]) -> Scenario:
        return load_file(path, replace(options, set_=sets))

    shared = options.set_ or []
    first = loaded(file, shared)
    second = loaded(other or file, [*shared, *(b_set or [])])
    print_warnings(dict.fromkeys((*first.warnings, *second.warnings)))
    if parts:
        from fracas.lab.studies.overrides import with_part

        for name, source, of in parts:
            second = with_part(second, side, name, source, of)
    changes = [*(b_set or []), *(f"{name} of {source.stem}" for name, source, _ in parts)]
    labels = labels_of(first, second, changes, is_other=other is not None)
    asked = partial(compare_scenarios, first, second, n, side=side, delta=delta, stop=not all_, labels=labels)
    result = study.play("comparing", asked)
    print_findings(result, study.format)
    if study.format == "text" and result.further is not None and result.further <= MOST_BATTLES:
        notice(f"undecided; try -n {_rounded_up(result.further):,}")
    if result.interrupted:
        notice(f"interrupted after {result.pairs:,} pairs")
        return INTERRUPTED
    return fail_status(conditions, result.as_json(), strict=options.strict) if conditions else DONE


def _parsed_part(text: str) -> tuple[str, Path, int | None]:
    """Parse `strategy=other.toml:2` as the part, the file and its side.

    Raises:
        InputError: the text has another form.
    """
    name, equals, file = text.partition("=")
    stem, colon, of = file.rpartition(":")
    of_side = int(of) if colon and of in ("1", "2") else None
    path = stem if of_side else file
    if not (name.strip() and equals and path.strip()):
        raise UsageError.of(f"--part {text}", "is not of the form PART=FILE", "write strategy=other.toml")
    return name.strip(), Path(path), of_side


def _rounded_up(number: int) -> int:
    """Round up to two significant digits."""
    unit: int = 10 ** max(0, len(str(number)) - 2)
    return -(-number // unit) * unit
