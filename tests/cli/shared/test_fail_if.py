"""`--fail-if`: what is certain fails, what is undecided is told, and a wrong path is told with similar ones."""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace
from tests.helpers.commands import BAD_INPUT, CHECK_FAILED, DONE, INTERRUPTED
from tests.helpers.scenarios import EXAMPLES

from fracas.cli.shared.fail_if import fail_status, judge, parse_conditions
from fracas.errors import InputError, UsageError
from fracas.lab.simulation import simulate as simulation
from fracas.lab.statistics.intervals import wilson_interval

FIRST = EXAMPLES / "first-battle.toml"
COIN = EXAMPLES / "coin-toss.toml"
SIMULATED = {
    "names": ["Red", "Blue"],
    "battles": 1000,
    "wins": [400, 580],
    "draws": 20,
    "shares": [0.4, 0.58],
    "draw_share": 0.02,
    "interval95": [[0.37, 0.43], [0.549, 0.61]],
    "reasons": {"wiped_out": 990, "cap_hp": 10},
    "rounds": {"mean": 12.5, "p95": 30, "histogram": [[9, 9, 4]]},
    "deterministic": False,
    "verdict": "A",
}
COMPARED = {
    "names": ["Red", "Blue"],
    "a": {"label": "old", "wins": 50, "draws": 0, "losses": 50, "score": 0.5, "interval95": [0.4, 0.6]},
    "b": {"label": "v1.2", "wins": 100, "draws": 0, "losses": 0, "score": 1.0, "interval95": [0.96, 1.0]},
    "pairs": 100,
    "difference": 0.5,
    "difference95": [0.4, 0.6],
    "deterministic": False,
}
MATCHUPS = {
    "entrants": [{"name": "A"}, {"name": "B"}],
    "shares": [[None, 0.3], [0.7, None]],
    "battles": 200,
    "cells": [{"first": 0, "second": 1, "names": ["A", "B"], "battles": 200, "share": 0.3, "interval95": [0.24, 0.36]}],
    "standings": [{"name": "B", "share": 0.7, "interval95": [0.64, 0.76], "behind": 0.0, "behind95": [0.0, 0.0]}],
    "mix": {"shares": {"v1.2": 1.0}},
}


def judged(text, document):
    [condition] = parse_conditions([text])
    return judge(condition, document)


@pytest.mark.parametrize(
    ("document", "text", "holds"),
    [
        (SIMULATED, "wins.0 < 45%", True),
        (SIMULATED, "wins.0<43%", None),  # The interval's end is outside.
        (SIMULATED, "wins.0 <= 43%", True),
        (SIMULATED, "wins.0 < 40%", None),
        (SIMULATED, "wins.0 < 37%", False),
        (SIMULATED, "wins.0 <= 37%", None),
        (SIMULATED, "wins.0 > 36.9%", True),
        (SIMULATED, "wins.0 >= 37%", True),
        (SIMULATED, "wins.0 > 50%", False),
        (SIMULATED, "wins.0 < 450", True),
        (SIMULATED, "wins.0 < 400", None),
        (SIMULATED, "shares.1 > 0.5", True),
        (SIMULATED, "shares.1 > 55%", None),
        (SIMULATED, "draws > 2%", None),
        (SIMULATED, "draw_share > 1%", True),
        (SIMULATED, "reasons.cap_hp > 5%", False),
        (SIMULATED, "rounds.mean < 12.6", True),
        (SIMULATED, "rounds.mean < 12.5", False),
        (SIMULATED, "battles >= 1000", True),
        (SIMULATED, "interval95.0.1 < 0.44", True),
        (COMPARED, "difference < 0", False),
        (COMPARED, "difference > 50%", None),
        (COMPARED, "b.score > 90%", True),
        (COMPARED, "a.wins < 55%", None),
        (COMPARED, "a.wins < 70%", True),
        (MATCHUPS, "shares.0.1 < 40%", True),
        (MATCHUPS, "shares.1.0 < 70%", None),
        (MATCHUPS, "shares.1.0 > 0.6", True),
        (MATCHUPS, "cells.0.share < 30%", None),
        (MATCHUPS, "standings.0.share > 60%", True),
        (MATCHUPS, "mix.shares.v1.2 > 90%", True),
    ],
)
def test_a_condition_holds_only_in_the_whole_interval(document, text, holds):
    assert judged(text, document).holds is holds


def test_a_count_has_the_interval_of_its_share():
    assert judged("draws > 5%", SIMULATED).interval == wilson_interval(20, 1000)
    low, high = judged("draws > 5", SIMULATED).interval
    assert (low / 1000, high / 1000) == pytest.approx(wilson_interval(20, 1000))
    assert judged("a.wins > 5%", COMPARED).interval == wilson_interval(50, 100)
    assert judged("draws > 5%", {**SIMULATED, "deterministic": True}).interval == (0.02, 0.02)


@pytest.mark.parametrize(
    ("document", "text", "subject"),
    [
        (SIMULATED, "wins.1 < 1%", "Blue"),
        (SIMULATED, "draws < 1%", ""),
        (COMPARED, "b.score < 1%", "v1.2"),
        (MATCHUPS, "shares.1.0 < 1%", "B against A"),
        (MATCHUPS, "cells.0.share < 1%", "A against B"),
        (MATCHUPS, "standings.0.share < 1%", "B"),
    ],
)
def test_a_verdict_says_whose_number_it_is(document, text, subject):
    assert judged(text, document).subject == subject


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("wnis.1 < 3", "there is no such path in the result", 'did you mean "wins.1"?'),
        ("wins.2 < 3", "there is no such path in the result", "wins has entries 0 to 1"),
        ("wins." + "9" * 5000 + " < 3", "there is no such path in the result", "wins has entries 0 to 1"),
        ("rounds.lowest < 3", "there is no such path in the result", "rounds has mean, p95 and histogram"),
        ("wins < 3", "there is no number there", "write wins.0 or wins.1"),
        ("verdict < 3", "there is no number there", None),
        ("deterministic < 3", "there is no number there", None),
        ("wins.0 < 0.45", "is a number of battles", "for a share, write 45%"),
        ("rounds.mean < 45%", "12.5 is not a share", "write a number without %"),
    ],
)
def test_a_condition_that_means_nothing_is_told(text, message, hint):
    with pytest.raises(InputError) as caught:
        judged(text, SIMULATED)
    [problem] = caught.value.problems
    assert (problem.where, problem.message, problem.suggestion) == (f"--fail-if {text}", message, hint)


@pytest.mark.parametrize(
    "text", ["", "wins.0", "wins.0 == 3", "wins.0 < ", "< 3", "wins.0 < x", "1 < wins.0", "a < 3 < 4"]
)
def test_a_text_that_is_no_condition_is_told_before_anything_is_played(fracas_cli, monkeypatch, text):
    with pytest.raises(UsageError):
        parse_conditions([text])
    monkeypatch.setattr(simulation, "simulate", None)
    ended = fracas_cli("simulate", COIN, "--fail-if", text)
    assert (ended.status, ended.out) == (BAD_INPUT, "")


@pytest.mark.parametrize(
    ("texts", "strict", "status"),
    [
        (["wins.0 > 50%"], True, DONE),
        (["wins.0 < 40%"], False, DONE),
        (["wins.0 < 40%"], True, CHECK_FAILED),
        (["wins.0 > 50%", "wins.0 < 45%"], False, CHECK_FAILED),
        (["wins.0 < 45%", "nothing < 1"], False, BAD_INPUT),
    ],
)
def test_one_condition_that_holds_fails_and_strict_fails_what_is_undecided(capsys, texts, strict, status):
    assert fail_status(parse_conditions(texts), SIMULATED, strict=strict) == status
    assert len(capsys.readouterr().err.splitlines()) == len(texts)


@pytest.mark.parametrize(
    ("words", "failing", "passing"),
    [
        (["simulate", FIRST, "-n", 300], "wins.0 < 45%", "wins.0 > 45%"),
        (["compare", FIRST, EXAMPLES / "standard-5v5.toml", "-n", 100], "difference > 0", "difference < 0"),
        (["lab", "matchups", FIRST, f"{FIRST}:2", "-n", 100], "cells.0.share < 50%", "cells.0.share > 50%"),
    ],
)
def test_the_commands_exit_with_1_and_print_their_result_all_the_same(fracas_cli, words, failing, passing):
    failed = fracas_cli(*words, "--format", "json", "--fail-if", failing)
    passed = fracas_cli(*words, "--format", "json", "--fail-if", passing)
    assert (failed.status, passed.status) == (CHECK_FAILED, DONE)
    assert failed.err.startswith(f"failed: {failing}: it is ")
    assert passed.err.startswith(f"passed: {passing}: it is ")
    assert json.loads(failed.out)["command"] in words[:2]


def test_an_undecided_condition_is_a_notice_and_strict_makes_it_a_failure(fracas_cli):
    words = ["simulate", COIN, "-n", 50, "--fail-if", "wins.0 > 52%"]
    assert fracas_cli(*words).status == DONE
    ended = fracas_cli(*words, "--strict")
    assert ended.status == CHECK_FAILED
    assert ended.err.startswith("undecided: wins.0 > 52%: it is ")


def test_an_unknown_path_does_not_cost_the_result(fracas_cli):
    ended = fracas_cli("simulate", COIN, "-n", 50, "--format", "json", "--fail-if", "win.0 < 3")
    assert ended.status == BAD_INPUT
    assert json.loads(ended.out)["battles"] == 50
    assert 'did you mean "wins.0"' in ended.err


def test_an_interrupted_run_judges_nothing(fracas_cli, monkeypatch):
    from fracas.cli.measure import simulate as command

    played = command._played

    def stopped(*arguments, **named):
        return replace(played(*arguments, **named), interrupted=True)

    monkeypatch.setattr(command, "_played", stopped)
    ended = fracas_cli("simulate", COIN, "-n", 50, "--fail-if", "wins.0 >= 0")
    assert ended.status == INTERRUPTED
    assert "failed" not in ended.err
