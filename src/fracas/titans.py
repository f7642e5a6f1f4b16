"""Names of titans for programs: the classes of its events, what tells them, what choices do, a person's policy."""

from fracas.rulesets.titans.narration.choices import basic_choices, effect_words
from fracas.rulesets.titans.narration.story import Narrator
from fracas.rulesets.titans.rules import events
from fracas.rulesets.titans.session.session_document import SOMEBODY

__all__ = ["SOMEBODY", "Narrator", "basic_choices", "effect_words", "events"]
