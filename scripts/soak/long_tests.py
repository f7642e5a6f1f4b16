"""Runs the tests that can be longer, by default twenty times as long: scripts/soak/README.md.

    python scripts/soak/long_tests.py [--times 20] [PYTEST ARGUMENTS...]

The exit status is that of pytest.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def files() -> list[str]:
    """The files whose tests ask `tests/helpers/soak.py` how much to play, or whether it is a soak."""
    tests = sorted((ROOT / "tests").rglob("test_*.py"))
    return [
        str(file)
        for file in tests
        if "tests.helpers import soak" in (text := file.read_text()) or "helpers.soak" in text
    ]


def main() -> int:
    """Run the tests; pytest's exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=20, help="how many times the usual length (20)")
    options, rest = parser.parse_known_args()
    if options.times < 1:
        parser.error("--times takes a whole number from 1")
    has_path = any((ROOT / word.partition("::")[0]).exists() for word in rest if not word.startswith("-"))
    found = [] if has_path else files()
    command = [sys.executable, "-m", "pytest", "--numprocesses=auto", *found, *rest]
    environment = {**os.environ, "FRACAS_SOAK": str(options.times)}
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
