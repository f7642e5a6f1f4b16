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
# What each command is asked; what takes long, waits for somebody or runs until it is stopped is asked for its help.
ASKED = {
    "run": f"{COIN} --save battle.json",
    "duel": "--help",
    "campaign": "examples/stacks/campaigns/river-war.toml",
    "commit": "--help",
    "replay": "battle.json",
    "watch": COIN,
    "studio": "--help",
    "site": "site --only titans",
    "pack": COIN,
    "simulate": f"{COIN} -n 50 --contributions 0 --out part.json",
    "merge": "--help",
    "odds": COIN,
    "compare": f"{COIN} --b-set profile=tuned -n 50",
    "variants": "examples/squads/standard-5v5.toml examples/squads/variants/openings.toml -n 20",
    "sweep": f"{COIN} profile=classic,tuned -n 50",
    "sensitivity": f"{COIN} -n 50",
    "why": COIN,
    "find": f"{COIN} wiped_out",
    "envs": "titans",
    "strength": "titans --players random,greedy -n 2",
    "verify": "battle.json",
    "validate": COIN,
    "lint": COIN,
    "explain": f"{COIN} --hit 1.bronze_knight 2.bronze_knight",
    "new": "squads",
    "examples": "",
    "content": "list squads",
    "share": "examples/relics/first-duel.toml",
    "modifiers": "",
    "loot": "bridge_of_hooks -n 10",
    "enhance": "7b1e2026-11-20T08:00:00Z 65535 65282",
    "ladder": "--help",
    "swaps": "--help",
    "bench": "--help",
    "compile": "--help",
    "doctor": "",
}
# What each command needs that refuses: nobody has to search for the name of the extra.
REFUSED = {
    "matchups": (f"{COIN} examples/squads/first-battle.toml", "lab"),
    "optimise": (COIN, "lab"),
    "solve": ("examples/titans/standard.toml", "solve"),
    "report": (f"{COIN} --out report.html", "report"),
    "serve": ("", "server"),
    "admin": ("check", "server"),
    "scheduler": ("", "cluster"),
    "worker": ("tcp://127.0.0.1:1", "cluster"),
}

WITHOUT_EXTRAS = """
import io, json, sys
sys.modules.update(dict.fromkeys({absent}))
sys.stdin = io.StringIO()
from contextlib import redirect_stderr, redirect_stdout
from fracas.cli.app import run_command
ended = {{}}
for name, words in {asked}.items():
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = run_command([name, *words.split()])
    ended[name] = status, err.getvalue()
print(json.dumps(ended))
"""


def imported_by_extras() -> set[str]:
    """The names under which libraries of extras are imported; development tools are no extra that a user has."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    wanted = {re.split(r"[\[><=;]", each)[0] for name in extras if name != "dev" for each in extras[name]}
    return {name for name, libraries in packages_distributions().items() if wanted & set(libraries)}


def test_every_command_is_asked():
    assert ASKED.keys() | REFUSED.keys() == set(COMMANDS)


@pytest.fixture(scope="module")
def ended(tmp_path_factory):
    """How each command ended, and what it said."""
    folder = tmp_path_factory.mktemp("without")
    (folder / "examples").symlink_to(ROOT / "examples")
    absent = imported_by_extras()
    assert {"gymnasium", "scipy", "altair", "fastapi", "distributed", "httpx"} <= absent
    asked = ASKED | {name: words for name, (words, _) in REFUSED.items()}
    code = WITHOUT_EXTRAS.format(absent=sorted(absent), asked=asked)
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=folder)
    return json.loads(told.stdout)


def test_what_needs_no_extra_answers(ended):
    assert {name: ended[name] for name in ASKED if ended[name][0] != DONE} == {}


def test_what_needs_an_extra_names_it(ended):
    assert [name for name in REFUSED if ended[name][0] != BAD_INPUT] == []
    extras = {name: re.findall(r"pip install 'fracas\[(\w+)]'", ended[name][1]) for name in REFUSED}
    assert extras == {name: [extra] for name, (_, extra) in REFUSED.items()}
