"""Tables and sentences on terminals of any width, and bars where there is only ASCII."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from tests.helpers import soak
from tests.helpers.commands import DONE
from tests.helpers.guards import ROOT

from fracas.cli.shared import output
from fracas.cli.shared.output import FOLD, columns, print_lines, say
from fracas.events.styled_text import PLAIN, Line, bar

ROWS = [("", "", "wins", "95% interval"), ("Red", bar(1, 4, 20), "25.00%", "20.00% to 31.00%"), ("draw", "", "0%", "")]


@pytest.fixture
def terminal(monkeypatch, capsys):
    """Makes stdout a terminal of some width."""

    def made(width):
        monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
        monkeypatch.setattr(output, "width", lambda: width)
        monkeypatch.setenv("NO_COLOR", "1")

    return made


def test_the_width_is_that_of_the_terminal_and_else_80(monkeypatch):
    monkeypatch.setenv("COLUMNS", "132")
    assert output.width() == 80
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert output.width() == 132


def test_without_a_terminal_rows_stay_whole():
    assert FOLD not in columns([["x" * 300, "y"]])[0]


def test_a_bar_becomes_shorter_first(terminal):
    terminal(48)
    rows = columns(ROWS, right=(2, 3))
    assert max(map(len, rows)) == 44
    assert 8 <= rows[1].count("█") + rows[1].count("░") < 20
    assert rows[1].count("█") == (rows[1].count("█") + rows[1].count("░")) // 4


def test_then_it_is_left_out(terminal):
    terminal(40)
    assert columns(ROWS, right=(2, 3)) == [
        "        wins      95% interval",
        "Red   25.00%  20.00% to 31.00%",
        "draw      0%",
    ]


def test_then_rows_go_on_below_and_stay_aligned(terminal):
    terminal(24)
    assert [row.split("\n") for row in columns(ROWS, right=(2, 3))] == [
        ["        wins", "            95% interval"],
        ["Red   25.00%", "        20.00% to 31.00%"],
        ["draw      0%", "        "],
    ]


@pytest.mark.parametrize("width", [40, 80, 200])
def test_sentences_break_between_words_with_a_hanging_indent(terminal, capsys, width):
    terminal(width)
    sentence = "  " + "a word or two " * 12
    print_lines([Line(0, ((sentence, PLAIN),))])
    first, *others = capsys.readouterr().out.rstrip("\n").split("\n")
    assert len(first) <= width
    assert all(len(line) <= width and line.startswith("    ") for line in others)
    assert " ".join([first.strip(), *(line.strip() for line in others)]) == sentence.strip()


def test_what_stands_below_a_far_column_moves_left_where_it_has_no_room(terminal, capsys):
    terminal(40)
    sentence = " " * 39 + "2 Apprentice Wizard falls."
    print_lines([Line(0, ((sentence, PLAIN),))])
    assert capsys.readouterr().out == "    2 Apprentice Wizard falls.\n"


def test_what_a_user_wrote_cannot_begin_a_line(terminal, capsys):
    terminal(80)
    say(f"seed a{FOLD}b\nerror: all is lost")
    assert [line[:8].strip() for line in capsys.readouterr().out.splitlines()] == ["seed a", ""]


@pytest.mark.skipif(sys.platform == "win32", reason="a pseudo-terminal")
@pytest.mark.parametrize("width", soak.some([40, 80], 1))
def test_a_real_terminal_gets_no_line_that_is_too_long(width):
    code = f"""
import os, pty, sys, fcntl, termios, struct
words = [sys.executable, "-m", "fracas", "simulate", "examples/squads/coin-toss.toml", "-n", "30", "--timeline", "6"]
child, terminal = pty.fork()
if child == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 50, {width}, 0, 0))
    os.execv(sys.executable, words)
out = b""
while True:
    try:
        out += os.read(terminal, 65536) or b""
    except OSError:
        break
sys.stdout.buffer.write(out)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    environment = os.environ | {"NO_COLOR": "1", "FRACAS_JIT": "0", "TERM": "dumb"}
    environment.pop("COLUMNS", None)
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, check=False)
    lines = ended.stdout.decode().replace("\r", "").split("\n")
    assert ended.returncode == DONE
    assert any("95% interval" in line for line in lines)
    assert [line for line in lines if len(line) > width] == []


# A battle told to a reader that has enough: tests/cli/test_faults.py.
@pytest.mark.parametrize("words", soak.some(["--help", "run --help"], 1))
def test_a_reader_that_has_enough_is_no_failure(words):
    shell = f'set -o pipefail; "{sys.executable}" -m fracas {words} | true'
    ended = subprocess.run(["bash", "-c", shell], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (DONE, "")


def test_bars_are_drawn_in_ascii_where_there_is_nothing_else():
    words = [sys.executable, "-m", "fracas", "simulate", "examples/squads/coin-toss.toml", "-n", "8"]
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "FRACAS_JIT": "0"}
    ended = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, check=False)
    assert ended.returncode == DONE
    text = ended.stdout.decode("ascii")
    assert "####" in text
    assert "\\u" not in text
