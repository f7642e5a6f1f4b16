"""`fracas validate` and `fracas lint`: files that people write."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fracas.cli.options import Files, Folders, Format, Strict
from fracas.cli.show import print_errors, print_json, print_warnings, problem_json
from fracas.errors import InputError, Problem
from fracas.rulesets.contract import Document, Finding, Ruleset, Source

DONE, CHECK_FAILED, BAD_INPUT = 0, 1, 2


def validate(files: Files, /, *, strict: Strict = False, content: Folders = None, format: Format = "text") -> int:
    """Say everything that is wrong with scenarios, strategies, content files and replays.

    Nothing is played. With --strict a warning, such as an unknown condition name, is an error too.

    Try:

        fracas validate examples/squads/*.toml
        fracas validate mine.toml strategies/*.json --strict
    """
    status = DONE
    documents: list[dict[str, Any]] = []
    problems: list[Problem] = []
    for file in files:
        try:
            kind, warnings = examine(file, content or [], strict)
        except InputError as error:
            status = BAD_INPUT
            problems += error.problems
            documents.append({"file": str(file), "valid": False, "errors": [problem_json(p) for p in error.problems]})
            print_errors(error.problems, as_json=False)
            continue
        print_warnings(warnings)
        documents.append(
            {"file": str(file), "valid": True, "kind": kind, "warnings": [problem_json(w) for w in warnings]}
        )
        if format == "text":
            print(f"{file}: a valid {kind}" + (f", {len(warnings)} warnings" if warnings else ""))
    if format == "json":
        print_json({"files": documents, **({"errors": [problem_json(p) for p in problems]} if problems else {})})
    return status


def examine(file: Path, folders: list[Path], strict: bool) -> tuple[str, tuple[Problem, ...]]:
    """What kind of file it is, and its warnings.

    Raises:
        InputError: everything that is wrong with it.
    """
    from fracas.content.files import read_document
    from fracas.replay.scenario import load_scenario

    document = read_document(file)
    if document.get("format") == "fracas-replay":
        from fracas.replay.file import read_replay

        return f"{read_replay(file).ruleset} replay", ()
    if "ruleset" in document:
        scenario = load_scenario(file, content=folders, strict=strict)
        return f"{scenario.ruleset.name} scenario", scenario.warnings
    return examine_part(document, file, strict)


def examine_part(document: Document, file: Path, strict: bool) -> tuple[str, tuple[Problem, ...]]:
    """A file without a `ruleset`: content or a strategy, by the keys it has."""
    from fracas.rulesets import registry

    rulesets = [registry.get(name) for name in registry.NAMES]
    if not document:
        raise InputError.of(str(file), "is empty")
    ruleset, kind, model = max(
        ((ruleset, kind, getattr(ruleset.models, kind)) for ruleset in rulesets for kind in ("content", "strategy")),
        key=lambda choice: len(_keys(choice[2]) & set(document)),
    )
    if not _keys(model) & set(document):
        raise InputError.of(
            str(file), "is no scenario, content, strategy or replay", 'a scenario says ruleset = "squads"'
        )
    warnings = ruleset.check_part(kind, document, Source(str(file), file.parent), strict=strict)
    return f"{ruleset.name} {kind} file", warnings


def _keys(model: Any) -> set[str]:
    return {name for key, field in model.model_fields.items() for name in (key, field.alias) if name}


def lint(files: Files, /, *, content: Folders = None, format: Format = "text") -> int:
    """Say what is valid in scenarios and yet probably not meant. Exit status 1 if there is anything.

    Try:

        fracas lint mine.toml
        fracas lint examples/squads/*.toml --format json
    """
    findings: list[tuple[Path, Finding]] = []
    problems: list[Problem] = []
    for file in files:
        try:
            findings += [(file, finding) for finding in _findings(file, content or [])]
        except InputError as error:
            problems += error.problems
    if format == "json":
        document: dict[str, Any] = {"findings": [{"file": str(file), **_as_json(found)} for file, found in findings]}
        if problems:
            document["errors"] = [problem_json(problem) for problem in problems]
        print_json(document)
    else:
        for _, found in findings:
            hint = f" ({found.suggestion})" if found.suggestion else ""
            print(f"{found.where}: {found.message}{hint} [{found.rule}]")
        if not findings and not problems:
            print("nothing to remark" if len(files) == 1 else f"{len(files)} files, nothing to remark")
    if problems:
        print_errors(problems, as_json=False)
        return BAD_INPUT
    return CHECK_FAILED if findings else DONE


def _findings(file: Path, folders: list[Path]) -> list[Finding]:
    from fracas.content.files import read_document
    from fracas.rulesets import registry

    document = read_document(file)
    if "ruleset" not in document:
        raise InputError.of(str(file), "is not a scenario; lint looks at scenarios")
    ruleset: Ruleset = registry.get(str(document["ruleset"]), f"{file}: ruleset")
    return ruleset.lint(document, Source(str(file), file.parent), folders)


def _as_json(found: Finding) -> dict[str, Any]:
    return {"rule": found.rule, "where": found.where, "message": found.message, "suggestion": found.suggestion}
