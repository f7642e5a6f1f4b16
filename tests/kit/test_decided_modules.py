"""What is chosen in games is played again by modules: through wasmtime and in Node as in plain Python."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.helpers.browser import Browser
from tests.helpers.commands import Command, call
from tests.helpers.javascript import drive
from tests.helpers.player_page import VERDICT, opened
from tests.helpers.soak import is_on, times
from tests.kit.choosing import EXAMPLES
from tests.kit.small_games import FOLDER

import fracas
from fracas.engine.battle import Battle
from fracas.engine.decided_battle import decided_battle, play_decisions
from fracas.engine.replay_file import Decisions
from fracas.engine.scenario import Scenario
from fracas.envs.battles.live_battle import LiveBattle
from fracas.errors import InputError
from fracas.portable import artefacts, build
from fracas.portable.wasm_machine import wasm_decide
from fracas.replay.bundle_file import bundle_of, save_bundle, seal_of
from fracas.rulesets.contract.ruleset import Ruleset
from fracas.web.page import page_of

# One game for each shape of play with choices: both at once, as the author asks, unit by unit (which the random games
# of tests/gamecheck have as a module too).
GAMES = ("roshambo", "race", "cards", "brawl") if is_on() else ("roshambo", "race")
BATTLES = times(4)
FIRST = EXAMPLES / "roshambo" / "scenarios" / "first.toml"
# Of so many decisions one is missed, so that the game's default counts.
MISSES = 5
Document = dict[str, Any]


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FRACAS_JIT", "0")


@pytest.fixture(params=GAMES)
def game(request: Any, fresh: None) -> Ruleset:
    """A game with its module."""
    return with_module(request.param)


@pytest.fixture
def roshambo(fresh: None) -> Ruleset:
    return with_module("roshambo")


def with_module(name: str) -> Ruleset:
    example = EXAMPLES / name / f"{name}.py"
    game = fracas.use(example if example.is_file() else FOLDER / f"{name}.py")
    if not artefacts.is_current(game.identity):
        build.build_game(game)
    return game


def decided(scenario: Scenario, number: int) -> Battle:
    """A battle in which both sides choose at random, and sometimes not in time."""
    seed, rng = f"seed {number}", np.random.default_rng(number)
    live = LiveBattle(scenario, seed)
    while not live.is_over:
        actions = {}
        for side in live.deciding():
            legal = np.flatnonzero(live.match.batch.masks[0, side])
            actions[side] = live.default(side) if rng.integers(MISSES) == 0 else int(rng.choice(legal))
        live.play(actions)
    battle = decided_battle(scenario.with_seed(seed), 0, live.decisions, "test")
    assert battle.digest == live.digest
    return battle


def packed(battle: Battle, folder: Path) -> Path:
    file = folder / f"{battle.scenario.id}.fracas.json"
    save_bundle(bundle_of(battle), file)
    return file


def changed(file: Path, change: Callable[[Document], Any], name: str = "changed") -> Path:
    """A copy of a bundle that was changed and sealed anew, as a forger would."""
    document = json.loads(file.read_text())
    change(document)
    copy = file.with_name(f"{name}.json")
    copy.write_text(json.dumps({**document, "seal": seal_of(document)}))
    return copy


def ends(scenario: Scenario, decisions: Decisions, by: Any = None) -> tuple[bytes, int, bytes]:
    played = play_decisions(scenario, 0, decisions, by=by)
    return played.rows.tobytes(), played.used, b"" if played.result is None else played.result.tobytes()


def test_random_decisions_come_out_alike(game: Ruleset, tmp_path: Path) -> None:
    by_module = wasm_decide(game.identity, game.kernels)
    battles = [decided(fracas.load(game.random_scenario(number)), number) for number in range(BATTLES)]
    for battle in battles:
        made = battle.decisions
        assert made is not None
        # Whole, cut off, and by an agent on one side only.
        cut = Decisions(made.sides, made.rows[: len(made.rows) // 2])
        alone = Decisions([2], [row for row in made.rows if row[0] == 2][:2])
        for decisions in (made, cut, alone):
            assert ends(battle.scenario, decisions) == ends(battle.scenario, decisions, by_module)
    jobs = [
        {"bundle": str(packed(battle, tmp_path)), "streams": ["0"], "verify": {"workers": number % 2}}
        for number, battle in enumerate(battles)
    ]
    for battle, answer in zip(battles, drive(game.name, jobs, tmp_path), strict=True):
        assert answer["verified"]["ok"], answer
        assert answer["played"][0]["digest"] == answer["verified"]["digest"] == battle.digest
        assert answer["played"][0]["result"]["reason"] == battle.reason


def test_a_battle_that_was_left_is_checked_up_to_its_last_decision(roshambo: Ruleset, tmp_path: Path) -> None:
    whole = decided(fracas.load(roshambo.random_scenario(1)), 1)
    assert whole.decisions is not None
    made = Decisions(whole.decisions.sides, whole.decisions.rows[: len(whole.decisions.rows) // 2])
    battle = decided_battle(whole.scenario, 0, made, "test", is_whole=False)
    assert (battle.winner, battle.reason) == (0, "undecided")
    file = packed(battle, tmp_path)
    answer = drive("roshambo", [{"bundle": str(file), "verify": {"workers": 1}}], tmp_path)[0]
    assert answer["verified"]["ok"], answer
    assert fracas.verify(file).matches


def put(name: str, value: Any) -> Callable[[Document], None]:
    """A change of one key."""
    return lambda document: document.__setitem__(name, value)


def tampered(battle: Battle) -> Iterator[tuple[Callable[[Document], Any], int | None, str]]:
    """Changes of a bundle of roshambo, the first tick that differs, and the sentence about it."""
    assert battle.decisions is not None
    rows = [list(row) for row in battle.decisions.rows]
    other = next(throw for throw in (0, 1, 2) if throw != rows[4][2])
    first, third, last = (list(battle.tick_digests)[place] for place in (1, 3, -1))
    differs = "the stored digest of tick {} differs"

    def throw(value: int) -> Callable[[Document], None]:
        return lambda document: document["decisions"]["rows"][4].__setitem__(2, value)

    yield throw(other), third, differs.format(third)
    yield throw(99), third, differs.format(third)
    yield put("decisions", {"sides": [1, 2], "rows": rows[:-2]}), last, differs.format(last)
    yield put("decisions", {"sides": [1, 2], "rows": [*rows, rows[0]]}), None, f"decision {len(rows) + 1} is not one"
    yield lambda document: document.pop("decisions"), first, differs.format(first)
    yield put("seed", "another"), None, "the seed differs"


def test_what_was_changed_is_told_with_its_tick(roshambo: Ruleset, tmp_path: Path) -> None:
    battle = decided(fracas.load(FIRST), 1)
    file = packed(battle, tmp_path)
    cases = list(tampered(battle))
    copies = [changed(file, change, str(number)) for number, (change, *_) in enumerate(cases)]
    jobs = [{"bundle": str(copy), "verify": {"workers": 0}} for copy in copies]
    answers = drive("roshambo", jobs, tmp_path)
    for copy, (_, tick, message), answer in zip(copies, cases, answers, strict=True):
        assert (answer["verified"]["ok"], answer["verified"]["tick"]) == (False, tick), answer
        assert message in answer["verified"]["message"]
        try:
            is_refused = not fracas.verify(copy).matches
        except InputError as error:
            is_refused = "decisions" in str(error)
        assert is_refused


def test_what_are_no_decisions_is_refused_before_it_is_played(roshambo: Ruleset, tmp_path: Path) -> None:
    file = packed(decided(fracas.load(FIRST), 1), tmp_path)
    cases: dict[str, Any] = {
        "they have no sides and rows": [1, 2],
        '"sides" is not a list of 1 and 2': {"sides": [1, 1], "rows": []},
        "row 0 is not a side, an actor, a choice and a target": {"sides": [1], "rows": [[2, 1, 0, -1]]},
        "row 1 is not a side": {"sides": [1], "rows": [[1, 0, 0, -1], [1, 0, 0]]},
    }
    copies = [changed(file, put("decisions", made), str(number)) for number, made in enumerate(cases.values())]
    asked = {"sides": [1, 2], "rows": [[1, 0, 99, -1]]}
    jobs: list[dict[str, Any]] = [
        *({"bundle": str(copy), "verify": {"workers": 0}} for copy in copies),
        # Nobody knows what people choose with other dice.
        {"bundle": str(file), "course": {"ticks": [1, 2]}},
        # An illegal one, asked for by a program.
        {"bundle": str(file), "streams": ["0"], "decisions": asked},
    ]
    *refused, course, illegal = (answer["error"] for answer in drive("roshambo", jobs, tmp_path))
    for copy, message, error in zip(copies, cases, refused, strict=True):
        assert error["code"] == "input"
        assert message in error["message"]
        with pytest.raises(InputError):
            fracas.verify(copy)
    assert "has decisions" in course["message"]
    assert illegal["message"] == "decision 1 is not one that could be made"


def test_modules_of_shipped_rulesets_take_no_decisions(tmp_path: Path) -> None:
    file = tmp_path / "squads.fracas.json"
    save_bundle(bundle_of(fracas.run(fracas.load("examples/squads/first-battle.toml"))), file)
    assert "decisions" not in json.loads(file.read_text())
    made = {"sides": [1], "rows": []}
    answer = drive("squads", [{"bundle": str(file), "streams": ["0"], "decisions": made}], tmp_path)[0]
    assert answer["error"]["message"] == "the module of squads takes no decisions"
    copy = changed(file, put("decisions", made))
    with pytest.raises(InputError, match="contains decisions of agents, which no module of squads plays"):
        fracas.verify(copy)


def test_a_replay_with_decisions_is_packed_and_verified_and_shown(
    roshambo: Ruleset, tmp_path: Path, capsys: pytest.CaptureFixture[str], browser: Browser
) -> None:
    command: Command = partial(call, capsys)
    battle = decided(fracas.load(FIRST), 2)
    replay, bundle, again = (tmp_path / name for name in ("replay.json", "bundle.json", "again.json"))
    battle.save(replay)
    assert command("publish pack", replay, "-o", bundle).status == 0
    verified = command("verify", bundle)
    assert (verified.status, battle.digest in verified.out) == (0, True)
    assert command("publish pack", bundle, "-o", again).status == 0
    assert again.read_bytes() == bundle.read_bytes()
    page = tmp_path / "page.html"
    page.write_text(page_of(battle), encoding="utf-8")
    assert opened(browser, page) == "verified"
    assert battle.digest in browser.ask(VERDICT)
