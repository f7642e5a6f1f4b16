"""`fracas content lint`: report what is valid but probably a mistake."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fracas.cli.check.validate import BAD_INPUT, CHECK_FAILED, DONE
from fracas.cli.shared.file_kinds import pack_ruleset, part_of
from fracas.cli.shared.output import print_errors, print_json, say
from fracas.cli.shared.parameters import Files, Folders, Format, Plugins
from fracas.errors import InputError, Problem
from fracas.rulesets.contract.types import Finding, Source


def lint(files: Files, /, *, content: Folders = None, plugin: Plugins = None, format: Format = "text") -> int:
    """Report what is valid in scenarios, strategies and content but probably a mistake. Exit status 1 on any finding.

    Try:

        fracas content lint mine.toml
        fracas content lint examples/squads/*.toml --format json
        fracas content lint mypack
    """
    findings: list[tuple[Path, Finding]] = []
    problems: list[Problem] = []
    for file in files:
        try:
            findings += [(file, finding) for finding in _findings(file, content or [], plugin or [])]
        except InputError as error:
            problems += error.problems
    if format == "json":
        document: dict[str, Any] = {"findings": [{"file": str(file), **_as_json(found)} for file, found in findings]}
        if problems:
            document["errors"] = [problem.as_json() for problem in problems]
        print_json(document)
    else:
        for _, found in findings:
            hint = f" ({found.suggestion})" if found.suggestion else ""
            say(f"{found.where}: {found.message}{hint} [{found.rule}]")
        if not findings and not problems:
            say("no findings" if len(files) == 1 else f"no findings in {len(files)} files")
    if problems:
        print_errors(problems, as_json=False)
        return BAD_INPUT
    return CHECK_FAILED if findings else DONE


def _findings(file: Path, folders: Sequence[Path], plugins: Sequence[Path]) -> list[Finding]:
    from fracas.files.read import is_folder, read_document
    from fracas.plugins.loader import load_plugins
    from fracas.rulesets import registry

    if is_folder(file):
        ruleset = pack_ruleset(file)
        behind = ruleset.lint_content(folders)
        return [finding for finding in ruleset.lint_content([*folders, file]) if finding not in behind]
    document, source = read_document(file), Source(str(file), file.parent)
    if document.get("format") == "fracas-replay":
        raise InputError.of(str(file), "is a replay; lint checks scenarios, strategies and content")
    if "ruleset" in document:
        ruleset = registry.get(str(document["ruleset"]), f"{file}: ruleset")
        return ruleset.lint(document, source, folders, load_plugins(plugins))
    ruleset, kind = part_of(document, file)
    return ruleset.lint_file(kind, document, source, folders)


def _as_json(finding: Finding) -> dict[str, Any]:
    return {"rule": finding.rule, "where": finding.where, "message": finding.message, "suggestion": finding.suggestion}
