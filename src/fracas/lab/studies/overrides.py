"""Creates changed scenarios: values replaced by path, parts taken from another file."""

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
    """A scenario with values replaced, validated as if its file had them.

    Paths refer to the file, or else to the resolved document. A scenario without a file, such as one with an exchanged
    part, has only the resolved document; its content is looked up in `folders`.

    Raises:
        InputError: a path matches nothing, or a value does not fit.
    """
    ruleset, written = scenario.ruleset, scenario.written
    early = [each for each in overrides if each.path[:2] in ruleset.early_options or _is_early(each)]
    if early and written is None:
        message = "applies before content is resolved, but this scenario is already resolved"
        raise InputError.of(f"{early[0].where} {dotted(early[0].path)}", message, "load it from a file")
    where = " and ".join(f"{each.where} {dotted(each.path)}={shown(each.value)}" for each in overrides)
    if written is None:
        written = Written.of(scenario.document, Source(where, scenario.folder), tuple(folders))
    else:
        # Without an id it is named after its file, which messages do not mention here.
        named = {"id": scenario.id, **written.document}
        written = Written.of(named, replace(written.origin, where=where), written.folders or tuple(folders))
    plugins = {plugin.name: plugin for plugin in scenario.compiled.plugins}
    look_up = partial(ruleset.resolve, folders=written.folders, plugins=plugins)
    resolution, document = resolved_with(look_up, written.document, written.origin, overrides, ruleset.early_options)
    compiled = ruleset.compile(resolution.document, plugins, sound=resolution.sound)
    found = assembled(
        ruleset, resolution, compiled, Written.of(document, written.origin, written.folders), scenario.folder
    )
    # An id may also be the seed text.
    return found if found.seed == scenario.seed else found.with_seed(scenario.seed)


def _is_early(override: Override) -> bool:
    return len(override.path) == 1 and override.path[0] in BEFORE_RESOLVING


def with_part(scenario: Scenario, side: int, part: str, source: Path, other_side: int | None = None) -> Scenario:
    """A scenario in which a part of one side, such as its strategy, comes from a file.

    The file is another scenario, whose part comes from the same side unless you name another one, or anything that the
    ruleset accepts as that part by itself, such as a strategy file.

    Raises:
        InputError: the ruleset has no such part, the file has none, or it does not fit there.
    """
    lab = scenario.ruleset.analysis
    if part not in lab.parts:
        hint = nearest(part, lab.parts) or (f"write {listed(lab.parts)}" if lab.parts else None)
        message = f"there is no part {quoted(part)} to replace in {scenario.ruleset.name}"
        raise UsageError.of("--part", message, hint)
    document = read_document(source)
    if "ruleset" in document:
        donor = load_scenario(source)
        if donor.ruleset.name != scenario.ruleset.name:
            raise InputError.of(str(source), f"is for {donor.ruleset.name}, not for {scenario.ruleset.name}")
        value = lab.part(SideRef(donor.document, other_side or side), part)
    elif other_side is not None:
        raise InputError.of(str(source), "is not a scenario, so it has no sides")
    else:
        value = document
    return with_document(scenario, lab.with_part(SideRef(scenario.document, side), part, value))
