"""`--verbose`, which every command knows: remarks on stderr about who plays battles, and what is compiled for them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

OPTION = "--verbose"


def without_verbose(tokens: Sequence[str]) -> tuple[list[str], bool]:
    """A command line without the option, and whether it was there; what follows a bare `--` is no option."""
    end = tokens.index("--") if "--" in tokens else len(tokens)
    options = [token for token in tokens[:end] if token != OPTION]
    return [*options, *tokens[end:]], len(options) < end


@contextmanager
def remarks_shown() -> Iterator[None]:
    """Write the remarks of the log `fracas` to stderr meanwhile."""
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
