"""Parameters that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

RulesetName = Annotated[str, Parameter(help="A ruleset: squads, delve, stacks, relics or titans.")]
File = Annotated[Path, Parameter(help="A scenario file, TOML or JSON.")]
Files = Annotated[list[Path], Parameter(help="One or more files.")]
Seed = Annotated[str | None, Parameter(name="--seed", help="Seed text. Default: the scenario's.")]
Stream = Annotated[int, Parameter(name="--stream", help="The battle's number under the seed, from 0.")]
Profile = Annotated[str | None, Parameter(name="--profile", help="Profile to use instead of the scenario's.")]
Sets = Annotated[
    list[str] | None,
    Parameter(name="--set", help="Replace a value, e.g. sides.0.units.0.attack=40. Repeatable."),
]
Folders = Annotated[
    list[Path] | None,
    Parameter(name="--content", help="Folder whose content overrides the shipped content. Repeatable."),
]
Plugins = Annotated[
    list[Path] | None,
    Parameter(
        name="--plugin", help="Python file with your own damage stages or move types. The file is run. Repeatable."
    ),
]
Strict = Annotated[bool, Parameter(name="--strict", help="Treat warnings as errors.")]
Format = Annotated[Literal["text", "json"], Parameter(name="--format", help="Print text or one JSON document.")]
Battles = Annotated[int | None, Parameter(name="-n", help="Battles for each variant, 1 to 10^8. Default: 10,000.")]
Side = Annotated[int, Parameter(name="--side", help="The side to measure: 1 or 2.")]
FailIf = Annotated[
    list[str] | None,
    Parameter(name="--fail-if", help='Exit with 1 if the result surely meets this, e.g. "wins.0 < 45%". Repeatable.'),
]
Threads = Annotated[int | None, Parameter(name="--threads", help="Number of threads. Default: one per core.")]
Workers = Annotated[
    int | None, Parameter(name="--workers", help="Number of local worker processes to play on (extra cluster).")
]
Scheduler = Annotated[
    str | None,
    Parameter(name="--scheduler", help="Play on a scheduler's workers. An address such as tcp://192.168.1.10:8786."),
]
Resume = Annotated[
    Path | None,
    Parameter(name="--resume", help="Folder for finished chunks. Chunks already there are not played again."),
]
