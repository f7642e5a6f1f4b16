"""The glossary names places that are there, in alphabetical order."""

from __future__ import annotations

import re

from tests.helpers.guards import ROOT, SOURCE

PAGE = (ROOT / "docs" / "reference" / "glossary.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", PAGE, re.MULTILINE)[2:]


def test_terms_stand_in_their_order():
    terms = [term.casefold() for term, _, _ in ROWS]
    assert len(terms) > 40
    assert terms == sorted(terms)


def is_there(path: str) -> bool:
    return (ROOT / path).exists() if path == "ARCHITECTURE.md" else any(SOURCE.glob(path.replace("<name>", "*")))


def test_every_place_is_there():
    named = [(term, place.strip("`")) for term, _, places in ROWS for place in places.split(", ")]
    assert len(named) > 80
    assert [f"{term}: {path}" for term, path in named if not is_there(path)] == []
