"""Read an entry: check it against its league, and turn it into a side of a battle."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from blake3 import blake3

from fracas.content.canonical import canonical
from fracas.content.packs import OWN_CONTENT
from fracas.content.validate import validate
from fracas.engine.untrusted import refuse_oversize, without_paths
from fracas.errors import InputError, Problem
from fracas.rulesets.contract.types import Document, ResolvedScenario, Source
from fracas.server.arena.entries.budget import budget_problems
from fracas.server.arena.entry_schema.kind import WHERE
from fracas.server.arena.league import NO_MODIFIER, League, canonical_bytes

LARGEST_ENTRY = 32 * 1024
# The text that messages of the resolver begin with.
SCENARIO = "scenario"
SEED = "arena"


@dataclass(frozen=True)
class CheckedEntry:
    """An entry that its league accepts."""

    document: Document
    """The entry as plain values, in canonical order."""
    warnings: tuple[Problem, ...]

    @property
    def data(self) -> bytes:
        """The bytes that are stored and hashed."""
        return canonical_bytes(self.document)

    @property
    def digest(self) -> bytes:
        """blake3 of the entry's bytes, 32 bytes."""
        return blake3(self.data).digest()


def sealed_digest(salt: bytes, digest: bytes) -> bytes:
    """A digest of a hidden version that nobody can guess from a list of likely entries: blake3(salt, digest)."""
    return blake3(salt + digest).digest()


def check_entry(league: League, document: Any) -> CheckedEntry:
    """Check an entry from an untrusted source against its league.

    Raises:
        InputError: everything that is wrong with it.
    """
    try:
        refuse_oversize(document)
    except InputError as error:
        raise InputError(_named(each) for each in error.problems) from None
    plain = canonical(dict(document))
    if len(canonical_bytes(plain)) > LARGEST_ENTRY:
        raise InputError.of(WHERE, f"is larger than {LARGEST_ENTRY:,} bytes, which is the limit")
    entry = validate(league.kind.model, plain, WHERE)
    problems = [*budget_problems(league, entry), *league.kind.problems(entry, league.library)]
    warnings: tuple[Problem, ...] = ()
    try:
        resolved = _resolve(league, entry, "entry", NO_MODIFIER)
        # Names of conditions that nobody knows are errors here: an entry's document holds no free text.
        league.ruleset.compile(resolved.document, {}, strict=True, sound=resolved.sound)
        warnings = tuple(_placed(league, entry, resolved.warnings))
    except InputError as error:
        reported = {problem.where for problem in problems}
        problems += [each for each in _placed(league, entry, error.problems) if each.where not in reported]
    if problems:
        raise InputError(dict.fromkeys(problems))
    return CheckedEntry(plain, warnings)


def resolve_side(league: League, document: Document, code: str, modifier: str) -> Document:
    """The resolved document in which an accepted entry is side 1, called by its code.

    Raises:
        InputError: the content has changed, and the entry does not fit it any more.
    """
    return resolve_entry(league, document, code, modifier).document


def resolve_entry(league: League, document: Document, code: str, modifier: str) -> ResolvedScenario:
    """See `resolve_side`; with the model of the document, for the compiler."""
    entry = validate(league.kind.model, document, WHERE)
    return _resolve(league, entry, code, modifier)


def _resolve(league: League, entry: Any, code: str, modifier: str) -> ResolvedScenario:
    document = league.kind.scenario(entry, code, league.library)
    document |= {"id": league.id, "seed": SEED, "profile": league.profile}
    if modifier != NO_MODIFIER:
        document["modifier"] = modifier
    return league.ruleset.resolve(document, Source(SCENARIO))


def _named(problem: Problem) -> Problem:
    return Problem(WHERE, problem.message, problem.suggestion)


def _placed(league: League, entry: Any, problems: Iterable[Problem]) -> list[Problem]:
    """Problems of the scenario that an entry becomes, in terms of the entry."""
    given = [_without_advice(without_paths(problem)) for problem in problems]
    found = []
    for problem in given:
        # The compiler's problems have a path alone.
        head, separator, path = problem.where.partition(": ")
        place = league.kind.path(path if separator else head, entry)
        if place is not None:
            found.append(Problem(f"{WHERE}: {place}", problem.message, problem.suggestion))
    return found or [_named(each) for each in given]


def _without_advice(problem: Problem) -> Problem:
    """A problem without the advice to bring own content, which no league accepts."""
    return Problem(problem.where, problem.message) if problem.suggestion == OWN_CONTENT else problem
