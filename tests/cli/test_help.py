"""Help: every command has one, with examples that work."""

from __future__ import annotations

import inspect
import io
import json
import re
import shlex
import shutil
import subprocess
import sys
from functools import reduce
from itertools import pairwise
from operator import getitem

import pytest
from tests.helpers import soak
from tests.helpers.commands import BAD_INPUT, COMMANDS, DONE
from tests.helpers.guards import ROOT
from tests.helpers.scenarios import written

import fracas
from fracas.cli.commands import GROUPS, TOP_LEVEL
from fracas.cli.shared.games import without_games
from fracas.kit.load import fresh
from fracas.lab.simulation.contributions import MOST_LOGGED
from fracas.lab.simulation.simulate import MOST_BATTLES
from fracas.lab.simulation.timeline import MOST_TIMED
from fracas.rulesets import registry

# Not run here: minutes of work, a change to the machine, what needs a server, or what runs until it is stopped.
TOO_MUCH = (
    "machine bench",
    "machine compile",
    "optimise",
    "lab solve",
    "agents strength",
    "machine scheduler",
    "machine worker",
    "studio",
    "serve",
    "server",
    "game check",
)
# An example need not play all that it says to show that it is understood: more battles become this many if the option
# takes them, and of all opponents and item swaps of the content a few are tried.
ENOUGH_BATTLES = 100
MOST_BATTLES_OF = {"-n": MOST_BATTLES, "--timeline": MOST_TIMED, "--contributions": MOST_LOGGED}
ENOUGH_OPPONENTS, EVERY_SWAP = 4, 150


@pytest.mark.parametrize("command", [*COMMANDS, *(group.name for group in GROUPS)])
def test_a_help_is_full_and_has_examples_that_survive_being_pasted(fracas_cli, monkeypatch, command):
    monkeypatch.setenv("COLUMNS", "80")
    ended = fracas_cli(command, "--help")
    assert ended.status == DONE
    assert ended.err == ""
    monkeypatch.setenv("COLUMNS", "400")
    whole = fracas_cli(command, "--help").out
    assert "--empty-" not in whole
    narrow, wide = pasted(ended.out), pasted(whole)
    assert any(example.startswith(f"fracas {command}") for example in narrow)
    assert [shlex.split(example) for example in narrow] == [shlex.split(example) for example in wide]
    written = [shlex.split(line, comments=True) for line in docstring_examples(command)]
    assert [shlex.split(example, comments=True) for example in narrow] == written
    check_that_paragraphs_fill_their_lines(ended.out.partition("╭")[0])
    # A command that writes a file takes both words for it.
    options = [line.split() for line in whole.splitlines() if line.startswith("│ ")]
    assert all(("--out" in words) == ("--save" in words) for words in options)


def pasted(help_text: str) -> list[str]:
    """The examples of a help, as a shell reads them when they are pasted."""
    return [line.strip() for line in help_text.replace(" \\\n", " ").splitlines() if line.startswith("    fracas ")]


def check_that_paragraphs_fill_their_lines(words: str) -> None:
    for paragraph in words.split("\n\n"):
        lines = [line.rstrip() for line in paragraph.strip("\n").split("\n")]
        if lines[0].startswith((" ", "*")):
            continue
        for line, below in pairwise(lines):
            assert len(line) + 1 + len(below.split()[0]) > 79


def test_the_overview_fits_one_screen_and_has_a_line_for_each_command_and_group(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    # In a process of its own: a command that was called here before is listed with what its docstring begins with.
    done = subprocess.run([sys.executable, "-m", "fracas", "--help"], capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert len(lines) <= 30
    assert max(map(len, lines)) <= 80
    named = [(line.split()[0], line.split(maxsplit=1)[1].strip()) for line in lines if line.startswith("  ")]
    assert named == [(each.name, each.line) for each in (*TOP_LEVEL, *GROUPS)]


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.name)
def test_a_group_lists_its_commands_also_without_help(fracas_cli, group):
    ended = fracas_cli(group.name)
    assert ended.status == DONE
    assert ended.out == fracas_cli(group.name, "--help").out
    assert [command.name for command in group.commands] == re.findall(r"^│ ([a-z-]+)  ", ended.out, re.MULTILINE)


def test_without_a_command_there_is_help(fracas_cli):
    ended = fracas_cli()
    assert ended.status == DONE
    assert "Usage: fracas COMMAND" in ended.out


def test_the_version_is_printed_alone(fracas_cli):
    ended = fracas_cli("--version")
    assert (ended.status, ended.out.strip(), ended.err) == (DONE, fracas.__version__, "")


@pytest.mark.parametrize("command", ["run", "simulate", "lab explain", "verify"])
def test_every_command_that_plays_takes_plug_ins(fracas_cli, command):
    assert "--plugin" in fracas_cli(command, "--help").out


def examples() -> list[str]:
    """All examples of all commands."""
    found = [line for command in COMMANDS for line in docstring_examples(command) if not line.endswith(".")]
    # A league-day is a file that a server publishes: tests/server/arena/test_league_day.py verifies one.
    # A fight in the terminal needs one: tests/cli/test_terminal_stage.py.
    return [
        line
        for line in found
        if not line.removeprefix("fracas ").startswith(TOO_MUCH)
        and "1000000" not in line
        and "--league-day" not in line
        and "--terminal" not in line
    ]


def docstring_examples(command: str) -> list[str]:
    """The examples of one command or group, as its help has them."""
    from fracas.cli.app import app

    about = next((group.about for group in GROUPS if group.name == command), None)
    text = about or inspect.getdoc(reduce(getitem, command.split(), app).default_command) or ""
    return [line.strip() for line in text.splitlines() if line.startswith("    fracas ")]


def test_there_are_examples():
    assert len(examples()) >= 15


def played_sooner(words: list[str]) -> list[str]:
    """The same words with fewer battles."""
    result = words[:1]
    for option, word in pairwise(words):
        most = MOST_BATTLES_OF.get(option)
        result.append(str(ENOUGH_BATTLES) if most and ENOUGH_BATTLES < int(word) <= most else word)
    return result


@pytest.fixture
def few_to_try(monkeypatch):
    """A relics ruleset that tries some of the content's opponents and items."""
    ruleset = type(registry.get("relics"))
    ladder, swaps = ruleset.ladder, ruleset.swaps
    monkeypatch.setattr(ruleset, "ladder", lambda *asked: ladder(*asked)[:ENOUGH_OPPONENTS])
    monkeypatch.setattr(ruleset, "swaps", lambda *asked: swaps(*asked)[::EVERY_SWAP])


@pytest.fixture(scope="module")
def shipped(tmp_path_factory):
    """A copy of the examples: what plays them writes elsewhere, so that one is enough."""
    return shutil.copytree(ROOT / "examples", tmp_path_factory.mktemp("shipped") / "examples")


def test_every_example_is_a_command_line_with_files_that_there_are():
    """Of all commands, also those that TOO_MUCH names; playing them is below."""
    from fracas.cli.app import app

    found = [line for command in COMMANDS for line in docstring_examples(command) if not line.endswith(".")]
    assert len(found) > len(examples())
    for example in found:
        words = shlex.split(example, comments=True)[1:]
        tokens, games = without_games(words[: words.index(">")] if ">" in words else words)
        app.parse_args(tokens, exit_on_error=False, print_error=False)
        named = [*map(str, games), *(word.rpartition("=")[2] for word in tokens)]
        shown = [name.rstrip(":12") for name in named if name.startswith("examples/")]
        assert [name for name in shown if not list(ROOT.glob(name))] == []


@pytest.mark.parametrize("example", soak.some(examples(), 16))
def test_an_example_does_what_it_shows(fracas_cli, monkeypatch, tmp_path, few_to_try, shipped, example):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(shipped)
    if " battle.json" in example and "--save" not in example:
        fracas_cli("run", "examples/squads/first-battle.toml", "--save", "battle.json")
    if " attack.json" in example and "--save" not in example:
        fracas_cli("run", "examples/stacks/first-attack.toml", "--save", "attack.json")
    if " a.json b.json" in example:
        for part, first in ("a.json", "0"), ("b.json", "100"):
            told = ("examples/squads/coin-toss.toml", "--start", first, "-n", "100", "--contributions", "0")
            fracas_cli("simulate", *told, "--out", part)
    if "duel.json" in example:
        # Left after the first question where it is to be resumed, else finished.
        monkeypatch.setattr(sys, "stdin", io.StringIO("a word\n" + "1\n" * (0 if "--resume" in example else 200)))
        fracas_cli("duel", "examples/titans/ada-and-bo.toml")
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\n" * 200))
    if " mine.toml" in example and "--out mine.toml" not in example:
        fracas_cli("new", "squads", "--out", "mine.toml")
    if "--game" in example:
        fracas_cli("game", "new", "pets")
    (tmp_path / "strategies").symlink_to(shipped / "squads" / "strategies")
    written(tmp_path, '[[modifiers]]\nid = "fog"\nname = "Fog"\ndamage = 90\n', "mypack/modifiers.toml")
    words = played_sooner(shlex.split(example)[1:])
    words = words[: words.index(">")] if ">" in words else words
    arguments = [str(path) for word in words for path in (sorted(tmp_path.glob(word)) if "*" in word else [word])]
    with fresh():
        ended = fracas_cli(*arguments)
    # lint answers 1 if it finds something in the examples, which is an answer too.
    assert ended.status in ((0, 1) if words[1] == "lint" else (0,)), ended.err
    assert ended.out or {"--out", "-o", "--html"} & set(words) or "watch" in words[:2] or words[1] in ("site", "new")


@pytest.mark.parametrize(
    "arguments",
    [
        ["ruun"],
        ["run"],
        ["run", "x.toml", "--sed", "1"],
        ["run", "x.toml", "--stream", "abc"],
        ["run", "x.toml", "--stream"],
        ["run", "x.toml", "--detail", "everything"],
        ["run", "x.toml", "--format", "xml"],
        ["run", "a.toml", "b.toml"],
        ["simulate", "x.toml", "-n", "many"],
        ["simulate", "x.toml", "--format", "jsonl"],
        ["lab", "explain", "x.toml"],
        ["content", "list"],
        ["content", "schema", "squads", "poem"],
        ["content", "shov", "squads", "scout"],
        ["machine", "bench", "squads", "--seconds", "long"],
    ],
)
def test_a_command_line_that_is_none_is_refused_in_a_sentence(fracas_cli, arguments):
    ended = fracas_cli(*arguments)
    assert ended.status == BAD_INPUT
    assert ended.out == ""
    assert ended.err.startswith("error: ")


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("matchups a.toml b.toml", "matchups is in the group lab (fracas lab matchups)"),
        ("admin backup monday.db", "backup is in the group server (fracas server backup)"),
        ("lab doctor", "doctor is in the group machine (fracas machine doctor)"),
        ("list squads", "list is in the groups content and game (fracas content list or fracas game list)"),
        ("lab run", "run is in no group (fracas run)"),
        ("ruun", 'there is no command "ruun" (did you mean fracas run?)'),
        ("matchup a.toml", 'there is no command "matchup" (did you mean fracas lab matchups?)'),
        ("contnt", 'there is no command "contnt" (did you mean fracas content?)'),
        ("lab matchup", 'there is no command "matchup" in the group lab (did you mean fracas lab matchups?)'),
        ("content doctr", 'there is no command "doctr" in the group content (did you mean fracas machine doctor?)'),
        ("xyzzy", 'there is no command "xyzzy" (see fracas --help)'),
        ("lab xyzzy", 'there is no command "xyzzy" in the group lab (see fracas lab --help)'),
    ],
)
def test_a_command_that_is_none_is_told_which_was_meant(fracas_cli, typed, told):
    assert fracas_cli(*typed.split()).err == f"error: {told}\n"


@pytest.mark.parametrize(("command", "name"), [("run", "--out"), ("lab find", "--out"), ("simulate", "--save")])
def test_the_other_word_writes_the_same_file(fracas_cli, tmp_path, command, name):
    scenario = str(ROOT / "examples" / "squads" / "coin-toss.toml")
    words = {"run": [], "lab find": ["winner == 1"], "simulate": ["-n", "20"]}[command]
    other = "--save" if name == "--out" else "--out"
    assert fracas_cli(command, scenario, *words, name, tmp_path / "a.json").status == DONE
    assert fracas_cli(command, scenario, *words, other, tmp_path / "b.json").status == DONE
    documents = [json.loads((tmp_path / file).read_text()) for file in ("a.json", "b.json")]
    assert documents[0].keys() == documents[1].keys()
    assert documents[0].get("digest") == documents[1].get("digest")


def test_both_words_at_once_are_refused(fracas_cli, tmp_path):
    ended = fracas_cli(
        "run", ROOT / "examples/squads/coin-toss.toml", "--out", tmp_path / "a.json", "--save", tmp_path / "b.json"
    )
    assert ended.status == BAD_INPUT
    assert not list(tmp_path.iterdir())
