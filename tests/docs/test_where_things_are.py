"""The pages that lead through the source name places that are there, and the first of them stays short."""

from __future__ import annotations

import fnmatch
import re

from tests.helpers.guards import ROOT

ARCHITECTURE = ROOT / "ARCHITECTURE.md"
PLACES = ROOT / "docs" / "reference" / "where-things-are.md"
# Read in five minutes; the bars of its tables are not words.
MOST_WORDS = 1_200
PATH = re.compile(r"`([\w.<>*-]+(?:/[\w.<>*-]*)+|[\w-]+\.(?:py|md|js|css|toml))`")


def named_paths() -> list[str]:
    texts = [page.read_text(encoding="utf-8") for page in (ARCHITECTURE, PLACES)]
    return sorted({path for text in texts for path in PATH.findall(text)})


def test_the_architecture_is_read_in_five_minutes():
    words = [word for word in ARCHITECTURE.read_text(encoding="utf-8").split() if word != "|"]
    assert len(words) <= MOST_WORDS


def repository() -> list[str]:
    """Every file and folder by its path, with a slash before it."""
    tops = [ROOT / name for name in ("src", "tests", "docs", "benchmarks", "deploy", "scripts", "examples")]
    found = [*ROOT.glob("*.*"), *tops, *(path for top in tops for path in top.rglob("*"))]
    return [f"/{path.relative_to(ROOT).as_posix()}" for path in found]


def test_every_place_is_there():
    named, there = named_paths(), repository()
    assert len(named) > 150
    patterns = {path: "*/" + re.sub(r"<\w+>", "*", path).rstrip("/") for path in named}
    assert [path for path, pattern in patterns.items() if not fnmatch.filter(there, pattern)] == []
