"""`fracas lab variants`: what it prints, what Python gets."""

from __future__ import annotations

import json

import pytest
from tests.helpers.guards import ROOT

import fracas

STANDARD = ROOT / "examples" / "squads" / "standard-5v5.toml"
OPENINGS = ROOT / "examples" / "squads" / "variants" / "openings.toml"


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    monkeypatch.setenv("FRACAS_JIT", "0")


def test_the_shipped_set_is_read_and_played(fracas_cli):
    ended = fracas_cli("lab", "variants", STANDARD, OPENINGS, "-n", 2, "--format", "json")
    assert ended.status == 0
    document = ended.json
    assert document["set"] == "openings"
    assert len(document["variants"]) == document["possible"] == 5
    assert document["correction"] == {"method": "Bonferroni", "alpha": pytest.approx(0.05), "of": 15}
    told = fracas_cli("lab", "variants", STANDARD, OPENINGS, "-n", 2)
    assert "corrected for all of them" in " ".join(told.out.split())
    # Python gets the same.
    assert json.loads(json.dumps(fracas.variants(STANDARD, OPENINGS, n=2).as_json())) == document
