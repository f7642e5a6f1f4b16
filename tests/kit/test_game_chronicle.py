"""The chronicle of a game: its events, round by round, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import fracas
from fracas.kit import load
from fracas.kit.derive.chronicle import GameLog, Happening

GAMES = Path(__file__).parents[2] / "examples" / "games"
NAMES = sorted(each.name for each in GAMES.iterdir() if each.is_dir())


@pytest.mark.parametrize("name", NAMES)
def test_it_is_the_events_grouped_by_rounds(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FRACAS_JIT", "0")
    with load.fresh():
        fracas.use(GAMES / name / f"{name}.py")
        scenario = min((GAMES / name / "scenarios").glob("*.toml"))
        battle = fracas.run(scenario)
        log = battle.chronicle
        assert isinstance(log, GameLog)
        numbers = [each.number for each in log.rounds]
        assert numbers == sorted(set(numbers))
        assert (numbers[0], numbers[-1]) == (0, battle.rounds)
        assert log.rounds[-1].happenings[-1].kind == "outcome"
        rows = [
            {"tick": each.number, "kind": one.kind, **whom(one), **one.values}
            for each in log.rounds
            for one in each.happenings
        ]
        assert rows == [event.as_json() for event in battle.events]
        document = battle.as_json()
        assert document["chronicle"]["rounds"][0]["happenings"][0]["kind"] == rows[0]["kind"]
        assert len(document["chronicle"]["rounds"]) == len(numbers)
        assert json.loads(json.dumps(document)) == document


def whom(happening: Happening) -> dict[str, str]:
    """The actor and the target, where there are some."""
    pairs = {"actor": happening.actor, "target": happening.target}
    return {key: value for key, value in pairs.items() if value is not None}
