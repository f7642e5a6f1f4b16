"""The condition language: parse conditions from text or JSON, check them against a vocabulary, compile them.

A condition is text, or JSON with text at its leaves:

    ally_hp_below_35 and enemy_count_gte_3
    self.hp_pct < 50 and not enemies.any(stunned)
    self.armor > enemy.armor
    {"all": ["ally_hp_below_50", {"not": "enemy_count_gte_3"}]}

Everything outside the vocabulary is refused, except unknown condition names: these never block, because a typo must not
break a strategy. Nothing here evaluates a condition; fracas.conditions.compiler compiles it to a program.
"""

from fracas.conditions.parser import MAX_CHARACTERS, MAX_DEPTH, MAX_NODES, check_names, parse
from fracas.conditions.tree import (
    ALWAYS,
    MULTIPLE_OF,
    And,
    Comparison,
    Constant,
    Group,
    Named,
    Not,
    Or,
    Parsed,
    Status,
    Tree,
    Versus,
    to_text,
)
from fracas.conditions.vocabulary import Alias, Flag, Units, Vocabulary
from fracas.kernel.fact_table import Fact, FactKind

__all__ = [
    "ALWAYS",
    "MAX_CHARACTERS",
    "MAX_DEPTH",
    "MAX_NODES",
    "MULTIPLE_OF",
    "Alias",
    "And",
    "Comparison",
    "Constant",
    "Fact",
    "FactKind",
    "Flag",
    "Group",
    "Named",
    "Not",
    "Or",
    "Parsed",
    "Status",
    "Tree",
    "Units",
    "Versus",
    "Vocabulary",
    "check_names",
    "parse",
    "to_text",
]
