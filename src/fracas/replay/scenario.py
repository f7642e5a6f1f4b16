"""A scenario that is ready to be played: read, resolved, overridden, compiled."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, TypedDict, Unpack

from fracas.compile.seeds import fingerprint, key_words
from fracas.content.files import read_document
from fracas.content.validate import shown
from fracas.errors import InputError, Problem
from fracas.replay.overriding import Written, overridden, resolved_with
from fracas.replay.plugins import load_plugins
from fracas.rulesets import registry
from fracas.rulesets.contract import Ruleset
from fracas.rulesets.plugin import Plugin
from fracas.rulesets.shapes import Compiled, Document, Override, Resolution, Source


@dataclass(frozen=True)
class Scenario:
    """A battle's complete input, checked and compiled. Made by `fracas.load`.

    `document` is the resolved scenario: plain values with nothing left to look up.
    """

    ruleset: Ruleset
    document: Document
    compiled: Compiled
    warnings: tuple[Problem, ...] = ()
    written: Written | None = field(default=None, compare=False)
    """What the user wrote, to set other values in; None if only the resolved document is known."""

    @property
    def id(self) -> str:
        """The scenario's id, or its file's stem."""
        return str(self.document["id"])

    @property
    def seed(self) -> str:
        """The seed text."""
        return str(self.document["seed"])

    @property
    def profile(self) -> str:
        """The profile that gave the rule options."""
        return str(self.document["profile"])

    @property
    def documents(self) -> tuple[Document, ...]:
        """Where paths may lead: what the user wrote, if it is known, and then the resolved document."""
        return (self.document,) if self.written is None else (self.written.document, self.document)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the resolved content: all of the document but its name and its seed."""
        return content_fingerprint(self.document)

    def with_seed(self, seed: str) -> Scenario:
        """The same scenario under another seed text."""
        records = self.compiled.record.copy()
        records[0].dice.key[:] = key_words(checked_seed(seed))
        return replace(self, document={**self.document, "seed": seed}, compiled=replace(self.compiled, record=records))

    def __repr__(self) -> str:
        return f"<Scenario {self.id!r}: {self.ruleset.name}, profile {self.profile!r}, seed {self.seed!r}>"


def content_fingerprint(document: Document) -> str:
    """A hash of a resolved document without its name and its seed (docs/reference/replay-format.md)."""
    return fingerprint({key: value for key, value in document.items() if key not in ("id", "seed")})


def checked_seed(seed: str) -> str:
    """A seed text that can be hashed.

    Raises:
        InputError: it is empty, longer than 1,000 characters or not Unicode text.
    """
    if not seed:
        raise InputError.of("seed", "must not be empty")
    try:
        seed.encode()
    except UnicodeEncodeError:
        raise InputError.of("seed", "is not valid Unicode text") from None
    if len(seed) > 1000:
        raise InputError.of("seed", f"is {len(seed)} characters long; at most 1,000 are allowed")
    return seed


class Asked(TypedDict, total=False):
    """What a user may ask of a file besides what it says; see `fracas.load`."""

    seed: str | None
    profile: str | None
    overrides: Sequence[Override]
    written: Sequence[Override]
    """Values to replace in the file as it is written, before anything is looked up."""
    content: Iterable[str | Path]
    plugins: Iterable[str | Path]
    strict: bool


@dataclass(frozen=True)
class Found:
    """A resolved document, with the ruleset and the plug-ins that it was looked up with."""

    ruleset: Ruleset
    plugins: Mapping[str, Plugin]
    resolution: Resolution
    written: Written


def load_scenario(source: str | Path | Mapping[str, Any], **asked: Unpack[Asked]) -> Scenario:
    """Read, resolve and compile a scenario; see `fracas.load`.

    Raises:
        InputError: everything that is wrong with it.
    """
    found = find(source, asked)
    ruleset, resolution = found.ruleset, found.resolution
    compiled = ruleset.compile(resolution.document, found.plugins, strict=asked.get("strict", False))
    ruleset.prove_plugins(compiled)
    return Scenario(ruleset, resolution.document, compiled, resolution.warnings, found.written)


def find(source: str | Path | Mapping[str, Any], asked: Asked, *, as_campaign: bool = False) -> Found:
    """Read a scenario or a campaign and look up all that it refers to, as the user asked for it.

    Raises:
        InputError: everything that is wrong with it; with `strict` what it warns of too.
    """
    document, origin = read_source(source)
    plugins = load_plugins(Path(file) for file in asked.get("plugins", ()))
    ruleset = registry.get(ruleset_name(document, origin.where), f"{origin.where}: ruleset")
    resolve = ruleset.resolve_campaign if as_campaign else ruleset.resolve
    for override in asked.get("written", ()):
        document = overridden(document, override)
    folders = tuple(Path(folder) for folder in asked.get("content", ()))
    seed, profile = asked.get("seed"), asked.get("profile")
    named = {"profile": profile, "seed": None if seed is None else checked_seed(seed)}
    document |= {key: value for key, value in named.items() if value is not None}
    resolution, document = resolved_with(
        partial(resolve, folders=folders, plugins=plugins),
        document,
        origin,
        asked.get("overrides", ()),
        ruleset.set_before_resolving,
    )
    if asked.get("strict", False) and resolution.warnings:
        raise InputError(resolution.warnings)
    if isinstance(source, Mapping):
        # The caller may go on to change what it gave.
        document = deepcopy(document)
    return Found(ruleset, plugins, resolution, Written(document, origin, folders))


def compile_document(document: Document, plugins: Mapping[str, Plugin]) -> Scenario:
    """A scenario from a document that is resolved already, such as a replay's.

    Raises:
        InputError: the document is not one.
    """
    ruleset = registry.get(ruleset_name(document, "document"))
    return Scenario(ruleset, document, ruleset.compile(document, plugins))


def read_source(source: str | Path | Mapping[str, Any]) -> tuple[Document, Source]:
    """A document that may be changed, and where it came from.

    Raises:
        InputError: the file cannot be read.
    """
    if isinstance(source, Mapping):
        return dict(source), Source("scenario")
    path = Path(source)
    return read_document(path), Source(str(path), path.parent)


def ruleset_name(document: Document, where: str) -> str:
    """The ruleset that a document says it is for.

    Raises:
        InputError: it does not say, or not with a name.
    """
    name = document.get("ruleset")
    if name is None:
        known = " or ".join(f'ruleset = "{name}"' for name in registry.NAMES)
        raise InputError.of(where, "does not say which ruleset it is for", f"write {known}")
    if not isinstance(name, str):
        raise InputError.of(f"{where}: ruleset", f"{shown(name)} is not a ruleset's name")
    return name


def parse_override(text: str, option: str = "--set") -> Override:
    """`sides.0.units.0.attack=20` as a path and a value; the value is read as TOML, or else as text.

    Raises:
        InputError: there is no `=`, or the path is empty.
    """
    path, equals, value = text.partition("=")
    parts = tuple(path.strip().split("."))
    if not equals or not all(parts):
        raise InputError.of(f"{option} {text}", "is not of the form PATH=VALUE")
    return Override(parts, _value(value.strip()), option)


def _value(text: str) -> Any:
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError):
        return text
