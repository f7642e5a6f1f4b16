"""`fracas duel` with games of the kit: by hand in a terminal, without what the other side hides."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.helpers import soak
from tests.helpers.commands import BAD_INPUT, DONE, INTERRUPTED
from tests.kit.choosing import EXAMPLES, document_of, game_file

from fracas.kit import load


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A process that knows no game and compiles nothing."""
    monkeypatch.setenv("FRACAS_JIT", "0")
    monkeypatch.delenv(load.VARIABLE, raising=False)
    with load.fresh():
        yield


@pytest.fixture
def duel(fracas_cli: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Play a game's first scenario with piped answers; then the input ends."""

    def play(name: str, *lines: str, options: tuple[Any, ...] = ()) -> Any:
        file = game_file(tmp_path / name, name)
        scenario = tmp_path / name / "scenario.json"
        scenario.write_text(json.dumps(document_of(name)))
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        out = tmp_path / "duel.json"
        return fracas_cli("duel", scenario, "--game", file, "--seed", "a", "--out", out, *options)

    return play


@pytest.mark.parametrize(
    ("name", "against"),
    soak.some([("roshambo", "scenario"), ("skirmish", "first"), ("cards", "random")], 2),
)
def test_a_duel_is_played_saved_and_verified(
    name: str, against: str, duel: Any, fracas_cli: Any, tmp_path: Path
) -> None:
    ended = duel(name, *("1",) * 600, options=("--against", against))
    assert ended.status == DONE
    assert " in round " in ended.out
    checked = fracas_cli("verify", tmp_path / "duel.json", "--game", tmp_path / name / f"{name}.py")
    assert checked.status == DONE
    assert "verified" in checked.out


def test_both_sides_can_be_played(duel: Any) -> None:
    assert "Needle Street chooses: " in duel("roshambo", "1", options=("--player", "Needle Street")).out
    assert "Mill Lane chooses: " in duel("roshambo", "1", options=("--player", "1")).out
    assert "Torch Thrower chooses: " in duel("skirmish", *"1111").out


def test_what_the_other_hides_is_not_shown(duel: Any) -> None:
    out = duel("cards", *("end",) * 3).out
    assert "Cook draws " in out
    assert "Baker draws " not in out
    baker = [line for line in out.splitlines() if line.startswith("  Baker ")]
    assert baker
    assert not [line for line in baker if " hand " in line.replace("hand count", "") or " pile 0" in line]
    cook = next(line for line in out.splitlines() if line.startswith("  Cook  "))
    assert "hand 8 11 10 2" in cook


def test_nobody_sees_the_others_choice_before_both_are_in(duel: Any) -> None:
    """Up to the first answer nothing depends on what the other will choose; then both are told together."""
    before = [
        duel("roshambo", "1", options=("--against", bot)).out.partition("chooses: ")[0] for bot in ("first", "random")
    ]
    assert before[0] == before[1]
    assert "shows" not in before[0]
    out = duel("roshambo", "paper").out
    told = out.partition("chooses: paper")[2]
    assert "Mill Lane shows paper\n  Needle Street shows " in told


def test_answers_that_are_none_are_asked_again(duel: Any) -> None:
    out = duel("skirmish", "strke: hedge nun", "help", "STRIKE hedge nun").out
    assert 'is not a choice now, did you mean "strike hedge nun"?' in out
    assert "strike: hit one enemy" in out
    assert "Outrider strikes Hedge Nun" in out or "Outrider finds" in out or "hits nothing" in out


def test_a_duel_that_is_left_is_not_saved(duel: Any, tmp_path: Path) -> None:
    left = duel("roshambo", "1", "q")
    assert left.status == INTERRUPTED
    assert "the duel is not over, so it is not saved" in left.err
    assert not (tmp_path / "duel.json").exists()


def test_refusals(duel: Any, fracas_cli: Any, tmp_path: Path) -> None:
    refused = duel("roshambo", options=("--salt", "x"))
    assert (refused.status, refused.err) == (BAD_INPUT, "error: --salt: is for titans; this scenario is of roshambo\n")
    assert 'there is no such bot (did you mean "first"?)' in duel("roshambo", options=("--against", "firts2")).err
    assert "there is no such player" in duel("roshambo", options=("--player", "Bo")).err
    coins = EXAMPLES / "coins"
    refused = fracas_cli(
        "duel", coins / "scenarios" / "first.toml", "--game", coins / "coins.py", "--out", tmp_path / "x"
    )
    assert refused.status == BAD_INPUT
    assert "coins has no decisions for agents in its battles" in refused.err


def test_titans_take_no_seed(fracas_cli: Any, tmp_path: Path) -> None:
    refused = fracas_cli("duel", "examples/titans/ada-and-bo.toml", "--seed", "a", "--out", tmp_path / "duel.json")
    assert refused.status == BAD_INPUT
    assert "--seed" in refused.err
