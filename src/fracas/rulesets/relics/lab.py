"""What relics answers to the lab."""

from __future__ import annotations

from fracas.rulesets.hooks import LabHooks


class RelicsLab(LabHooks):
    """The lab's questions, answered for relics."""
