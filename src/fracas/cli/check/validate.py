"""`fracas validate`: check files and report every error."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fracas.cli.shared.file_kinds import _is_campaign, pack_ruleset, part_of
from fracas.cli.shared.output import print_errors, print_json, print_warnings, say
from fracas.cli.shared.parameters import Files, Folders, Format, Plugins, Strict
from fracas.errors import InputError, Problem
from fracas.rulesets.contract.types import Source

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
    """Check scenarios, strategies, content files and folders, replays and bundles, and list every error.

    Nothing is played. With --strict, warnings such as unknown condition names are errors.

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
            documents.append({"file": str(file), "valid": False, "errors": [p.as_json() for p in error.problems]})
            print_errors(error.problems, as_json=False)
            continue
        print_warnings(warnings)
        documents.append({"file": str(file), "valid": True, "kind": kind, "warnings": [w.as_json() for w in warnings]})
        if format == "text":
            say(f"{file}: valid {kind}" + (f", {len(warnings)} warnings" if warnings else ""))
    if format == "json":
        print_json({"files": documents, **({"errors": [p.as_json() for p in problems]} if problems else {})})
    return status


def examine(
    file: Path, folders: Sequence[Path], plugins: Sequence[Path], strict: bool
) -> tuple[str, tuple[Problem, ...]]:
    """Check a file or folder; return its kind and its warnings.

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
    if document.get("format") == "fracas-bundle":
        from fracas.replay.bundle_file import read_bundle

        return f"{read_bundle(file).ruleset} bundle", ()
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
        campaigns = ruleset.required(ruleset.campaign, "campaigns", str(file))
        source = Source(str(file), file.parent)
        resolution = campaigns.resolve_campaign(document, source, folders, load_plugins(plugins))
        return f"{ruleset.name} campaign", resolution.warnings
    if "ruleset" in document:
        scenario = load_scenario(file, content=folders, plugins=plugins, strict=strict)
        return f"{scenario.ruleset.name} scenario", scenario.warnings
    ruleset, kind = part_of(document, file)
    warnings = ruleset.check_file(kind, document, Source(str(file), file.parent), folders, strict=strict)
    return f"{ruleset.name} {ruleset.models.strategy_label if kind == 'strategy' else kind} file", warnings
