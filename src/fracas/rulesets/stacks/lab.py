"""What stacks answers to the lab."""

from __future__ import annotations

from fracas.rulesets.hooks import LabHooks


class StacksLab(LabHooks):
    """The lab's questions, answered for stacks."""
