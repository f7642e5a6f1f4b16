"""The process that works on a job: reads it from standard input, writes progress and the result as lines of JSON.

It is started by `jobs/runner.py` as `python -m fracas.server.jobs.worker`, and bounds itself before it reads anything.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from fracas.errors import FracasError, InputError
from fracas.lab.studies.matchups import matchups
from fracas.lab.studies.roster import Entrant, Roster
from fracas.player_entries.checking import NO_MODIFIER
from fracas.server.arena.entries import resolve_side, scenario_of
from fracas.server.arena.league import read_league

NICENESS = 10
# Bytes of data. Not of addresses: the module's machine reserves addresses that it never uses.
MOST_MEMORY = 1_500 * 1024 * 1024
# Processor seconds for loading and compiling, which the price does not count.
START_SECONDS = 120
LARGEST_JOB = 16 * 1024 * 1024


def main() -> None:
    """Work on the job that standard input holds; the first argument is its limit of processor seconds."""
    limit_self(float(sys.argv[1]))
    job = json.loads(sys.stdin.buffer.read(LARGEST_JOB))
    answer: dict[str, Any]
    try:
        answer = {"result": class_table(job)}
    except InputError as error:
        answer = {"problems": [str(problem) for problem in error.problems]}
    except FracasError as error:
        answer = {"problems": [str(error)]}
    except MemoryError:
        answer = {"problems": ["needs more memory than a job may have"]}
    _say(answer)


def limit_self(seconds: float) -> None:
    """Bound this process's memory and processor time, and let others go first."""
    try:
        import resource
    except ImportError:  # Only Unix has these limits; elsewhere the runner's deadline is the only one.
        return
    os.nice(NICENESS)
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
    whole = int(seconds * 1.2 + START_SECONDS)
    resource.setrlimit(resource.RLIMIT_CPU, (whole, whole))


def class_table(job: dict[str, Any]) -> dict[str, Any]:
    """The table of some entries against each other, as `fracas lab matchups --format json` prints it.

    Raises:
        InputError: an entry does not fit the league any more.
        FaultError: a battle hit a limit of the engine.
    """
    league = read_league(job["league"], "league")
    entrants = []
    for each in job["entries"]:
        document = resolve_side(league, each["document"], each["code"], NO_MODIFIER)
        entrants.append(Entrant(each["code"], scenario_of(league, document)))
    roster = Roster("class", tuple(entrants), job["seed"])
    found: dict[str, Any] = matchups(roster, job["battles"], threads=1, steps=_progress).as_json()
    found.pop("timing")
    return found


def _progress(done: int, steps: int, label: str) -> None:
    _say({"progress": done * 1000 // max(steps, 1)})


def _say(line: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
