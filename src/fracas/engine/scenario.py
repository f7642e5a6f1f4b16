"""Load scenarios: read, resolve, apply overrides, compile, and cache the result."""

from __future__ import annotations

import marshal
import pickle
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, NamedTuple, TypedDict, Unpack

from blake3 import blake3

from fracas.content.canonical import canonical
from fracas.content.references import completed
from fracas.content.validate import shown
from fracas.engine.overrides import Written, overridden, resolved_with
from fracas.errors import InputError, Problem
from fracas.errors.suggestions import listed, nearest, quoted
from fracas.files.process_cache import Memory, Seen, watching
from fracas.files.read import LARGEST_TEXT, document_of, read_document, read_text, refuse_unfit
from fracas.kernel.packed_records import PackedRecords, packed
from fracas.kit.load import find_game, loaded_sources
from fracas.plugins.loader import load_plugins
from fracas.rulesets import registry
from fracas.rulesets.contract.plugin_kinds import Plugin
from fracas.rulesets.contract.ruleset import Ruleset
from fracas.rulesets.contract.types import Compiled, Document, Override, ResolvedScenario, Source
from fracas.rulesets.shared.checked_scenario import checked_scenario
from fracas.rulesets.shared.seeds import fingerprint, key_words


@dataclass(frozen=True)
class Scenario:
    """A battle's complete input, checked and compiled. Made by `fracas.load`.

    `document` is the resolved scenario: plain values, with all references looked up and the keys of tables sorted.
    """

    ruleset: Ruleset
    document: Document
    compiled: Compiled
    warnings: tuple[Problem, ...] = ()
    written: Written | None = field(default=None, compare=False)
    """The scenario as the user wrote it, for further overrides; None if only the resolved document is known."""
    folder: Path | None = field(default=None, compare=False)
    """The folder of files that later overrides may name; None if they may not name files."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "document", canonical(self.document))

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
        """The documents that paths may refer to: as the user wrote it, if known, then the resolved one."""
        return (self.document,) if self.written is None else (self.written.document, self.document)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the resolved document without its name and its seed."""
        return content_fingerprint(self.document)

    def with_seed(self, seed: str) -> Scenario:
        """The same scenario under another seed text."""
        records = self.compiled.own_record()
        records[0].dice.key[:] = key_words(checked_seed(seed))
        document = {**pickle.loads(pickle.dumps(self.document)), "seed": seed}
        return _with_fields(self, document=document, compiled=replace(self.compiled, record=records))

    def __reduce__(self) -> tuple[Any, ...]:
        """Support `pickle`: the document is sent and compiled again on arrival, with the same plug-ins."""
        plugins = tuple((plugin.name, plugin.source_hash, _whole_path(plugin.file)) for plugin in self.compiled.plugins)
        folder = None if self.folder is None else _whole_path(self.folder)
        rules = self.ruleset.rules_version, self.ruleset.rules_hash
        return _unpickled, (self.document, rules, plugins, self.warnings, folder)

    def __repr__(self) -> str:
        return f"<Scenario {self.id!r}: {self.ruleset.name}, profile {self.profile!r}, seed {self.seed!r}>"


def _with_fields(scenario: Scenario, **changes: Any) -> Scenario:
    """Copy a scenario with changed fields. A changed document must be its own, and in canonical order already.

    `dataclasses.replace` would sort the document again, which takes longer than everything else.
    """
    made = object.__new__(Scenario)
    for each in fields(scenario):
        object.__setattr__(made, each.name, changes.get(each.name, getattr(scenario, each.name)))
    return made


def assembled(
    ruleset: Ruleset,
    resolution: ResolvedScenario,
    compiled: Compiled,
    written: Written | None = None,
    folder: Path | None = None,
) -> Scenario:
    """Make a scenario from a resolved document, which must be in canonical order and belongs to the scenario now."""
    bare = Scenario(ruleset, {}, compiled, resolution.warnings, written, folder)
    return _with_fields(bare, document=resolution.document)


def _whole_path(file: str | Path) -> str:
    """A file's absolute path, which is valid in other processes too."""
    return str(Path(file).resolve())


def _unpickled(
    document: Document,
    rules: tuple[int, str],
    plugins: Sequence[tuple[str, str, str]],
    warnings: tuple[Problem, ...],
    folder: str | None = None,
) -> Scenario:
    """Compile a pickled scenario again.

    Raises:
        InputError: other rules are installed here, or a plug-in's file is missing or has changed.
    """
    version, rules_hash = rules
    name = ruleset_name(document, "pickled scenario")
    ruleset = find_game(name, rules_hash) if rules_hash else registry.get(name)
    if ruleset.rules_version != version:
        message = f"was pickled with version {version} of the {ruleset.name} rules"
        raise InputError.of("pickled scenario", f"{message}; installed is {ruleset.rules_version}")
    loaded = load_plugins(Path(file) for file in dict.fromkeys(file for _, _, file in plugins))
    for name, source_hash, file in plugins:
        if name not in loaded or loaded[name].source_hash != source_hash:
            raise InputError.of(
                "pickled scenario", f'was pickled with another version of the plug-in "{name}" of {file}'
            )
    found = compile_document(document, {name: loaded[name] for name, _, _ in plugins})
    return replace(found, warnings=warnings, folder=None if folder is None else Path(folder))


def content_fingerprint(document: Document) -> str:
    """A hash of a resolved document without its name and its seed (docs/reference/replay-format.md)."""
    return fingerprint({key: value for key, value in document.items() if key not in ("id", "seed")})


def checked_seed(seed: str) -> str:
    """Check that a seed text can be hashed.

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


class LoadOptions(TypedDict, total=False):
    """Options of the user for loading a file; see `fracas.load`."""

    seed: str | None
    profile: str | None
    overrides: Sequence[Override]
    written: Sequence[Override]
    """Values to replace in the file as written, before anything is resolved."""
    content: Iterable[str | Path]
    plugins: Iterable[str | Path]
    strict: bool
    folder: str | Path | None
    """The folder of files that a mapping names; without it a mapping cannot name files."""


@dataclass(frozen=True)
class LookedUp:
    """A resolved document, with the ruleset and plug-ins that resolved it."""

    ruleset: Ruleset
    plugins: Mapping[str, Plugin]
    resolution: ResolvedScenario
    written: Written


def load_scenario(source: str | Path | Mapping[str, Any], **options: Unpack[LoadOptions]) -> Scenario:
    """Read, resolve and compile a scenario; see `fracas.load`. Results are cached.

    Raises:
        InputError: everything that is wrong with it.
    """
    written = None
    if isinstance(source, Mapping) or options.get("folder") is not None:
        document, origin = read_source(source, options.get("folder"))
    else:
        path = Path(source)
        document, origin, written = {}, Source(str(path), path.parent), read_text(path, LARGEST_TEXT)
    seed = _extract_seed(document, options)
    key = _cache_key(document if written is None else written, origin, options)
    known = None if key is None else _scenario_cache.recall(key)
    if known is not None and known.seen.is_unchanged():
        return _seeded(known.restored(), seed)
    if written is not None:
        document = document_of(written, Path(origin.where))
    if key is not None:
        try:
            with watching() as seen:
                scenario = _load(dict(document), origin, options)
                _add_to_cache(key, scenario, seen)
                return _seeded(scenario, seed)
        except InputError:
            if seed is None:
                raise
    # The document may need its own seed to be valid, and errors must refer to what the user asked for.
    return _load(document, origin, options if seed is None else {**options, "seed": seed})


def _load(document: Document, origin: Source, options: LoadOptions) -> Scenario:
    """Resolve and compile a document.

    Raises:
        InputError: everything that is wrong with it.
    """
    scenario = _find_in(document, origin, options)
    ruleset, resolution = scenario.ruleset, scenario.resolution
    strict = options.get("strict", False)
    compiled = ruleset.compile(resolution.document, scenario.plugins, strict=strict, sound=resolution.sound)
    ruleset.test_plugins(compiled)
    return assembled(ruleset, resolution, compiled, scenario.written, origin.folder)


class _Loaded(NamedTuple):
    """A scenario in the cache, in parts of which callers get copies."""

    frame: Scenario
    """The scenario without its document and its record."""
    document: bytes
    record: PackedRecords
    seen: Seen
    """The files and content that it was made from."""

    def restored(self) -> Scenario:
        """An independent scenario."""
        frame = self.frame
        return _with_fields(
            frame,
            document=pickle.loads(self.document),
            compiled=replace(frame.compiled, record=self.record.unpacked()),
            written=None if frame.written is None else replace(frame.written),
        )


# The cache of scenarios holds at most this many bytes of records and documents.
MOST_LOADED = 64 * 1024 * 1024
_scenario_cache: Memory[_Loaded] = Memory(MOST_LOADED)


def _cache_key(source: Document | str, origin: Source, options: Mapping[str, Any]) -> Hashable | None:
    """Everything that determines a scenario, except the content; None if it cannot be cached."""
    if options.get("plugins"):
        return None
    plain = {key: _plain_option(value) for key, value in options.items() if value is not None}
    try:
        # Version 2 encodes equal values equally, distinguishes 1, 1.0 and true, and refuses other types.
        identity = marshal.dumps((source, origin.where, str(Path.cwd()), plain, loaded_sources()), 2)
    except (ValueError, OSError, RecursionError):
        return None
    return blake3(identity).digest()


def _plain_option(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_plain_option(each) for each in value]
    if isinstance(value, Override):
        return [list(value.path), value.value, value.where]
    return str(value) if isinstance(value, Path) else value


def _extract_seed(document: Document, options: LoadOptions) -> str | None:
    """Take out a valid seed from the options or a mapping, so that the rest can be cached without it.

    None if there is no seed, or if it must stay: an invalid seed is reported with the other problems, and overrides may
    set another one.
    """
    own = document.get("seed")
    seed = options.get("seed")
    if seed is None and isinstance(own, str):
        seed = own
    if seed is None or options.get("overrides") or options.get("written"):
        return None
    with suppress(InputError):
        checked_seed(seed)
        options.pop("seed", None)
        document.pop("seed", None)
        return seed
    return None


def _add_to_cache(key: Hashable, scenario: Scenario, seen: Seen) -> None:
    """Cache a loaded scenario."""
    written, record = scenario.written, scenario.compiled.record
    frame = _with_fields(
        scenario,
        document={},
        compiled=replace(scenario.compiled, record=record[:0].copy()),
        # Another object, so that nobody changes the document that a caller has unpacked.
        written=None if written is None else replace(written),
    )
    # Plain values, plus dates from TOML, which `marshal` does not support; `_cache_key` excludes anything else.
    loaded = _Loaded(frame, pickle.dumps(scenario.document), packed(record), seen)
    weight = len(loaded.document) + loaded.record.nbytes + (0 if written is None else len(written.packed))
    _scenario_cache.keep(key, loaded, weight)


def _seeded(scenario: Scenario, seed: str | None) -> Scenario:
    """Set another seed, if given, in a new scenario that has not been handed out."""
    if seed is not None:
        scenario.compiled.record[0].dice.key[:] = key_words(seed)
        scenario.document["seed"] = seed
    return scenario


def find(source: str | Path | Mapping[str, Any], options: LoadOptions, *, as_campaign: bool = False) -> LookedUp:
    """Read and resolve a scenario or a campaign with the user's options.

    Raises:
        InputError: everything that is wrong with it; with `strict`, warnings too.
    """
    return _find_in(*read_source(source, options.get("folder")), options, as_campaign=as_campaign)


def _find_in(document: Document, origin: Source, options: LoadOptions, *, as_campaign: bool = False) -> LookedUp:
    plugins = load_plugins(Path(file) for file in options.get("plugins", ()))
    ruleset = registry.get(ruleset_name(document, origin.where), f"{origin.where}: ruleset")
    resolve = ruleset.resolve
    if as_campaign:
        resolve = ruleset.required(ruleset.campaign, "campaigns", origin.where).resolve_campaign
    for override in options.get("written", ()):
        document = overridden(document, override)
    folders = tuple(Path(folder) for folder in options.get("content", ()))
    seed, profile = options.get("seed"), options.get("profile")
    named = {"profile": profile, "seed": None if seed is None else checked_seed(seed)}
    document |= {key: value for key, value in named.items() if value is not None}
    look_up = partial(resolve, folders=folders, plugins=plugins)
    try:
        resolution, document = resolved_with(
            look_up, document, origin, options.get("overrides", ()), ruleset.early_options
        )
    except InputError as error:
        raise InputError([*_other_ruleset(document, ruleset, origin.where), *error.problems]) from None
    if options.get("strict", False) and resolution.warnings:
        raise InputError(resolution.warnings)
    return LookedUp(ruleset, plugins, resolution, Written.of(document, origin, folders))


def _other_ruleset(document: Document, ruleset: Ruleset, where: str) -> Iterator[Problem]:
    """Report a file that names one ruleset but has the keys of another."""

    def fitting(name: str) -> int:
        return len(document.keys() & registry.get(name).models.scenario.model_fields.keys())

    best = max(registry.NAMES, key=fitting)
    if fitting(best) > fitting(ruleset.name):
        own = document.keys() - ruleset.models.scenario.model_fields.keys()
        foreign = sorted(own & registry.get(best).models.scenario.model_fields.keys())
        verb = "belongs" if len(foreign) == 1 else "belong"
        message = f"is {quoted(ruleset.name)}, but {listed(foreign, 'and')} {verb} to a scenario of {best}"
        yield Problem(f"{where}: ruleset", message, f'did you mean ruleset = "{best}"?')


def compile_document(document: Document, plugins: Mapping[str, Plugin]) -> Scenario:
    """Compile a scenario from an already resolved document, such as a replay's.

    Raises:
        InputError: the document is not a valid resolved scenario.
    """
    ruleset = registry.get(ruleset_name(document, "document"))
    resolution = checked_scenario(ruleset.models.resolved, document, "scenario")
    compiled = ruleset.compile(resolution.document, plugins, sound=resolution.sound)
    # The document may omit keys at their defaults; narration reads them, so fill them in.
    assert resolution.sound is not None
    values = resolution.sound.model_dump(mode="json", by_alias=True, exclude_none=True)
    # At the top level, an empty table stands for one that this kind of battle does not have.
    values = {key: value for key, value in values.items() if key in document or value != {}}
    return Scenario(ruleset, completed(document, values), compiled)


def read_source(source: str | Path | Mapping[str, Any], folder: str | Path | None = None) -> tuple[Document, Source]:
    """Read a source as a mutable document, with its origin; `folder` holds the files that a mapping names.

    Raises:
        InputError: the file cannot be read, `folder` was given with a file, or the mapping contains invalid values.
    """
    if isinstance(source, Mapping):
        document = dict(source)
        refuse_unfit(document, "scenario")
        return document, Source("scenario", None if folder is None else Path(folder))
    if folder is not None:
        raise InputError.of("folder", "applies only to mappings; files that a file names must be in its own folder")
    path = Path(source)
    return read_document(path), Source(str(path), path.parent)


def ruleset_name(document: Document, where: str) -> str:
    """Read the name of a document's ruleset.

    Raises:
        InputError: the key is missing or not a name.
    """
    name = document.get("ruleset")
    if name is None:
        known = " or ".join(f'ruleset = "{name}"' for name in registry.names())
        for key in document:
            if nearest(str(key), ["ruleset"]):
                raise InputError.of(f"{where}: {key}", "there is no such key here", 'did you mean "ruleset"?')
        raise InputError.of(where, "does not name a ruleset", f"write {known}")
    if not isinstance(name, str):
        raise InputError.of(f"{where}: ruleset", f"{shown(name)} is not the name of a ruleset")
    return name
