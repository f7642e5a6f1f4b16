"""The empty vocabulary of stacks, which has no conditions. stacks/README.md, "Conditions and explain"."""

from __future__ import annotations

from fracas.conditions import Vocabulary

VOCABULARY = Vocabulary(facts=())
