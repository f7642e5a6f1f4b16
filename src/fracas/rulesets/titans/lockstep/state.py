"""The records of lockstep: a duel's plan, and the state of 64 duels in lanes. docs/adr/0033 has the reasons.

Rows come in pairs: the row of player i is the first plus i.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from fracas.kernel.records import record
from fracas.lanes.lane_state import BLOCK_WORDS, OWN_WORDS, lane_record
from fracas.lanes.operations import LANES
from fracas.rulesets.titans.rules.constants import (
    CHOICES,
    LEAST_SUM,
    MAX_CHANGES,
    MAX_RULES,
    PLAYERS,
    STAT_SLOTS,
)

i64 = np.int64
f64 = np.float64

# Rows of each titan. A choice is its code plus 1, so that 0 is no choice. ROLLS: how many unit() its action has taken.
# RAISED and LOWERED: how many changes that raise a stat, or lower one, it bears.
(HP, CHARGE, CHOICE, LAST_CHOICE, MISSED, ROLLS, RAISED, LOWERED) = range(0, 8 * PLAYERS, PLAYERS)
# The sum of a stat's changes, plus ZERO_SUM; the last round of a change, 0 if it is not active.
SUMS = 8 * PLAYERS
UNTIL = SUMS + STAT_SLOTS * PLAYERS
# The round; the place of a duel among the cells of a solved table, by the HP and by the charge of both.
TICK = UNTIL + MAX_CHANGES * PLAYERS
HP_CELL = TICK + 1
CHARGE_CELL = HP_CELL + 1
ROWS = CHARGE_CELL + 1
# No sum of changes is as low as minus this.
ZERO_SUM = -LEAST_SUM * MAX_CHANGES

# Rows of doubles: shields, current stats and what follows from them.
SHIELD = 0
NOW = SHIELD + PLAYERS
HIT_CHANCE = NOW + STAT_SLOTS * PLAYERS
CRITICAL_CHANCE = HIT_CHANCE + PLAYERS
STAMINA_FACTOR = CRITICAL_CHANCE + PLAYERS
# What greedy players expect of a round, by titan, and what their choices are worth: the current one, and the best.
EXPECTED_HP = STAMINA_FACTOR + PLAYERS
EXPECTED_SHIELD = EXPECTED_HP + PLAYERS
EXPECTED_ATTACK = EXPECTED_SHIELD + PLAYERS
EXPECTED_DEFENSE = EXPECTED_ATTACK + PLAYERS
EXPECTED_DEALT = EXPECTED_DEFENSE + PLAYERS
WORTH = EXPECTED_DEALT + PLAYERS
MOST_WORTH = WORTH + 2
REAL_ROWS = MOST_WORTH + 1

# Rows of words: a block of dice for each titan's action, and one for chances and speed.
ACTION_BLOCKS = OWN_WORDS
OTHER_BLOCK = ACTION_BLOCKS + PLAYERS * BLOCK_WORDS
# The totals of the weights in cells of solved tables.
TOTALS = OTHER_BLOCK + BLOCK_WORDS
WORD_ROWS = TOTALS + 1

# Rules of one policy with a chance: as many as words in a block.
MOST_CHANCES = BLOCK_WORDS
# Comparisons of facts with numbers in all rules together.
MOST_TESTS = 1024
# Numbers that a fact with `multiple_of` can have, together.
MOST_ANSWERS = 1 << 14

NOT_PLANNED = 0
LARGEST_SHORT = (1 << 16) - 1
SHORT_LANES = 16
TRAINED_POLICY, MANY_CHANCES, MANY_ANSWERS, MANY_TESTS, STRANGE_CONDITION = range(1, 6)
REASONS: Mapping[int, str] = MappingProxyType(
    {
        TRAINED_POLICY: "a trained policy plays",
        MANY_CHANCES: f"a policy has more than {MOST_CHANCES} rules with a chance",
        MANY_ANSWERS: "conditions ask whether one of too many numbers is a multiple",
        MANY_TESTS: f"conditions compare facts with numbers more than {MOST_TESTS:,} times",
        STRANGE_CONDITION: "a condition compares facts that are no numbers, or asks if one is a multiple of another",
    }
)

# How a choice meets the opponent's, if nobody falls: in any order alike; not if the opponent strikes or uses an ability
# of its own; not unless it defends.
ANY_ORDER, ORDER_WITH_BLOWS, ORDER_WITH_ALL = range(3)

# Outcomes that give a titan different experience.
WITHOUT_WIN, BY_KNOCK_OUT, BY_ANOTHER_WIN = range(3)
OUTCOMES = 3

# A comparison of a fact with a number, as a test of the row that the fact depends on: whether its number is from `low`
# to `high`, or the opposite, or else the answers from `first` on, for the numbers from `low` on.
test_t = record(("row", i64), ("low", i64), ("high", i64), ("is_outside", i64), ("first", i64))

plan_t = record(
    ("bits", i64),
    ("reason", i64),
    ("can_shield", i64, (PLAYERS,)),
    # changes that a titan can bear, as 0 or 1
    ("can_bear", i64, (PLAYERS, MAX_CHANGES)),
    ("bears_any", i64, (PLAYERS,)),
    ("now", f64, (PLAYERS, STAT_SLOTS)),
    ("hit_chance", f64, (PLAYERS,)),
    ("critical_chance", f64, (PLAYERS,)),
    # by choice: whether it can take dice, whether it can strike, the most that abilities can deal, and what order means
    ("draws", i64, (PLAYERS, CHOICES)),
    ("strikes", i64, (PLAYERS, CHOICES)),
    ("most", f64, (PLAYERS, CHOICES)),
    ("order", i64, (PLAYERS, CHOICES)),
    # levels that a titan rises, by outcome
    ("risen", i64, (PLAYERS, OUTCOMES)),
    # the tests of each rule, one for each comparison of a fact with a number, in their order
    ("first_test", i64, (PLAYERS, MAX_RULES)),
    ("test_count", i64),
    ("tests", test_t, (MOST_TESTS,)),
    ("answer_count", i64),
    ("answers", i64, (MOST_ANSWERS,)),
)

lanes_t = lane_record(np.uint16, ROWS, WORD_ROWS, ("reals", f64, (REAL_ROWS, LANES)))
STATE_TYPES: Mapping[int, np.dtype[np.void]] = MappingProxyType({SHORT_LANES: lanes_t})
