"""Without any extra, every command answers or names the extra that it needs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions

import pytest
from tests.helpers.commands import BAD_INPUT, COMMANDS, DONE
from tests.helpers.guards import ROOT

COIN = "examples/squads/coin-toss.toml"
# What is asked, in this order; what takes long, waits for somebody or runs until it is stopped is asked for its help.
ASKED = (
    f"run {COIN} --save battle.json",
    "run examples/stacks/first-attack.toml --save attack.json",
    "duel --help",
    "world campaign examples/stacks/campaigns/river-war.toml",
    "world commit attack.json --out after.toml",
    "lab replay battle.json",
    f"watch {COIN}",
    "studio --help",
    "publish site site --only titans",
    f"publish pack {COIN}",
    f"simulate {COIN} -n 50 --contributions 0 --out a.json",
    f"simulate {COIN} --start 50 -n 50 --contributions 0 --out b.json",
    "lab merge a.json b.json --out whole.json",
    f"odds {COIN}",
    f"compare {COIN} --b-set profile=tuned -n 50",
    "lab variants examples/squads/standard-5v5.toml examples/squads/variants/openings.toml -n 20",
    f"lab sweep {COIN} profile=classic,tuned -n 50",
    f"lab sensitivity {COIN} -n 50",
    f"why {COIN}",
    f"lab find {COIN} wiped_out",
    "lab ladder examples/relics/first-duel.toml -n 1",
    "lab swaps examples/relics/first-duel.toml -n 1 --at weapon",
    "agents envs titans",
    "agents strength relics --players random,greedy -n 2",
    "agents strength titans --players random,greedy -n 2",
    "verify battle.json",
    f"validate {COIN}",
    f"content lint {COIN}",
    f"lab explain {COIN} --hit 1.bronze_knight 2.bronze_knight",
    "new squads",
    "content examples",
    "content list squads",
    "publish share examples/relics/first-duel.toml",
    "content modifiers",
    "content loot bridge_of_hooks -n 10",
    "content enhance 7b1e2026-11-20T08:00:00Z 65535 65282",
    "machine bench --help",
    "machine compile --help",
    "machine doctor",
    "game list",
)
# What refuses, and the extra that it has to name.
REFUSED = {
    f"lab matchups {COIN} examples/squads/first-battle.toml": "lab",
    f"optimise {COIN}": "lab",
    "lab solve examples/titans/standard.toml": "solve",
    f"report {COIN} --out report.html": "report",
    "serve": "server",
    "server check": "server",
    "server witness http://127.0.0.1:1": "client",
    "machine scheduler": "cluster",
    "machine worker tcp://127.0.0.1:1": "cluster",
}

WITHOUT_EXTRAS = """
import io, json, sys
sys.modules.update(dict.fromkeys({absent}))
sys.stdin = io.StringIO()
from contextlib import redirect_stderr, redirect_stdout
from fracas.cli.app import run_command
ended = {{}}
for command in {asked}:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = run_command(command.split())
    ended[command] = status, err.getvalue()
print(json.dumps(ended))
"""


def imported_by_extras() -> set[str]:
    """The names under which libraries of extras are imported; development tools are no extra that a user has."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    wanted = {re.split(r"[\[><=;]", each)[0] for name in extras if name != "dev" for each in extras[name]}
    # An extra may begin with another one: "fracas[envs]".
    return {name for name, libraries in packages_distributions().items() if (wanted - {"fracas"}) & set(libraries)}


def test_every_command_is_asked():
    asked = [f"{command} " for command in (*ASKED, *REFUSED)]
    one_of_each = [command for command in COMMANDS if command.split()[0] not in ("content", "game", "server")]
    assert all(any(line.startswith(f"{command} ") for line in asked) for command in one_of_each)


@pytest.fixture(scope="module")
def ended(tmp_path_factory):
    """How each command ended, and what it said."""
    folder = tmp_path_factory.mktemp("without")
    (folder / "examples").symlink_to(ROOT / "examples")
    absent = imported_by_extras()
    assert {"gymnasium", "scipy", "altair", "fastapi", "distributed", "httpx"} <= absent
    code = WITHOUT_EXTRAS.format(absent=sorted(absent), asked=(*ASKED, *REFUSED))
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=folder)
    return json.loads(told.stdout)


def test_what_needs_no_extra_answers(ended):
    assert {command: ended[command] for command in ASKED if ended[command][0] != DONE} == {}


def test_what_needs_an_extra_names_it(ended):
    assert [command for command in REFUSED if ended[command][0] != BAD_INPUT] == []
    named = {command: re.findall(r"pip install 'fracas\[(\w+)]'", ended[command][1]) for command in REFUSED}
    assert named == {command: [extra] for command, extra in REFUSED.items()}
