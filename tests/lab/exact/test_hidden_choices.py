"""Games in which both choose at once are solved; the mixes are checked by best answers that know nothing of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.helpers.commands import BAD_INPUT, DONE, call
from tests.kit import small_games
from tests.kit.choosing import EXAMPLES, document_of, used

import fracas
from fracas.errors import InputError
from fracas.kit import load
from fracas.lab.exact.hidden_choices import SolvedChoices, solve_choices

FULL = 2
ROCK, PAPER, SCISSORS, STRIKE = range(4)
# What both endure and how hard they hit: health, rock, paper, scissors, strike.
MILLER, TAILOR, TWIN = (14, 4, 2, 2, 6), (12, 2, 3, 4, 6), (12, 3, 3, 3, 6)
State = tuple[int, int, int, int]
"""The hit points and the charge of both."""


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A process that knows no game and compiles nothing."""
    monkeypatch.delenv(load.VARIABLE, raising=False)
    monkeypatch.setenv("FRACAS_JIT", "0")
    with load.fresh():
        yield


def solved(folder: Path, **changes: Any) -> SolvedChoices:
    used(folder, "roshambo")
    document = document_of("roshambo")
    document["options"] = {"round_cap": 6} | changes.pop("options", {})
    for number, side in enumerate(document["sides"]):
        side |= {key: values[number] for key, values in changes.items()}
    return solve_choices(fracas.load(document))


def test_equal_fighters_throw_each_a_third(tmp_path: Path) -> None:
    found = solved(tmp_path / "a", fighter=("twin", "twin"))
    assert found.value == pytest.approx(0.5)
    assert found.mixes[0] == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0])
    assert found.mixes[1] == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0])
    assert found.matrix[0, 0] == pytest.approx(0.5)
    assert np.isnan(found.matrix[3]).all()


# -- Roshambo again, written here from its README: nothing of the kit, the solver or the rules is used. ----------------


def choices_of(charge: int) -> list[int]:
    return [ROCK, PAPER, SCISSORS, *([STRIKE] if charge == FULL else [])]


def round_after(state: State, first: int, second: int, fighters: tuple[Any, Any]) -> State:
    hp, charge = [state[0], state[1]], [state[2], state[3]]
    thrown = (first, second)
    winners = {
        (PAPER, ROCK),
        (SCISSORS, PAPER),
        (ROCK, SCISSORS),
        *((STRIKE, other) for other in (ROCK, PAPER, SCISSORS)),
    }
    for me in range(2):
        if thrown[me] == STRIKE:
            charge[me] = 0
        elif thrown[0] == thrown[1]:
            charge[me] = min(charge[me] + 1, FULL)
        if (thrown[me], thrown[1 - me]) in winners:
            hp[1 - me] = max(hp[1 - me] - fighters[me][1 + thrown[me]], 0)
    return hp[0], hp[1], charge[0], charge[1]


def answers(found: SolvedChoices, fighters: tuple[Any, Any], cap: int) -> tuple[float, float]:
    """What side 1's mixes win against the best answer, and what side 2's let it win at most, by plain recursion."""
    mixes = [
        {key_of(state): (own, other) for state, own, other in zip(level.states, *level.mixes, strict=True)}
        for level in found.levels
    ]

    @cache
    def worth(state: State, played: int, answering: int) -> float:
        if state[0] == 0 or state[1] == 0:
            return 0.5 if state[0] == state[1] else float(state[1] == 0)
        if played == cap:
            return 0.5
        own, other = mixes[played][state]
        options = choices_of(state[2 + answering])
        mixed = own if answering == 1 else other
        assert sum(mixed) == pytest.approx(1)
        values = []
        for option in options:
            total = 0.0
            for choice in choices_of(state[3 - answering]):
                pair = (choice, option) if answering == 1 else (option, choice)
                total += mixed[choice] * worth(round_after(state, *pair, fighters), played + 1, answering)
            values.append(total)
        return min(values) if answering == 1 else max(values)

    start = (fighters[0][0], fighters[1][0], 0, 0)
    return worth(start, 0, 1), worth(start, 0, 0)


def key_of(words: Any) -> State:
    """Hit points and charge in a state's words; which words they are is found in `PLACES`."""
    return tuple(int(words[place]) for place in PLACES)  # type: ignore[return-value]


# The words of a state in the order of the record: hp, charge, throw of both sides, then the battle's.
PLACES = (0, 3, 1, 4)


def places_in(found: SolvedChoices, fighters: tuple[Any, Any]) -> tuple[int, ...]:
    """Where the hit points and the charge stand, from the first state, in which all else is known."""
    first = found.levels[0].states[0].tolist()
    own, other = first.index(fighters[0][0]), len(first) - 1 - first[::-1].index(fighters[1][0])
    return own, other, own + 1, other + 1


@pytest.mark.parametrize(
    ("names", "fighters"), [(("miller", "tailor"), (MILLER, TAILOR)), (("twin", "twin"), (TWIN, TWIN))]
)
def test_best_answers_gain_nothing(names: Any, fighters: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = solved(tmp_path / "a", fighter=names)
    monkeypatch.setattr(f"{__name__}.PLACES", places_in(found, fighters))
    lower, upper = answers(found, fighters, 6)
    assert lower == pytest.approx(found.value, abs=1e-9)
    assert upper == pytest.approx(found.value, abs=1e-9)
    assert found.exploitability < 1e-9
    assert found.bounds == pytest.approx((lower, upper))


def test_a_mix_that_is_off_is_exploited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check of the test above can fail, and so can the one that the solver makes."""
    from fracas.lab.exact.hidden_choices import _answers

    found = solved(tmp_path / "a", fighter=("twin", "twin"))
    monkeypatch.setattr(f"{__name__}.PLACES", places_in(found, (TWIN, TWIN)))
    found.levels[0].mixes[0][0] = [0.5, 0.25, 0.25, 0]
    lower, _ = answers(found, (TWIN, TWIN), 6)
    assert lower < found.value - 0.005
    assert float(next(iter(_answers(found.levels)))[0]) == pytest.approx(lower)


def test_too_many_states_are_refused_with_their_number(tmp_path: Path) -> None:
    used(tmp_path / "a", "roshambo")
    with pytest.raises(InputError, match=r"has more than 300 states: 3\d\d by round \d+ of 100"):
        solve_choices(fracas.load(document_of("roshambo")), most=300)


def test_last_throws_count_where_rules_read_them(tmp_path: Path) -> None:
    """Nobody may throw the same twice: the throw of the last round is a part of the state then."""
    legal = "    return choice != Throw.STRIKE or me.charge == battle.options.full"
    used(
        tmp_path / "a",
        "roshambo",
        (legal, "    return choice != Throw.STRIKE and (battle.tick == 1 or choice != me.throw)"),
    )
    document = document_of("roshambo") | {"options": {"round_cap": 3}}
    found = solve_choices(fracas.load(document))
    assert all(int(row.sum()) == 2 for level in found.levels[1:] for row in level.rows)
    assert found.exploitability < 1e-9


@pytest.mark.parametrize("name", [name for name in small_games.SHAPES if name != "guess"])
def test_other_shapes_are_refused(name: str, tmp_path: Path) -> None:
    file = tmp_path / f"{name}.py"
    file.write_text(small_games.text_of(name))
    fracas.use(file)
    scenario = fracas.load(small_games.document_of(name))
    with pytest.raises(InputError, match="is no game in which both sides choose at once"):
        solve_choices(scenario)


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    run = partial(call, capsys)
    folder = EXAMPLES / "roshambo"
    given = (
        "lab",
        "solve",
        folder / "scenarios" / "twins.toml",
        "--game",
        folder / "roshambo.py",
        "--set",
        "options.round_cap=5",
    )
    told = run(*given)
    assert told.status == DONE
    assert "rock 33.3%, paper 33.3%, scissors 33.3%" in told.out
    assert "value: Left Twin wins 50.00%" in told.out
    found = json.loads(run(*given, "--format", "json").out)
    assert found["choices"] == [["rock", "paper", "scissors"]] * 2
    assert found["exploitability"] < 1e-9
    refused = run(*given, "--states", "500")
    assert (refused.status, refused.err) == (
        BAD_INPUT,
        "error: --states: is for titans; this scenario is of roshambo\n",
    )
