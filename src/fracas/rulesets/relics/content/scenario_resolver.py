"""Resolve relics scenarios; check content and build files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from fracas.content.packs import Library
from fracas.content.profiles import merged_options, profile_chain
from fracas.content.references import list_of, numbered, table_of, to_plain
from fracas.content.scenario_reader import ScenarioReader, ScenarioResolver
from fracas.content.validate import MOST_PROBLEMS, validate
from fracas.errors import InputError, Problem
from fracas.rulesets.contract.types import Document, ResolvedScenario, Source
from fracas.rulesets.relics.content.fighter_resolver import Resolver, tags_worn
from fracas.rulesets.relics.content.library import (
    CATALOGUE,
    DEFAULT_PROFILE,
    entry_mentions,
    library_for,
    unknown_names,
)
from fracas.rulesets.relics.content.models.fighters import BuildFile, Worn
from fracas.rulesets.relics.content.models.items import Item, OwnStatus, split_id
from fracas.rulesets.relics.content.models.rule_options import Options, StatCaps
from fracas.rulesets.relics.content.models.scenario import Resolved, Scenario
from fracas.rulesets.relics.content.places import SIDES, pieces_of
from fracas.rulesets.relics.content.vocabulary import is_own_status
from fracas.rulesets.shared.checked_scenario import checked_scenario
from fracas.rulesets.shared.resolution import Resolution


class BattleResolver(ScenarioResolver[Scenario]):
    """Resolves one scenario, collecting every problem."""

    catalogue = CATALOGUE

    @cached_property
    def options(self) -> dict[str, Any]:
        """Every rule option: those of the profile and its bases, overridden by the scenario's own."""
        given = self.given_options()
        return {**merged_options(given), "stat_caps": merged_caps(given)}

    def resolve(self) -> ResolvedScenario:
        """The resolved document.

        Raises:
            InputError: every problem found.
        """
        scenario = self.scenario
        document: Document = {
            **CATALOGUE.head_of(scenario, self.source),
            "options": self.options,
        }
        resolver = self.fighters()
        self.check_own_entries(resolver)
        for side in SIDES:
            document[side] = resolver.fighter(side, getattr(scenario, side), side.title())
        document = resolver.with_statuses(document)
        self.problems = resolver.problems
        self.warnings += resolver.warnings
        self.raise_problems()
        document["right"]["name"] = numbered(document["right"]["name"], [document["left"]["name"]])
        return checked_scenario(Resolved, document, self.source.where, dict.fromkeys(self.warnings), resolver.ready)

    def fighters(self) -> Resolver:
        """A resolver for this scenario's fighters."""
        return Resolver(
            self.origin,
            self.library,
            items=self.scenario.items,
            caps=StatCaps.model_validate(self.options["stat_caps"]),
            cap_mode=self.options.get("stat_cap_mode", "reject"),
            problems=self.problems,
            worn_tags=tags_worn((self.scenario.left, self.scenario.right)),
            statuses=self.scenario.statuses,
        )

    def check_own_entries(self, resolver: Resolver) -> None:
        """Check the scenario's own items and statuses, used or not."""
        for kind, entries in (("items", self.scenario.items), ("statuses", self.scenario.statuses)):
            for key, entry in entries.items():
                resolver.check_body(f"{kind}.{key}", entry)


def merged_caps(given: Sequence[Options]) -> dict[str, int]:
    """The stat caps of several sets of options; later ones override earlier ones, cap by cap."""
    return to_plain(merged_options(given).get("stat_caps", StatCaps()))


# Content and build files.


def check_strategy_file(
    document: Document, source: Source, folders: Sequence[Path] = (), *, strict: bool = False
) -> tuple[Problem, ...]:
    """Check a build file against itself, the folders and shipped content.

    Raises:
        InputError: every problem found; warnings too if strict.
    """
    build_resolver(document, source, folders)
    return ()


def build_resolver(document: Document, source: Source, folders: Sequence[Path]) -> tuple[Resolver, Document]:
    """Resolve a build file; returns its resolver and the resolved build.

    Raises:
        InputError: every problem found.
    """
    library = library_for(None, folders)
    build = validate(BuildFile, document, source.where)
    resolver = Resolver(source.where, library, caps=caps_of(library, None), worn_tags=tags_worn((build,)))
    resolved = resolver.build("", build)
    resolver.raise_problems()
    return resolver, {**resolved, "sets": resolver.sets("sets", resolved, [])}


def caps_of(library: Library, profile: str | None) -> StatCaps:
    """The caps of a profile."""
    line = profile_chain(library, profile or DEFAULT_PROFILE, "profile")
    return StatCaps.model_validate(merged_caps([entry.options for entry in line]))


def check_caps(library: Library, profile: str | None, origin: str | None = None) -> None:
    """Check that no item of a library, or of one of its files, exceeds a profile's caps.

    Raises:
        InputError: every item that does.
    """
    resolver = Resolver("", library, caps=caps_of(library, profile))
    for identifier, item, file in library.from_file("items", origin):
        resolver.origin = file
        resolver.capped(f"items.{identifier}", identifier, to_plain(item.stats))
    resolver.raise_problems()


def check_library(library: Library, origin: str | None = None) -> None:
    """Check references, conditions and gear in a library, or in one of its files.

    Raises:
        InputError: every problem found.
    """
    problems = list(CATALOGUE.dangling_references(library, entry_mentions, origin))
    reported = {problem.where for problem in problems}
    for kind in ("items", "sets", "statuses", "enemies", "bosses"):
        for identifier, entry, file in library.from_file(kind, origin):
            # Caps belong to a profile; they are checked when a fighter wears the item.
            resolver = Resolver(file, library, cap_mode="clamp")
            _check_entry(resolver, kind, f"{kind}.{identifier}", entry)
            problems += (each for each in resolver.problems if each.where not in reported)
    if problems:
        raise InputError(dict.fromkeys(problems))
    if origin is not None:
        check_caps(library, None, origin)


def _check_entry(resolver: Resolver, kind: str, path: str, entry: Any) -> None:
    resolver.check_body(path, entry)
    if kind == "enemies":
        for level in range(1, len(entry.levels) + 1):
            resolver.enemy(path, entry.id, level)
    if kind == "bosses":
        for number, phase in enumerate(entry.phases):
            resolver.check_body(f"{path}.phases.{number}", phase)
        resolver.boss(path, entry.id)


# Scenarios that fail their model.


def visible_problems(document: Document, library: Library, where: str) -> Iterator[Problem]:
    """Problems in a scenario that fails its model: unknown names, and problems in the parts that are valid."""
    # Reports show at most this many problems, and these come first.
    lost = list(islice(unknown_names(document, library, where), MOST_PROBLEMS))
    yield from lost
    own: dict[str, Item] = {}
    written = table_of(document.get("items"))
    for key, entry in written.items():
        with suppress(InputError):
            own[key] = validate(Item, {"id": key, **table_of(entry)}, where)
    options: list[Options] = []
    with suppress(InputError):
        profile = document.get("profile")
        line = profile_chain(library, profile if isinstance(profile, str) else DEFAULT_PROFILE, where)
        options = [*(entry.options for entry in line), validate(Options, document.get("options", {}), where)]
    pieces = [piece for side in SIDES for _, _, piece in pieces_of(table_of(document.get(side)), f"{side}.")]
    bodies = [table_of(each) for each in (*pieces, *written.values())]
    tags = [tag for each in bodies for tag in list_of(each.get("tags")) if isinstance(tag, str)]
    mode = merged_options(options).get("stat_cap_mode", "reject")
    statuses = {
        key: OwnStatus.model_construct(id=key) for key in table_of(document.get("statuses")) if is_own_status(key)
    }
    caps = StatCaps(**merged_caps(options))
    resolver = Resolver(where, library, items=own, caps=caps, cap_mode=mode, worn_tags=tags, statuses=statuses)
    for key, entry in written.items():
        if key in own:
            resolver.check_body(f"items.{key}", own[key])
        else:
            resolver.check_broken(f"items.{key}", table_of(entry))
    for key, entry in table_of(document.get("statuses")).items():
        resolver.check_broken(f"statuses.{key}", table_of(entry))
    for side in SIDES:
        for path, place, piece in pieces_of(table_of(document.get(side)), f"{side}."):
            identifier = split_id(str(piece if isinstance(piece, str) else table_of(piece).get("id")))[1]
            if identifier not in written or identifier in own:
                with suppress(InputError):
                    worn = validate(Worn, {"id": piece} if isinstance(piece, str) else piece, where)
                    resolver.piece(path, place, piece if isinstance(piece, str) else worn)
    # The resolver finds lost names as well.
    reported = {problem.where.removesuffix(".id") for problem in lost}
    yield from (problem for problem in resolver.problems if problem.where.removesuffix(".id") not in reported)


_RESOLUTION = Resolution(ScenarioReader(Scenario, library_for, check_library, visible_problems), BattleResolver)
resolve, resolver_for = _RESOLUTION.resolve, _RESOLUTION.resolver_for
