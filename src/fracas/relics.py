"""Names of relics for programs: the classes of its events, and those of the records of its chronicle."""

from fracas.rulesets.relics.narration import chronicle
from fracas.rulesets.relics.rules import events

__all__ = ["chronicle", "events"]
