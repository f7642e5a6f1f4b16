"""The glossary names places that are there, in alphabetical order."""

from __future__ import annotations

import re

import pytest
from tests.helpers.guards import ROOT, SOURCE

PAGE = (ROOT / "docs" / "reference" / "glossary.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", PAGE, re.MULTILINE)[2:]


def test_terms_stand_in_their_order():
    terms = [term.casefold() for term, _, _ in ROWS]
    assert len(terms) > 40
    assert terms == sorted(terms)


@pytest.mark.parametrize(("term", "place"), [(term, place) for term, _, places in ROWS for place in places.split(", ")])
def test_a_place_is_there(term, place):
    path = place.strip("`")
    if path == "ARCHITECTURE.md":
        assert (ROOT / path).exists()
        return
    found = list(SOURCE.glob(path.replace("<name>", "*")))
    assert found, f"{term}: {path}"
