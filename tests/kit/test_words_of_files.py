"""Small words of the kit, asked of the example games: who joins, cells, defaults, entries without names."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.helpers import soak

import fracas
from fracas.errors import InputError
from fracas.kernel import jit
from fracas.kit import Game, load
from fracas.rulesets.contract.types import Source

GAMES = Path(__file__).parents[2] / "examples" / "games"

pytestmark = pytest.mark.usefixtures("fresh")


def used(name: str) -> tuple[Game, dict[str, Any]]:
    game = fracas.use(GAMES / name / f"{name}.py")
    assert isinstance(game, Game)
    return game, tomllib.loads((GAMES / name / "scenarios" / "first.toml").read_text())


def test_cells_are_told_as_files_write_them(fresh: None) -> None:
    _, document = used("hexes")
    story = fracas.run(document).story()
    assert "Frog Caller raises Frogling at [5, 2]: 80 hp" in story


def test_who_joins_is_reached_by_loops(fresh: None) -> None:
    game, document = used("pets")
    battle = game.built.decider.after_set_up(fracas.load(document).compiled, 0)
    team = battle.sides[0]
    assert int(team.units_count) == 5
    game.built.loops["kit_join"](battle, team.units[6])
    game.built.loops["kit_join"](battle, team.units[5])
    assert int(team.units_count) == 7


def test_enumerations_may_have_defaults_and_entries_no_names(fresh: None) -> None:
    game, document = used("cards")
    document["sides"][0]["deck"][0] = {"cost": 1, "effect": "hit", "amount": 2}
    card = game.resolve(document, Source("test")).document["sides"][0]["deck"][0]
    assert (card["name"], card["also"]) == ("Card", "nothing")


def test_more_events_than_rows_can_name_are_refused(tmp_path: Path, fresh: None) -> None:
    text = (GAMES / "coins" / "coins.py").read_text()
    more = "".join(
        f'@event("{{actor}}")\ndef event_{number}(actor: Player) -> None:\n    """One."""\n\n\n'
        for number in range(200)
    )
    file = tmp_path / "coins.py"
    file.write_text(text.replace("game = Game(", f"{more}game = Game("))
    with pytest.raises(InputError, match=r"has 20[1-9] events; at most 200 are possible"):
        fracas.use(file).build()  # type: ignore[attr-defined]  # a Game


def test_random_scenarios_have_strategies(fresh: None) -> None:
    game, _ = used("skirmish")
    documents = [game.random_scenario(seed) for seed in range(12)]
    assert sum(len(side["plan"]) for document in documents for side in document["sides"]) > 12
    fracas.run(documents[0])


@soak.only
def test_random_scenarios_play_alike_compiled(fresh: None) -> None:
    game, _ = used("skirmish")
    compiled = jit.native(game.kernels.play_many)
    for seed in range(12):
        document = game.random_scenario(seed)
        scenario = fracas.load(document)
        found = []
        for play in (game.kernels.play_many, compiled):
            results, log = np.zeros(1, game.kernels.result_type), np.zeros(1, game.kernels.log_type)
            play(scenario.compiled.own_record(), 0, results, log, None)
            found.append((results.tobytes(), log[0].rows[: log[0].count].tobytes()))
        assert found[0] == found[1]


@soak.only
def test_the_fights_of_skirmish_are_open(fresh: None) -> None:
    for name in ("first", "two-against-three"):
        with load.fresh():
            used("skirmish")
            document = tomllib.loads((GAMES / "skirmish" / "scenarios" / f"{name}.toml").read_text())
            share = fracas.simulate(document, 2000).wins[0] / 2000
            assert 0.35 < share < 0.65
