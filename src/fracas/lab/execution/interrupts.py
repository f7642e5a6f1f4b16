"""Ctrl-C: the first press is the wish to stop as soon as what is being done is whole; a second one stops at once."""

from __future__ import annotations

import signal
import threading
from contextlib import ContextDecorator
from types import FrameType, TracebackType


class DeferInterrupt(ContextDecorator):
    """Within it a press is noted, nothing is broken off, and nobody begins another simulation.

    Whoever enters first listens until it leaves, and all that is entered inside shares what it hears. So a study that
    plays many simulations ends with those that are whole, whenever the press comes. Where a program reacts to Ctrl-C
    itself, or in a thread that Ctrl-C does not reach, nothing is heard.
    """

    def __init__(self) -> None:
        self.stop_requested = False
        """Whether the user has had enough."""
        self.raises = False

    def _recreate_cm(self) -> DeferInterrupt:
        return DeferInterrupt()

    def __enter__(self) -> DeferInterrupt:
        outer = _listening()
        if outer is not None:
            return outer
        is_main = threading.current_thread() is threading.main_thread()
        if is_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if _listening() is self:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def _note(self, number: int, frame: FrameType | None) -> None:
        is_second, self.stop_requested = self.stop_requested, True
        if is_second or self.raises:
            raise KeyboardInterrupt


class AllowInterrupt(ContextDecorator):
    """Within it a press is a KeyboardInterrupt, as usual: for what takes long and leaves nothing if it is cut short.

    Raises:
        KeyboardInterrupt: Ctrl-C was pressed, here or before.
    """

    def __init__(self) -> None:
        self._patience: DeferInterrupt | None = None
        self._before = False

    def _recreate_cm(self) -> AllowInterrupt:
        return AllowInterrupt()

    def __enter__(self) -> None:
        self._patience = patience = _listening()
        if patience is None:
            return
        self._before = patience.raises
        try:
            # A press before this line has been noted, and one after it is raised.
            patience.raises = True
            if patience.stop_requested:
                raise KeyboardInterrupt
        except KeyboardInterrupt:
            patience.raises = self._before
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._patience is not None:
            self._patience.raises = self._before


def _listening() -> DeferInterrupt | None:
    """Who listens to Ctrl-C for this thread."""
    if threading.current_thread() is not threading.main_thread():
        return None
    listener = getattr(signal.getsignal(signal.SIGINT), "__self__", None)
    return listener if isinstance(listener, DeferInterrupt) else None
