"""Exit statuses of the program."""

from __future__ import annotations

DONE, CHECK_FAILED, BAD_INPUT, FAULT, INTERRUPTED = 0, 1, 2, 70, 130
