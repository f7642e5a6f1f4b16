"""Content packs: folders of TOML, read together; a later pack's entries replace an earlier one's by id."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from fracas.content.files import is_folder, read_document
from fracas.content.suggest import listed, nearest, quoted
from fracas.content.validate import validate
from fracas.errors import InputError, Problem

MOST_FILES = 1000
# So many names are listed to those who wrote another one.
FEW = 8
OWN_CONTENT = "your own content comes with --content DIR"


def shipped_folder(ruleset: str) -> Path:
    """The folder of the content that comes with Fracas."""
    return Path(__file__).parent.parent / "data" / ruleset


def shipped_packs(ruleset: str) -> list[str]:
    """The packs that come with Fracas and that profiles may load, by name."""
    packs = shipped_folder(ruleset) / "packs"
    return sorted(folder.name for folder in packs.iterdir()) if packs.is_dir() else []


def lost(where: str, what: str, name: str, known: Iterable[str]) -> Problem:
    """The complaint about a name that leads nowhere; where there are only a few, it says them."""
    names = list(known)
    all_of_them = f"write {listed(names)}; {OWN_CONTENT}" if 0 < len(names) <= FEW else OWN_CONTENT
    return Problem(where, f"there is no {what} {quoted(name)}", nearest(name, names) or all_of_them)


@dataclass(frozen=True)
class Library:
    """Everything that scenarios may refer to: entries by kind and id, with the file each came from."""

    entries: dict[str, dict[str, Any]] = field(default_factory=dict)
    origins: dict[tuple[str, str], str] = field(default_factory=dict)

    def of(self, kind: str) -> dict[str, Any]:
        """All entries of a kind, by id."""
        return self.entries.get(kind, {})

    def from_file(self, kind: str, origin: str | None = None) -> Iterator[tuple[str, Any, str]]:
        """The id, the entry and the file of everything of a kind that came from one file, or from any."""
        for identifier, entry in self.of(kind).items():
            file = self.origins[kind, identifier]
            if origin in (None, file):
                yield identifier, entry, file

    def find(self, kind: str, identifier: str, where: str, what: str) -> Any:
        """The entry with that id.

        Raises:
            InputError: there is none; names the nearest.
        """
        known = self.of(kind)
        if identifier not in known:
            raise InputError(lost(where, what, identifier, known))
        return known[identifier]

    def over(self, later: Library) -> Library:
        """This library with a later one's entries in place of its own of the same id."""
        kinds = dict.fromkeys([*self.entries, *later.entries])
        merged = {kind: {**self.of(kind), **later.of(kind)} for kind in kinds}
        return Library(merged, {**self.origins, **later.origins})


def read_pack(folder: Path, model: type[BaseModel]) -> Library:
    """All TOML files that stand directly in a folder, in the order of their names.

    Raises:
        InputError: every problem of every file, and every id that stands twice.
    """
    if not is_folder(folder):
        message = "there is no such content folder"
        with suppress(OSError):
            message = "is a file; a content pack is a folder" if folder.exists() else message
        raise InputError.of(str(folder), message)
    files = sorted(folder.glob("*.toml"))
    if not files:
        raise InputError.of(str(folder), "holds no TOML file")
    if len(files) > MOST_FILES:
        raise InputError.of(str(folder), f"holds {len(files)} files; at most {MOST_FILES} are read")
    library = Library()
    problems: list[Problem] = []
    for file in files:
        try:
            content = validate(model, read_document(file), str(file))
        except InputError as error:
            problems += error.problems
            continue
        problems += _take(library, content, file)
    if problems:
        raise InputError(problems)
    return library


def one_file_library(content: BaseModel, where: str) -> Library:
    """The entries of a single content file.

    Raises:
        InputError: an id that stands twice.
    """
    library = Library()
    problems = list(_take(library, content, Path(where)))
    if problems:
        raise InputError(problems)
    return library


def pack_around(file: Path, model: type[BaseModel]) -> Library:
    """What stands beside a content file, in the pack that it is part of; files that are no content are passed over."""
    library = Library()
    for other in islice(sorted(file.parent.glob("*.toml")), MOST_FILES):
        if other != file:
            with suppress(InputError):
                content = validate(model, read_document(other), str(other))
                library = library.over(one_file_library(content, str(other)))
    return library


def _take(library: Library, content: BaseModel, file: Path) -> Iterable[Problem]:
    for kind in type(content).model_fields:
        for place, entry in enumerate(getattr(content, kind)):
            known = library.entries.setdefault(kind, {})
            if entry.id in known:
                first = library.origins[kind, entry.id]
                beside = "in the same file" if first == str(file) else f"in {first}"
                yield Problem(f"{file}: {kind}.{place}.id", f'"{entry.id}" is defined twice, first {beside}')
                continue
            known[entry.id] = entry
            library.origins[kind, entry.id] = str(file)


def read_library(ruleset: str, model: type[BaseModel], packs: Sequence[str], folders: Sequence[Path]) -> Library:
    """The shipped content, then shipped packs by name, then the user's own folders, each over the one before.

    Raises:
        InputError: every problem of every folder.
    """
    shipped = shipped_folder(ruleset)
    library = Library()
    problems: list[Problem] = []
    for folder in [shipped, *(shipped / "packs" / pack for pack in packs), *folders]:
        try:
            library = library.over(read_pack(folder, model))
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    return library


def plain_entry(entry: Any) -> dict[str, Any]:
    """An entry of the content as plain values, under the names that files use."""
    document: dict[str, Any] = entry.model_dump(mode="json", by_alias=True, exclude_none=True)
    return document


def examples_folder() -> Path:
    """The folder of the scenarios that come with Fracas: inside an installed package, beside the sources otherwise."""
    installed = Path(__file__).parent.parent / "examples"
    return installed if installed.is_dir() else Path(__file__).parents[3] / "examples"
