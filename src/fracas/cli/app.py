"""The program: commands are imported when they are called, and every error ends as a sentence and an exit status."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Sequence
from itertools import pairwise

from cyclopts import App, CycloptsError, Group

from fracas import __version__
from fracas.errors import CheckFailed, FaultError, FracasError, InputError, Problem

DONE, CHECK_FAILED, BAD_INPUT, FAULT, INTERRUPTED = 0, 1, 2, 70, 130

app = App(
    name="fracas",
    help="""Turn-based battles resolved from data: the same inputs and the same seed give the same bytes, everywhere.

Start here:

    fracas run examples/squads/first-battle.toml        a battle as a story
    fracas simulate examples/squads/standard-5v5.toml   who wins how often
    fracas new squads --out mine.toml                   your own scenario""",
    help_format="plaintext",
    version=__version__,
    version_flags=["--version"],
    suppress_keyboard_interrupt=False,
    result_action="return_value",
)

PLAY, CHECK, LOOK_UP, MACHINE = (
    Group(title, sort_key=place) for place, title in enumerate(("Play", "Check", "Look up", "This machine"), 1)
)

_COMMANDS = (
    ("run", "fracas.cli.play:run", PLAY, "Play one battle and tell it."),
    ("simulate", "fracas.cli.simulate:simulate", PLAY, "Play many battles and count how they end."),
    ("replay", "fracas.cli.replays:replay", PLAY, "Tell a saved battle again."),
    ("verify", "fracas.cli.replays:verify", CHECK, "Play saved battles again and compare every event."),
    ("validate", "fracas.cli.check:validate", CHECK, "Say everything that is wrong with files."),
    ("lint", "fracas.cli.check:lint", CHECK, "Say what is valid and yet probably not meant."),
    ("explain", "fracas.cli.explain:explain", CHECK, "Evaluate a condition in a given situation."),
    ("new", "fracas.cli.content:new", LOOK_UP, "Write a commented scenario to start from."),
    ("content", "fracas.cli.content:content", LOOK_UP, "List and show content; export JSON Schemas."),
    ("modifiers", "fracas.cli.content:modifiers", LOOK_UP, "The environment modifiers of this and the coming weeks."),
    ("bench", "fracas.cli.machine:bench", MACHINE, "Battles per second, with checksums."),
    ("compile", "fracas.cli.machine:compile_kernels", MACHINE, "Compile all rules now instead of at first use."),
    ("doctor", "fracas.cli.machine:doctor", MACHINE, "Versions, cache folder, what is compiled."),
)

for _name, _path, _group, _help in _COMMANDS:
    app.command(_path, name=_name, group=_group, help=_help)
app.register_install_completion_command(name="--install-completion", group=MACHINE)


def main() -> None:
    """The `fracas` program."""
    sys.exit(run_command(sys.argv[1:]))


def run_command(tokens: Sequence[str]) -> int:
    """Run one command line and return its exit status; nothing is raised."""
    try:
        _show_whole_docstring(tokens)
        result = app(tokens, exit_on_error=False, print_error=False)
        sys.stdout.flush()
        return int(result) if isinstance(result, int) else DONE
    except CycloptsError as error:
        return _refuse([Problem("", str(error).strip(), "see fracas --help")], tokens)
    except InputError as error:
        return _refuse(error.problems, tokens)
    except CheckFailed as error:
        print(error, file=sys.stderr)
        return CHECK_FAILED
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except SystemExit as leaving:
        return leaving.code if isinstance(leaving.code, int) else DONE
    except Exception as error:
        return _admit(error)


def _show_whole_docstring(tokens: Sequence[str]) -> None:
    """A command's own help is its whole docstring, examples included; the list of commands has one line for each."""
    if not tokens or not {"--help", "-h"} & set(tokens):
        return
    named = next((entry for entry in _COMMANDS if entry[0] == tokens[0]), None)
    if named is not None:
        command = app[named[0]]
        if command.default_command is not None:
            command.help = inspect.getdoc(command.default_command)


def _refuse(problems: Sequence[Problem], tokens: Sequence[str]) -> int:
    from fracas.cli.show import print_errors

    as_json = "--format=json" in tokens or ("--format", "json") in pairwise(tokens)
    print_errors(problems, as_json=as_json)
    return BAD_INPUT


def _admit(error: Exception) -> int:
    """A fault of ours: a short word to the user, the traceback only for those who ask for it."""
    if os.environ.get("FRACAS_DEBUG") == "1":
        import traceback

        traceback.print_exc()
    known = isinstance(error, FaultError | FracasError)
    what = str(error) if known else f"{type(error).__name__}: {error}"
    print(f"fault: {what}", file=sys.stderr)
    print(
        "This is ours, not yours: please report it with the command. FRACAS_DEBUG=1 shows where it happened.",
        file=sys.stderr,
    )
    return FAULT
