"""`fracas lab merge`, and `simulate --start`: what they print, how they end, what they refuse."""

from __future__ import annotations

import pytest


def test_on_the_command_line(fracas_cli, tmp_path):
    file = "examples/squads/standard-5v5.toml"
    parts = [tmp_path / "a.json", tmp_path / "b.json"]
    for start, part in zip((0, 25), parts, strict=True):
        played = fracas_cli("simulate", file, "-n", 25, "--start", start, "--contributions", 10, "--out", part)
        assert played.status == 0
        assert ("25 battles from number 25" in played.out) is (start == 25)
    ended = fracas_cli("lab", "merge", *parts, "--out", tmp_path / "whole.json")
    assert ended.status == 0
    assert "50 battles, merged" in ended.out
    fracas_cli("simulate", file, "-n", 50, "--contributions", 10, "--out", tmp_path / "once.json")
    assert (tmp_path / "whole.json").read_bytes() == (tmp_path / "once.json").read_bytes()


@pytest.mark.parametrize(
    ("options", "where"),
    [
        (("--start", -1), "--start"),
        (("--start", 10**9), "--start"),
        (("--start", 999_999_999, "-n", 2), "--start"),
        (("--start", 5, "--precision", 1), "--start, --precision"),
    ],
)
def test_beginnings_that_cannot_be_meant(fracas_cli, options, where):
    ended = fracas_cli("simulate", "examples/squads/standard-5v5.toml", *options, "--format", "json")
    assert ended.status == 2
    assert [error["where"] for error in ended.errors] == [where]
