"""What titans answers to the lab."""

from __future__ import annotations

from fracas.rulesets.hooks import LabHooks


class TitansLab(LabHooks):
    """The lab's questions, answered for titans."""
