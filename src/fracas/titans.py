"""Names of titans for programs: the classes of its events."""

from fracas.rulesets.titans import events

__all__ = ["events"]
