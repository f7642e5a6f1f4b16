"""Check an entry from an untrusted source, and turn it into a side of a battle."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from fracas.content.canonical import canonical, canonical_bytes
from fracas.content.packs import OWN_CONTENT, Library
from fracas.content.validate import validate
from fracas.engine.untrusted import refuse_oversize, without_paths
from fracas.errors import UNKNOWN_NAME, InputError, Problem
from fracas.errors.suggestions import nearest, quoted
from fracas.player_entries.registry import entry_kind
from fracas.rulesets import registry
from fracas.rulesets.contract.player_entries import WHERE, EntryKind
from fracas.rulesets.contract.ruleset import Ruleset
from fracas.rulesets.contract.types import Document, ResolvedScenario, Source

LARGEST_ENTRY = 32 * 1024
NO_MODIFIER = "none"
# The text that messages of the resolver begin with.
SCENARIO = "scenario"
SEED = "arena"

MoreProblems = Callable[[Any], Iterable[Problem]]


@dataclass(frozen=True)
class EntryGround:
    """What entries are checked on: a ruleset's content under a profile."""

    name: str
    """The ruleset's name."""
    profile: str
    id: str
    """The id of the scenarios that entries become."""
    folders: tuple[Path, ...] = ()

    @cached_property
    def ruleset(self) -> Ruleset:
        """The ruleset."""
        return registry.get(self.name)

    @cached_property
    def kind(self) -> EntryKind:
        """The kind of its entries."""
        return entry_kind(self.name)

    @cached_property
    def library(self) -> Library:
        """The content that entries may name."""
        return self.ruleset.read_library(self.profile, self.folders)


def no_more(entry: Any) -> Iterable[Problem]:
    """No problems besides those of the schema and the content."""
    return ()


def check_on(
    ground: EntryGround, document: Any, more: MoreProblems = no_more
) -> tuple[Document, Any, tuple[Problem, ...]]:
    """Check an entry; returns its plain values in canonical order, its model and warnings.

    `more` adds the problems of a league or a host.

    Raises:
        InputError: everything that is wrong with it.
    """
    try:
        refuse_oversize(document)
    except InputError as error:
        raise InputError(_named(each) for each in error.problems) from None
    plain = canonical(dict(document))
    try:
        size = len(canonical_bytes(plain))
    except ValueError:
        # TOML has them.
        raise InputError.of(WHERE, "contains nan or inf, which is not valid in JSON") from None
    if size > LARGEST_ENTRY:
        raise InputError.of(WHERE, f"is larger than {LARGEST_ENTRY:,} bytes, which is the limit")
    entry = validate(ground.kind.model, plain, WHERE)
    problems = [*_unknown(ground, entry), *more(entry), *ground.kind.problems(entry, ground.library)]
    warnings: tuple[Problem, ...] = ()
    try:
        resolved = resolve_on(ground, entry, "entry", NO_MODIFIER)
        # Names of conditions that nobody knows are errors here: an entry's document holds no free text.
        ground.ruleset.compile(resolved.document, {}, strict=True, sound=resolved.sound)
        warnings = tuple(_placed(ground, entry, resolved.warnings))
    except InputError as error:
        reported = {problem.where for problem in problems}
        problems += [each for each in _placed(ground, entry, error.problems) if each.where not in reported]
    if problems:
        raise InputError(dict.fromkeys(problems))
    return plain, entry, warnings


def resolve_on(ground: EntryGround, entry: Any, code: str, modifier: str) -> ResolvedScenario:
    """The resolved document in which an entry, as its model, is side 1 and called by its code.

    Raises:
        InputError: it does not fit the content.
    """
    document = {"ruleset": ground.name, **ground.kind.scenario(entry, code, ground.library)}
    document |= {"id": ground.id, "seed": SEED, "profile": ground.profile}
    if modifier != NO_MODIFIER:
        document["modifier"] = modifier
    return ground.ruleset.resolve(document, Source(SCENARIO), ground.folders)


def _unknown(ground: EntryGround, entry: Any) -> Iterator[Problem]:
    known = ground.kind.known(ground.library)
    for piece in ground.kind.pieces(entry):
        if piece.id not in known:
            message = f"there is no {ground.kind.what} {quoted(piece.id)}"
            where, hint = f"{WHERE}: {piece.path}", nearest(piece.id, known)
            fitting = tuple(name for name, each in known.items() if ground.kind.fits(piece.path, each))
            yield Problem(where, message, hint, UNKNOWN_NAME, fitting)


def _named(problem: Problem) -> Problem:
    return replace(problem, where=WHERE)


def _placed(ground: EntryGround, entry: Any, problems: Iterable[Problem]) -> list[Problem]:
    """Problems of the scenario that an entry becomes, in terms of the entry."""
    given = [_without_advice(without_paths(problem)) for problem in problems]
    found = []
    for problem in given:
        # The compiler's problems have a path alone.
        head, separator, path = problem.where.partition(": ")
        place = ground.kind.path(path if separator else head, entry)
        if place is not None:
            found.append(replace(problem, where=f"{WHERE}: {place}"))
    return found or [_named(each) for each in given]


def _without_advice(problem: Problem) -> Problem:
    """A problem without the advice to bring own content, which an entry cannot."""
    return replace(problem, suggestion=None) if problem.suggestion == OWN_CONTENT else problem
