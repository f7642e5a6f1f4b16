"""`fracas world campaign`: fight attacks in order on one world."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from fracas.cli.shared.exit_status import DONE
from fracas.cli.shared.output import notice, print_json, print_lines, print_warnings, results_only
from fracas.cli.shared.parameters import File, Format
from fracas.cli.shared.scenario_options import BattleOptions, load_plan
from fracas.errors import UsageError
from fracas.events.styled_text import ASIDE, Line


def campaign(
    file: File,
    /,
    *,
    options: BattleOptions = BattleOptions(),
    detail: Annotated[
        Literal["summary", "story", "decisions", "all"],
        Parameter(name="--detail", help="summary: three lines per battle; the others are those of fracas run."),
    ] = "summary",
    format: Format = "text",
    out: Annotated[
        Path | None,
        Parameter(name=("--out", "--save"), help="Write the final world to this .toml or .json file."),
    ] = None,
) -> int:
    """Fight a list of attacks in order on one world, and show the world afterwards.

    Each result is committed before the next attack: wounds stay, the dead are removed, and the winner moves onto the
    tile. Attacks that are no longer possible are skipped. A scenario with a single attack works too. Another scenario
    can use the written world: world = "after.toml".

    Try:

        fracas world campaign examples/stacks/campaigns/river-war.toml
        fracas world campaign examples/stacks/campaigns/river-war.toml --detail story --out after.toml
    """
    from fracas.engine.battle import check_stream
    from fracas.engine.campaign import run_campaign

    stream = options.stream
    check_stream(stream, "--stream")
    if out is not None:
        check_place(out)
    plan = load_plan(file, options)
    print_warnings(plan.warnings)
    with results_only():
        result = run_campaign(plan, stream, notice=notice)
    if out is not None:
        write_world(out, result.world, result.world_text)
    if format == "json":
        print_json(result.as_json())
    else:
        document = plan.document
        head = f'{document["id"]}: {plan.ruleset.name}, profile {document["profile"]}, seed "{document["seed"]}"'
        lines = [Line(0, ((f"{head}, campaign {stream}", ASIDE),))]
        for each in result.fought:
            lines += [Line(0), *each.lines(None if detail == "summary" else detail)]
        print_lines([*lines, Line(0), *result.world_lines])
    if out is not None:
        notice(f"wrote the world to {out}")
    return DONE


def check_place(out: Path) -> None:
    """Refuse an --out file that cannot be written, before anything is played.

    Raises:
        InputError: the file is neither TOML nor JSON, or cannot be written.
    """
    from fracas.files.atomic_write import writable_path

    if out.suffix not in (".toml", ".json"):
        raise UsageError.of(f"--out {out}", "must end in .toml or .json")
    writable_path(out)


def write_world(out: Path, world: object, text: str) -> None:
    """Write a world as TOML or JSON, depending on the file's ending.

    Raises:
        InputError: the file cannot be written.
    """
    import json

    from fracas.files.atomic_write import write_atomic

    as_json = json.dumps(world, ensure_ascii=False, indent=1) + "\n"
    write_atomic(out, (text if out.suffix == ".toml" else as_json).encode())
