"""Ctrl-C handling: the first press stops as soon as current work is complete; the second press stops at once."""

from __future__ import annotations

import signal
import threading
from contextlib import ContextDecorator
from types import FrameType, TracebackType


class DeferInterrupt(ContextDecorator):
    """Delays Ctrl-C inside its `with` block: a press is recorded, work in progress finishes, no new simulation starts.

    The outermost block listens, and all blocks inside share its state. So a study of many simulations ends with the
    complete ones whenever you press. If the program handles Ctrl-C itself, or in a thread that Ctrl-C does not reach,
    the block has no effect.
    """

    def __init__(self) -> None:
        self.stop_requested = False
        """Whether Ctrl-C was pressed."""
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
    """Lets Ctrl-C raise KeyboardInterrupt in its `with` block, for slow work that can be dropped.

    Raises:
        KeyboardInterrupt: Ctrl-C was pressed, here or before.
    """

    def __init__(self) -> None:
        self._interrupt: DeferInterrupt | None = None
        self._before = False

    def _recreate_cm(self) -> AllowInterrupt:
        return AllowInterrupt()

    def __enter__(self) -> None:
        self._interrupt = interrupt = _listening()
        if interrupt is None:
            return
        self._before = interrupt.raises
        try:
            # A press before this line was recorded, and a later one raises.
            interrupt.raises = True
            if interrupt.stop_requested:
                raise KeyboardInterrupt
        except KeyboardInterrupt:
            interrupt.raises = self._before
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._interrupt is not None:
            self._interrupt.raises = self._before


def _listening() -> DeferInterrupt | None:
    """The block that listens to Ctrl-C for this thread."""
    if threading.current_thread() is not threading.main_thread():
        return None
    listener = getattr(signal.getsignal(signal.SIGINT), "__self__", None)
    return listener if isinstance(listener, DeferInterrupt) else None
