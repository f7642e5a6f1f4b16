"""Load content packs, which are folders of TOML files, into a library; later packs override earlier ones by id."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial, reduce
from itertools import islice, takewhile
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from blake3 import blake3
from pydantic import BaseModel

from fracas.content.part_cache import share
from fracas.content.validate import validate
from fracas.errors import UNKNOWN_NAME, InputError, Problem
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
# The caches of packs and of libraries each hold at most this many characters of files.
MOST_KEPT = 16 * 1024 * 1024
# An error about an unknown name lists all known names if there are at most this many.
FEW = 8
_SENTENCE = re.compile(r"(?<=[.!?]) ")
OWN_CONTENT = "add your own content with --content DIR"


def shipped_folder(ruleset: str) -> Path:
    """The folder of a ruleset's shipped content."""
    return Path(__file__).parent.parent / "data" / ruleset


def shipped_packs(ruleset: str) -> list[str]:
    """The names of a ruleset's shipped packs, which profiles may load."""
    packs = shipped_folder(ruleset) / "packs"
    return sorted(folder.name for folder in packs.iterdir()) if packs.is_dir() else []


def unknown_name(where: str, what: str, name: str, known: Iterable[str]) -> Problem:
    """Make the problem for an unknown name, with similar names or, if there are only a few, all names."""
    names = list(known)
    all_of_them = f"write {listed(names)}; {OWN_CONTENT}" if 0 < len(names) <= FEW else OWN_CONTENT
    hint = nearest(name, names) or all_of_them
    return Problem(where, f"there is no {what} {quoted(name)}", hint, UNKNOWN_NAME, tuple(names))


Derived = TypeVar("Derived")


@dataclass(frozen=True, eq=False)
class Library:
    """All content that a scenario may refer to: entries by kind and id, with the file each came from.

    A library is immutable: all scenarios and threads of a process share it.
    """

    entries: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    origins: Mapping[tuple[str, str], str] = field(default_factory=dict)
    size: int = 0
    """The total number of characters in its files."""
    _passed: set[Callable[[Library], None]] = field(init=False, default_factory=set, repr=False)
    _derived: dict[Callable[[Library], Any], Any] = field(init=False, default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        entries = {kind: MappingProxyType(dict(known)) for kind, known in self.entries.items()}
        object.__setattr__(self, "entries", MappingProxyType(entries))
        for known in entries.values():
            share(known.values())
        object.__setattr__(self, "origins", MappingProxyType(dict(self.origins)))

    def of(self, kind: str) -> Mapping[str, Any]:
        """All entries of a kind, by id."""
        return self.entries.get(kind, _NOTHING)

    def once(self, check: Callable[[Library], None]) -> None:
        """Run a check, unless the library has passed it before.

        Raises:
            InputError: what the check finds.
        """
        if check not in self._passed:
            check(self)
            self._passed.add(check)

    def derived(self, make: Callable[[Library], Derived]) -> Derived:
        """Get what a function makes of the library; it is made once, so it must be immutable."""
        if make not in self._derived:
            self._derived[make] = make(self)
        found: Derived = self._derived[make]
        return found

    def from_file(self, kind: str, origin: str | None = None) -> Iterator[tuple[str, Any, str]]:
        """Iterate over a kind's entries, from one file or all, as id, entry and file."""
        for identifier, entry in self.of(kind).items():
            file = self.origins[kind, identifier]
            if origin in (None, file):
                yield identifier, entry, file

    def sharing(self, kind: str, key: str) -> Iterator[tuple[str, str, str]]:
        """Find entries of a kind with the same value for a key as an earlier one: id, the earlier id, file.

        Strings are compared ignoring case; None is ignored.
        """
        for later, earlier in alike(self.of(kind), key):
            yield later, earlier, self.origins[kind, later]

    def find(self, kind: str, identifier: str, where: str, what: str) -> Any:
        """Get the entry with an id.

        Raises:
            InputError: there is none; the message suggests the nearest.
        """
        known = self.of(kind)
        if identifier not in known:
            raise InputError(unknown_name(where, what, identifier, known))
        return known[identifier]

    def over(self, later: Library) -> Library:
        """Combine with a later library, whose entries replace those with the same id."""
        kinds = dict.fromkeys([*self.entries, *later.entries])
        merged = {kind: {**self.of(kind), **later.of(kind)} for kind in kinds}
        return Library(merged, {**self.origins, **later.origins}, self.size + later.size)


_NOTHING: Mapping[str, Any] = MappingProxyType({})
# Packs by folder and everything that determines their content; libraries by their packs.
_packs: Memory[Library] = Memory(MOST_KEPT)
_libraries: Memory[Library] = Memory(MOST_KEPT)


def alike(entries: Mapping[str, Any], key: str) -> Iterator[tuple[str, str]]:
    """Find entries with the same value for a key as an earlier one: id and the earlier id."""
    seen: dict[Any, str] = {}
    for identifier, entry in entries.items():
        value = getattr(entry, key)
        value = value.casefold() if isinstance(value, str) else value
        if value is not None and seen.setdefault(value, identifier) != identifier:
            yield identifier, seen[value]


def read_pack(folder: Path, model: type[BaseModel]) -> Library:
    """Read all TOML files directly in a folder, in the order of their names.

    The files are read each time; if they are unchanged, the cached pack is returned.

    Raises:
        InputError: every problem in every file, and every duplicate id.
    """
    texts = {file: _text_of(file) for file in _toml_files(folder)}
    marks = tuple((file.name, blake3(text.encode()).digest()) for file, text in texts.items() if isinstance(text, str))
    key = (model, str(folder), marks)
    known = _packs.recall(key) if len(marks) == len(texts) else None
    return known or _packs.keep(key, *_with_size(_pack_of(texts, model)))


def _text_of(file: Path) -> str | InputError:
    """Read a file's text, or return the error."""
    try:
        refuse_special(file)
        return read_text(file, LARGEST_TEXT)
    except InputError as error:
        return error


def _shipped_pack(folder: Path, model: type[BaseModel]) -> Library:
    """Read a shipped content folder; its files are not opened again while their sizes and times are unchanged.

    Raises:
        InputError: as `read_pack`; only if the installation is damaged.
    """
    key: Hashable = (model, str(folder), _folder_state(folder))
    known = _packs.recall(key)
    if known is None:
        texts = {file: _text_of(file) for file in _toml_files(folder)}
        known = _packs.keep(key, *_with_size(_pack_of(texts, model)))
    return known


def _folder_state(folder: Path) -> Hashable:
    """The names, sizes and modification times of the TOML files in a folder."""
    try:
        with os.scandir(folder) as entries:
            seen = [(entry.name, entry.stat()) for entry in entries if entry.name.endswith(".toml")]
    except OSError:
        return None
    return tuple((name, stat.st_size, stat.st_mtime_ns, stat.st_ino) for name, stat in sorted(seen))


def _with_size(library: Library) -> tuple[Library, int]:
    return library, library.size


def _toml_files(folder: Path) -> list[Path]:
    """List the TOML files directly in a folder.

    Raises:
        InputError: the folder does not exist, or it has no TOML files or too many.
    """
    if not is_folder(folder):
        message = "there is no such content folder"
        with suppress(OSError):
            message = "is a file; a content pack is a folder" if folder.exists() else message
        raise InputError.of(str(folder), message)
    files = sorted(folder.glob("*.toml"))
    if not files:
        raise InputError.of(str(folder), "contains no TOML files")
    if len(files) > MOST_FILES:
        raise InputError.of(str(folder), f"contains {len(files)} files; at most {MOST_FILES} are allowed")
    return files


def _pack_of(texts: Mapping[Path, str | InputError], model: type[BaseModel]) -> Library:
    """Parse files into a pack.

    Raises:
        InputError: every problem in every file.
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
    """Make a library from a single content file.

    Raises:
        InputError: a duplicate id.
    """
    draft = _Draft()
    problems = list(draft.take(content, Path(where)))
    if problems:
        raise InputError(problems)
    return Library(draft.entries, draft.origins)


def pack_around(file: Path, model: type[BaseModel]) -> Library:
    """Load the other content files in a content file's folder; files that are not content are skipped."""
    library = Library()
    for other in islice(sorted(file.parent.glob("*.toml")), MOST_FILES):
        if other != file:
            with suppress(InputError):
                content = validate(model, read_named_document(other), str(other))
                library = library.over(one_file_library(content, str(other)))
    return library


@dataclass
class _Draft:
    """A library being built."""

    entries: dict[str, dict[str, Any]] = field(default_factory=dict)
    origins: dict[tuple[str, str], str] = field(default_factory=dict)

    def take(self, content: BaseModel, file: Path) -> Iterator[Problem]:
        """Add a file's entries, and report duplicate ids."""
        for kind in type(content).model_fields:
            for index, entry in enumerate(getattr(content, kind)):
                known = self.entries.setdefault(kind, {})
                if entry.id in known:
                    first = self.origins[kind, entry.id]
                    beside = "in the same file" if first == str(file) else f"in {first}"
                    yield Problem(f"{file}: {kind}.{index}.id", f'"{entry.id}" is defined twice, first {beside}')
                    continue
                known[entry.id] = entry
                self.origins[kind, entry.id] = str(file)


def read_library(
    own: str | Path | None, model: type[BaseModel], packs: Sequence[str], folders: Sequence[Path]
) -> Library:
    """Load a ruleset's own content, then its packs by name, then the user's folders; later ones override earlier ones.

    `own` is the name of a shipped ruleset, or the folder of a game's content; None if the game has none.

    Raises:
        InputError: every problem in every folder.
    """
    folder = shipped_folder(own) if isinstance(own, str) else own
    parts: list[Library] = []
    problems: list[Problem] = []
    of_ours = [] if folder is None else [folder, *(folder / "packs" / pack for pack in packs)]
    for index, each in enumerate([*of_ours, *folders]):
        read = _shipped_pack if index < len(of_ours) else read_pack
        try:
            parts.append(read(each, model))
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
    key = tuple(parts)
    library = _libraries.recall(key)
    if library is None:
        library = _libraries.keep(key, *_with_size(reduce(Library.over, parts) if parts else Library()))
    note(partial(read_library, own, model, packs, folders), library)
    return library


def plain_entry(entry: Any) -> dict[str, Any]:
    """Convert a content entry to plain values, with the keys that files use."""
    document: dict[str, Any] = entry.model_dump(mode="json", by_alias=True, exclude_none=True)
    return document


def examples_folder() -> Path:
    """The folder of the shipped example scenarios: inside an installed package, otherwise beside the sources."""
    installed = Path(__file__).parent.parent / "examples"
    return installed if installed.is_dir() else Path(__file__).parents[3] / "examples"


def example_summary(file: Path) -> str:
    """The first sentence of an example's opening comment."""
    text = file.read_text(encoding="utf-8")
    if text.startswith("/*"):
        return _SENTENCE.split(" ".join(text[2 : text.index("*/")].split()), maxsplit=1)[0]
    lines = text.splitlines()
    comment = " ".join(line.removeprefix("#").strip() for line in takewhile(lambda line: line.startswith("#"), lines))
    return _SENTENCE.split(comment, maxsplit=1)[0]
