"""`fracas publish share`: convert builds to share codes and back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from fracas.cli.shared.exit_status import DONE
from fracas.cli.shared.output import columns, notice, print_json, say
from fracas.cli.shared.parameters import Folders, Format
from fracas.errors import InputError

if TYPE_CHECKING:
    from fracas.rulesets.contract.ruleset import Ruleset
    from fracas.rulesets.contract.types import BuildCode


def share(
    what: Annotated[str, Parameter(name="FILE|CODE", help="A scenario or build file, or a share code.")],
    /,
    *,
    content: Folders = None,
    format: Format = "text",
) -> int:
    """Print the share codes of the builds in a file, or a code's build as TOML.

    A code lists a build's items by their content ids, with tiers. A build with inline items has no code.

    Try:

        fracas publish share examples/relics/standard.toml
        fracas publish share R1AAIc4h...
    """
    from fracas.files.read import is_there
    from fracas.rulesets import registry

    path = Path(what)
    is_file = is_there(path)
    ruleset = None if is_file else registry.of_code(what)
    if ruleset is not None:
        return _tell_build(ruleset, what, content or [], format)
    if not is_file and not path.suffix:
        raise InputError.of(
            what, "is neither a file nor a share code", f"a code begins with {registry.code_beginnings()}"
        )
    ruleset, found = _codes_of(path, content or [])
    if all(each.code is None for each in found):
        raise InputError(each.problem for each in found if each.problem is not None)
    if format == "json":
        print_json({"ruleset": ruleset.name, "builds": [_as_json(each) for each in found]})
        return DONE
    coded = [each for each in found if each.code is not None]
    say(*columns([(each.place or path.stem, each.name, each.code or "") for each in coded]))
    for each in found:
        if each.problem is not None:
            notice(f"no share code: {each.problem}")
    return DONE


def _tell_build(ruleset: Ruleset, code: str, folders: list[Path], format: str) -> int:
    build, text = ruleset.required(ruleset.share_codes, "share codes", "code").build_of_code(code, folders)
    if format == "json":
        print_json({"ruleset": ruleset.name, "code": code, "build": build})
    else:
        say(*text.split("\n"))
    return DONE


def _codes_of(path: Path, folders: list[Path]) -> tuple[Ruleset, list[BuildCode]]:
    """The builds in a scenario or build file, with their share codes.

    Raises:
        InputError: the file is not valid, or its ruleset has no share codes.
    """
    from fracas.cli.shared.file_kinds import part_of
    from fracas.engine.scenario import ruleset_name
    from fracas.files.read import read_document
    from fracas.rulesets import registry
    from fracas.rulesets.contract.types import Source

    document, source = read_document(path), Source(str(path), path.parent)
    if "ruleset" in document:
        ruleset, kind = registry.get(ruleset_name(document, str(path)), f"{path}: ruleset"), "scenario"
    else:
        ruleset, kind = part_of(document, path)
        if kind != "strategy":
            raise InputError.of(str(path), f"is {kind}; only scenarios and builds have share codes")
    codes = ruleset.required(ruleset.share_codes, "share codes", source.where)
    return ruleset, list(codes.build_codes(kind, document, source, folders))


def _as_json(each: BuildCode) -> dict[str, object]:
    problem = None if each.problem is None else each.problem.as_json()
    return {"place": each.place, "name": each.name, "code": each.code, "problem": problem}
