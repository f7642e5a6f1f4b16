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
from importlib import import_module
from itertools import pairwise
from typing import Any

from cyclopts import App, CycloptsError, Group, Parameter, Token, UnusedCliTokensError, convert

from fracas import __version__
from fracas.cli.shared.exit_status import BAD_INPUT, DONE, FAULT, INTERRUPTED
from fracas.cli.shared.games import use_games, without_games
from fracas.cli.shared.verbose import remarks_shown, without_verbose
from fracas.errors import FracasError, InputError, Problem

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
    help="""Resolve turn-based battles from data. The same inputs and seed give the same bytes on every machine.

`fracas examples --out .` copies the examples used below into this folder. `--verbose` tells how battles are played.
`--game FILE` with any command lets scenarios name a game of your own; `fracas game new NAME` writes one to start from.

Start here:

    fracas run examples/squads/first-battle.toml        a battle as a story
    fracas simulate examples/squads/standard-5v5.toml   how often each side wins
    fracas run examples/delve/goblin-warrens.toml       a run through a quest
    fracas odds examples/stacks/first-attack.toml       the odds of an attack
    fracas why examples/squads/first-battle.toml        why a battle was lost
    fracas new squads --out mine.toml                   your own scenario
    fracas compare mine.toml other.toml                 which of two is better""",
    help_format="plaintext",
    version=__version__,
    version_flags=["--version", "-V"],
    suppress_keyboard_interrupt=False,
    result_action="return_value",
    default_parameter=Parameter(converter=_converted, negative=""),
)

PLAY, MEASURE, CHECK, LOOK_UP, SERVE, MACHINE = (
    Group(title, sort_key=place)
    for place, title in enumerate(("Play", "Measure", "Check", "Look up", "Serve", "This machine"), 1)
)

_COMMANDS = (
    ("run", "fracas.cli.play.run:run", PLAY, "Play one battle and print its story."),
    ("duel", "fracas.cli.play.duel:duel", PLAY, "Play a duel yourself, against a policy."),
    ("campaign", "fracas.cli.play.campaign:campaign", PLAY, "Fight a list of attacks in order on one world."),
    ("commit", "fracas.cli.play.commit:commit", PLAY, "Apply the result of a saved battle to its world."),
    ("replay", "fracas.cli.play.replay:replay", PLAY, "Print the story of a saved battle."),
    ("watch", "fracas.cli.play.watch:watch", PLAY, "Watch a battle: a page that plays it, in one file."),
    ("studio", "fracas.cli.play.studio:studio", PLAY, "Write a scenario and see at once what it is worth."),
    ("site", "fracas.cli.play.site:site", PLAY, "Write a site of all examples, for any web host."),
    ("pack", "fracas.cli.play.pack:pack", PLAY, "Pack a battle for browsers and other languages."),
    ("simulate", "fracas.cli.measure.simulate:simulate", MEASURE, "Play many battles and count how they end."),
    ("merge", "fracas.cli.measure.merge:merge", MEASURE, "Merge the parts of a simulation into one result."),
    ("odds", "fracas.cli.measure.odds:odds", MEASURE, "Compute each side's odds, exactly where possible."),
    (
        "compare",
        "fracas.cli.measure.compare:compare",
        MEASURE,
        "Test which of two scenarios is better, and by how much.",
    ),
    (
        "variants",
        "fracas.cli.measure.variants:variants",
        MEASURE,
        "Compare named variants with a scenario and rank them.",
    ),
    ("sweep", "fracas.cli.measure.sweep:sweep", MEASURE, "Vary values of a scenario and measure the effect."),
    (
        "sensitivity",
        "fracas.cli.measure.sensitivity:sensitivity",
        MEASURE,
        "Measure what one more point of each stat is worth.",
    ),
    ("why", "fracas.cli.measure.why:why", MEASURE, "Explain why a battle was lost: odds, luck, decisions."),
    ("find", "fracas.cli.measure.find:find", MEASURE, "Find the first battle whose outcome meets a condition."),
    (
        "matchups",
        "fracas.cli.measure.matchups:matchups",
        MEASURE,
        "Play everyone against everyone, from both sides, and rank them.",
    ),
    (
        "optimise",
        "fracas.cli.measure.optimise:optimise",
        MEASURE,
        "Search for a better strategy, queue, build or line-up.",
    ),
    (
        "ladder",
        "fracas.cli.measure.ladder:ladder",
        MEASURE,
        "Play a build against every opponent in the content.",
    ),
    ("swaps", "fracas.cli.measure.swaps:swaps", MEASURE, "Measure what replacing one item or unit would gain."),
    (
        "solve",
        "fracas.cli.measure.solve:solve",
        MEASURE,
        "Solve a duel with hidden choices: its value and best play.",
    ),
    (
        "strength",
        "fracas.cli.measure.strength:strength",
        MEASURE,
        "Measure agents for learning environments, all against all.",
    ),
    (
        "report",
        "fracas.cli.measure.report:report",
        MEASURE,
        "Write results to one HTML file with charts and tables.",
    ),
    ("verify", "fracas.cli.check.verify:verify", CHECK, "Play saved battles again and compare every event."),
    ("validate", "fracas.cli.check.validate:validate", CHECK, "Check files and list every error."),
    ("lint", "fracas.cli.check.lint:lint", CHECK, "Report what is valid but probably a mistake."),
    ("explain", "fracas.cli.check.explain:explain", CHECK, "Evaluate a condition, or show what a hit does."),
    ("game", "fracas.cli.lookup.game:game", LOOK_UP, "Begin a game of your own, check its rules, or list those known."),
    ("new", "fracas.cli.lookup.new:new", LOOK_UP, "Write a commented scenario or content pack to start from."),
    ("examples", "fracas.cli.lookup.examples:examples", LOOK_UP, "List the shipped examples, or copy them."),
    ("content", "fracas.cli.lookup.content:content", LOOK_UP, "List and show content; export JSON Schemas."),
    ("envs", "fracas.cli.lookup.envs:envs", LOOK_UP, "List the environments for agents that learn."),
    ("share", "fracas.cli.lookup.share:share", LOOK_UP, "Turn a build into a share code, or back."),
    (
        "modifiers",
        "fracas.cli.lookup.modifiers:modifiers",
        LOOK_UP,
        "Show the environment modifiers of this and the coming weeks.",
    ),
    ("loot", "fracas.cli.measure.loot:loot", LOOK_UP, "Roll a quest's loot and compare it with its loot tables."),
    ("enhance", "fracas.cli.lookup.enhance:enhance", LOOK_UP, "Try to enhance an item found in a run."),
    ("serve", "fracas.cli.serve.serve:serve", SERVE, "Serve battles and leagues over HTTP."),
    ("admin", "fracas.cli.serve.admin:admin", SERVE, "Administer a server's accounts and database."),
    ("server", "fracas.cli.serve.server:server", SERVE, "Watch over a server that somebody else runs."),
    (
        "scheduler",
        "fracas.cli.machine.scheduler:scheduler",
        MACHINE,
        "Hand out battles to workers.",
    ),
    ("worker", "fracas.cli.machine.worker:worker", MACHINE, "Play battles for a scheduler."),
    ("bench", "fracas.cli.machine.bench:bench", MACHINE, "Measure battles per second, with checksums."),
    (
        "compile",
        "fracas.cli.machine.compile:compile_kernels",
        MACHINE,
        "Compile all rules now instead of at first use.",
    ),
    ("doctor", "fracas.cli.machine.doctor:doctor", MACHINE, "Show versions, the cache folder and what is compiled."),
)

for _name, _path, _group, _help in _COMMANDS:
    app.command(_path, name=_name, group=_group, help=_help)
app.register_install_completion_command(name="--install-completion", group=MACHINE)


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
    """The command that a command line begins with, plus a space; empty if there is no such command."""
    return next((f"{name} " for name, *_ in _COMMANDS if name == tokens[0]), "") if tokens else ""


def _show_whole_docstring(tokens: Sequence[str]) -> None:
    """Show the whole docstring in a command's own help; the list of commands shows one line each.

    A command group is a module; its help is the module's docstring.
    """
    if not tokens or not {"--help", "-h"} & set(tokens):
        return
    named = next((entry for entry in _COMMANDS if entry[0] == tokens[0]), None)
    if named is not None:
        command = app[named[0]]
        written = inspect.getdoc(command.default_command or import_module(named[1].partition(":")[0])) or ""
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
