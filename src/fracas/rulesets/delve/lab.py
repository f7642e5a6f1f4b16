"""What delve answers to the lab."""

from __future__ import annotations

from fracas.rulesets.hooks import LabHooks


class DelveLab(LabHooks):
    """The lab's questions, answered for delve."""
