"""Where documents name entries, as tables: which key of which table holds the name of an entry of which kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias, Union

from fracas.content.references import Reference, list_of, mention, table_of

References: TypeAlias = Mapping[str, Union[str, "References"]]
"""A key with the kind of entry that it names, or with what is below it. A key that ends in a dot is a table, one that
ends in [] a list; the empty key is the value itself. References come in this order.

    {"class": "classes", "resource.": {"kind": "resources"}, "queue[]": {"": "skills", "skill": "skills"}}
"""


# How the names of kinds end, and how the words for one entry do.
_ENDINGS = {"ies": "y", "sses": "ss", "uses": "us", "oes": "o", "s": ""}


def singular(kind: str) -> str:
    """The word for one entry of a kind, for messages.

    >>> [singular(kind) for kind in ("heroes", "bosses", "bonuses", "parties", "loot_tables")]
    ['hero', 'boss', 'bonus', 'party', 'loot table']
    """
    ending = next(ending for ending in _ENDINGS if kind.endswith(ending))
    return f"{kind.removesuffix(ending)}{_ENDINGS[ending]}".replace("_", " ")


def references_in(value: Any, places: References, path: str = "") -> Iterator[Reference]:
    """The references in a value that may be invalid; `path` is put before theirs."""
    for key, below in places.items():
        name = key.removesuffix("[]").removesuffix(".")
        at = ".".join(part for part in (path, name) if part)
        here = table_of(value).get(name) if key else value
        if isinstance(below, str):
            yield from mention(at, below, singular(below), here)
        elif key.endswith("[]"):
            for index, entry in enumerate(list_of(here)):
                yield from references_in(entry, below, f"{at}.{index}")
        else:
            yield from references_in(here, below, at)
