"""The pages on the kit agree with the kit and with the examples."""

from __future__ import annotations

import re

from scripts.pages import ROOT, blocks_of

from fracas import kit
from fracas.kit.derive.functions import REPLACEABLE, RULES

PAGE = (ROOT / "docs/reference/kit.md").read_text(encoding="utf-8")


def titles(page: str) -> set[str]:
    return set(re.findall(r"^### `(\w+)`$", page, re.MULTILINE))


def test_the_reference_has_every_name_of_the_kit():
    assert set(kit.__all__) - titles(PAGE) == {"Log", "Finding"}
    assert "rule" not in titles(PAGE.replace("### `rule`", "### rule"))


def test_the_reference_tells_what_every_function_is_called_with():
    for name in (*RULES, *REPLACEABLE):
        assert re.search(rf"`{name}(\(.+?\))?`", PAGE.replace("kit rules", "")), name
    rows = re.findall(r"^\| `(\w+)` \|", PAGE[PAGE.index("is called with") :], re.MULTILINE)
    assert rows[: len(REPLACEABLE)] == list(REPLACEABLE)


def test_the_first_page_shows_the_coins_of_the_examples():
    shown = {block.value: block.text for block in blocks_of((ROOT / "README.md").read_text(encoding="utf-8"))}
    assert shown["coins.py"] == (ROOT / "examples/games/coins/coins.py").read_text(encoding="utf-8")
