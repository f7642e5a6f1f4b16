"""Try the plug-ins of a file; the sandbox process runs this module.

    python -m fracas.plugins.sandbox_child FILE

prints lines of JSON: each function that is tried, and finally the problems found.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import msgspec

from fracas.errors import InputError, Problem
from fracas.plugins.loader import plugins_of
from fracas.plugins.sandbox import Report


def main(file: Path) -> None:
    """Try the plug-ins of a file and print the problems found."""
    # Output of plug-ins must not mix with the reports.
    reports = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)

    def say(report: Report) -> None:
        reports.write(msgspec.json.encode(report) + b"\n")
        reports.flush()

    say(Report(ready=True))
    problems: list[Problem] = []
    try:
        for kind, plugin in plugins_of(file):
            if kind.prove is not None:
                problems += kind.prove(plugin, lambda function: say(Report(trying=function)))
    except InputError as error:
        problems += error.problems
    say(Report(problems=[(problem.where, problem.message, problem.suggestion) for problem in problems]))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
