"""Plants known faults in a copy of the sources, one at a time, and shows which test notices each.

    .venv/bin/python scripts/soak/mutants.py
    .venv/bin/python scripts/soak/mutants.py squads server-3

mutants.toml holds the faults. Each replaces text that occurs once in its file and breaks one rule that a player or a
user would notice. First the tests run on the unchanged copy: they must pass, or they would prove nothing. Then each
fault meets the test that once noticed it; if that one passes, all of its file, then of its room. Your own tree is only
read.

The exit status is 0 if every fault was noticed.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import cache_from_source
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TABLE = Path(__file__).with_name("mutants.toml")
# A fault that keeps a test from ending was not noticed by it.
SECONDS = 600
PASSED, FAILED = 0, 1


@dataclass(frozen=True)
class Mutant:
    """One fault, and where it should be noticed."""

    id: str
    fault: str
    """What it means to a player or a user."""
    file: str
    old: str
    new: str
    noticed_by: str
    """The test to try first, then its file."""
    room: tuple[str, ...]
    """The files and folders of tests to try last."""


@dataclass(frozen=True)
class Run:
    """What pytest said."""

    status: int
    """Its exit status; -1 if it did not end in time."""
    failed: str
    """The first test that failed, or the last line if none did."""


def read_table(path: Path) -> list[Mutant]:
    """The faults of a table, in its order."""
    rooms = tomllib.loads(path.read_text())
    return [
        Mutant(f"{name}-{number}", room=tuple(room["tests"]), **entry)
        for name, room in rooms.items()
        for number, entry in enumerate(room["mutants"], 1)
    ]


def problems(mutants: Sequence[Mutant], root: Path) -> list[str]:
    """Faults that cannot be planted, because the sources have changed."""
    found = []
    for mutant in mutants:
        path = root / mutant.file
        count = path.read_text().count(mutant.old) if path.exists() else 0
        if count != 1:
            found.append(f"{mutant.id}: occurs {count} times in {mutant.file}, not once\n    {mutant.old.strip()}")
        found += [
            f"{mutant.id}: there is no {test}" for test in (mutant.noticed_by, *mutant.room) if not is_there(test, root)
        ]
    return found


def stages(mutant: Mutant) -> list[list[str]]:
    """The tests that a fault meets, each list only if those before it passed."""
    file = mutant.noticed_by.partition("::")[0]
    return [[mutant.noticed_by], [file], list(mutant.room)]


def is_there(test: str, root: Path) -> bool:
    """Whether a folder, a file or a test of a file exists."""
    file, _, name = test.partition("::")
    path = root / file
    return path.exists() and (not name or f"def {name}(" in path.read_text())


def line_of(mutant: Mutant, root: Path) -> int:
    """The line at which a fault begins, from 1."""
    text = (root / mutant.file).read_text()
    return text.count("\n", 0, text.index(mutant.old)) + 1


@contextmanager
def copied(root: Path) -> Iterator[Path]:
    """A copy of all files of the tree that git knows or would add."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=root, check=True, capture_output=True, text=True).stdout.split("\0")
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        for name in names:
            if name and (root / name).is_file():
                target = Path(folder, name)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(root / name, target)
        yield Path(folder)


@contextmanager
def planted(mutant: Mutant, copy: Path) -> Iterator[None]:
    """Keep a fault in the copy for a while."""
    path = copy / mutant.file
    text = path.read_text()
    # Python takes compiled code for fresh if size and second agree, as they may with a fault.
    compiled = Path(cache_from_source(str(path)))
    try:
        path.write_text(text.replace(mutant.old, mutant.new))
        compiled.unlink(missing_ok=True)
        yield
    finally:
        path.write_text(text)
        compiled.unlink(missing_ok=True)


def run_tests(tests: Sequence[str], copy: Path, seconds: int | None = None) -> Run:
    """Run tests in the copy in plain Python up to the first failure, at most for some seconds."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-n", "0", "-rfE", "--tb=no", "-p", "no:cacheprovider"]
    environment = {**os.environ, "PYTHONPATH": str(copy / "src"), "FRACAS_JIT": "0"}
    try:
        done = subprocess.run(
            [*command, *tests], cwd=copy, env=environment, capture_output=True, text=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        return Run(-1, f"no end within {seconds} seconds")
    said = re.search(r"^(?:FAILED|ERROR) ([^\s\[]+)", done.stdout, re.MULTILINE)
    last = (done.stdout + done.stderr).strip().splitlines()[-1:]
    return Run(done.returncode, said[1] if said else "".join(last))


def judge(mutant: Mutant, copy: Path) -> tuple[bool, str]:
    """Whether a fault is noticed, and by which test or why not."""
    run = Run(PASSED, "")
    with planted(mutant, copy):
        for tests in stages(mutant):
            run = run_tests(tests, copy, SECONDS)
            if run.status != PASSED:
                break
    if run.status == FAILED:
        return True, run.failed
    return False, "SURVIVED" if run.status == PASSED else f"NOT TESTED: {run.failed}"


def main(arguments: Sequence[str]) -> int:
    """Plant each fault of the table, or those that are named, and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="rooms or ids of the table; without any, all of it")
    names = parser.parse_args(arguments).names
    table = read_table(TABLE)
    known = {name for mutant in table for name in (mutant.id, mutant.id.rpartition("-")[0])}
    if unknown := [name for name in names if name not in known]:
        print(f"{TABLE.name} has no {', '.join(unknown)}", file=sys.stderr)
        return 2
    mutants = [each for each in table if not names or {each.id, each.id.rpartition("-")[0]} & set(names)]
    if found := problems(mutants, ROOT):
        print(*found, sep="\n", file=sys.stderr)
        return 1
    kept = 0
    with copied(ROOT) as copy:
        control = run_tests(sorted({mutant.noticed_by for mutant in mutants}), copy)
        if control.status != PASSED:
            print(f"without any fault, this fails: {control.failed}", file=sys.stderr)
            return 1
        for mutant in mutants:
            start = time.monotonic()
            is_noticed, by = judge(mutant, copy)
            kept += not is_noticed
            place = f"{mutant.file.removeprefix('src/fracas/')}:{line_of(mutant, copy)}"
            print(f"{mutant.id:10} {place:50} {time.monotonic() - start:6.1f} s  {by}", flush=True)
    print(f"{len(mutants) - kept} of {len(mutants)} faults were noticed")
    return 1 if kept else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
