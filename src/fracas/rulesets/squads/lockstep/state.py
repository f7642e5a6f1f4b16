"""The records of lockstep: a battle's plan, and the state of 64 battles in lanes. docs/adr/0033 has the reasons."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from fracas.kernel.records import record
from fracas.lanes.lane_state import BLOCK_WORDS, OWN_WORDS, lane_record
from fracas.rulesets.squads.rules import constants as codes

i64 = np.int64

# Rows of state for each unit: the row of unit i is the first plus i.
(
    HP,
    CHARGE,
    COOLDOWN,
    ULTIMATE_COOLDOWN,
    SHIELD,
    SHIELD_UNTIL,
    ATTACK_UP,
    ATTACK_UP_UNTIL,
    ATTACK_DOWN,
    ATTACK_DOWN_UNTIL,
    TAUNT_UNTIL,
    STUNNED,
    JUST_STUNNED,
    WOUND,
    WOUND_STRIKES,
) = range(0, 15 * codes.SLOTS, codes.SLOTS)
UNIT_ROWS = 15 * codes.SLOTS
# Rows of each battle: its round, and the living units of both sides.
TICK = UNIT_ROWS
LIVING = TICK + 1
# Rows of the round: for each unit, which of its rolls are critical hits (a bit each, the next one lowest), and its rank
# among the units that tie with it for a place in the order of play.
CRITICALS = LIVING + codes.SIDES
RANK = CRITICALS + codes.SLOTS
ROWS = RANK + codes.SLOTS

# Rows of words: a block of dice; the first word of each unit's turn.
BLOCK = OWN_WORDS
FIRST_WORD = BLOCK + BLOCK_WORDS
WORD_ROWS = FIRST_WORD + codes.SLOTS

# A turn may draw one block.
MOST_WORDS = BLOCK_WORDS
# Masked turns of a round for each unit, as a fraction: units that tie for their place in the order of play take several
# turns each, in some lanes at a time. Measured: with more of them one battle at a time is faster on some processors.
MOST_TURNS, FOR_UNITS = 8, 3
# Different amounts of attack up, or of attack down, that one side can be under, counting none.
MOST_AMOUNTS = 16
MOST_FIGURES = 1 << 17
# Damage has two figures: usual, then critical.
ROLLS = 2
LARGEST_SHORT = (1 << 16) - 2

# Whether a battle can be played in lanes: how many bits a lane needs, or why not. The last reason is the machine's.
NOT_PLANNED = 0
SHORT_LANES, LONG_LANES = 16, 32
(
    PLUGIN_STAGE,
    SEVERAL_CRITICALS,
    MANY_ROLLS,
    MANY_TIES,
    MANY_AMOUNTS,
    MANY_FIGURES,
    TRAINED_POLICY,
    UNKNOWN_EFFECT,
    UNKNOWN_FACT,
    UNKNOWN_OPTION,
) = range(1, 11)
REASONS: Mapping[int, str] = MappingProxyType(
    {
        PLUGIN_STAGE: "a stage of the damage chain is a plug-in",
        SEVERAL_CRITICALS: "the damage chain has several critical stages",
        MANY_ROLLS: f"a turn can take more than {MOST_WORDS} words of dice",
        MANY_TIES: "many units have the same speed",
        MANY_AMOUNTS: f"a side's attack can be raised or lowered by {MOST_AMOUNTS} or more different percentages",
        MANY_FIGURES: f"damage and healing can take more than {MOST_FIGURES:,} different values",
        TRAINED_POLICY: "a trained policy plays a side",
        UNKNOWN_EFFECT: "an ability has an effect that lanes do not know",
        UNKNOWN_FACT: "a condition asks for a fact that lanes do not know",
        UNKNOWN_OPTION: "a rule option is set that lanes do not know",
    }
)

# How a target is found. Candidates are the living of a side; those that taunt, or that are hurt, go first if asked.
ALL_ARE_EQUAL, TAUNTERS_FIRST, HURT_FIRST = range(3)

# An effect as figures: `first` is where they begin in the plan's figures.
planned_effect_t = record(("kind", i64), ("rounds", i64), ("amount", i64), ("first", i64))

# An entry of a search: whom it looks for, and among which slots.
entry_t = record(("selector", i64), ("slots", i64))

# What one of a unit's three choices does: whom it reaches, how it aims, how many words it draws at most.
choice_t = record(
    ("reach", i64),
    ("first", i64),
    ("count", i64),
    ("cooldown", i64),
    ("words", i64),
    ("is_aimed", i64),
    ("is_random", i64),
    ("goes_first", i64),
    ("entry_count", i64),
    ("entries", entry_t, (codes.MAX_PRIORITIES + 1,)),
    ("first_step", i64),
    ("step_count", i64),
    ("first_ask", i64),
    ("needs_hurt", i64),
    ("falls_back", i64),
    ("is_one_strike", i64),
    ("effect_count", i64),
    ("effects", planned_effect_t, (codes.MAX_EFFECTS,)),
)

plan_t = record(
    ("bits", i64),
    ("reason", i64),
    # slots that an effect can ever reach, as bits
    ("can_shield", i64),
    ("can_raise", i64),
    ("can_lower", i64),
    ("can_taunt", i64),
    ("can_stun", i64),
    ("can_wound", i64),
    ("has_ties", i64),
    ("group_count", i64),
    ("group_first", i64, (codes.SLOTS,)),
    ("group_size", i64, (codes.SLOTS,)),
    ("turn_count", i64),
    # the amounts of attack up and attack down by side, ascending from 0; rows of state hold places in these lists
    ("up_count", i64, (codes.SIDES,)),
    ("ups", i64, (codes.SIDES, MOST_AMOUNTS)),
    ("down_count", i64, (codes.SIDES,)),
    ("downs", i64, (codes.SIDES, MOST_AMOUNTS)),
    # rounds with figures of their own, after the round `fatigue_after`; 0 without the stage
    ("tired_rounds", i64),
    ("fatigue_after", i64),
    # the stage that rolls for critical hits, or -1; the largest word that is a critical hit, or -1
    ("critical_stage", i64),
    ("critical_words", i64, (codes.SLOTS,)),
    # how many words a unit's turn takes at most, and whether the first may be for a random target
    ("words", i64, (codes.SLOTS,)),
    ("has_random", i64, (codes.SLOTS,)),
    ("threats", i64, (codes.SLOTS,)),
    ("swiftness", i64, (codes.SLOTS,)),
    ("choices", choice_t, (codes.SLOTS * codes.CHOICE_COUNT,)),
    ("figure_count", i64),
    ("figures", i64, (MOST_FIGURES,)),
)


lanes_of_16_t = lane_record(np.uint16, ROWS, WORD_ROWS)
lanes_of_32_t = lane_record(np.uint32, ROWS, WORD_ROWS)
STATE_TYPES: Mapping[int, np.dtype[np.void]] = MappingProxyType({SHORT_LANES: lanes_of_16_t, LONG_LANES: lanes_of_32_t})
