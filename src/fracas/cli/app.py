"""The program: commands are imported when they are called, and every error ends as a sentence and an exit status."""

from __future__ import annotations

import gc
import inspect
import io
import os
import re
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from decimal import Decimal
from importlib import import_module
from itertools import pairwise
from typing import Any

from cyclopts import App, CycloptsError, Group, Parameter, Token, UnusedCliTokensError, convert

from fracas import __version__
from fracas.cli.shared.exit_status import BAD_INPUT, DONE, FAULT, INTERRUPTED
from fracas.cli.shared.verbose import remarks_shown, without_verbose
from fracas.errors import FracasError, InputError, Problem

# Whole numbers as people write them: 10,000, 10_000, 10k, 1e6, 1.5M.
_GROUPED = re.compile(r"[+-]?\d{1,3}(?:[,_']\d{3})+")
_SCALED = re.compile(r"([+-]?\d{1,18}(?:\.\d{1,18})?)(?:([kKM])|[eE]\+?(\d{1,2}))")
_SCALES = {"k": 3, "K": 3, "M": 6}

# Examples in a help are at most this wide; a longer one goes on with an option and its value, or another word.
NARROW = 78
_WORDS = re.compile(r"""(?:-{1,2}[a-z-]+ )?(?:"[^"]*"|'[^']*'|\S)+""")


def _converted(kind: Any, tokens: Sequence[Token]) -> Any:
    """What was typed, as a value of a kind.

    Whole numbers may be grouped or scaled. One with a fraction is refused: it would only be rounded. The kind of an
    option that several commands share still has its None.
    """
    if kind in (int, int | None):
        tokens = [token.evolve(value=_whole(token.value)) for token in tokens]
    return convert(kind, tokens)


def _whole(text: str) -> str:
    """A whole number without separators and scales; what is none of that stays as it is."""
    if _GROUPED.fullmatch(text):
        return re.sub("[,_']", "", text)
    found = _SCALED.fullmatch(text)
    if found:
        scale = Decimal(10) ** (_SCALES.get(found[2], 0) or int(found[3] or 0))
        number = Decimal(found[1]) * scale
    elif re.fullmatch(r"[+-]?\d{1,18}\.\d{1,18}", text):
        number = Decimal(text)
    else:
        return text
    if number != number.to_integral_value():
        raise ValueError(f"{text} is not a whole number")
    return str(int(number))


app = App(
    name="fracas",
    help="""Turn-based battles resolved from data: the same inputs and the same seed give the same bytes, everywhere.

`fracas examples --out .` copies the examples below into this folder.

Start here:

    fracas run examples/squads/first-battle.toml        a battle as a story
    fracas simulate examples/squads/standard-5v5.toml   who wins how often
    fracas run examples/delve/goblin-warrens.toml       a run through a quest
    fracas odds examples/stacks/first-attack.toml       the odds of an attack
    fracas why examples/squads/first-battle.toml        why a battle was lost
    fracas new squads --out mine.toml                   your own scenario
    fracas compare mine.toml other.toml                 which of two is better

Every command knows --verbose: remarks on stderr about who plays the battles.""",
    help_format="plaintext",
    version=__version__,
    version_flags=["--version"],
    suppress_keyboard_interrupt=False,
    result_action="return_value",
    default_parameter=Parameter(converter=_converted),
)

PLAY, MEASURE, CHECK, LOOK_UP, MACHINE = (
    Group(title, sort_key=place)
    for place, title in enumerate(("Play", "Measure", "Check", "Look up", "This machine"), 1)
)

_COMMANDS = (
    ("run", "fracas.cli.play.run:run", PLAY, "Play one battle and tell it."),
    ("duel", "fracas.cli.play.duel:duel", PLAY, "Play a duel yourself, against a policy."),
    ("campaign", "fracas.cli.play.campaign:campaign", PLAY, "Fight attacks in order, each on what the last one left."),
    ("commit", "fracas.cli.play.commit:commit", PLAY, "Save the result of a saved battle back to its world."),
    ("replay", "fracas.cli.play.replay:replay", PLAY, "Tell a saved battle again."),
    ("watch", "fracas.cli.play.watch:watch", PLAY, "Watch a battle: a page that plays it, in one file."),
    ("pack", "fracas.cli.play.pack:pack", PLAY, "Pack a battle for browsers and other languages."),
    ("simulate", "fracas.cli.measure.simulate:simulate", MEASURE, "Play many battles and count how they end."),
    ("merge", "fracas.cli.measure.merge:merge", MEASURE, "Parts of a simulation that were played apart, as one."),
    ("odds", "fracas.cli.measure.odds:odds", MEASURE, "What a battle is worth before it is fought, for both sides."),
    (
        "compare",
        "fracas.cli.measure.compare:compare",
        MEASURE,
        "Which of two is better, with the same dice, and by how much.",
    ),
    (
        "variants",
        "fracas.cli.measure.variants:variants",
        MEASURE,
        "Many B against one A: named variants of one file, ranked.",
    ),
    ("sweep", "fracas.cli.measure.sweep:sweep", MEASURE, "What becomes of the battles as values of a scenario change."),
    (
        "sensitivity",
        "fracas.cli.measure.sensitivity:sensitivity",
        MEASURE,
        "What one more of each stat of a side is worth.",
    ),
    ("why", "fracas.cli.measure.why:why", MEASURE, "Why a battle was lost: odds, luck, decisions, best change."),
    ("find", "fracas.cli.measure.find:find", MEASURE, "The first battle that ends as a condition says."),
    (
        "matchups",
        "fracas.cli.measure.matchups:matchups",
        MEASURE,
        "Everybody against everybody, from both sides, ranked.",
    ),
    (
        "optimise",
        "fracas.cli.measure.optimise:optimise",
        MEASURE,
        "A better strategy, queue, build or line-up, and its proof.",
    ),
    (
        "ladder",
        "fracas.cli.measure.ladder:ladder",
        MEASURE,
        "A build against every opponent of the content, from both sides.",
    ),
    ("swaps", "fracas.cli.measure.swaps:swaps", MEASURE, "What a build would win with something else in one place."),
    (
        "solve",
        "fracas.cli.measure.solve:solve",
        MEASURE,
        "What a duel with hidden choices is worth, and its best play.",
    ),
    (
        "report",
        "fracas.cli.measure.report:report",
        MEASURE,
        "Results as one HTML file: charts, tables, inputs, versions.",
    ),
    ("verify", "fracas.cli.check.verify:verify", CHECK, "Play saved battles again and compare every event."),
    ("validate", "fracas.cli.check.validate:validate", CHECK, "Say everything that is wrong with files."),
    ("lint", "fracas.cli.check.lint:lint", CHECK, "Say what is valid and yet probably not meant."),
    ("explain", "fracas.cli.check.explain:explain", CHECK, "Evaluate a condition in a given situation."),
    ("new", "fracas.cli.lookup.new:new", LOOK_UP, "Write a commented scenario, or content pack, to start from."),
    ("examples", "fracas.cli.lookup.examples:examples", LOOK_UP, "List the shipped examples, or copy them here."),
    ("content", "fracas.cli.lookup.content:content", LOOK_UP, "List and show content; export JSON Schemas."),
    ("share", "fracas.cli.lookup.share:share", LOOK_UP, "A build as a short text, and back."),
    (
        "modifiers",
        "fracas.cli.lookup.modifiers:modifiers",
        LOOK_UP,
        "The environment modifiers of this and the coming weeks.",
    ),
    ("loot", "fracas.cli.measure.loot:loot", LOOK_UP, "What a quest's loot comes to, beside what its tables promise."),
    ("enhance", "fracas.cli.lookup.enhance:enhance", LOOK_UP, "Try to enhance an item that was found in a run."),
    (
        "scheduler",
        "fracas.cli.machine.scheduler:scheduler",
        MACHINE,
        "Hand out battles to workers.",
    ),
    ("worker", "fracas.cli.machine.worker:worker", MACHINE, "Play what a scheduler hands out."),
    ("bench", "fracas.cli.machine.bench:bench", MACHINE, "Battles per second, with checksums."),
    (
        "compile",
        "fracas.cli.machine.compile:compile_kernels",
        MACHINE,
        "Compile all rules now instead of at first use.",
    ),
    ("doctor", "fracas.cli.machine.doctor:doctor", MACHINE, "Versions, cache folder, what is compiled."),
)

for _name, _path, _group, _help in _COMMANDS:
    app.command(_path, name=_name, group=_group, help=_help)
app.register_install_completion_command(name="--install-completion", group=MACHINE)


def main() -> None:
    """The `fracas` program."""
    # A start makes many objects that stay; looking through them for garbage again and again is a tenth of its time.
    gc.set_threshold(100_000)
    _prepare_streams()
    sys.exit(run_command(sys.argv[1:]))


def _prepare_streams() -> None:
    """What a stream's encoding has no letter for is written as an escape; a closed stderr may be written to."""
    if sys.stderr is None:
        sys.stderr = io.StringIO()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def run_command(tokens: Sequence[str]) -> int:
    """Run one command line and return its exit status; nothing is raised."""
    if sys.stdout is None:
        return _refuse_output("it is closed")
    try:
        status = _status_of(tokens)
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        _drop_output()
        return DONE
    except OSError as error:
        _drop_output()
        return _refuse_output(error.strerror or str(error))


def _status_of(tokens: Sequence[str]) -> int:
    """Run one command line; only what cannot be printed is raised."""
    try:
        tokens, is_verbose = without_verbose(tokens)
        _show_whole_docstring(tokens)
        with remarks_shown() if is_verbose else nullcontext():
            result = app(tokens, exit_on_error=False, print_error=False)
        return int(result) if isinstance(result, int) else DONE
    except UnusedCliTokensError as error:
        more = [
            Problem(token, "is one argument too many", f"see fracas {_called(tokens)}--help")
            for token in error.unused_tokens or ()
        ]
        return _refuse(more, tokens)
    except CycloptsError as error:
        return _refuse([Problem("", str(error).strip(), f"see fracas {_called(tokens)}--help")], tokens)
    except InputError as error:
        return _refuse(error.problems, tokens)
    except KeyboardInterrupt:
        return _stop(tokens)
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else DONE
    except Exception as error:
        # Only what comes from printing names no file.
        if isinstance(error, OSError) and error.filename is None:
            raise
        return _admit(error)


def _called(tokens: Sequence[str]) -> str:
    """The command that a command line begins with, and a space; nothing if there is no such command."""
    return next((f"{name} " for name, *_ in _COMMANDS if name == tokens[0]), "") if tokens else ""


def _show_whole_docstring(tokens: Sequence[str]) -> None:
    """A command's own help is its whole docstring, examples included; the list of commands has one line for each.

    A group of commands is a module, whose docstring it shows.
    """
    if not tokens or not {"--help", "-h"} & set(tokens):
        return
    named = next((entry for entry in _COMMANDS if entry[0] == tokens[0]), None)
    if named is not None:
        command = app[named[0]]
        written = inspect.getdoc(command.default_command or import_module(named[1].partition(":")[0])) or ""
        command.help = "\n\n".join(map(_flowing, written.split("\n\n")))


def _flowing(paragraph: str) -> str:
    """A paragraph in one line, for the terminal to break; examples and lists, which are indented, keep their lines."""
    lines = paragraph.split("\n")
    if not any(line.startswith((" ", "*")) for line in lines):
        return " ".join(lines)
    return "\n".join(map(_continued, lines))


def _continued(line: str) -> str:
    """An example that fits a narrow terminal: a long one goes on after a backslash, so that it can be pasted."""
    if not line.startswith("    fracas ") or len(line) <= NARROW:
        return line
    lines = ["   "]
    for word in _WORDS.findall(line):
        if len(lines[-1]) + 1 + len(word) + len(" \\") > NARROW:
            lines.append("       ")
        lines[-1] += f" {word}"
    return " \\\n".join(lines)


def _wants_json(tokens: Sequence[str]) -> bool:
    return "--format=json" in tokens or ("--format", "json") in pairwise(tokens)


def _refuse(problems: Sequence[Problem], tokens: Sequence[str]) -> int:
    from fracas.cli.shared.output import print_errors

    print_errors(problems, as_json=_wants_json(tokens))
    return BAD_INPUT


def _stop(tokens: Sequence[str]) -> int:
    """Ctrl-C before there was anything to show."""
    from fracas.cli.shared.output import notice, print_json

    notice("interrupted")
    if _wants_json(tokens):
        print_json({"interrupted": True})
    return INTERRUPTED


def _drop_output() -> None:
    """Let what is still to be written go nowhere, so that nothing complains when the program ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _refuse_output(reason: str) -> int:
    from fracas.cli.shared.output import print_errors

    print_errors([Problem("standard output", f"cannot be written: {reason}")], as_json=False)
    return BAD_INPUT


def _admit(error: Exception) -> int:
    """A fault of ours: a short word to the user, the traceback only for those who ask for it."""
    from fracas.cli.shared.output import notice

    if os.environ.get("FRACAS_DEBUG") == "1":
        import traceback

        traceback.print_exc()
    what = str(error) if isinstance(error, FracasError) else f"{type(error).__name__}: {error}"
    notice(f"fault: {what}")
    notice("This is ours, not yours: please report it with the command. FRACAS_DEBUG=1 shows where it happened.")
    return FAULT
