"""Every command that reads a scenario, with a game of one file: it works, or says in one line why it cannot."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.helpers import soak
from tests.helpers.commands import COMMANDS, Ended, call

from fracas.kit import load
from fracas.portable import build
from fracas.studio.file import StudioFile
from fracas.studio.questions import Questions

Called = Callable[[str, str], Ended]

GAMES = Path(__file__).parents[2] / "examples" / "games"
NAMES = ("coins", "pets")
VARIANTS = """\
[[variants]]
name = "longer"
set = { "options.round_cap" = 60 }
"""
# What follows the command's name; words in capitals are files. None of them takes more than a few battles.
WORKS = {
    "run": "FIRST --save battle.json --format json",
    "lab replay": "SAVED",
    "verify": "SAVED",
    "validate": "FIRST",
    "content lint": "FIRST",
    "watch": "FIRST --out battle.html",
    "simulate": "FIRST -n 3 --contributions 3 --format json",
    "lab find": "FIRST rounds>0 --limit 5",
    "compare": "FIRST SECOND -n 4",
    "odds": "FIRST -n 5",
    "lab sensitivity": "FIRST -n 2",
    "lab sweep": "FIRST options.round_cap=50:60:10 -n 2",
    "lab variants": "FIRST variants.toml -n 4",
    "lab swaps": "FIRST -n 2",
    "lab matchups": "FIRST SECOND -n 2",
    "optimise": "FIRST --trials 2 --budget 20 --pairs 4",
    "why": "FIRST -n 32",
    "content list": "NAME",
    "new": "NAME --out new.toml",
    "game list": "",
    "publish site": "pages --only NAME",
}
CANNOT = {
    "lab ladder": ("FIRST -n 2", "has no opponents for a ladder"),
    "world campaign": ("FIRST", "has no campaigns"),
    "world commit": ("SAVED", "has no campaigns"),
    "publish share": ("FIRST", "has no share codes"),
    "machine bench": ("NAME", "ships no benchmark"),
    "lab explain": ("FIRST --hit 1 2", "has no calculator of hits"),
    "lab solve": ("FIRST", "is no game in which both sides choose at once"),
    "duel": ("FIRST", "has no decisions for agents"),
    "agents strength": ("NAME", "has no decisions for agents"),
}
# These read no scenario, or belong to one ruleset, or have tests of their own: explain in test_strategies.py, pack in
# test_modules.py, report below.
OTHERS = {"lab explain", "publish pack", "report", "studio", "lab merge"}


@pytest.fixture(params=NAMES if soak.is_on() else ["coins"])
def game(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> tuple[str, Called]:
    """A game's name, and commands in a folder, which get a saved battle of it if they ask for one, in plain Python."""
    name: str = request.param
    scenarios = sorted((GAMES / name / "scenarios").glob("*.toml"), key=lambda each: each.name != "first.toml")
    files = {"FIRST": str(scenarios[0]), "SECOND": str(scenarios[1]), "SAVED": "saved.json", "NAME": name}
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FRACAS_JIT", "0")
    monkeypatch.delenv(load.VARIABLE, raising=False)
    monkeypatch.setattr(build, "can_build", lambda: False)
    (tmp_path / "variants.toml").write_text(VARIANTS)

    def called(command: str, words: str) -> Ended:
        if "SAVED" in words.split():
            assert called("run", "FIRST --save saved.json").status == 0
        with load.fresh():
            asked = [files.get(word, word) for word in words.split()]
            return call(capsys, command, *asked, "--game", GAMES / name / f"{name}.py")

    return name, called


@pytest.mark.parametrize("command", WORKS)
def test_a_command_works_with_a_game(game: tuple[str, Called], command: str) -> None:
    _, called = game
    run = called(command, WORKS[command])
    assert run.status == 0, run.err
    assert "Traceback" not in run.err


@pytest.mark.parametrize("command", CANNOT)
def test_a_command_that_cannot_says_why_in_one_line(game: tuple[str, Called], command: str) -> None:
    _, called = game
    words, why = CANNOT[command]
    run = called(command, words)
    assert run.status == 2, run.out
    assert why in run.err
    assert len(run.err.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("run", "FIRST --save again.json"),
        ("lab find", "FIRST rounds>0 --save again.json"),
        ("new", "NAME --out new.toml"),
    ],
)
def test_what_to_try_next_names_the_game(game: tuple[str, Called], command: str, words: str) -> None:
    name, called = game
    run = called(command, words)
    [hint] = [line for line in run.err.splitlines() if "fracas " in line]
    assert hint.endswith(f" --game {GAMES / name / name}.py")


def test_the_timeline_follows_bars_and_says_where_there_are_none(game: tuple[str, Called]) -> None:
    name, called = game
    run = called("simulate", "FIRST -n 3 --timeline 3")
    if name == "pets":
        assert run.status == 0, run.err
        assert "medians of each side's HP at the end of each round" in " ".join(run.out.split())
    else:
        assert run.status == 2
        assert run.err.startswith("error: timeline: coins has no bars to draw")


@pytest.mark.parametrize("name", NAMES)
def test_the_studio_knows_a_game(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FRACAS_JIT", "0")
    monkeypatch.delenv(load.VARIABLE, raising=False)
    file = GAMES / name / "scenarios" / "first.toml"
    asked = {"text": file.read_text(encoding="utf-8")}
    with load.fresh():
        load.use(GAMES / name / f"{name}.py")
        answered = Questions(StudioFile(file)).answered
        assert answered["check"](asked)["problems"] == []
        assert [side["side"] for side in answered["form"](asked)["sides"]] == [1, 2]
        assert answered["battles"](asked)["battles"]
        assert name in [each["name"] for each in answered["examples"](asked)["rulesets"]]


def test_no_command_is_forgotten() -> None:
    read_no_scenario = set(COMMANDS) - set(WORKS) - set(CANNOT) - OTHERS
    in_groups = {
        command for command in read_no_scenario if command.split()[0] in ("content", "game", "machine", "server")
    }
    assert read_no_scenario - in_groups <= {"agents envs", "serve"}
