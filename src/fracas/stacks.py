"""Names of stacks for programs: the classes of its events, and commits of results to worlds."""

from fracas.rulesets.stacks.campaign.commit import (
    Committed,
    Made,
    commit,
    healths_of,
    replayed,
    tuples_of,
    world_of,
)
from fracas.rulesets.stacks.rules import events

__all__ = ["Committed", "Made", "commit", "events", "healths_of", "replayed", "tuples_of", "world_of"]
