"""Runs the examples in the documentation, and compares their output with the output shown there.

    python scripts/pages.py [--write] [PAGE...]

Each page has its own folder with a copy of examples/, and its blocks run in order:

    ```console         every line after "$ " is a command, the lines below it are its output; only fracas is run
    ```python          is executed; all blocks of a page share their names
    ```text            after <!-- output -->: what the Python block before it prints
    any block          after <!-- file: NAME -->: becomes that file
    ```diff            after <!-- edit: NAME -->: is applied to that file, which must have the old lines
    <!-- exit: N -->   before a console block: its commands end with that exit status instead of 0

In shown output a line that begins with "…" stands for any number of lines, and "…" inside a line for any text. Output
that is not shown and durations are not compared. --write replaces wrong output with the real one; review what it did.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import re
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from fracas.cli.app import run_command
from fracas.kit import load

ROOT = Path(__file__).resolve().parent.parent
FENCE = re.compile(r"^(`{3,})(\w*)\s*$")
MARK = re.compile(r"^<!-- (file|edit|exit|output)(?:: (.+?))? -->$")
RUN = ("console", "python")
GAP = "…"
DURATIONS = (
    (re.compile(r"in [\d.,]+ s \([\d,]+ battles/s on \d+ threads?\)"), "in … s"),
    (re.compile(r'"timing": \{[^}]*\}'), '"timing": {…}'),
)
# Printed once per machine, when something is compiled for the first time.
PASSING = re.compile(r"Compiling (the (rules|loot) of|the \w+ rules for|going on from) ")


@dataclass(frozen=True)
class Block:
    """A fenced block of a page: its language, the comment above it, its lines and the number of the first."""

    language: str
    mark: str
    value: str
    lines: tuple[str, ...]
    first: int

    @property
    def text(self) -> str:
        """The block's content as a file."""
        return "".join(f"{line}\n" for line in self.lines)


@dataclass(frozen=True)
class Shown:
    """Output shown on a page, and the real output; `first` to `last` are its lines on the page."""

    page: Path
    what: str
    expected: tuple[str, ...]
    actual: tuple[str, ...]
    first: int
    last: int

    @property
    def is_right(self) -> bool:
        """True if nothing is shown, or the shown output is right."""
        return not any(self.expected) or agrees(self.expected, self.actual)

    def __str__(self) -> str:
        shown, real = "\n".join(self.expected), "\n".join(self.actual)
        return f"{self.page.name}:{self.first}: {self.what}\n--- shown\n{shown}\n--- real\n{real}"


class PageError(AssertionError):
    """A block of a page cannot be run, or does not end as the page says."""


def pages() -> list[Path]:
    """Every page that may have blocks to run."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks_of(text: str) -> Iterator[Block]:
    """The fenced blocks of a page, in order."""
    fence, above = "", ""
    language, mark, value, first = "", "", "", 0
    lines: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        found = FENCE.match(line)
        if fence:
            if found and found[1] == fence and not found[2]:
                yield Block(language, mark, value, tuple(lines), first)
                fence, above = "", ""
            else:
                lines.append(line)
            continue
        if found:
            noted = MARK.match(above)
            mark, value = (noted[1], noted[2] or "") if noted else ("", "")
            fence, language, lines, first = found[1], found[2], [], number + 1
        above = line
    if fence:
        raise PageError(f"the block that begins in line {first} is not closed")


def is_run(block: Block) -> bool:
    """Whether a page must be run for this block."""
    return bool(block.mark) or block.language in RUN


def run_page(page: Path, folder: Path) -> Iterator[Shown]:
    """Run a page's blocks in a folder, which gets a copy of the examples.

    Raises:
        PageError: a command has another exit status, a Python block raises, or an edit does not apply.
    """
    blocks = list(blocks_of(page.read_text(encoding="utf-8")))
    if not any(is_run(block) for block in blocks):
        return
    shutil.copytree(ROOT / "examples", folder / "examples")
    names: dict[str, Any] = {"__name__": "__page__"}
    printed: tuple[str, ...] = ()
    # A page changes its own game as it goes, as readers do between two commands.
    with contextlib.chdir(folder), load.fresh():
        for block in blocks:
            where = f"{page.name}:{block.first}"
            if block.mark == "file":
                file = folder / block.value
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(block.text, encoding="utf-8")
            elif block.mark == "edit":
                edit(folder / block.value, block.lines, where)
            elif block.mark == "output":
                yield Shown(page, "Python", block.lines, printed, block.first, block.first + len(block.lines))
            elif block.language == "console":
                yield from run_console(page, block)
            elif block.language == "python":
                printed = run_python(block, names, where)


def edit(file: Path, lines: tuple[str, ...], where: str) -> None:
    """Replace the lines marked - with those marked +; lines marked with a space must surround them."""
    old = "".join(f"{line[1:]}\n" for line in lines if line[:1] in "- ")
    new = "".join(f"{line[1:]}\n" for line in lines if line[:1] in "+ ")
    text = file.read_text(encoding="utf-8")
    if text.count(old) != 1:
        raise PageError(f"{where}: {file.name} has the old lines {text.count(old)} times")
    file.write_text(text.replace(old, new), encoding="utf-8")


def run_python(block: Block, names: dict[str, Any], where: str) -> tuple[str, ...]:
    """The output of a Python block."""
    # Empty lines in front keep the page's line numbers in tracebacks.
    source = "\n" * (block.first - 1) + block.text
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            exec(compile(source, where.split(":")[0], "exec"), names)
        except Exception as error:
            raise PageError(f"{where}: {type(error).__name__}: {error}") from error
    return tuple(out.getvalue().rstrip("\n").split("\n"))


def run_console(page: Path, block: Block) -> Iterator[Shown]:
    """Every command of a console block with its output, stdout and stderr mixed as in a terminal."""
    wanted = int(block.value) if block.mark == "exit" else 0
    starts = [place for place, line in enumerate(block.lines) if line.startswith("$ ")]
    if not starts or starts[0] != 0:
        raise PageError(f"{page.name}:{block.first}: a console block begins with a command")
    for start, end in zip(starts, [*starts[1:], len(block.lines)], strict=True):
        after = start + 1
        while block.lines[after - 1].endswith("\\"):
            after += 1
        command = "\n".join(block.lines[start:after])[2:]
        where = f"{page.name}:{block.first + start}: {command}"
        status, output = run_line(command, where)
        if status != wanted:
            raise PageError(f"{where}\nends with status {status}, not {wanted}\n{output}")
        actual = [line.rstrip() for line in output.split("\n") if not PASSING.match(line)]
        expected = block.lines[after:end]
        # Blank lines around the output are only for looks.
        while actual and not actual[-1]:
            actual.pop()
        while expected and not expected[-1]:
            expected = expected[:-1]
        first = block.first + after
        yield Shown(page, command, expected, tuple(actual), first, first + len(expected))


def run_line(line: str, where: str) -> tuple[int, str]:
    """The exit status and output of a line; `> FILE` hides stdout."""
    words = shlex.split(line.replace("\\\n", " "))
    if words[0] != "fracas":
        raise PageError(f"{where}\nonly fracas can be run")
    target = None
    if ">" in words:
        target = Path(words.pop(words.index(">") + 1))
        words.remove(">")
    shown, kept = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(kept if target else shown), contextlib.redirect_stderr(shown), load.fresh():
        status = run_command(words[1:])
    if target is not None:
        target.write_text(kept.getvalue(), encoding="utf-8")
    return status, shown.getvalue()


def agrees(expected: Sequence[str], actual: Sequence[str]) -> bool:
    """Whether shown output equals the real one, apart from gaps and durations."""
    pattern = ""
    for line in expected:
        if line.startswith(GAP):
            pattern += r"(?:.*\n)*?"
            continue
        parts = (re.escape(part) for part in without_durations(line.rstrip()).split(GAP))
        pattern += ".*?".join(parts) + "\n"
    text = "".join(f"{line}\n" for line in actual)
    return re.fullmatch(pattern, without_durations(text)) is not None


def without_durations(text: str) -> str:
    """A text without its durations."""
    for pattern, replacement in DURATIONS:
        text = pattern.sub(replacement, text)
    return text


def correct(page: Path, wrong: list[Shown]) -> None:
    """Replace wrong output on a page with the real one."""
    lines = page.read_text(encoding="utf-8").splitlines()
    for shown in reversed(wrong):
        lines[shown.first - 1 : shown.last - 1] = renewed(shown.expected, shown.actual)
    page.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def renewed(expected: Sequence[str], actual: Sequence[str]) -> list[str]:
    """Real output with the gaps of the shown one: each run of shown lines becomes the most similar real lines."""
    runs: list[list[str]] = [[]]
    gaps: list[str] = []
    for line in expected:
        if line.startswith(GAP):
            gaps.append(line)
            runs.append([])
        else:
            runs[-1].append(line)
    result: list[str] = []
    start = 0
    for place, run in enumerate(runs):
        result += gaps[place - 1 : place]
        if run:
            first = start if place == 0 else most_like(run[0], actual, start)
            last = len(actual) - 1 if place == len(runs) - 1 else most_like(run[-1], actual, first + len(run) // 2)
            result += kept_gaps(run, actual[first : last + 1])
            start = last + 1
    return result


def most_like(line: str, lines: Sequence[str], start: int) -> int:
    """The index of the line most similar to the given one, from `start` on; the last one if there is none."""
    return max(
        range(min(start, len(lines) - 1), len(lines)),
        key=lambda place: SequenceMatcher(None, lines[place], line).ratio(),
    )


def kept_gaps(shown: Sequence[str], real: Sequence[str]) -> Iterator[str]:
    """Real lines, except that shown lines which match with their gaps stay."""
    for line in real:
        yield next((one for one in shown if GAP in one and agrees((one,), (line,))), line)


def main() -> int:
    """Run pages; report or correct the differences."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", nargs="*", type=Path, help="pages to run; default: all")
    parser.add_argument("--write", action="store_true", help="replace wrong output with the real one")
    arguments = parser.parse_args()
    failed = False
    for page in [given.resolve() for given in arguments.pages] or pages():
        with tempfile.TemporaryDirectory() as folder:
            try:
                wrong = [shown for shown in run_page(page, Path(folder)) if not shown.is_right]
            except PageError as error:
                print(f"{error}\n")
                failed = True
                continue
        for shown in wrong:
            print(f"{shown}\n")
        failed = failed or bool(wrong)
        if arguments.write and wrong:
            correct(page, wrong)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
