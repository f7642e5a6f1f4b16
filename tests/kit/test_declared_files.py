"""What files of a game may say: boards, places, lists that differ by side, fields of one side, entries that differ."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import fracas
from fracas.errors import InputError
from fracas.kit import load

GAME = '''"""Chase: one hunter among many hares, on a board."""

from enum import IntEnum

from fracas.kit import Battle, Game, Log, Options, Side, Unit, board, column_of, distance, event, neighbour, number
from fracas.kit import result, row_of, rule, state, up_to, win


class Ground(IntEnum):
    GRASS = 0
    ROCK = 1


class End(IntEnum):
    LATE = 1


class Invalid(IntEnum):
    FINE = 0
    NEAR = 1
    """two animals stand side by side"""


class Rules(Options):
    ground: list[Ground] = board(4, 3, letters=".#")


class Animal(Unit):
    at: int = number(board="ground")
    cell: int = state(board="ground", starts="at")


class Herd(Side):
    units: list[Animal] = up_to((1, 3), least=1, distinct="at")
    patience: int = number(1, 9, only=0)
    far: int = result()


class Chase(Battle[Herd, Rules]):
    """A chase."""


@event("{target} is at {cell}")
def stands(target: Animal, cell: int) -> None:
    """An animal has moved."""


@rule
def valid(battle: Chase) -> Invalid:
    for one in battle.sides[0].units[: battle.sides[0].units_count]:
        for other in battle.sides[1].units[: battle.sides[1].units_count]:
            if distance(battle, one.cell, other.cell) <= 1:
                return Invalid.NEAR
    return Invalid.FINE


@rule
def play_round(battle: Chase, log: Log | None) -> None:
    hunter = battle.sides[0].units[0]
    east = neighbour(battle, hunter.cell, 1)
    if east >= 0 and battle.options.ground[east] == Ground.GRASS:
        hunter.cell = east
        stands(battle, log, hunter, hunter.cell)
    battle.sides[0].far = column_of(battle, hunter.cell) + 10 * row_of(battle, hunter.cell)
    if battle.tick >= battle.sides[0].patience:
        win(battle, 1, End.LATE)


game = Game("chase", version=1, battle=Chase, reasons=End)
'''


@pytest.fixture
def document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """A scenario of the game, which is loaded."""
    monkeypatch.delenv(load.VARIABLE, raising=False)
    (tmp_path / "chase.py").write_text(GAME)
    with load.fresh():
        fracas.use(tmp_path / "chase.py")
        yield {
            "ruleset": "chase",
            "options": {"ground": ["....", "..#.", "...."]},
            "sides": [
                {"name": "Ada", "patience": 3, "units": [{"at": [0, 1]}]},
                {"name": "Bo", "units": [{"at": [3, 0]}, {"at": [3, 2]}]},
            ],
        }


def test_cells_are_columns_and_rows_in_files_and_numbers_in_records(document: dict[str, Any]) -> None:
    scenario = fracas.load(document)
    record = scenario.compiled.record[0]
    assert record.options.ground.tolist() == [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0]
    assert int(record.sides[1].units[1].at) == 11
    battle = fracas.run(scenario)
    stands: list[Any] = [event for event in battle.events if event.NAME == "stands"]
    assert [event.cell for event in stands] == [5]
    results = fracas.simulate(scenario, 3).as_json()["statistics"]
    assert "far" in str(results)
    assert "11" in str(results)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda doc: doc["sides"][1].update(patience=2), "sides.1.patience: belongs to side 1 only"),
        (lambda doc: doc["sides"][0].pop("patience"), "sides.0.patience: is missing"),
        (lambda doc: doc["sides"][0]["units"].append({"at": [0, 2]}), "at most 1 are allowed on this side"),
        (lambda doc: doc["sides"][1]["units"].append({"at": [3, 0]}), "[3, 0] is also that of entry 0"),
        (
            lambda doc: doc["sides"][1]["units"].append({"at": [4, 0]}),
            "outside the board: columns are 0 to 3, rows 0 to 2",
        ),
        (lambda doc: doc["options"].update(ground=["..~.", "....", "...."]), 'there is no letter "~" on this board'),
        (lambda doc: doc["sides"][1]["units"].append({"at": [1, 1]}), "two animals stand side by side"),
        (lambda doc: doc["sides"][1].update(name="Ada"), 'both sides are called "Ada"'),
    ],
)
def test_wrong_files_are_refused_in_words(document: dict[str, Any], change: Any, message: str) -> None:
    change(document)
    with pytest.raises(InputError) as error:
        fracas.load(document)
    assert message in str(error.value)
