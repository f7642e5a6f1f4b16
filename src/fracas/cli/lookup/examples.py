"""`fracas content examples`: list or copy the shipped example scenarios."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from fracas.cli.shared.exit_status import DONE
from fracas.cli.shared.output import columns, count, notice, print_json
from fracas.cli.shared.parameters import Format
from fracas.content.packs import example_summary, examples_folder
from fracas.errors import InputError, Problem, UsageError
from fracas.errors.suggestions import nearest


def examples(
    name: Annotated[
        str | None, Parameter(help="A ruleset or one example: squads, squads/first-battle. Default: all.")
    ] = None,
    /,
    *,
    out: Annotated[
        Path | None, Parameter(name=("--out", "--save"), help="Copy them to the folder examples/ inside this folder.")
    ] = None,
    format: Format = "text",
) -> int:
    """List the shipped examples, or copy them.

    Copies keep their paths below examples/, so the commands shown in --help work there. If a file exists with different
    content, nothing is copied.

    Try:

        fracas content examples
        fracas content examples squads
        fracas content examples squads/first-battle --out .
        fracas content examples --out .
    """
    folder = examples_folder()
    files = _chosen(folder, name)
    if out is not None:
        return _copy(folder, files, out)
    listed = [(f"examples/{_title(folder, file)}", example_summary(file)) for file in files]
    if format == "json":
        print_json({"examples": [{"path": path, "about": about} for path, about in listed]})
        return DONE
    for line in columns(listed):
        print(line)
    return DONE


def _chosen(folder: Path, name: str | None) -> list[Path]:
    """The example files that a name selects: a folder's files or a single file."""
    files = sorted(file for file in folder.rglob("*") if file.is_file() and "__pycache__" not in file.parts)
    if name is None:
        return files
    wanted = name.removeprefix("examples/").strip("/")
    found = [file for file in files if _title(folder, file).startswith(f"{wanted}/")]
    found = found or [file for file in files if _stem(folder, file) == wanted or _title(folder, file) == wanted]
    found = found or [file for file in files if file.stem == wanted]
    if not found:
        known = [*sorted({file.relative_to(folder).parts[0] for file in files}), *(_stem(folder, f) for f in files)]
        raise UsageError.of(
            name, "there is no such example", nearest(wanted, known) or "fracas content examples lists them"
        )
    return found


def _title(folder: Path, file: Path) -> str:
    return file.relative_to(folder).as_posix()


def _stem(folder: Path, file: Path) -> str:
    return file.relative_to(folder).with_suffix("").as_posix()


def _copy(folder: Path, files: list[Path], out: Path) -> int:
    """Copy all files below `out`/examples, or none.

    Raises:
        InputError: a file exists with different content, or cannot be written.
    """
    from fracas.files.atomic_write import write_atomic

    copies = {file: out / "examples" / file.relative_to(folder) for file in files}
    taken = [copy for file, copy in copies.items() if copy.exists() and copy.read_bytes() != file.read_bytes()]
    if taken:
        raise InputError([Problem(str(copy), "already exists and is not overwritten") for copy in taken])
    for file, copy in copies.items():
        try:
            copy.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError.of(str(copy.parent), f"cannot be created: {error.strerror or error}") from None
        write_atomic(copy, file.read_bytes())
    first = _first(copies)
    hint = f"; try: fracas run {first}" if first else ""
    notice(f"copied {count(len(copies), 'file')} into {out / 'examples'}{hint}")
    return DONE


def _first(copies: dict[Path, Path]) -> str:
    """A scenario among the copies to try first; empty if there is none."""
    scenarios = [str(copy) for copy in copies.values() if copy.suffix == ".toml"]
    return next((path for path in scenarios if path.endswith("first-battle.toml")), (scenarios or [""])[0])
