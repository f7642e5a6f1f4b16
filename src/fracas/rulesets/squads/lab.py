"""What squads answers to the lab."""

from __future__ import annotations

from fracas.rulesets.hooks import LabHooks


class SquadsLab(LabHooks):
    """The lab's questions, answered for squads."""
