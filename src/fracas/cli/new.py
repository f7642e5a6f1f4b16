"""`fracas new`: a scenario to start from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from fracas.cli.options import RulesetName
from fracas.cli.show import notice
from fracas.cli.statuses import DONE
from fracas.errors import InputError
from fracas.rulesets import registry


def new(
    ruleset: RulesetName,
    /,
    *,
    out: Annotated[Path | None, Parameter(name="--out", help="The file to write; absent: standard output.")] = None,
) -> int:
    """Write a commented scenario to start from.

    Try:

        fracas new squads
        fracas new squads --out mine.toml
    """
    template = registry.get(ruleset).template()
    if out is None:
        print(template, end="")
        return DONE
    from fracas.replay.output import place_for, write_whole

    if place_for(out).exists():
        raise InputError.of(str(out), "is there already and is not overwritten")
    write_whole(out, template.encode())
    notice(f"wrote {out}; try: fracas run {out}")
    return DONE
