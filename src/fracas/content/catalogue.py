"""What every ruleset does with its content: reads it for a profile, looks at one file in it, finds names lost in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeAlias, TypeVar

from pydantic import BaseModel

from fracas.content.packs import Library, one_file_library, pack_around, read_library, unknown_name
from fracas.content.profiles import incomplete_profile, missing_options, profile_chain
from fracas.content.references import DEFAULT_SEED, LONGEST_STEM, Reference
from fracas.content.validate import validate
from fracas.errors import InputError, Problem
from fracas.errors.suggestions import visible

OptionsModel = TypeVar("OptionsModel", bound=BaseModel)
# The names that an entry of a kind, as plain values under the names that files use, refers to by its own keys.
Mentions: TypeAlias = Callable[[str, Mapping[Any, Any]], Iterator[Reference]]


class Origin(Protocol):
    """Where a document came from: a file, or something that has only a name."""

    @property
    def where(self) -> str:
        """How messages call it."""

    @property
    def folder(self) -> Path | None:
        """The folder that it stands in; None if it is no file."""

    @property
    def stem(self) -> str:
        """The name to go by if the document has none of its own."""


def no_packs(library: Library, line: Sequence[Any]) -> list[str]:
    """The packs that profiles load where none loads any."""
    return []


@dataclass(frozen=True)
class Catalogue:
    """A ruleset's content: what its files are, and the profile that counts where none is named."""

    ruleset: str
    model: type[BaseModel]
    """One content file; its fields are the kinds of entries."""
    default_profile: str
    packs_of: Callable[[Library, Sequence[Any]], list[str]] = no_packs
    """The shipped packs that a profile's line loads; raises InputError if one is not there."""

    def library_for(self, profile: str | None, folders: Sequence[Path], where: str = "profile") -> Library:
        """The content that a profile's battles refer to: shipped, the profile's packs, the user's folders.

        Raises:
            InputError: every problem of every file; an unknown profile, or one with an unknown pack.
        """
        library = read_library(self.ruleset, self.model, [], folders)
        line = profile_chain(library, profile or self.default_profile, where)
        packs = self.packs_of(library, line)
        return read_library(self.ruleset, self.model, packs, folders) if packs else library

    def library_around(self, document: dict[str, Any], source: Origin, folders: Sequence[Path]) -> Library:
        """The library in which one content file is looked at: the pack that it is part of, over all other content.

        Raises:
            InputError: everything that is wrong with the file's shape.
        """
        own = one_file_library(validate(self.model, document, source.where), source.where)
        beside = Library() if source.folder is None else pack_around(Path(source.where), self.model)
        return self.library_for(None, folders).over(beside).over(own)

    def dangling_references(self, library: Library, mentions: Mentions, origin: str | None = None) -> Iterator[Problem]:
        """What refers to something that is not there, in all of a library or in the entries of one of its files."""
        for kind in self.model.model_fields:
            for identifier, entry, file in library.from_file(kind, origin):
                found = mentions(kind, entry.model_dump(by_alias=True))
                yield from unresolved_references(found, library.entries, f"{file}: {kind}.{identifier}.")
                if kind == "profiles":
                    yield from incomplete_profile(library, identifier, self.default_profile)

    def head_of(self, scenario: Any, source: Origin) -> dict[str, str]:
        """What every resolved document begins with: the ruleset, and the id, seed and profile of its scenario."""
        return {
            "ruleset": self.ruleset,
            "id": scenario.id or visible(source.stem)[:LONGEST_STEM],
            "seed": scenario.seed or scenario.id or DEFAULT_SEED,
            "profile": scenario.profile or self.default_profile,
        }

    def options_for(
        self, library: Library, profile: str | None, own: OptionsModel, where: str
    ) -> tuple[list[OptionsModel], list[Problem]]:
        """The sets of rule options that count, the most basic of the profile's line first and a scenario's own last.

        With them comes what is wrong with the profile, which then gives none.
        """
        name = profile or self.default_profile
        try:
            line = profile_chain(library, name, where)
        except InputError as error:
            return [own], list(error.problems)
        given = [*(entry.options for entry in line), own]
        return given, list(missing_options(where, name, given, self.default_profile))


def unresolved_references(
    mentions: Iterable[Reference], known: Mapping[str, Mapping[Any, Any]], lead: str
) -> Iterator[Problem]:
    """The complaints about those names that lead nowhere among what is known by kind; `lead` leads their paths."""
    for found in mentions:
        entries = known.get(found.kind, {})
        if found.name not in entries:
            yield unknown_name(f"{lead}{found.path}", found.what, found.name, entries)


# What of an entry tells it from others, and is no word about it.
_OWN_WORDS = ("id", "name", "note")


def words_about(entry: BaseModel) -> set[str]:
    """The words that an entry is sorted by: its tags, its class, its kind, whatever it says in single words."""
    values = [value for key, value in entry.model_dump(mode="json").items() if key not in _OWN_WORDS]
    single = [[value] if isinstance(value, str) else value for value in values]
    return {word for words in single if isinstance(words, list) for word in words if isinstance(word, str) and word}


def mentions_all(entry: BaseModel, sentences: Sequence[str], text: str) -> bool:
    """Whether every word of a text occurs in what an entry is called, says or does, in whatever case."""
    own = [str(getattr(entry, key, None) or "") for key in _OWN_WORDS]
    searched = " ".join([*own, *sentences, *words_about(entry)]).casefold()
    return all(word in searched for word in text.casefold().split())


def names_alike(library: Library, origin: str | None = None) -> Iterator[tuple[str, str]]:
    """Entries of one kind that are shown under one name: where each stands, and what is said; the first is not told.

    Of one file's entries those are told that are called like something before them or elsewhere.
    """
    for kind, entries in library.entries.items():
        for names in _by_shown_name(entries):
            files = {name: library.origins[kind, name] for name in names}
            told = [name for name in names[1:] if origin in (None, files[name])]
            if origin == files[names[0]] and any(file != origin for file in files.values()):
                told.insert(0, names[0])
            for name in told:
                yield f"{files[name]}: {kind}.{name}.name", _alike(next(each for each in names if each != name))


def own_names_alike(own: Mapping[str, Mapping[str, Any]], library: Library, where: str) -> Iterator[tuple[str, str]]:
    """The entries of a scenario's own tables that are shown under the name of another, as names_alike says it."""
    for kind, entries in own.items():
        for names in _by_shown_name({**library.of(kind), **entries}):
            for name in [each for each in names[1:] if each in entries]:
                yield f"{where}: {kind}.{name}.name", _alike(names[0])


def _by_shown_name(entries: Mapping[str, Any]) -> list[list[str]]:
    """The ids of entries that share a name, in their order."""
    found: dict[str, list[str]] = {}
    for identifier, entry in entries.items():
        name = getattr(entry, "name", None) or identifier.replace("_", " ").replace("-", " ")
        found.setdefault(name.casefold(), []).append(identifier)
    return [names for names in found.values() if len(names) > 1]


def _alike(other: str) -> str:
    return f'is shown under the same name as "{other}", so that nobody can tell the two apart'
