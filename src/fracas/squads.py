"""Names of squads for programs: the classes of its events."""

from fracas.rulesets.squads.rules import events

__all__ = ["events"]
