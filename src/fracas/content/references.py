"""What all resolvers share: collecting problems, plain values, names of their own, names that lead nowhere."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel

from fracas.errors import InputError, Problem
from fracas.errors.suggestions import quoted

DEFAULT_SEED = "fracas"
# A name with a number behind it is cut to this, which is short enough for an id too.
LONGEST_NUMBERED = 64
LONGEST_STEM = 80


class Collector:
    """Looks through one document and keeps what is wrong with it, so that all of it is said at once."""

    def __init__(self, origin: str, problems: Iterable[Problem] = ()) -> None:
        self.origin = origin
        self.problems: list[Problem] = list(problems)
        self.warnings: list[Problem] = []

    def where(self, path: str) -> str:
        """A place in the document, for messages."""
        return f"{self.origin}: {path}"

    def complain(self, path: str, message: str, suggestion: str | None = None) -> None:
        """Keep a problem for later."""
        self.problems.append(Problem(self.where(path), message, suggestion))

    def named_file(self, path: str, name: str, folder: Path | None) -> Path:
        """A file that the document names: in the folder that the document stands in or below it, and nowhere else.

        Raises:
            InputError: the document stands in no folder, the file lies elsewhere, or it cannot be one.
        """
        if folder is None:
            message = f"{quoted(name)} is a file, and this scenario stands in none"
            raise InputError.of(self.where(path), message, "write out what it holds, or load the mapping with folder=")
        try:
            root, file = folder.resolve(), (folder / name).resolve()
        except (OSError, ValueError, RuntimeError):
            raise InputError.of(self.where(path), f"{quoted(name)} cannot be a file name") from None
        if not file.is_relative_to(root):
            raise InputError.of(self.where(path), f"{quoted(name)} lies outside the scenario's folder")
        # Not the whole path: where the folder that somebody works in lies is nobody's business.
        return folder / file.relative_to(root)

    @contextmanager
    def collecting(self) -> Iterator[None]:
        """Go on after a problem, so that all of them are said at once."""
        try:
            yield
        except InputError as error:
            self.problems += error.problems

    def raise_problems(self) -> None:
        """End here if anything was wrong.

        Raises:
            InputError: all that was found.
        """
        if self.problems:
            raise InputError(dict.fromkeys(self.problems))

    def verdict(self, *, strict: bool) -> tuple[Problem, ...]:
        """The warnings about a document that nothing is wrong with.

        Raises:
            InputError: all that was found; warnings too if strict.
        """
        if strict:
            self.problems += self.warnings
        self.raise_problems()
        return tuple(self.warnings)


def to_plain(model: BaseModel, *, without: Container[str] = ()) -> dict[str, Any]:
    """A model as plain values, under the names that files use; without what was left out, and without notes."""
    document = model.model_dump(mode="json", by_alias=True, exclude_none=True, exclude={"note"})
    return {key: value for key, value in document.items() if key not in without}


def completed(document: Any, values: Any) -> Any:
    """A document with what its model says of keys that it leaves out; notes stay left out."""
    if isinstance(document, dict) and isinstance(values, dict):
        absent = {key: value for key, value in values.items() if key not in document and key != "note"}
        return {key: completed(value, values.get(key)) for key, value in document.items()} | absent
    if isinstance(document, list) and isinstance(values, list) and len(document) == len(values):
        return [completed(each, value) for each, value in zip(document, values, strict=True)]
    return document


def numbered(name: str, taken: Container[str], most: int = 8) -> str:
    """A name, or if it is taken the same with the first free number from 2 on behind it; of `most` one is free."""
    if name not in taken:
        return name
    behind = (f"-{number}" for number in range(2, most + 2))
    cut = (f"{name[: LONGEST_NUMBERED - len(end)]}{end}" for end in behind)
    return next(each for each in cut if each not in taken)


class Reference(NamedTuple):
    """A name in a document: where it stands, the kind of entry that is meant, and what that is called in messages."""

    path: str
    kind: str
    what: str
    name: str


def mention(path: str, kind: str, what: str, value: Any) -> Iterator[Reference]:
    """The name that stands in a place of a document that need not be sound; none if there is no text."""
    if isinstance(value, str):
        yield Reference(path, kind, what, value)


def table_of(value: Any) -> Mapping[Any, Any]:
    """A value of a document that should be a table; an empty one if it is none."""
    return value if isinstance(value, Mapping) else {}


def list_of(value: Any) -> Sequence[Any]:
    """A value of a document that should be a list; an empty one if it is none."""
    return value if isinstance(value, list) else []
