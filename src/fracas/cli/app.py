"""The command-line program: parse the arguments, import and run one command, turn errors into messages and statuses."""

from __future__ import annotations

import codecs
import gc
import inspect
import io
import os
import re
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from decimal import Decimal
from difflib import get_close_matches
from functools import reduce
from itertools import pairwise
from operator import getitem
from typing import Any

from cyclopts import App, CycloptsError, Group, Parameter, Token, UnknownCommandError, UnusedCliTokensError, convert

from fracas import __version__
from fracas.cli.commands import GROUPS, TOP_LEVEL, commands
from fracas.cli.shared.exit_status import BAD_INPUT, DONE, FAULT, INTERRUPTED
from fracas.cli.shared.games import use_games, without_games
from fracas.cli.shared.verbose import remarks_shown, without_verbose
from fracas.errors import FracasError, InputError, Problem
from fracas.errors.suggestions import LONGEST_QUOTE, listed, quoted

# Whole numbers as people write them: 10,000, 10_000, 10k, 1e6, 1.5M.
_GROUPED = re.compile(r"[+-]?\d{1,3}(?:[,_']\d{3})+")
_SCALED = re.compile(r"([+-]?\d{1,18}(?:\.\d{1,18})?)(?:([kKM])|[eE]\+?(\d{1,2}))")
_SCALES = {"k": 3, "K": 3, "M": 6}

# Help shows examples at most this wide. Longer ones are broken before an option or a word.
NARROW = 78
_WORDS = re.compile(r"""(?:-{1,2}[a-z-]+ )?(?:"[^"]*"|'[^']*'|\S)+""")


def _converted(kind: Any, tokens: Sequence[Token]) -> Any:
    """Convert command-line text to a parameter's type.

    Whole numbers may be grouped or scaled. Fractions are refused rather than rounded. An option that several commands
    share keeps the None in its type, hence `int | None`.
    """
    if kind in (int, int | None):
        tokens = [token.evolve(value=_expand_number(token.value)) for token in tokens]
    return convert(kind, tokens)


def _expand_number(text: str) -> str:
    """Expand separators and scales of a whole number: `10k` to `10000`. Other text is returned unchanged."""
    if _GROUPED.fullmatch(text):
        return re.sub("[,_']", "", text)
    match = _SCALED.fullmatch(text)
    if match:
        scale = Decimal(10) ** (_SCALES.get(match[2], 0) or int(match[3] or 0))
        number = Decimal(match[1]) * scale
    elif re.fullmatch(r"[+-]?\d{1,18}\.\d{1,18}", text):
        number = Decimal(text)
    else:
        return text
    if number != number.to_integral_value():
        raise ValueError(f"{text} is not a whole number")
    return str(int(number))


app = App(
    name="fracas",
    usage="Usage: fracas COMMAND   (fracas COMMAND --help explains one, with examples)",
    help="""Turn-based battles from data: the same inputs and seed give the same bytes.
Copy the examples here with `fracas content examples --out .`, then watch one:
`fracas watch examples/squads/first-battle.toml`.""",
    help_format="plaintext",
    version=__version__,
    version_flags=["--version", "-V"],
    suppress_keyboard_interrupt=False,
    result_action="return_value",
    default_parameter=Parameter(converter=_converted, negative=""),
)


def _print_lines(console: Any, options: Any, panel: Any) -> None:
    """Print commands without a frame, so that the overview fits one screen."""
    from rich.table import Table

    table = Table.grid(padding=(0, 2))
    for entry in panel.entries:
        table.add_row(f"  {entry.positive_names[0]}", entry.description)
    console.print(panel.title, style="bold")
    console.print(table)


_TOP_LEVEL = Group("Everyday commands", sort_key=1, help_formatter=_print_lines)
_IN_GROUPS = Group("Groups of commands", sort_key=2, help_formatter=_print_lines)

for _place, _command in enumerate(TOP_LEVEL):
    app.command(_command.path, name=_command.name, group=_TOP_LEVEL, sort_key=_place, help=_command.line)
for _place, _group in enumerate(GROUPS):
    _subcommands = App(
        name=_group.name,
        help=_group.line,
        group=_IN_GROUPS,
        sort_key=_place,
        help_format="plaintext",
        result_action="return_value",
    )
    app.command(_subcommands)
    for _place_in_group, _command in enumerate(_group.commands):
        _subcommands.command(_command.path, name=_command.name, sort_key=_place_in_group, help=_command.line)
app.register_install_completion_command(name="--install-completion", show=False)
for _option in ("--help", "--version"):
    app[_option].show = False


# What stands for the characters that output draws with, where the stream has only ASCII.
SPELT_OUT = "fracas.spelt_out"
IN_ASCII = {
    **dict(zip("█░▁▂▃▄▅▆▇", "#..:-=+*%", strict=True)),
    **dict(zip("─═│└├⋮×·◎", "-=|++:x.o", strict=True)),
    "–": "-",
    "−": "-",
    "…": "...",
    "→": "->",
    "±": "+-",
    "≤": "<=",
    "≥": ">=",
}


def main() -> None:
    """Run the `fracas` program and exit with its status."""
    # Startup creates many long-lived objects. Collecting garbage among them takes a tenth of the startup time.
    gc.set_threshold(100_000)
    _prepare_streams()
    status = run_command(sys.argv[1:])
    _await_compiler(status, sys.argv[1:])
    sys.exit(status)


# Whoever stops one of these has ended it, and waits for nothing.
_UNTIL_STOPPED = ("studio", "serve")


def _await_compiler(status: int, tokens: Sequence[str]) -> None:
    """Say what a long run still compiles for the next one, and wait for it; Ctrl-C, also an earlier one, ends it."""
    was_stopped = status == INTERRUPTED or _command_of(tokens).rstrip() in _UNTIL_STOPPED
    lockstep = sys.modules.get("fracas.engine.lockstep")
    if lockstep is None or not (rulesets := lockstep.compiling_rulesets()):
        return
    from fracas.cli.shared.output import notice

    try:
        if not was_stopped:
            names = " and ".join(rulesets)
            notice(f"Compiling the {names} rules for long runs, once. Later runs are faster. Ctrl-C skips this.")
            lockstep.finish_compiling()
            return
    except KeyboardInterrupt:
        pass
    # Python would wait for the compiler's thread before it ends.
    sys.stdout.flush()
    os._exit(status)


def _prepare_streams() -> None:
    """Make output streams safe: spell out characters that the encoding lacks, and replace a closed stderr."""
    if sys.stderr is None:
        sys.stderr = io.StringIO()
    codecs.register_error(SPELT_OUT, _spelt_out)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=SPELT_OUT)


def _spelt_out(error: UnicodeError) -> tuple[str | bytes, int]:
    """Replace characters that a stream's encoding lacks: those that Fracas draws with by ASCII, others by escapes."""
    assert isinstance(error, UnicodeEncodeError)
    character, following = error.object[error.start], error.start + 1
    if character in IN_ASCII:
        return IN_ASCII[character], following
    one = UnicodeEncodeError(error.encoding, error.object, error.start, following, error.reason)
    return codecs.backslashreplace_errors(one)


def run_command(tokens: Sequence[str]) -> int:
    """Run one command line and return its exit status. Never raises."""
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
    """Run one command line and return its exit status. Raises only if output cannot be printed."""
    try:
        tokens, is_verbose = without_verbose(_as_options(tokens))
        tokens, games = without_games(tokens)
        _show_whole_docstring(tokens)
        with remarks_shown() if is_verbose else nullcontext():
            use_games(games)
            result = app(tokens, exit_on_error=False, print_error=False)
        return int(result) if isinstance(result, int) else DONE
    except UnusedCliTokensError as error:
        more = [
            Problem(token, "unexpected argument", f"see fracas {_command_of(tokens)}--help")
            for token in error.unused_tokens or ()
        ]
        return _refuse(more, tokens)
    except UnknownCommandError:
        return _refuse([_unknown_command(tokens)], tokens)
    except CycloptsError as error:
        if "-" in tokens:
            hint = "write /dev/stdin to read TOML from standard input, where the system has it"
            return _refuse([Problem("-", "is not a file", hint)], tokens)
        return _refuse([Problem("", str(error).strip(), f"see fracas {_command_of(tokens)}--help")], tokens)
    except InputError as error:
        return _refuse(error.problems, tokens)
    except KeyboardInterrupt:
        return _stop(tokens)
    except SystemExit as leaving:
        # rich ends the program with 1 when the reader of its output has gone.
        if isinstance(leaving.__context__, BrokenPipeError):
            return DONE
        return leaving.code if isinstance(leaving.code, int) else DONE
    except Exception as error:
        # Only an error from printing names no file.
        if isinstance(error, OSError) and error.filename is None:
            raise
        found = _problem_of_a_game(error)
        return _report_internal_error(error) if found is None else _refuse([found], tokens)


def _as_options(tokens: Sequence[str]) -> Sequence[str]:
    """Turn the words `help` and `version`, which many programs have as commands, into options."""
    if tokens and tokens[0] == "help":
        return [*tokens[1:], "--help"]
    return ["--version"] if list(tokens) == ["version"] else tokens


def _command_of(tokens: Sequence[str]) -> str:
    """The command or group that a command line begins with, plus a space; empty if there is none."""
    known = {*dict(commands()), *(group.name for group in GROUPS)}
    begun = (" ".join(tokens[:words]) for words in (2, 1))
    return next((f"{name} " for name in begun if name in known), "")


def _unknown_command(tokens: Sequence[str]) -> Problem:
    """Say which command somebody means who names none: one of this name in any group, or else the nearest name."""
    homes: dict[str, list[str]] = {}
    for called, command in commands():
        homes.setdefault(command.name, []).append(called)
    group = next((group for group in GROUPS if group.name == tokens[0]), None)
    typed, following = (tokens[1], ()) if group else (tokens[0], tokens[1:2])
    own = [command.name for command in group.commands] if group else [group.name for group in GROUPS]
    if typed in homes:
        return _other_group(homes[typed])
    near = get_close_matches(typed[:LONGEST_QUOTE], own, 1) or get_close_matches(typed[:LONGEST_QUOTE], homes, 1)
    what = f"there is no command {quoted(typed)}{f' in the group {group.name}' if group else ''}"
    if following and following[0] in homes:
        return _other_group(homes[following[0]])
    if near:
        inside = f"{group.name} " if group else ""
        meant = [f"{inside}{near[0]}"] if near[0] in own else homes[near[0]]
        return Problem("", what, f"did you mean {listed([f'fracas {called}' for called in meant])}?")
    return Problem("", what, f"see fracas {group.name if group else ''} --help".replace("  ", " "))


def _other_group(called: Sequence[str]) -> Problem:
    """Say in which group a command is that was looked for elsewhere."""
    groups = [words.rpartition(" ")[0] for words in called]
    where = "no group" if groups == [""] else f"the group{'s' if groups[1:] else ''} {listed(groups, 'and')}"
    name = called[0].rpartition(" ")[2]
    return Problem("", f"{name} is in {where}", listed([f"fracas {words}" for words in called]))


def _show_whole_docstring(tokens: Sequence[str]) -> None:
    """Show the whole docstring in a command's own help; the list of commands shows one line each.

    A group's help is its line and what its table says about it.
    """
    called = _command_of(tokens).split()
    if not called or not ({"--help", "-h"} & set(tokens) or called == [*tokens]):
        return
    command = reduce(getitem, called, app)
    about = next((f"{group.line}\n\n{group.about}" for group in GROUPS if [group.name] == called), "")
    written = about or inspect.getdoc(command.default_command) or ""
    command.help = "\n\n".join(map(_join_lines, written.split("\n\n")))


def _join_lines(paragraph: str) -> str:
    """Join a paragraph's lines so that the terminal can wrap it. Indented examples and lists keep their lines."""
    lines = paragraph.split("\n")
    if not any(line.startswith((" ", "*")) for line in lines):
        return " ".join(lines)
    return "\n".join(map(_with_line_breaks, lines))


def _with_line_breaks(line: str) -> str:
    """Break a long example with backslashes, so that it fits a narrow terminal and can still be pasted."""
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
    """Report Ctrl-C that came before there was anything to show."""
    from fracas.cli.shared.output import notice, print_json

    notice("interrupted")
    if _wants_json(tokens):
        print_json({"interrupted": True})
    return INTERRUPTED


def _drop_output() -> None:
    """Discard pending output, so that Python prints no error when the program ends."""
    from fracas.cli.shared.output import discard

    discard(sys.stdout)


def _refuse_output(reason: str) -> int:
    from fracas.cli.shared.output import print_errors

    print_errors([Problem("standard output", f"cannot be written: {reason}")], as_json=False)
    return BAD_INPUT


def _problem_of_a_game(error: Exception) -> Problem | None:
    """What an error means that the rules of a game of one's own raised; None if no line of a game ran."""
    load = sys.modules.get("fracas.kit.load")
    files = load.shown_files() if load is not None else {}
    if not files or os.environ.get("FRACAS_DEBUG") == "1":
        return None
    from fracas.kit.author_errors.compiling import is_of_compiler, refused
    from fracas.kit.author_errors.running import explained

    if is_of_compiler(error):
        return refused(error, "the game", files).problems[0]
    return explained(error, files)


def _report_internal_error(error: Exception) -> int:
    """Report an internal error in a sentence; show the traceback only if FRACAS_DEBUG is set."""
    from fracas.cli.shared.output import notice

    if os.environ.get("FRACAS_DEBUG") == "1":
        import traceback

        traceback.print_exc()
    what = str(error) if isinstance(error, FracasError) else f"{type(error).__name__}: {error}"
    notice(f"fault: {what}")
    notice("This is a bug in Fracas. Please report it with the command. FRACAS_DEBUG=1 shows the traceback.")
    return FAULT
