"""A draft: a scenario as it stands in the editor, which may not even parse."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, Self

from fracas.content.packs import Library
from fracas.engine.scenario import Scenario, load_scenario
from fracas.engine.untrusted import load_untrusted
from fracas.errors import InputError, Problem
from fracas.files.read import document_of
from fracas.kernel.identity import Identity
from fracas.replay.json_schema import json_schema
from fracas.rulesets import registry
from fracas.rulesets.contract.ruleset import Ruleset
from fracas.rulesets.contract.types import Document, Source
from fracas.studio.text_positions import Path as Keys
from fracas.studio.text_positions import Span, spans_of

# The largest text that the studio takes, in bytes. It is the bound of documents from strangers, too.
LARGEST_DRAFT = 256 * 1024
_RULESET = re.compile(r"""(?:^|[{,])\s*"?ruleset"?\s*[=:]\s*["'](\w+)["']""", re.MULTILINE)
# What a scenario is named after if it has neither an id nor a file.
NAMELESS = "scenario"


@dataclass(frozen=True)
class Draft:
    """A text, and where it comes from."""

    text: str
    name: str
    """A file name. `.json` at its end makes it JSON, anything else TOML."""
    folder: Path | None = None
    """The folder of files that it may name; None if it may name none."""
    content: tuple[Path, ...] = ()
    """Folders whose content overrides the shipped content."""
    is_foreign: bool = False
    """Whether it came by a link: then it sees nothing of this machine but the shipped content."""

    @property
    def is_json(self) -> bool:
        """Whether the text is JSON."""
        return self.name.endswith(".json")

    @property
    def key(self) -> str:
        """An identifier of this text, by which a page can ask for its battles."""
        origin = f"{self.name}\0{self.is_foreign}\0"
        return sha256(origin.encode() + self.text.encode()).hexdigest()[:32]

    @cached_property
    def spans(self) -> dict[Keys, Span]:
        """Where its entries stand."""
        return spans_of(self.text, is_json=self.is_json)

    @cached_property
    def document(self) -> Document:
        """Its values.

        Raises:
            InputError: it is too large, or does not parse.
        """
        size = len(self.text.encode())
        if size > LARGEST_DRAFT:
            raise InputError.of(self.name, f"is {size:,} bytes long; the studio takes {LARGEST_DRAFT:,}")
        return document_of(self.text, Path(self.name))

    @cached_property
    def scenario(self) -> Scenario:
        """The scenario, ready to play.

        Raises:
            InputError: everything that is wrong with it.
        """
        document = dict(self.document)
        if self.is_foreign:
            loaded = load_untrusted(document)
        else:
            loaded = load_scenario(document, folder=self.folder, content=self.content)
        # A file without a seed and an id is named after itself, also when commands play it.
        is_nameless = loaded.seed == NAMELESS and "id" not in document and "seed" not in document
        return loaded.with_seed(Path(self.name).stem[:80] or NAMELESS) if is_nameless else loaded

    @property
    def ruleset(self) -> Ruleset | None:
        """The ruleset that the text names, if it can be told."""
        named = _RULESET.search(self.text)
        return registry.get(named[1]) if named is not None and registry.is_known(named[1]) else None

    def schema(self, ruleset: Ruleset) -> Mapping[str, Any]:
        """The JSON Schema of such texts."""
        return _schema(ruleset.identity)

    def library(self, ruleset: Ruleset) -> Library:
        """The content whose names it may use."""
        return ruleset.read_library(None, () if self.is_foreign else self.content)

    def try_out(self, document: Document) -> None:
        """Check other values in its place.

        Raises:
            InputError: everything that is wrong with them.
        """
        load_scenario(dict(document), content=() if self.is_foreign else self.content)

    def remarks(self) -> tuple[Sequence[Problem], Sequence[Problem]]:
        """What is valid but suspicious: its warnings, and hints.

        Raises:
            InputError: everything that is wrong with it.
        """
        scenario = self.scenario
        source = Source("scenario", None if self.is_foreign else self.folder)
        found = scenario.ruleset.lint(dict(self.document), source, self.content, {})
        return scenario.warnings, [Problem(each.where, each.message, each.suggestion) for each in found]

    def with_text(self, text: str) -> Self:
        """The same draft with another text."""
        return replace(self, text=text)


@cache
def _schema(ruleset: Identity) -> Mapping[str, Any]:
    schema: Mapping[str, Any] = json_schema(ruleset.name, "scenario")
    return schema
