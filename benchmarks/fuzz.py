"""Fuzzes the commands with mutated files of every kind; each run must end in a documented way.

    python benchmarks/fuzz.py [-n N] [--seed TEXT] [--minutes M] [--workers W] [--kind WORD] [--out FOLDER]

Documented endings: status 0, 1 or 2; 70 if a battle hits a limit of ours that the message names; 130 if a duel waits
for an answer that does not come. In addition: JSON if JSON was requested, a sentence on stderr with status 2, no output
that moves a terminal's cursor, and a saved replay verifies. Each input has limits of processor time (--seconds) and
memory (--megabytes). Anything else is written to --out with its files and its command. The same seed and N give the
same inputs and checksum on every machine, with any number of workers.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import multiprocessing
import os
import resource
import shlex
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
# When run as a script, this folder is on the path but its parent is not.
sys.path.insert(0, str(ROOT))

from benchmarks.fuzz_inputs import Input, input_of  # noqa: E402
from benchmarks.fuzz_specimens import Specimen, specimens  # noqa: E402
from blake3 import blake3  # noqa: E402

from fracas.cli.app import run_command  # noqa: E402
from fracas.errors import InputError  # noqa: E402
from fracas.files.read import parse_json  # noqa: E402
from fracas.lab.presentation.documents import document_of  # noqa: E402

FINE, REMARKED, REFUSED, LIMIT, STOPPED = "0 done", "1 remarked", "2 refused", "70 a limit", "130 stopped"
UNDOCUMENTED = "undocumented"
ENDINGS = (FINE, REMARKED, REFUSED, LIMIT, STOPPED, UNDOCUMENTED)
# Inputs that a worker gets at once.
BLOCK = 50
FAULTS = ("fault: battle ",)


@dataclass(frozen=True)
class Ended:
    """How one input ended."""

    index: int
    kind: str
    ending: str
    why: str
    digest: str
    seconds: float
    kilobytes: int


class TooSlow(BaseException):
    """An input exceeded its time. No error handler catches this."""


def main() -> int:
    """Fuzz and print the table; exits with 1 after an undocumented ending."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", type=int, default=100_000, help="number of inputs")
    parser.add_argument("--start", type=int, default=0, help="the number of the first input")
    parser.add_argument("--seed", default="fracas", help="any text; equal seeds give equal inputs")
    parser.add_argument("--minutes", type=float, help="stop after this many minutes")
    parser.add_argument("--workers", type=int, default=1, help="number of processes")
    parser.add_argument("--kind", default="", help="only kinds with this word in their name")
    parser.add_argument("--seconds", type=float, default=5, help="most processor time of an input")
    parser.add_argument("--megabytes", type=int, default=1024, help="most memory of an input")
    parser.add_argument("--out", type=Path, default=Path("fuzz-findings"), help="folder for reproducers")
    asked = parser.parse_args()
    # Plain rules from the specimens on: compiled ones need memory, and signals do not interrupt them.
    os.environ["FRACAS_JIT"] = "0"
    kinds = specimens(asked.kind)
    begun = time.perf_counter()
    ended = fuzz(
        kinds, asked.seed, range(asked.start, asked.start + asked.n), workers=asked.workers, seconds=asked.seconds,
        megabytes=asked.megabytes, minutes=asked.minutes, out=asked.out,
    )  # fmt: skip
    print(summary(ended, time.perf_counter() - begun))
    return int(any(each.ending == UNDOCUMENTED for each in ended))


def fuzz(
    kinds: dict[str, list[Specimen]],
    seed: str,
    numbers: range,
    *,
    workers: int = 1,
    seconds: float = 5,
    megabytes: int = 1024,
    minutes: float | None = None,
    out: Path | None = None,
) -> list[Ended]:
    """Run each input and return the endings in order; worker processes play blocks of inputs."""
    waiting = [numbers[place : place + BLOCK] for place in range(0, len(numbers), BLOCK)][::-1]
    until = None if minutes is None else time.monotonic() + 60 * minutes
    found: list[Ended] = []
    executor = [Hand(kinds, seed, seconds, megabytes) for _ in range(workers)]
    try:
        while waiting or any(hand.block for hand in executor):
            over = until is not None and time.monotonic() > until
            waiting = [] if over else waiting
            for hand in executor:
                if not hand.block and waiting:
                    hand.give(waiting.pop())
            ready = wait([hand.pipe for hand in executor if hand.block], timeout=1)
            for hand in executor:
                if hand.pipe in ready or hand.is_late():
                    ended = hand.next()
                    found.append(ended)
                    if ended.ending == UNDOCUMENTED and out is not None:
                        keep(ended, input_of(seed, ended.index, kinds), out)
    finally:
        for hand in executor:
            hand.end()
    return sorted(found, key=lambda each: each.index)


class Hand:
    """A process that runs inputs. If it dies or hangs beyond the reach of signals, a new one replaces it."""

    def __init__(self, kinds: dict[str, list[Specimen]], seed: str, seconds: float, megabytes: int) -> None:
        self.asked = (kinds, seed, seconds, megabytes)
        self.seconds = seconds
        self.block: list[int] = []
        self.begin()

    def begin(self) -> None:
        """Start the process."""
        context = multiprocessing.get_context("fork")
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=work, args=(other, *self.asked), daemon=True)
        self.process.start()
        other.close()

    def give(self, block: Sequence[int]) -> None:
        """Send it these inputs."""
        self.block = list(block)
        self.pipe.send(self.block)
        self.heard = time.monotonic()

    def is_late(self) -> bool:
        """Whether it has been silent for far longer than an input may take."""
        return bool(self.block) and time.monotonic() - self.heard > 4 * self.seconds + 20

    def next(self) -> Ended:
        """The ending of its next input."""
        index = self.block.pop(0)
        try:
            ended: Ended | None = self.pipe.recv() if self.pipe.poll() else None
        except (EOFError, OSError):
            ended = None
        if ended is None:
            self.end()
            why = (
                f"the process died: {self.process.exitcode}"
                if not self.is_late()
                else "hangs where signals do not reach it"
            )
            _, seed, *_ = self.asked
            ended = Ended(index, input_of(seed, index, self.asked[0]).kind, UNDOCUMENTED, why, "", self.seconds, 0)
            rest, self.block = self.block, []
            self.begin()
            if rest:
                self.give(rest)
        self.heard = time.monotonic()
        return ended

    def end(self) -> None:
        """Stop the process."""
        self.pipe.close()
        self.process.kill()
        self.process.join()


# In the worker.


def work(pipe: Connection, kinds: dict[str, list[Specimen]], seed: str, seconds: float, megabytes: int) -> None:
    """Run blocks of inputs and send each ending."""
    with tempfile.TemporaryDirectory() as home:
        os.environ["HOME"] = home
        os.chdir(home)
        signal.signal(signal.SIGPROF, _stop)
        _bound_memory(megabytes)
        with contextlib.suppress(EOFError, OSError):
            while True:
                for index in pipe.recv():
                    pipe.send(played(input_of(seed, index, kinds), index, Path(home), seconds))


def _stop(*_: object) -> None:
    raise TooSlow


def _bound_memory(megabytes: int) -> None:
    """Limit this process to this much more memory than it has now."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + megabytes * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def played(given: Input, index: int, home: Path, seconds: float) -> Ended:
    """Write an input's files, run its command and judge the ending."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begun = time.process_time()
    with tempfile.TemporaryDirectory(dir=home) as name:
        folder = Path(name)
        for file, content in given.files.items():
            (folder / file).write_bytes(content)
        try:
            signal.setitimer(signal.ITIMER_PROF, seconds)
            try:
                ending, why = judged(given.command, folder)
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
        except TooSlow:
            ending, why = UNDOCUMENTED, f"takes more than {seconds:g} s of processor time"
        except BaseException as error:
            ending, why = UNDOCUMENTED, f"raises {type(error).__name__}: {str(error)[:200]}"
    bound = blake3(given.command.encode())
    for file, content in sorted(given.files.items()):
        bound.update(file.encode() + b"\0" + content)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    return Ended(index, given.kind, ending, why, bound.hexdigest(16), time.process_time() - begun, grown)


def judged(command: str, folder: Path) -> tuple[str, str]:
    """A command's ending, and what is wrong with it."""
    saved = folder / "saved.json"
    places = {"{folder}": folder, "{out}": saved, "{root}": ROOT}
    tokens = shlex.split(command)
    for word, place in places.items():
        tokens = [each.replace(word, str(place)) for each in tokens]
    if tokens[0] == "tell":
        return told(Path(tokens[1]))
    ending, why = ended(tokens)
    if ending == FINE and saved.exists():
        ending, why = ended(["verify", str(saved)])
        why = why if ending == FINE else f"the saved file does not verify: {why}"
        ending = ending if ending == FINE else UNDOCUMENTED
    return ending, why


def told(path: Path) -> tuple[str, str]:
    """The ending of presenting a saved result like a page does."""
    try:
        document = document_of(parse_json(path.read_bytes().decode("utf-8-sig"), str(path)), str(path))
        document.findings(), document.tables()
    except (InputError, UnicodeDecodeError):
        return REFUSED, ""
    return FINE, ""


def ended(tokens: list[str]) -> tuple[str, str]:
    """The ending of a command line."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), _no_input():
        status = run_command(tokens)
    said, result = err.getvalue(), out.getvalue()
    ending = {0: FINE, 1: REMARKED, 2: REFUSED}.get(status, UNDOCUMENTED)
    if status == 130 and tokens[0] == "duel":
        ending = STOPPED
    if status == 70 and said.startswith(FAULTS):
        ending = LIMIT
    checks: dict[str, Callable[[], bool]] = {
        f"status {status}: {said[:300]}": lambda: ending != UNDOCUMENTED,
        "no sentence about what is wrong": lambda: status != 2 or "error: " in said,
        "a traceback": lambda: "Traceback" not in said,
        "moves the cursor": lambda: all(line.isprintable() for line in (said + result).split("\n")),
        "no JSON": lambda: "json" not in tokens or _is_json(result),
    }
    why = next((what for what, holds in checks.items() if not holds()), "")
    return (UNDOCUMENTED, why) if why else (ending, "")


@contextlib.contextmanager
def _no_input() -> Any:
    """Answer no question."""
    before, sys.stdin = sys.stdin, io.StringIO()
    try:
        yield
    finally:
        sys.stdin = before


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


# Writing findings.


def keep(found: Ended, given: Input, out: Path) -> None:
    """Write a reproducer: the input's files, its command, and what was wrong."""
    folder = out / f"{found.index:08d}"
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in given.files.items():
        (folder / name).write_bytes(content)
    said = f"{given.kind}\nfracas {given.command.replace('{folder}', '.').replace('{root}', str(ROOT))}\n{found.why}\n"
    (folder / "ending.txt").write_text(said, errors="backslashreplace")


def summary(found: Sequence[Ended], seconds: float) -> str:
    """A table of endings by kind, and a checksum of all inputs and their endings."""
    kinds = sorted({each.kind for each in found})
    counts = Counter((each.kind, each.ending) for each in found)
    bound = blake3()
    for each in found:
        bound.update(f"{each.index} {each.digest} {each.ending}\n".encode())
    rows: list[tuple[str, ...]] = [("kind", "inputs", *ENDINGS, "slowest s", "MB")]
    for kind in [*kinds, "all"]:
        those = [each for each in found if kind in ("all", each.kind)]
        ends = [sum(counts[name, ending] for name in kinds if kind in ("all", name)) for ending in ENDINGS]
        slowest = max((each.seconds for each in those), default=0)
        most = max((each.kilobytes for each in those), default=0) // 1024
        rows.append((kind, f"{len(those):,}", *(f"{end:,}" for end in ends), f"{slowest:.2f}", f"{most:,}"))
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    lines = ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
    lines += ["", f"{len(found):,} inputs in {seconds:,.0f} s, checksum {bound.hexdigest(16)}"]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
