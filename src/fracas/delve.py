"""Names of delve for programs: the classes of its events, and those of the records of its chronicle."""

from fracas.rulesets.delve.narration import chronicle
from fracas.rulesets.delve.rules import events

__all__ = ["chronicle", "events"]
