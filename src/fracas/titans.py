"""Names of titans for programs: the classes of its events, what tells them, and the policy of a person in a duel."""

from fracas.rulesets.titans.narration.story import Narrator
from fracas.rulesets.titans.rules import events
from fracas.rulesets.titans.session.session_document import SOMEBODY

__all__ = ["SOMEBODY", "Narrator", "events"]
