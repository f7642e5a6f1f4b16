"""Nobody writes conditions in stacks, so there is nothing that one may mention. README, "Conditions and explain"."""

from __future__ import annotations

from fracas.conditions import Vocabulary

VOCABULARY = Vocabulary(facts=())
