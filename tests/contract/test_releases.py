"""Which rules each release plays: told by the program, and the same in the changelog."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import fracas
from fracas.rulesets import registry
from fracas.rulesets.contract import releases
from fracas.rulesets.contract.releases import other_rules_hint, release_table

CHANGELOG = (Path(__file__).parents[2] / "CHANGELOG.md").read_text(encoding="utf-8")


def undocumented(changelog: str, table: dict[str, object]) -> list[str]:
    """Releases of the changelog that the table lacks."""
    return [release for release in re.findall(r"^## \[(\d[^\]]*)\]", changelog, re.MULTILINE) if release not in table]


def test_every_installed_ruleset_has_a_version():
    found = fracas.rules_versions()
    assert list(found) == list(registry.NAMES)
    assert all(registry.get(name).rules_version == version for name, version in found.items())
    assert fracas.rules_versions("relics") == {"relics": found["relics"]}
    with pytest.raises(fracas.InputError, match="there is no ruleset"):
        fracas.rules_versions("relic")


def test_the_newest_release_is_the_installed_one():
    table = release_table(fracas.rules_versions())
    assert list(table.items())[-1] == (fracas.__version__, fracas.rules_versions())


def test_every_release_of_the_changelog_is_in_the_table():
    table = dict(release_table(fracas.rules_versions()))
    assert undocumented(CHANGELOG, {**table}) == []
    assert undocumented(CHANGELOG + "\n## [0.0.7] - 2020-01-01\n", {**table}) == ["0.0.7"]


@pytest.mark.parametrize("ruleset", registry.NAMES)
def test_the_changelog_tells_every_version_of_the_rules(ruleset):
    told = re.findall(rf"^- \*\*{ruleset}\*\*, rules version (\d+):", CHANGELOG, re.MULTILINE)
    assert [int(number) for number in told] == list(range(1, fracas.rules_versions()[ruleset] + 1))


def test_the_hint_names_the_last_release_that_plays_the_rules(monkeypatch):
    earlier = {"0.1.0": {"squads": 2}, "0.1.1": {"squads": 2}, "0.2.0": {"squads": 3}}
    monkeypatch.setattr(releases, "EARLIER", earlier)
    assert "pip install fracas==0.1.1" in other_rules_hint("squads", 2, 4)
    assert "pip install fracas==0.2.0" in other_rules_hint("squads", 3, 4)
    assert "no release plays them" in other_rules_hint("squads", 1, 4)
    assert "newer" in other_rules_hint("squads", 5, 4)
