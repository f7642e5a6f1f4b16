"""`fracas lab merge`: merge the parts of a simulation into one result."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from fracas.cli.shared.exit_status import DONE
from fracas.cli.shared.output import notice, results_only
from fracas.cli.shared.parameters import Folders, Format, Plugins
from fracas.cli.shared.results import print_findings


def merge(
    parts: Annotated[list[Path], Parameter(help="Two or more files that simulate wrote, in any order.")],
    /,
    *,
    out: Annotated[
        Path,
        Parameter(
            name=("--out", "--save"), help="File to write: a Parquet table and a summary; .json: the summary only."
        ),
    ],
    plugin: Plugins = None,
    content: Folders = None,
    format: Format = "text",
) -> int:
    """Merge parts of a simulation that were played separately with --start, here or on other machines.

    The parts must be consecutive battles of one scenario under one seed. The output has the same bytes as a single
    run. Gaps, overlaps and parts of other runs are refused.

    Try:

        fracas simulate examples/squads/standard-5v5.toml -n 5000 --out a.json
        fracas simulate examples/squads/standard-5v5.toml --start 5000 -n 5000 --out b.json
        fracas lab merge a.json b.json --out whole.json
    """
    from fracas.lab.simulation.merge_runs import merge as merge_parts

    with results_only():
        results = merge_parts(parts, out, plugins=plugin or [], content=content or [])
    print_findings(results, format)
    notice(f"wrote {out}")
    return DONE
