"""Looks over the shoulder of plain battles: which dice are opened, what events say, whether they come to an end."""

from __future__ import annotations

import ctypes
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from fracas.errors import Problem
from fracas.gamecheck.subject import Subject
from fracas.kernel import dice as kernel_dice
from fracas.kernel.dice import open_address
from fracas.kernel.event_log import MISFIT
from fracas.kit.author_errors.running import RuleFault
from fracas.kit.declare import dice, moves
from fracas.kit.declare.events import EVENT
from fracas.kit.declare.records import Content
from fracas.kit.derive.bind import BoundEvent
from fracas.kit.derive.functions import modules_of

# A plain battle takes milliseconds; after so many seconds it counts as one without an end.
LONGEST_SECONDS = 10.0


class EndlessFault(RuleFault):
    """A battle takes so long that it has no end."""

    def __init__(self, message: str = "", hint: str | None = None) -> None:
        super().__init__(message, hint)


@dataclass
class Watcher:
    """What was seen of the battles of a game."""

    subject: Subject
    opened: dict[tuple[int, int], str] = field(default_factory=dict)
    addresses: int = 0
    twice: list[Problem] = field(default_factory=list)
    rows: int = 0
    misfits: list[Problem] = field(default_factory=list)
    truths: int = 0
    lies: list[Problem] = field(default_factory=list)

    def begin(self) -> None:
        """Begin another battle."""
        self.opened.clear()

    def where(self) -> str:
        """The author's line that runs now."""
        frame = sys._getframe(1)
        while frame is not None:
            file = frame.f_code.co_filename
            if file in self.subject.files:
                return f"{self.subject.files[file]}:{frame.f_lineno}: {frame.f_code.co_name}"
            frame = frame.f_back  # type: ignore[assignment]
        return self.subject.where

    def open(self, holder: Any, tick: int, lane: int) -> None:
        """Note that an address is opened, in place of the kernel."""
        key, where = (int(tick), int(lane)), self.where()
        self.addresses += 1
        if key in self.opened:
            own = lane - dice.OWN_LANES
            which = f"open_dice(battle, {own})" if 0 <= own < dice.MOST_OWN_LANES else "the same dice"
            message = f"opens {which} a second time in round {key[0]}, and gets the same numbers again"
            first = f"; first in {self.opened[key]}" if self.opened[key] != where else ""
            self.twice.append(Problem(where, message + first, "open it once, or use another number"))
        self.opened[key] = where
        open_address(holder, tick, lane)

    def told(self, event: BoundEvent, emitter: Callable[..., None]) -> Callable[..., None]:
        """An emitter that compares what it says with the record, in place of the author's."""
        names = event.declared.columns

        def emit(battle: Any, log: Any, *values: Any, **named: Any) -> None:
            columns = {**dict(zip(names, values, strict=False)), **named}
            if log is not None:
                self._compare(event, columns)
            emitter(battle, log, *values, **named)
            if log is not None and log.fault == MISFIT and not self.misfits:
                large = [
                    name for name, each in columns.items() if not hasattr(each, "dtype") or each.dtype.names is None
                ]
                large = [name for name in large if not -(1 << 31) <= int(columns[name]) < 1 << 31]
                name = large[0] if large else names[-1]
                message = f"{name} of {event.declared.name} is {int(columns[name]):,}, and rows of events hold 32 bits"
                self.misfits.append(Problem(self.where(), message, "keep it in bounds with min()"))

        return emit

    def _compare(self, event: BoundEvent, columns: dict[str, Any]) -> None:
        self.rows += 1
        owner = columns.get("target", columns.get("actor"))
        for each in event.values:
            if each.tells is None or issubclass(each.kind, Content) or owner is None:
                continue
            self.truths += 1
            kept, said = int(owner[each.name]), int(columns[each.name])
            if kept != said:
                message = f"{event.declared.name} says that {each.name} is {said:,} now, and the record says {kept:,}"
                hint = f"change {each.name} first and then emit, or call the column otherwise"
                self.lies.append(Problem(self.where(), message, hint))


class _Dice:
    """The kernel's dice, with another `open_address`."""

    def __init__(self, opening: Callable[..., None]) -> None:
        self.open_address = opening
        self.kernel = kernel_dice

    def __getattr__(self, name: str) -> Any:
        return getattr(self.kernel, name)


@contextmanager
def watching(watcher: Watcher) -> Iterator[None]:
    """Watch what plain rules of a game do inside the block. Compiled rules are not watched."""
    built = watcher.subject.game.built
    scope = built.loops["kit_next"].__globals__
    by_name = {each.declared.function.__name__: each for each in built.events}
    places: list[tuple[dict[str, Any], str, Any]] = [
        (scope, "open_address", watcher.open),
        (vars(dice), "_dice", _Dice(watcher.open)),
        (vars(moves), "_dice", _Dice(watcher.open)),
    ]
    for module in modules_of(built.shape.module):
        for name, value in vars(module).items():
            if hasattr(value, EVENT):
                places.append((vars(module), name, watcher.told(by_name[value.__name__], value)))
    before = [(where, name, where[name]) for where, name, _ in places]
    try:
        for where, name, value in places:
            where[name] = value
        yield
    finally:
        for where, name, value in before:
            where[name] = value


@contextmanager
def ending(seconds: float) -> Iterator[None]:
    """Interrupt plain Python after so many seconds of processor time, where it stands then.

    Raises:
        EndlessFault: it went on for longer.
    """
    thread, over = threading.get_ident(), threading.Event()
    lock, started = threading.Lock(), time.process_time()

    def stop() -> None:
        # On a busy machine much time passes in which nothing is played.
        left = seconds
        while left > 0:
            if over.wait(left):
                return
            left = seconds - (time.process_time() - started)
        with lock:
            if not over.is_set():
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(EndlessFault))

    threading.Thread(target=stop, daemon=True).start()
    try:
        yield
    except EndlessFault as fault:
        hint = "see that something in this loop brings its end nearer; later() ends chains of triggers"
        raise EndlessFault(f"a battle is not over after {seconds:g} seconds", hint).with_traceback(
            fault.__traceback__
        ) from None
    finally:
        with lock:
            over.set()
