"""Content packs: folders of TOML, read together; a later pack's entries replace an earlier one's by id."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial, reduce
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any

from blake3 import blake3
from pydantic import BaseModel

from fracas.content.validate import validate
from fracas.errors import InputError, Problem
from fracas.errors.suggestions import listed, nearest, quoted
from fracas.files.process_cache import Memory, note
from fracas.files.read import (
    LARGEST_TEXT,
    document_of,
    is_folder,
    read_named_document,
    read_text,
    refuse_special,
)

MOST_FILES = 1000
# Packs and libraries are kept in memory up to so many characters of their files, each kind.
MOST_KEPT = 16 * 1024 * 1024
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


def unknown_name(where: str, what: str, name: str, known: Iterable[str]) -> Problem:
    """The complaint about a name that leads nowhere; where there are only a few, it says them."""
    names = list(known)
    all_of_them = f"write {listed(names)}; {OWN_CONTENT}" if 0 < len(names) <= FEW else OWN_CONTENT
    return Problem(where, f"there is no {what} {quoted(name)}", nearest(name, names) or all_of_them)


@dataclass(frozen=True, eq=False)
class Library:
    """Everything that scenarios may refer to: entries by kind and id, with the file each came from.

    Nothing in it is ever changed: all scenarios of a process share it, whatever thread they are loaded in.
    """

    entries: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    origins: Mapping[tuple[str, str], str] = field(default_factory=dict)
    size: int = 0
    """How many characters its files have."""
    _passed: set[Callable[[Library], None]] = field(init=False, default_factory=set, repr=False)

    def __post_init__(self) -> None:
        entries = {kind: MappingProxyType(dict(known)) for kind, known in self.entries.items()}
        object.__setattr__(self, "entries", MappingProxyType(entries))
        object.__setattr__(self, "origins", MappingProxyType(dict(self.origins)))

    def of(self, kind: str) -> Mapping[str, Any]:
        """All entries of a kind, by id."""
        return self.entries.get(kind, _NOTHING)

    def once(self, check: Callable[[Library], None]) -> None:
        """Check the library, unless it has passed that check before.

        Raises:
            InputError: what the check finds.
        """
        if check not in self._passed:
            check(self)
            self._passed.add(check)

    def from_file(self, kind: str, origin: str | None = None) -> Iterator[tuple[str, Any, str]]:
        """The id, the entry and the file of everything of a kind that came from one file, or from any."""
        for identifier, entry in self.of(kind).items():
            file = self.origins[kind, identifier]
            if origin in (None, file):
                yield identifier, entry, file

    def sharing(self, kind: str, key: str) -> Iterator[tuple[str, str, str]]:
        """Each entry of a kind that has the same under a key as an earlier one: its id, that one's id, its file.

        Texts are the same whatever their case; None is nothing that could be shared.
        """
        for later, earlier in alike(self.of(kind), key):
            yield later, earlier, self.origins[kind, later]

    def find(self, kind: str, identifier: str, where: str, what: str) -> Any:
        """The entry with that id.

        Raises:
            InputError: there is none; names the nearest.
        """
        known = self.of(kind)
        if identifier not in known:
            raise InputError(unknown_name(where, what, identifier, known))
        return known[identifier]

    def over(self, later: Library) -> Library:
        """This library with a later one's entries in place of its own of the same id."""
        kinds = dict.fromkeys([*self.entries, *later.entries])
        merged = {kind: {**self.of(kind), **later.of(kind)} for kind in kinds}
        return Library(merged, {**self.origins, **later.origins}, self.size + later.size)


_NOTHING: Mapping[str, Any] = MappingProxyType({})
# Packs by their folder and all that decides what is in it; libraries by the packs that they consist of.
_packs: Memory[Library] = Memory(MOST_KEPT)
_libraries: Memory[Library] = Memory(MOST_KEPT)


def alike(entries: Mapping[str, Any], key: str) -> Iterator[tuple[str, str]]:
    """The id of each entry that has the same under a key as an earlier one, and that one's id."""
    seen: dict[Any, str] = {}
    for identifier, entry in entries.items():
        value = getattr(entry, key)
        value = value.casefold() if isinstance(value, str) else value
        if value is not None and seen.setdefault(value, identifier) != identifier:
            yield identifier, seen[value]


def read_pack(folder: Path, model: type[BaseModel]) -> Library:
    """All TOML files that stand directly in a folder, in the order of their names.

    The files are read each time. A pack whose files say what they said before is the one of that time.

    Raises:
        InputError: every problem of every file, and every id that stands twice.
    """
    texts = {file: _text_of(file) for file in _toml_files(folder)}
    marks = tuple((file.name, blake3(text.encode()).digest()) for file, text in texts.items() if isinstance(text, str))
    key = (model, str(folder), marks)
    known = _packs.recall(key) if len(marks) == len(texts) else None
    return known or _packs.keep(key, *_weighed(_pack_of(texts, model)))


def _text_of(file: Path) -> str | InputError:
    """A file's text, or what is wrong with it."""
    try:
        refuse_special(file)
        return read_text(file, LARGEST_TEXT)
    except InputError as error:
        return error


def _shipped_pack(folder: Path, model: type[BaseModel]) -> Library:
    """A folder of the content that comes with Fracas; its files are not even opened while they look untouched.

    Raises:
        InputError: as `read_pack`; only a damaged installation has any.
    """
    key: Hashable = (model, str(folder), _looks(folder))
    known = _packs.recall(key)
    if known is None:
        texts = {file: _text_of(file) for file in _toml_files(folder)}
        known = _packs.keep(key, *_weighed(_pack_of(texts, model)))
    return known


def _looks(folder: Path) -> Hashable:
    """The names, sizes and times of the TOML files in a folder."""
    try:
        with os.scandir(folder) as entries:
            seen = [(entry.name, entry.stat()) for entry in entries if entry.name.endswith(".toml")]
    except OSError:
        return None
    return tuple((name, stat.st_size, stat.st_mtime_ns, stat.st_ino) for name, stat in sorted(seen))


def _weighed(library: Library) -> tuple[Library, int]:
    return library, library.size


def _toml_files(folder: Path) -> list[Path]:
    """The TOML files that stand directly in a folder.

    Raises:
        InputError: there is no such folder, or it holds none or too many.
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
    return files


def _pack_of(texts: Mapping[Path, str | InputError], model: type[BaseModel]) -> Library:
    """The entries of some files.

    Raises:
        InputError: every problem of every file.
    """
    draft = _Draft()
    problems: list[Problem] = []
    size = 0
    for file, text in texts.items():
        try:
            if isinstance(text, InputError):
                raise text
            content = validate(model, document_of(text, file), str(file))
        except InputError as error:
            problems += error.problems
            continue
        size += len(text)
        problems += draft.take(content, file)
    if problems:
        raise InputError(problems)
    return Library(draft.entries, draft.origins, size)


def one_file_library(content: BaseModel, where: str) -> Library:
    """The entries of a single content file.

    Raises:
        InputError: an id that stands twice.
    """
    draft = _Draft()
    problems = list(draft.take(content, Path(where)))
    if problems:
        raise InputError(problems)
    return Library(draft.entries, draft.origins)


def pack_around(file: Path, model: type[BaseModel]) -> Library:
    """What stands beside a content file, in the pack that it is part of; files that are no content are passed over."""
    library = Library()
    for other in islice(sorted(file.parent.glob("*.toml")), MOST_FILES):
        if other != file:
            with suppress(InputError):
                content = validate(model, read_named_document(other), str(other))
                library = library.over(one_file_library(content, str(other)))
    return library


@dataclass
class _Draft:
    """A library in the making."""

    entries: dict[str, dict[str, Any]] = field(default_factory=dict)
    origins: dict[tuple[str, str], str] = field(default_factory=dict)

    def take(self, content: BaseModel, file: Path) -> Iterator[Problem]:
        """Take in what a file holds; an id that is there already is a problem."""
        for kind in type(content).model_fields:
            for place, entry in enumerate(getattr(content, kind)):
                known = self.entries.setdefault(kind, {})
                if entry.id in known:
                    first = self.origins[kind, entry.id]
                    beside = "in the same file" if first == str(file) else f"in {first}"
                    yield Problem(f"{file}: {kind}.{place}.id", f'"{entry.id}" is defined twice, first {beside}')
                    continue
                known[entry.id] = entry
                self.origins[kind, entry.id] = str(file)


def read_library(ruleset: str, model: type[BaseModel], packs: Sequence[str], folders: Sequence[Path]) -> Library:
    """The shipped content, then shipped packs by name, then the user's own folders, each over the one before.

    Raises:
        InputError: every problem of every folder.
    """
    shipped = shipped_folder(ruleset)
    parts: list[Library] = []
    problems: list[Problem] = []
    of_ours = [shipped, *(shipped / "packs" / pack for pack in packs)]
    for place, folder in enumerate([*of_ours, *folders]):
        read = _shipped_pack if place < len(of_ours) else read_pack
        try:
            parts.append(read(folder, model))
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    key = tuple(parts)
    library = _libraries.recall(key) or _libraries.keep(key, *_weighed(reduce(Library.over, parts)))
    note(partial(read_library, ruleset, model, packs, folders), library)
    return library


def plain_entry(entry: Any) -> dict[str, Any]:
    """An entry of the content as plain values, under the names that files use."""
    document: dict[str, Any] = entry.model_dump(mode="json", by_alias=True, exclude_none=True)
    return document


def examples_folder() -> Path:
    """The folder of the scenarios that come with Fracas: inside an installed package, beside the sources otherwise."""
    installed = Path(__file__).parent.parent / "examples"
    return installed if installed.is_dir() else Path(__file__).parents[3] / "examples"
