"""`fracas validate` and `fracas lint`: files that people write."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from fracas.cli.shared.output import print_errors, print_json, print_warnings, problem_json, say
from fracas.cli.shared.parameters import Files, Folders, Format, Plugins, Strict
from fracas.errors import InputError, Problem
from fracas.errors.suggestions import nearest
from fracas.rulesets.contract.ruleset import Ruleset
from fracas.rulesets.contract.types import Document, Finding, Source

DONE, CHECK_FAILED, BAD_INPUT = 0, 1, 2


def validate(
    files: Files,
    /,
    *,
    strict: Strict = False,
    content: Folders = None,
    plugin: Plugins = None,
    format: Format = "text",
) -> int:
    """Say everything that is wrong with scenarios, strategies, content files, content folders and replays.

    Nothing is played. With --strict a warning, such as an unknown condition name, is an error too.

    Try:

        fracas validate examples/squads/*.toml
        fracas validate mine.toml strategies/*.json --strict
        fracas validate mypack mine.toml --content mypack
    """
    status = DONE
    documents: list[dict[str, Any]] = []
    problems: list[Problem] = []
    for file in files:
        try:
            kind, warnings = examine(file, content or [], plugin or [], strict)
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
            say(f"{file}: a valid {kind}" + (f", {len(warnings)} warnings" if warnings else ""))
    if format == "json":
        print_json({"files": documents, **({"errors": [problem_json(p) for p in problems]} if problems else {})})
    return status


def examine(
    file: Path, folders: Sequence[Path], plugins: Sequence[Path], strict: bool
) -> tuple[str, tuple[Problem, ...]]:
    """What kind of file or folder it is, and its warnings.

    Raises:
        InputError: everything that is wrong with it.
    """
    from fracas.engine.scenario import load_scenario
    from fracas.files.read import is_folder, read_document
    from fracas.plugins.loader import load_plugins
    from fracas.replay.session_file import is_session, read_session
    from fracas.rulesets import registry

    if is_folder(file):
        ruleset = pack_ruleset(file)
        ruleset.read_library(None, [*folders, file])
        return f"{ruleset.name} content folder", ()
    document = read_document(file)
    if document.get("format") == "fracas-replay":
        from fracas.engine.replay_file import read_replay

        return f"{read_replay(file).ruleset} replay", ()
    if is_session(document):
        read_session(document, str(file))
        return "duel session", ()
    if "ruleset" in document and "entrants" in document:
        from fracas.lab.studies.roster import read_roster

        roster = read_roster(file, {"content": folders, "plugins": plugins, "strict": strict}, fewest=1)
        found = dict.fromkeys(each for entrant in roster.entrants for each in entrant.scenario.warnings)
        return f"{roster.rules.ruleset.name} roster of {len(roster.entrants)}", tuple(found)
    if "ruleset" in document and _is_campaign(document):
        ruleset = registry.get(str(document["ruleset"]))
        resolution = ruleset.resolve_campaign(document, Source(str(file), file.parent), folders, load_plugins(plugins))
        return f"{ruleset.name} campaign", resolution.warnings
    if "ruleset" in document:
        scenario = load_scenario(file, content=folders, plugins=plugins, strict=strict)
        return f"{scenario.ruleset.name} scenario", scenario.warnings
    ruleset, kind = part_of(document, file)
    warnings = ruleset.check_part(kind, document, Source(str(file), file.parent), folders, strict=strict)
    return f"{ruleset.name} {ruleset.models.strategy_word if kind == 'strategy' else kind} file", warnings


def _is_campaign(document: Document) -> bool:
    """Whether a document is a campaign of a ruleset that is there."""
    from fracas.rulesets import registry

    name = document.get("ruleset")
    return name in registry.NAMES and registry.get(str(name)).is_campaign(document)


def part_of(document: Document, file: Path) -> tuple[Ruleset, str]:
    """What a file without a `ruleset` is part of: `content` or `strategy` of a ruleset, by the keys it has.

    Raises:
        InputError: it has no key of either.
    """
    from fracas.rulesets import registry

    if not document:
        raise InputError.of(str(file), "is empty")
    choices = [(registry.get(name), kind) for name in registry.NAMES for kind in ("content", "strategy")]
    ruleset, kind = max(choices, key=lambda choice: _likeness(document, *choice))
    if not any(_likeness(document, ruleset, kind)):
        known = {key for choice in choices for key in _keys(*choice)}
        hints = (nearest(key, sorted(known)) for key in document)
        hint = next(filter(None, hints), 'a scenario says ruleset = "squads"')
        raise InputError.of(str(file), "is no scenario, content, strategy, world or replay", hint)
    return ruleset, kind


def pack_ruleset(folder: Path) -> Ruleset:
    """The ruleset whose content a folder holds; what cannot be read is for that ruleset to complain about.

    Raises:
        InputError: the folder holds scenarios, or nothing of any ruleset.
    """
    from fracas.files.read import read_document
    from fracas.rulesets import registry

    document: Document = {}
    for file in folder.glob("*.toml"):
        with suppress(InputError):
            document |= read_document(file)
    if "ruleset" in document:
        raise InputError.of(str(folder), "holds scenarios, not content", f"name them as files: {folder / '*.toml'}")
    return part_of(document, folder)[0] if document else registry.get(registry.NAMES[0])


def _likeness(document: Document, ruleset: Ruleset, kind: str) -> tuple[int, int]:
    """How many keys fit at the top, and how many in all: rulesets have kinds of content of the same name.

    Content is made of lists of entries, so a table by a key of its own is no content, and no more is a list of names.
    """
    given = {key: value for key, value in document.items() if kind != "content" or _may_be_entries(value)}
    model = getattr(ruleset.models, kind)
    return len(_keys(ruleset, kind) & set(given)), _fitting([model], given)


def _may_be_entries(value: Any) -> bool:
    return isinstance(value, list) and not (value and all(isinstance(each, str) for each in value))


def _fitting(models: Sequence[type[Any]], value: Any) -> int:
    """How many keys of a value, and of all that is in it, one of the models has."""
    from fracas.content.validate import models_in

    if isinstance(value, list):
        return sum(_fitting(models, each) for each in value)
    fields = {name: field for model in models for name, field in _fields(model).items()}
    known = [key for key in value if key in fields] if isinstance(value, dict) else []
    return len(known) + sum(_fitting(models_in(fields[key].annotation), value[key]) for key in known)


def _keys(ruleset: Ruleset, kind: str) -> set[str]:
    return set(_fields(getattr(ruleset.models, kind)))


def _fields(model: type[Any]) -> dict[str, Any]:
    """The fields of a model under all their spellings."""
    return {name: field for key, field in model.model_fields.items() for name in (key, field.alias) if name}


def lint(files: Files, /, *, content: Folders = None, plugin: Plugins = None, format: Format = "text") -> int:
    """Say what is valid in scenarios, strategies and content and yet probably not meant. Any finding is status 1.

    Try:

        fracas lint mine.toml
        fracas lint examples/squads/*.toml --format json
        fracas lint mypack
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
            document["errors"] = [problem_json(problem) for problem in problems]
        print_json(document)
    else:
        for _, found in findings:
            hint = f" ({found.suggestion})" if found.suggestion else ""
            say(f"{found.where}: {found.message}{hint} [{found.rule}]")
        if not findings and not problems:
            say("nothing to remark" if len(files) == 1 else f"{len(files)} files, nothing to remark")
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
        raise InputError.of(str(file), "is a replay; lint looks at what people write")
    if "ruleset" in document:
        ruleset = registry.get(str(document["ruleset"]), f"{file}: ruleset")
        return ruleset.lint(document, source, folders, load_plugins(plugins))
    ruleset, kind = part_of(document, file)
    return ruleset.lint_part(kind, document, source, folders)


def _as_json(found: Finding) -> dict[str, Any]:
    return {"rule": found.rule, "where": found.where, "message": found.message, "suggestion": found.suggestion}
