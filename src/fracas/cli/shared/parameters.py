"""Parameters that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

RulesetName = Annotated[str, Parameter(help="A ruleset: squads, delve, stacks, relics or titans.")]
File = Annotated[Path, Parameter(help="A scenario file, TOML or JSON.")]
Files = Annotated[list[Path], Parameter(help="Files, one or more.")]
Seed = Annotated[str | None, Parameter(name="--seed", help="Seed text; absent: the scenario's own.")]
Stream = Annotated[int, Parameter(name="--stream", help="The battle's number under the seed, from 0.")]
Profile = Annotated[str | None, Parameter(name="--profile", help="A profile instead of the scenario's own.")]
Sets = Annotated[
    list[str] | None,
    Parameter(name="--set", help="Replace a value, e.g. sides.0.units.0.attack=40. Repeatable.", negative=""),
]
Folders = Annotated[
    list[Path] | None,
    Parameter(name="--content", help="A folder of content over the shipped one. Repeatable.", negative=""),
]
Plugins = Annotated[
    list[Path] | None,
    Parameter(
        name="--plugin",
        help="A Python file with damage stages or move types of your own; it is run. Repeatable.",
        negative="",
    ),
]
Strict = Annotated[bool, Parameter(name="--strict", help="Make warnings errors.", negative="")]
Format = Annotated[Literal["text", "json"], Parameter(name="--format", help="text, or one JSON document.")]
Battles = Annotated[int | None, Parameter(name="-n", help="How many battles of each, 1 to 10^8; absent: 10,000.")]
Side = Annotated[int, Parameter(name="--side", help="Whose side: 1 or 2.")]
Threads = Annotated[int | None, Parameter(name="--threads", help="How many threads play; absent: one for each core.")]
Workers = Annotated[
    int | None, Parameter(name="--workers", help="Play on so many worker processes of this machine (extra cluster).")
]
Scheduler = Annotated[
    str | None,
    Parameter(name="--scheduler", help="Play on the workers of a scheduler, such as tcp://192.168.1.10:8786."),
]
Resume = Annotated[
    Path | None,
    Parameter(name="--resume", help="Keep finished ranges in this folder, and take up what is kept there already."),
]
