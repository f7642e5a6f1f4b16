"""Records for programs as Markdown: those of chronicles and statistics, and the rules versions of releases."""

from __future__ import annotations

import importlib.util
import inspect
import re
from dataclasses import fields, is_dataclass
from typing import Any

from document_api import field_notes

import fracas
from fracas.content.packs import examples_folder
from fracas.events.markdown import table
from fracas.rulesets import registry
from fracas.rulesets.contract.releases import release_table
from fracas.rulesets.contract.ruleset import Ruleset

# Enough to fill every table, few enough to play without compiling.
BATTLES = 40


def chronicle_page(ruleset: Ruleset) -> str | None:
    """Every record of a ruleset's chronicle; None if it has none."""
    name = f"fracas.rulesets.{ruleset.name}.narration.chronicle"
    return None if importlib.util.find_spec(name) is None else chronicle_records(name)


def chronicle_records(name: str) -> str:
    """Every record of the module of a chronicle, the outermost first."""
    found = vars(importlib.import_module(name)).values()
    classes = [each for each in found if inspect.isclass(each) and is_dataclass(each) and each.__module__ == name]
    known = {each.__name__ for each in classes}
    return "\n\n".join(record_section(each, known) for each in reversed(classes))


def record_section(class_: type, known: set[str]) -> str:
    """A record: its description, its fields and its computed properties."""
    notes = field_notes(class_)
    rows = [(f"`{field.name}`", kind_of(str(field.type), known), notes.get(field.name, "")) for field in fields(class_)]
    rows += [
        (f"`{name}`", "computed", " ".join((inspect.getdoc(value) or "").split()))
        for name, value in vars(class_).items()
        if isinstance(value, property)
    ]
    about = inspect.getdoc(class_) or ""
    return f"### {class_.__name__}\n\n{about}\n\n{table(('field', 'is', 'notes'), rows)}"


def kind_of(annotation: str, known: set[str]) -> str:
    """A field's type as words, with links to other records."""
    words = re.sub(r"tuple\[(\w+), \.\.\.\]", r"list of \1", annotation)
    words = re.sub(r"tuple\[tuple\[(\w+), (\w+)\], \.\.\.\]", r"list of pairs (\1, \2)", words)
    words = re.sub(r"dict\[str, .*\]", "values by name", words)
    words = words.replace(" | None", " or none").replace("str", "text").replace("bool", "true or false")
    words = re.sub(r"\bint\b", "number", words)
    for name in known:
        words = re.sub(rf"\b{name}\b", f"[{name}](#{name.lower()})", words)
    return words


def releases_table() -> str:
    """The rules versions of every release, the newest first."""
    played = reversed(release_table(fracas.rules_versions()).items())
    rows = [(release, *(str(rules.get(name, "")) for name in registry.NAMES)) for release, rules in played]
    return table(("release", *registry.NAMES), rows)


def statistics_page(ruleset: Ruleset) -> str | None:
    """Every table that a ruleset's simulations fill; None if it counts only winners, reasons and rounds."""
    rows = {}
    for example in ruleset.benchmarks:
        results = fracas.simulate(examples_folder() / ruleset.name / f"{example}.toml", n=BATTLES)
        for name, entries in results.statistics.items():
            rows[name] = (f"`{name}`", results.titles[name], keys_of(name, entries))
    return table(("list", "in the text", "keys of an entry"), rows.values()) if rows else None


def keys_of(name: str, entries: list[dict[str, Any]]) -> str:
    """The keys of a statistic's entries."""
    if not entries:
        raise SystemExit(f"the benchmarks leave the statistic {name!r} empty; give it some battles")
    return ", ".join(f"`{key}`" for key in entries[0])
