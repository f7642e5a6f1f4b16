"""A scenario that is ready to be played: read, resolved, overridden, compiled."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, TypedDict, Unpack

from fracas.compile.seeds import fingerprint, key_words
from fracas.content.files import read_document
from fracas.content.suggest import listed, nearest, quoted
from fracas.content.validate import dotted, shown
from fracas.errors import InputError, Problem
from fracas.replay.plugins import load_plugins
from fracas.rulesets import registry
from fracas.rulesets.contract import Ruleset
from fracas.rulesets.plugin import Plugin
from fracas.rulesets.shapes import Compiled, Document, Override, Resolution, Source

# These decide what the rest is looked up from, so they are set before anything is looked up.
BEFORE_RESOLVING = ("profile", "date", "modifier", "seed", "id", "ruleset")
# No path of a document is so long; what is longer leads nowhere.
LONGEST_PATH = 64


@dataclass(frozen=True)
class Scenario:
    """A battle's complete input, checked and compiled. Made by `fracas.load`.

    `document` is the resolved scenario: plain values with nothing left to look up.
    """

    ruleset: Ruleset
    document: Document
    compiled: Compiled
    warnings: tuple[Problem, ...] = ()

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


def load_scenario(source: str | Path | Mapping[str, Any], **asked: Unpack[Asked]) -> Scenario:
    """Read, resolve and compile a scenario; see `fracas.load`.

    Raises:
        InputError: everything that is wrong with it.
    """
    found = find(source, asked)
    ruleset, resolution = found.ruleset, found.resolution
    compiled = ruleset.compile(resolution.document, found.plugins, strict=asked.get("strict", False))
    ruleset.prove_plugins(compiled)
    return Scenario(ruleset, resolution.document, compiled, resolution.warnings)


def find(source: str | Path | Mapping[str, Any], asked: Asked, *, as_campaign: bool = False) -> Found:
    """Read a scenario or a campaign and look up all that it refers to, as the user asked for it.

    Raises:
        InputError: everything that is wrong with it; with `strict` what it warns of too.
    """
    document, origin = read_source(source)
    plugins = load_plugins(Path(file) for file in asked.get("plugins", ()))
    ruleset = registry.get(ruleset_name(document, origin.where), f"{origin.where}: ruleset")
    resolve = ruleset.resolve_campaign if as_campaign else ruleset.resolve
    look_up = partial(resolve, folders=[Path(folder) for folder in asked.get("content", ())], plugins=plugins)
    overrides = asked.get("overrides", ())
    for override in asked.get("written", ()):
        document = overridden(document, override)
    for override in overrides:
        if override.path[:2] in ruleset.set_before_resolving:
            document = overridden(document, override)
    try:
        resolution = resolved_with(
            look_up, document, origin, seed=asked.get("seed"), profile=asked.get("profile"), overrides=overrides
        )
    except InputError as error:
        raise InputError([*_other_ruleset(document, ruleset, origin.where), *error.problems]) from None
    if asked.get("strict", False) and resolution.warnings:
        raise InputError(resolution.warnings)
    return Found(ruleset, plugins, resolution)


def _other_ruleset(document: Document, ruleset: Ruleset, where: str) -> Iterator[Problem]:
    """The complaint about a file that names one ruleset and is written for another: its keys show which."""

    def fitting(name: str) -> int:
        return len(document.keys() & registry.get(name).models.scenario.model_fields.keys())

    best = max(registry.NAMES, key=fitting)
    if fitting(best) > fitting(ruleset.name):
        own = document.keys() - ruleset.models.scenario.model_fields.keys()
        strange = sorted(own & registry.get(best).models.scenario.model_fields.keys())
        verb = "belongs" if len(strange) == 1 else "belong"
        message = f"is {quoted(ruleset.name)}, but {listed(strange, 'and')} {verb} to a scenario of {best}"
        yield Problem(f"{where}: ruleset", message, f'did you mean ruleset = "{best}"?')


def resolved_with(
    look_up: Callable[[Document, Source], Resolution],
    document: Document,
    origin: Source,
    *,
    seed: str | None,
    profile: str | None,
    overrides: Sequence[Override],
) -> Resolution:
    """A document looked up with a seed, a profile and values of the user's in place of its own.

    Raises:
        InputError: everything that is wrong with it.
    """
    early = [
        override for override in overrides if len(override.path) == 1 and _folded(override.path[0]) in BEFORE_RESOLVING
    ]
    named = {"profile": profile, "seed": None if seed is None else checked_seed(seed)}
    document |= {key: value for key, value in named.items() if value is not None}
    for override in early:
        document[_folded(override.path[0])] = override.value
    resolution = look_up(document, origin)
    late = [override for override in overrides if override not in early]
    if late:
        changed = resolution.document
        for override in late:
            _refuse_looked_up(override, document, resolution.document)
            changed = overridden(changed, override)
        again = look_up(changed, replace(origin, where=f"{origin.where} with {late[0].where}"))
        resolution = replace(again, warnings=tuple(dict.fromkeys(resolution.warnings + again.warnings)))
    return resolution


def _refuse_looked_up(override: Override, written: Document, resolved: Document) -> None:
    """Refuse a path into a part of a file that is gone once everything is looked up, and say where it went.

    Raises:
        InputError: there is such a part, and the path leads into it.
    """
    part, entry = (*override.path, "")[:2]
    if part in written and part not in resolved and entry:
        used = list(_places_of(entry, resolved, ()))
        hint = f"set it where it is used: {listed(used)}" if used else f"nothing that is used comes from {part}.{entry}"
        message = f"is looked up before values are set, so that the resolved scenario has no {quoted(part)}"
        raise InputError.of(f"{override.where} {dotted(override.path)}", message, hint)


def _places_of(identifier: str, here: Any, path: tuple[str, ...]) -> Iterator[str]:
    """The paths of all tables with an id."""
    if isinstance(here, dict):
        if path and here.get("id") == identifier:
            yield dotted(path)
        for key, value in here.items():
            yield from _places_of(identifier, value, (*path, key))
    elif isinstance(here, list):
        for place, value in enumerate(here):
            yield from _places_of(identifier, value, (*path, str(place)))


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
        for key in document:
            if nearest(key, ["ruleset"]):
                raise InputError.of(f"{where}: {key}", "there is no such key here", 'did you mean "ruleset"?')
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


def overridden(document: Document, override: Override) -> Document:
    """A copy of a document with one value replaced. Whether the value fits is for the resolver to say.

    Raises:
        InputError: the path leads through something that is not there, or is longer than any.
    """
    if len(override.path) > LONGEST_PATH:
        raise InputError.of(override.where, f"a path has at most {LONGEST_PATH} parts, not {len(override.path):,}")
    changed: Document = _replaced(document, override, 0)
    return changed


def _replaced(here: Any, override: Override, depth: int) -> Any:
    if depth == len(override.path):
        return override.value
    part = override.path[depth]
    where = f"{override.where} {dotted(override.path)}"
    at = dotted(override.path[:depth]) or "the scenario"
    if isinstance(here, list):
        places = [str(place) for place in range(len(here))]
        if part not in places:
            sides = f"{at}.0 is side 1, {at}.1 is side 2" if at in ("sides", "players") else None
            raise InputError.of(where, f"{at} has the entries 0 to {len(here) - 1}, not {quoted(part)}", sides)
        place = places.index(part)
        return [*here[:place], _replaced(here[place], override, depth + 1), *here[place + 1 :]]
    if isinstance(here, dict):
        key = part if part in here else next((known for known in here if _folded(known) == _folded(part)), part)
        return {**here, key: _replaced(here.get(key, {}), override, depth + 1)}
    if here is None:
        return {part: _replaced({}, override, depth + 1)}
    raise InputError.of(where, f"{at} is a value and has no {quoted(part)}")


def _folded(key: str) -> str:
    """A key without what its spellings differ in: `target_priority` is `targetPriority`, `Shield Wall` shield_wall."""
    return key.replace("_", "").replace(" ", "").casefold()
