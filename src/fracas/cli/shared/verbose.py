"""The option `--verbose` of every command: log on stderr how battles are played and what is compiled."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

OPTION = "--verbose"


def without_verbose(tokens: Sequence[str]) -> tuple[list[str], bool]:
    """Remove the option from a command line, and say whether it was there. Tokens after a bare `--` stay."""
    end = tokens.index("--") if "--" in tokens else len(tokens)
    options = [token for token in tokens[:end] if token != OPTION]
    return [*options, *tokens[end:]], len(options) < end


@contextmanager
def remarks_shown() -> Iterator[None]:
    """Write the log `fracas` to stderr inside the block."""
    import logging

    log = logging.getLogger("fracas")
    handler = logging.StreamHandler(sys.stderr)
    before = log.level
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(before)
