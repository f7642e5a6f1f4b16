"""Somebody who presses Ctrl-C while battles are played."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import pytest

from fracas.engine.player import Player


class Presser:
    """Presses Ctrl-C while the player is asked for the `number`th time; counts how often it is asked.

    `logged` counts only battles with a log. Where ranges are kept, their size comes from a trial against the clock, so
    that how often the player is asked for battles without a log differs from run to run.
    """

    def __init__(self, number: int | None, logged: bool) -> None:
        self.number = number
        self.logged = logged
        self.asked = 0

    def tell(self, player: Player) -> None:
        """The player is asked."""
        if self.logged and player.log is None:
            return
        self.asked += 1
        if self.asked == self.number:
            signal.raise_signal(signal.SIGINT)


@contextmanager
def pressed(number: int | None = None, *, logged: bool = False) -> Iterator[Presser]:
    """Python's own reaction to Ctrl-C, and somebody who presses it; afterwards all is as it was."""
    presser, played = Presser(number, logged), Player.play

    def play(player: Player, first: int, count: int) -> Any:
        presser.tell(player)
        return played(player, first, count)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with patch.object(Player, "play", play):
            yield presser
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


def interrupted_by(call: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """What a call returns although Ctrl-C was pressed; a KeyboardInterrupt that gets out would end all tests."""
    try:
        return call(*arguments, **options)
    except KeyboardInterrupt:
        pytest.fail("Ctrl-C was not taken for the wish to stop")
