"""`fracas content examples`: what ships, listed and copied to where somebody works."""

from __future__ import annotations

import shutil

import pytest
from tests.helpers.commands import BAD_INPUT, DONE
from tests.helpers.guards import ROOT

SHIPPED = sorted(path for path in (ROOT / "examples").rglob("*") if path.is_file() and "__pycache__" not in path.parts)


def test_every_example_is_listed_with_what_it_is_about(fracas_cli):
    listed = fracas_cli("content", "examples", "--format", "json").json["examples"]
    assert [entry["path"] for entry in listed] == [path.relative_to(ROOT).as_posix() for path in SHIPPED]
    assert all(entry["about"] for entry in listed if entry["path"].endswith(".toml"))


def test_a_copy_runs_by_the_path_that_the_help_shows(fracas_cli, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert fracas_cli("content", "examples", "--out", ".").status == DONE
    assert sorted(path for path in (tmp_path / "examples").rglob("*") if path.is_file()) == [
        tmp_path / path.relative_to(ROOT) for path in SHIPPED
    ]
    assert fracas_cli("run", "examples/squads/first-battle.toml").status == DONE


@pytest.mark.parametrize("name", ["squads/coin-toss", "examples/squads/coin-toss.toml", "coin-toss"])
def test_one_example_by_its_name(fracas_cli, monkeypatch, tmp_path, name):
    monkeypatch.chdir(tmp_path)
    ended = fracas_cli("content", "examples", name, "--out", ".")
    assert "copied 1 file into examples; try: fracas run examples/squads/coin-toss.toml" in ended.err
    assert (tmp_path / "examples/squads/coin-toss.toml").read_bytes() == (
        ROOT / "examples/squads/coin-toss.toml"
    ).read_bytes()


def test_a_file_that_was_changed_is_not_overwritten_and_nothing_is_copied(fracas_cli, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    own = tmp_path / "examples/squads/coin-toss.toml"
    own.parent.mkdir(parents=True)
    own.write_text("mine")
    ended = fracas_cli("content", "examples", "squads", "--out", ".")
    assert ended.status == BAD_INPUT
    assert "coin-toss.toml: already exists and is not overwritten" in ended.err
    assert [path.name for path in own.parent.iterdir()] == ["coin-toss.toml"]
    shutil.copy(ROOT / "examples/squads/coin-toss.toml", own)
    assert fracas_cli("content", "examples", "squads", "--out", ".").status == DONE


def test_an_unknown_example_is_refused_with_the_nearest(fracas_cli):
    ended = fracas_cli("content", "examples", "squadz")
    assert (ended.status, ended.err) == (
        BAD_INPUT,
        'error: squadz: there is no such example (did you mean "squads"?)\n',
    )


def test_a_missing_example_says_where_to_get_it(fracas_cli, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    ended = fracas_cli("run", "examples/squads/first-battle.toml")
    assert ended.status == BAD_INPUT
    assert "fracas content examples --out . copies the shipped examples" in ended.err
