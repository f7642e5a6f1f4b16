"""Scenarios in which something is changed: values by their paths, parts that come from another file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from fracas.content.validate import dotted, shown
from fracas.engine.overrides import BEFORE_RESOLVING, Written, resolved_with
from fracas.engine.scenario import Scenario, assembled, load_scenario
from fracas.errors import InputError, UsageError
from fracas.errors.suggestions import listed, nearest, quoted
from fracas.files.read import read_document
from fracas.lab.simulation.scores import with_document
from fracas.rulesets.contract.analysis import SideRef
from fracas.rulesets.contract.types import Override, Source


def with_overrides(scenario: Scenario, overrides: Sequence[Override], folders: Sequence[Path] = ()) -> Scenario:
    """A scenario with values replaced, checked as if its file had them.

    Paths mean what the file says, or else the resolved document. Of a scenario without a file, such as one that a part
    was exchanged in, only the resolved document is known; `folders` are the content it is looked up in.

    Raises:
        InputError: a path that leads nowhere, or a value that does not fit.
    """
    ruleset, written = scenario.ruleset, scenario.written
    early = [each for each in overrides if each.path[:2] in ruleset.early_options or _is_early(each)]
    if early and written is None:
        message = "is decided before anything is looked up, and of this scenario only what was found is known"
        raise InputError.of(f"{early[0].where} {dotted(early[0].path)}", message, "load it from a file")
    where = " and ".join(f"{each.where} {dotted(each.path)}={shown(each.value)}" for each in overrides)
    if written is None:
        written = Written(scenario.document, Source(where, scenario.folder), tuple(folders))
    else:
        # Without an id of its own it is called after its file, which messages do not name here.
        named = {"id": scenario.id, **written.document}
        written = Written(named, replace(written.origin, where=where), written.folders or tuple(folders))
    plugins = {plugin.name: plugin for plugin in scenario.compiled.plugins}
    look_up = partial(ruleset.resolve, folders=written.folders, plugins=plugins)
    resolution, document = resolved_with(look_up, written.document, written.origin, overrides, ruleset.early_options)
    compiled = ruleset.compile(resolution.document, plugins, sound=resolution.sound)
    found = assembled(ruleset, resolution, compiled, replace(written, document=document), scenario.folder)
    # An id may be the seed text too.
    return found if found.seed == scenario.seed else found.with_seed(scenario.seed)


def _is_early(override: Override) -> bool:
    return len(override.path) == 1 and override.path[0] in BEFORE_RESOLVING


def with_part(scenario: Scenario, side: int, part: str, source: Path, other_side: int | None = None) -> Scenario:
    """A scenario in which a part of one side, such as its strategy, comes from a file.

    The file is another scenario, of which the same side has the part unless another one is named, or what the ruleset
    takes as that part by itself, such as a strategy file.

    Raises:
        InputError: the ruleset has no such part, the file has none, or it does not fit there.
    """
    lab = scenario.ruleset.analysis
    if part not in lab.parts:
        hint = nearest(part, lab.parts) or (f"write {listed(lab.parts)}" if lab.parts else None)
        message = f"there is no part {quoted(part)} to exchange in {scenario.ruleset.name}"
        raise UsageError.of("--part", message, hint)
    document = read_document(source)
    if "ruleset" in document:
        donor = load_scenario(source)
        if donor.ruleset.name != scenario.ruleset.name:
            raise InputError.of(str(source), f"is of {donor.ruleset.name}, not of {scenario.ruleset.name}")
        value = lab.part(SideRef(donor.document, other_side or side), part)
    elif other_side is not None:
        raise InputError.of(str(source), "is no scenario, so that it has no sides")
    else:
        value = document
    return with_document(scenario, lab.with_part(SideRef(scenario.document, side), part, value))
