"""`fracas new`: write a commented scenario or content pack to start from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from fracas.cli.shared.exit_status import DONE
from fracas.cli.shared.output import notice
from fracas.cli.shared.parameters import RulesetName
from fracas.cli.shared.scenario_options import command_line
from fracas.errors import InputError
from fracas.rulesets import registry


def new(
    ruleset: RulesetName,
    /,
    *,
    pack: Annotated[bool, Parameter(name="--pack", help="Write a content folder instead of a scenario.")] = False,
    out: Annotated[
        Path | None,
        Parameter(
            name=("--out", "--save"),
            help="The file to write. Default: stdout. With --pack, the folder. Default: RULESET-pack.",
        ),
    ] = None,
) -> int:
    """Write a commented scenario to start from, or a content pack.

    A pack is a folder with one content file, and scenarios/first.toml, which uses it. Existing files and folders are
    never overwritten.

    Try:

        fracas new squads
        fracas new squads --out mine.toml
        fracas new squads --pack --out guild
    """
    if pack:
        return _new_pack(ruleset, out or Path(f"{ruleset}-pack"))
    template = registry.get(ruleset).template()
    if out is None:
        print(template, end="")
        return DONE
    from fracas.files.atomic_write import writable_path, write_atomic

    if writable_path(out).exists():
        raise InputError.of(str(out), "already exists and is not overwritten")
    write_atomic(out, template.encode())
    notice(f"wrote {out}; try: {command_line(['run', out])}")
    return DONE


def _new_pack(ruleset: str, folder: Path) -> int:
    from fracas.files.atomic_write import write_folder

    files = registry.get(ruleset).template_pack()
    write_folder(folder, files)
    [scenario] = [name for name in files if name.startswith("scenarios/")]
    notice(f"wrote {folder}; try: {command_line(['run', folder / scenario], [('--content', folder)])}")
    return DONE
