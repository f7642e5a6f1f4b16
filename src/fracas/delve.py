"""Names of delve for programs: the classes of its events, and those of the records of its chronicle."""

from fracas.rulesets.delve import events
from fracas.rulesets.delve.narration import chronicle

__all__ = ["chronicle", "events"]
