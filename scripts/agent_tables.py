"""Plays the kept tables of what agents are worth anew, by the commands that print them.

    python scripts/agent_tables.py [--check] [NAME...]

Names are those of the files in examples/envs/cards and examples/envs/strength, as cards/titans; without any, all.
--check writes nothing and ends with 1 if a file is not what its command prints. All of them take an hour on an idle
core; tests play a few pairs again. Afterwards run generate_docs.py.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import shlex
import sys
from pathlib import Path

from fracas.cli.app import run_command
from fracas.envs.names import ENVIRONMENTS

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
KEPT = EXAMPLES / "envs"
# Players of the content; who searches is on the card.
TITANS = "equilibrium,greedy policy,patient,duelist,charger,survivor,turtle,finisher,mirror,brute,random"
SQUADS = "finish_the_weak,long_game,kill_line,blank_page,triage,random"
COMMANDS = {
    **{f"cards/{ruleset}": f"fracas agents strength {ruleset} --card" for ruleset in ENVIRONMENTS},
    "strength/titans": f'fracas agents strength titans --players "trained,{TITANS}"',
    "strength/squads": f'fracas agents strength squads --players "trained,{SQUADS}"',
    "strength/exploitability": "fracas lab solve examples/titans/standard.toml --states 60000 "
    "--agent examples/envs/policies/titans-v2.json",
}


def printed(command: str) -> str:
    """What a command prints as JSON, in the folder that holds the examples."""
    out = io.StringIO()
    with contextlib.chdir(EXAMPLES.parent), contextlib.redirect_stdout(out):
        status = run_command([*shlex.split(command)[1:], "--format", "json"])
    if status:
        sys.exit(status)
    return json.dumps(json.loads(out.getvalue()), indent=1) + "\n"


def main() -> int:
    """Write or check the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a table is another one")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(COMMANDS)}")
    arguments = parser.parse_args()
    unknown = set(arguments.names) - set(COMMANDS)
    if unknown:
        parser.error(f"there is no table {', '.join(sorted(unknown))}")
    stale = 0
    for name in arguments.names or COMMANDS:
        text, file = printed(COMMANDS[name]), KEPT / f"{name}.json"
        if file.exists() and file.read_text(encoding="utf-8") == text:
            continue
        stale += 1
        print(f"{'out of date' if arguments.check else 'written'}: {file.relative_to(EXAMPLES.parent)}", flush=True)
        if not arguments.check:
            file.parent.mkdir(exist_ok=True)
            file.write_text(text, encoding="utf-8")
    return 1 if arguments.check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
