"""Helpers for all resolvers: collect problems, convert to plain values, make unique names, list references."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel

from fracas.errors import UNKNOWN_NAME, InputError, Problem
from fracas.errors.suggestions import quoted

DEFAULT_SEED = "fracas"
# A numbered name is cut to this length, which is also valid for an id.
LONGEST_NUMBERED = 64
LONGEST_STEM = 80

# Marks the fields that are for drawing only (`field_types.py`): like notes, no document keeps them.
FOR_DRAWING = object()


@cache
def unkept(model: type[BaseModel]) -> frozenset[str]:
    """What files say for readers and for pages, and no document keeps: notes, looks and drawn effects."""
    fields = model.model_fields.items()
    return frozenset({"note"} | {name for name, field in fields if any(each is FOR_DRAWING for each in field.metadata)})


class _Collecting:
    """A block whose problems are recorded; a class because resolvers enter hundreds, and a generator takes longer."""

    __slots__ = ("_collector",)

    def __init__(self, collector: Collector) -> None:
        self._collector = collector

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if not isinstance(error, InputError):
            return False
        self._collector.problems += error.problems
        return True


class Collector:
    """Collects the problems in one document, so that all are reported at once."""

    def __init__(self, origin: str, problems: Iterable[Problem] = ()) -> None:
        self.origin = origin
        self.problems: list[Problem] = list(problems)
        self.warnings: list[Problem] = []

    def where(self, path: str) -> str:
        """Format a place in the document for messages."""
        return f"{self.origin}: {path}"

    def complain(
        self, path: str, message: str, suggestion: str | None = None, *, expected: Iterable[str] | None = None
    ) -> None:
        """Record a problem; one of an unknown name has the names that were `expected`."""
        kind = "" if expected is None else UNKNOWN_NAME
        self.problems.append(Problem(self.where(path), message, suggestion, kind, tuple(expected or ())))

    def named_file(self, path: str, name: str, folder: Path | None) -> Path:
        """Get the path of a file that the document names; it must be in the document's folder or below.

        Raises:
            InputError: the document has no folder, the file is outside it, or the name is not valid.
        """
        if folder is None:
            message = f"{quoted(name)} is a file, but this scenario has no folder"
            raise InputError.of(self.where(path), message, "include its content, or load the mapping with folder=")
        try:
            root, file = folder.resolve(), (folder / name).resolve()
        except (OSError, ValueError, RuntimeError):
            raise InputError.of(self.where(path), f"{quoted(name)} cannot be a file name") from None
        if not file.is_relative_to(root):
            raise InputError.of(self.where(path), f"{quoted(name)} is outside the scenario's folder")
        # Not the absolute path: it would reveal where the user's folders are.
        return folder / file.relative_to(root)

    def add_numbered(self, entry: dict[str, Any], others: list[dict[str, Any]]) -> None:
        """Put an entry behind others, with an id and a name that none of them has."""
        for key in ("id", "name"):
            entry[key] = numbered(entry[key], {other[key] for other in others})
        others.append(entry)

    def collecting(self) -> _Collecting:
        """Record an InputError raised inside the block and continue."""
        return _Collecting(self)

    def raise_problems(self) -> None:
        """Raise the problems recorded so far, if any.

        Raises:
            InputError: all of them.
        """
        if self.problems:
            raise InputError(dict.fromkeys(self.problems))

    def verdict(self, *, strict: bool) -> tuple[Problem, ...]:
        """Return the warnings, if there are no errors.

        Raises:
            InputError: all problems; warnings too if strict.
        """
        if strict:
            self.problems += self.warnings
        self.raise_problems()
        return tuple(self.warnings)


def to_plain(model: BaseModel, *, without: Container[str] = ()) -> dict[str, Any]:
    """Convert a model to plain values, with the keys that files use, without omitted keys and what is not kept."""
    document = model.model_dump(mode="json", by_alias=True, exclude_none=True, exclude=set(unkept(type(model))))
    return {key: value for key, value in document.items() if key not in without}


def completed(document: Any, values: Any) -> Any:
    """Fill in the omitted keys of a document from its model; notes stay omitted."""
    if isinstance(document, dict) and isinstance(values, dict):
        absent = {key: value for key, value in values.items() if key not in document and key != "note"}
        return {key: completed(value, values.get(key)) for key, value in document.items()} | absent
    if isinstance(document, list) and isinstance(values, list) and len(document) == len(values):
        return [completed(each, value) for each, value in zip(document, values, strict=True)]
    return document


def numbered(name: str, taken: Container[str], most: int = 8) -> str:
    """Find a free name: the name itself, or with the first free number from 2 appended; at most `most` are taken."""
    if name not in taken:
        return name
    behind = (f"-{number}" for number in range(2, most + 2))
    cut = (f"{name[: LONGEST_NUMBERED - len(end)]}{end}" for end in behind)
    return next(each for each in cut if each not in taken)


class Reference(NamedTuple):
    """A name in a document: its path, the kind of entry it refers to, and what messages call that kind."""

    path: str
    kind: str
    what: str
    name: str


def mention(path: str, kind: str, what: str, value: Any) -> Iterator[Reference]:
    """Generate the reference at a path of a document that may be invalid; nothing if the value is not a string."""
    if isinstance(value, str):
        yield Reference(path, kind, what, value)


def table_of(value: Any) -> Mapping[Any, Any]:
    """A value if it is a table, otherwise an empty table."""
    return value if isinstance(value, Mapping) else {}


def list_of(value: Any) -> Sequence[Any]:
    """A value if it is a list, otherwise an empty list."""
    return value if isinstance(value, list) else []
