"""The type of a study's progress callback."""

from __future__ import annotations

from collections.abc import Callable

# Work done, total work, and the name of the next step.
Steps = Callable[[int, int, str], None]
