"""Whole numbers on the command line, as people write them."""

from __future__ import annotations

import pytest
from tests.helpers.commands import BAD_INPUT, DONE
from tests.helpers.scenarios import EXAMPLES

COIN_TOSS = str(EXAMPLES / "coin-toss.toml")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("64", 64),
        ("64.0", 64),
        ("1_000", 1000),
        ("1,000", 1000),
        ("1'000", 1000),
        ("1k", 1000),
        ("0.5k", 500),
        ("1e2", 100),
        ("1E+2", 100),
        ("1.5e2", 150),
        ("0.0001M", 100),
    ],
)
def test_a_number_may_be_grouped_or_scaled(fracas_cli, text, number):
    ended = fracas_cli("simulate", COIN_TOSS, "-n", text, "--format", "json")
    assert ended.status == DONE
    assert ended.json["battles"] == number


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1.5", "1.5 is not a whole number"),
        ("0.0001k", "0.0001k is not a whole number"),
        ("1,00", 'unable to convert "1,00" into int'),
        ("1e400", 'unable to convert "1e400" into int'),
        ("many", 'unable to convert "many" into int'),
        ("9e99", "is out of range: 1 to 1,000,000,000"),
    ],
)
def test_what_is_no_whole_number_is_refused(fracas_cli, text, said):
    ended = fracas_cli("simulate", COIN_TOSS, "-n", text)
    assert ended.status == BAD_INPUT
    assert said in ended.err


@pytest.mark.parametrize("option", ["--threads", "--workers"])
def test_an_option_that_several_commands_share_takes_whole_numbers_alone(fracas_cli, option):
    ended = fracas_cli("lab", "sweep", COIN_TOSS, "sides.0.units.0.attack=1,2", option, "1.5")
    assert ended.status == BAD_INPUT
    assert f"Invalid value for {option}: 1.5 is not a whole number" in ended.err
