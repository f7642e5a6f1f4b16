"""A ruleset's content catalogue: load the content for a profile, check references, search and list entries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeAlias, TypeVar

from pydantic import BaseModel

from fracas.content.packs import Library, one_file_library, pack_around, read_library, unknown_name
from fracas.content.profiles import incomplete_profile, missing_options, profile_chain
from fracas.content.references import DEFAULT_SEED, LONGEST_STEM, Reference, unkept
from fracas.content.validate import validate
from fracas.errors import InputError, Problem
from fracas.errors.suggestions import visible

OptionsModel = TypeVar("OptionsModel", bound=BaseModel)
# Generates the references in an entry of a kind, given as plain values with the keys that files use.
Mentions: TypeAlias = Callable[[str, Mapping[Any, Any]], Iterator[Reference]]


class Origin(Protocol):
    """The origin of a document: a file, or something that only has a name."""

    @property
    def where(self) -> str:
        """Its name in messages."""

    @property
    def folder(self) -> Path | None:
        """The folder that contains it; None if it is not a file."""

    @property
    def stem(self) -> str:
        """The default id if the document has none."""


def no_packs(library: Library, line: Sequence[Any]) -> list[str]:
    """The packs of a profile, for rulesets whose profiles load none."""
    return []


@dataclass(frozen=True)
class Catalogue:
    """A ruleset's content: the model of its files, and the default profile."""

    ruleset: str
    model: type[BaseModel]
    """The model of a content file; its fields are the kinds of entries."""
    default_profile: str
    packs_of: Callable[[Library, Sequence[Any]], list[str]] = no_packs
    """The shipped packs that a profile and its bases load; raises InputError if one does not exist."""

    @property
    def own(self) -> str | Path | None:
        """Where its own content is: the name of a shipped ruleset, or a game's folder; None for a game without."""
        return self.ruleset

    def library_for(self, profile: str | None, folders: Sequence[Path], where: str = "profile") -> Library:
        """Load the content for a profile: the shipped content, the profile's packs, the user's folders.

        Raises:
            InputError: every problem of every file; an unknown profile, or one with an unknown pack.
        """
        library = read_library(self.own, self.model, [], folders)
        line = profile_chain(library, profile or self.default_profile, where)
        packs = self.packs_of(library, line)
        return read_library(self.own, self.model, packs, folders) if packs else library

    def library_around(self, document: dict[str, Any], source: Origin, folders: Sequence[Path]) -> Library:
        """Load the library for checking one content file: its own pack, over all other content.

        Raises:
            InputError: everything that is wrong with the file's structure.
        """
        own = one_file_library(validate(self.model, document, source.where), source.where)
        beside = Library() if source.folder is None else pack_around(Path(source.where), self.model)
        return self.library_for(None, folders).over(beside).over(own)

    def dangling_references(self, library: Library, mentions: Mentions, origin: str | None = None) -> Iterator[Problem]:
        """Report references to entries that do not exist, in a whole library or in one of its files."""
        for kind in self.model.model_fields:
            for identifier, entry, file in library.from_file(kind, origin):
                found = mentions(kind, entry.model_dump(by_alias=True))
                yield from unresolved_references(found, library.entries, f"{file}: {kind}.{identifier}.")
                if kind == "profiles":
                    yield from incomplete_profile(library, identifier, self.default_profile)

    def head_of(self, scenario: Any, source: Origin) -> dict[str, str]:
        """The head of every resolved document: the ruleset, and the scenario's id, seed and profile."""
        return {
            "ruleset": self.ruleset,
            "id": scenario.id or visible(source.stem)[:LONGEST_STEM],
            "seed": scenario.seed or scenario.id or DEFAULT_SEED,
            "profile": scenario.profile or self.default_profile,
        }

    def options_for(
        self, library: Library, profile: str | None, own: OptionsModel, where: str
    ) -> tuple[list[OptionsModel], list[Problem]]:
        """The sets of rule options to merge, from the profile's most basic base to the scenario's own options.

        Also returns the problems with the profile, which then contributes no options.
        """
        name = profile or self.default_profile
        try:
            line = profile_chain(library, name, where)
        except InputError as error:
            return [own], list(error.problems)
        given = [*(entry.options for entry in line), own]
        return given, list(missing_options(where, name, given, self.default_profile))


@dataclass(frozen=True)
class GameCatalogue(Catalogue):
    """The content of a game that lives outside this package."""

    folder: Path | None = None

    @property
    def own(self) -> Path | None:
        """The folder of the game's content; None if it has none."""
        return self.folder


def unresolved_references(
    mentions: Iterable[Reference], known: Mapping[str, Mapping[Any, Any]], lead: str
) -> Iterator[Problem]:
    """Report the references to unknown entries; `lead` is put before their paths."""
    for found in mentions:
        entries = known.get(found.kind, {})
        if found.name not in entries:
            yield unknown_name(f"{lead}{found.path}", found.what, found.name, entries)


# Keys that identify an entry; their values are not tags.
_OWN_WORDS = ("id", "name", "note")


def words_about(entry: BaseModel) -> set[str]:
    """The tags of an entry, its class, its kind and its other one-word values."""
    values = [
        value
        for key, value in entry.model_dump(mode="json", exclude=set(unkept(type(entry)))).items()
        if key not in _OWN_WORDS
    ]
    single = [[value] if isinstance(value, str) else value for value in values]
    return {word for words in single if isinstance(words, list) for word in words if isinstance(word, str) and word}


def mentions_all(entry: BaseModel, sentences: Sequence[str], text: str) -> bool:
    """Whether an entry's name, text or description contains every word of a search text, ignoring case."""
    own = [str(getattr(entry, key, None) or "") for key in _OWN_WORDS]
    searched = " ".join([*own, *sentences, *words_about(entry)]).casefold()
    return all(word in searched for word in text.casefold().split())
