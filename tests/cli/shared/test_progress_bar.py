"""The bar of commands that take longer than a moment."""

from __future__ import annotations

import io

from fracas.cli.shared import progress_bar
from fracas.cli.shared.progress_bar import ProgressBar


class Terminal(io.StringIO):
    def isatty(self):
        return True


def terminal_of(monkeypatch, quiet_seconds=0.0):
    """A terminal in the place of stderr, for this test's own run: between its phases pytest sets another one."""
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setattr(progress_bar, "QUIET_SECONDS", quiet_seconds)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    return terminal


def test_a_bar_says_how_much_is_done_of_what_and_the_remark(monkeypatch):
    terminal = terminal_of(monkeypatch)
    with ProgressBar("trying") as bar:
        bar.update(2, 7, "a hat for a crown")
        bar.bar.refresh()
    shown = terminal.getvalue()
    assert "trying" in shown
    assert "2/7" in shown
    assert "a hat for a crown" in shown


def test_a_bar_without_an_end_says_what_it_waits_for(monkeypatch):
    terminal = terminal_of(monkeypatch)
    with ProgressBar("simulating", "±0.25%") as bar:
        bar.update(12_000, 10**9, "50.00% : 49.00% ±0.80%")
        bar.bar.refresh()
    shown = terminal.getvalue()
    assert "12,000 battles" in shown
    assert "until ±0.25%" in shown
    assert "50.00% : 49.00% ±0.80%" in shown


def test_nothing_is_shown_for_a_moment(monkeypatch):
    terminal = terminal_of(monkeypatch, 60.0)
    with ProgressBar("trying") as bar:
        bar.update(2, 7, "a hat for a crown")
    assert terminal.getvalue() == ""


def test_nothing_is_shown_where_nobody_looks(monkeypatch):
    monkeypatch.setattr("sys.stderr", io.StringIO())
    monkeypatch.setattr(progress_bar, "QUIET_SECONDS", 0.0)
    with ProgressBar("trying") as bar:
        bar.update(2, 7, "a hat for a crown")
        assert bar.bar is None
