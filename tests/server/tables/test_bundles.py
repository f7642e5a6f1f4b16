"""The bundle of a table: any device plays every event of it again with the module that the server serves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.helpers.javascript import drive
from tests.helpers.serving import RunningServer
from tests.server.tables.conftest import NONCES

from fracas.portable import artefacts, build
from fracas.rulesets import registry

GAMES = ("roshambo", "cards")


@pytest.fixture
def modules(games: None) -> None:
    """The modules of the games, as a server builds them after its start."""
    for name in GAMES:
        if not artefacts.is_current(name):
            build.build_game(registry.get(name))


def against_a_bot(table: Any, most: int) -> Any:
    """A table of one player and a bot, played to the end or so many choices."""
    table.sockets = [table.connect(0)]
    table.seal(0)
    table.sockets[0].say("salt", salt="salt 0", nonce=NONCES[0])
    table.play_on(0, most)
    return table


def verified(table: Any, folder: Path) -> dict[str, Any]:
    """What fracas.js says about a table, whose bundle must be of its proof."""
    answer, proof = table.clients[0].get(f"{table.path}/bundle"), table.proof()
    assert answer.status_code == 200, answer.text
    bundle = answer.json()
    assert (bundle["decisions"]["rows"], bundle["digest"]) == (proof["decisions"], proof["digest"])
    file = folder / f"{table.id}.json"
    file.write_text(json.dumps(bundle))
    (played,) = drive(bundle["ruleset"], [{"bundle": str(file), "verify": {"workers": 0}}], folder)
    found: dict[str, Any] = played["verified"]
    assert found["digest"] == proof["digest"]
    return found


@pytest.mark.parametrize("game", GAMES)
def test_a_table_is_played_again_also_up_to_where_somebody_left(modules, new_table, tmp_path, game: str) -> None:
    # Somebody resigns after two choices, and plays to the end where that is soon.
    for most in (2, 1_000) if game == "roshambo" else (2,):
        table = against_a_bot(new_table(game, bot="random"), most)
        assert table.proof()["result"]["decided"] == (most > 2)
        found = verified(table, tmp_path)
        assert found["ok"], found


def test_missed_decisions_are_played_as_the_defaults_that_counted(
    modules, new_table, sqlite_server: RunningServer, tmp_path
) -> None:
    table = new_table("cards", seconds=30).begin()
    while table.stored()["ending"] is None:
        sqlite_server.clock.step(31_000)
        sqlite_server.wait(sqlite_server.context.parts["tables"].beat())
        table.sockets[0].settle()
    assert len(table.proof()["missed"]) >= 3
    assert verified(table, tmp_path)["ok"]


def test_the_server_serves_the_modules_of_its_games(modules, new_table, sqlite_server: RunningServer) -> None:
    client = new_table().clients[0]
    for name in GAMES:
        module, layout = (client.get(f"/assets/wasm/{name}.{ending}?rules=1") for ending in ("wasm", "json"))
        assert (module.status_code, module.headers["content-type"]) == (200, "application/wasm")
        assert module.content == artefacts.module_file(name).read_bytes()
        assert layout.json()["exports"]["decide"]
    assert client.get("/assets/wasm/titans.json").json()["ruleset"] == "titans"
    for other in ("nothing.wasm", "roshambo.py", "roshambo", "x/roshambo.wasm"):
        assert client.get(f"/assets/wasm/{other}").status_code == 404


def test_where_it_cannot_be_played_the_server_says_why(new_table, monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("FRACAS_CACHE_DIR", str(tmp_path))
    artefacts.look_again()
    for game, scenario, why in (
        ("roshambo", "first", "There is no WebAssembly module of roshambo here."),
        ("titans", "ada-and-bo", "There is no bundle of a battle that the rules did not decide here."),
    ):
        table = against_a_bot(new_table(game, scenario=scenario, bot="random"), 2)
        answer = table.clients[0].get(f"{table.path}/bundle")
        assert (answer.status_code, answer.json()["detail"]) == (404, why)
        if game == "roshambo":
            assert table.clients[0].get("/assets/wasm/roshambo.wasm").status_code == 404
    artefacts.look_again()
