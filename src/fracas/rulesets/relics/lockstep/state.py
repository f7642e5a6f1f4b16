"""The records of lockstep: a battle's plan, and the state of 64 battles in lanes. docs/adr/0033 has the reasons.

Both builds are the same in all lanes, so the agenda is one agenda: which effect is looked at, its depth, what is
running and who is the cause are numbers of the state. Only the dice and what follows from them differ: quantities,
counts and limits are rows, and each frame of the agenda has a mask, the lanes in which it is due.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from fracas.kernel.records import record
from fracas.lanes.memory import kept_masks
from fracas.lanes.operations import LANES
from fracas.rulesets.relics.rules.constants import PIECE_SLOTS, SIDES, VALUE_SLOTS

i64 = np.int64

# Effects that both fighters may have together, and frames on the agenda; battles that need more are given up.
MOST_EFFECTS = 128
MOST_FRAMES = 256

# Rows of each fighter: its values by quantity; then, for both sides, what else the rules keep of it.
VALUES = 0
OWN_TURN = VALUES + SIDES * VALUE_SLOTS
PHASE = OWN_TURN + SIDES
STRIKES_MADE = PHASE + SIDES
EXTRA_NOW = STRIKES_MADE + SIDES
EXTRA_NEXT = EXTRA_NOW + SIDES
EXTRA_ALWAYS = EXTRA_NEXT + SIDES
# Rows of each battle. `runs` and `cursor` are the step's: runs in it, and words of its blocks that are taken.
TURN, STRIKE, WINNER, REASON, CUTS, RUNS, CURSOR = range(EXTRA_ALWAYS + SIDES, EXTRA_ALWAYS + SIDES + 7)
COUNTERS = CURSOR + 1
# Rows of each effect, as in run_t, and of each frame.
THIS_TURN = COUNTERS + PIECE_SLOTS
THIS_BATTLE = THIS_TURN + MOST_EFFECTS
RUN_TURN = THIS_BATTLE + MOST_EFFECTS
TURNS_LEFT = RUN_TURN + MOST_EFFECTS
PAYLOADS = TURNS_LEFT + MOST_EFFECTS
ROWS = PAYLOADS + MOST_FRAMES

# Rows of words: the blocks of dice that a step may draw; the tick and the two halves of the stream, which form an
# address together; how many blocks were drawn; sums for the result.
BLOCK = 0
BLOCK_WORDS = 16
MOST_BLOCKS = 4
MOST_WORDS = MOST_BLOCKS * BLOCK_WORDS
TICK_WORDS = BLOCK + MOST_WORDS
STREAM_LOW = TICK_WORDS + 1
STREAM_HIGH = STREAM_LOW + 1
BLOCKS_DRAWN = STREAM_HIGH + 1
DEALT = BLOCKS_DRAWN + 1
ABSORBED = DEALT + SIDES
HEALED = ABSORBED + SIDES
WORD_ROWS = HEALED + SIDES

# Masks: battles that are undecided, that the rules of rules/ must play, whose step has its address open, whose dead
# are being judged, in which the right fighter acts next.
ALIVE, GIVEN_UP, IS_OPEN, JUDGING, RIGHT_IS_NEXT = range(5)
# Masks of each side, as in fighter_t.
STRUCK = RIGHT_IS_NEXT + 1
REFLECTED = STRUCK + SIDES
IS_EXPOSED = REFLECTED + SIDES
IS_WOUNDED = IS_EXPOSED + SIDES
EXPOSED_DUE = IS_WOUNDED + SIDES
WOUNDED_DUE = EXPOSED_DUE + SIDES
# Masks of each effect, and of each frame: where it is due, where its effect runs, where its op is performed.
DUE = WOUNDED_DUE + SIDES
REPORTED = DUE + MOST_EFFECTS
FRAME_LANES = REPORTED + MOST_EFFECTS
EFFECT_LANES = FRAME_LANES + MOST_FRAMES
OP_LANES = EFFECT_LANES + MOST_FRAMES
# Truth values of a condition under evaluation, as many as the condition evaluator holds.
TRUTHS = OP_LANES + MOST_FRAMES
MASKS = TRUTHS + 64

# All quantities are within 9,999 and so is every sum of two of them, which leaves room for a sign in 16 bits.
SHORT_LANES = 16
NOT_PLANNED = 0
# Sums of modifiers are held to 9,999 at their end; on the way they must fit too.
LARGEST_SUM = 30_000
# Counted amounts are fact * times // per; products beyond this would need wider lanes.
MOST_TIMES = 150
# Percentages that conditions compare with.
LARGEST_PERCENTAGE = 200_000

MANY_EFFECTS, LARGE_SUMS, LARGE_AMOUNTS, COMPARED_SHARES, UNKNOWN_FACT, UNKNOWN_OPTION = range(1, 7)
REASONS: Mapping[int, str] = MappingProxyType(
    {
        MANY_EFFECTS: f"both fighters together have more than {MOST_EFFECTS} effects",
        LARGE_SUMS: f"modifiers of one kind can add up to more than {LARGEST_SUM:,}",
        LARGE_AMOUNTS: f"an amount counts something more than {MOST_TIMES} times",
        COMPARED_SHARES: "a condition compares percentages in a way that lanes do not know",
        UNKNOWN_FACT: "a condition or an amount asks for a fact that lanes do not know",
        UNKNOWN_OPTION: "a rule option is set that lanes do not know",
    }
)

plan_t = record(
    ("bits", i64),
    ("reason", i64),
    # the pieces with a counter, as a bit set
    ("counters", i64),
)

# A run through effects of a side, as in rules/state.py.
frame_t = record(
    ("side", i64),
    ("trigger", i64),
    ("effect", i64),
    ("last", i64),
    ("op", i64),
    ("left", i64),
    ("quantity", i64),
    ("marked", i64),
    ("depth", i64),
    ("pieces", i64),
    ("phase", i64),
)

lanes_t = record(
    ("rows", np.uint16, (ROWS, LANES)),
    ("words", np.uint32, (WORD_ROWS, LANES)),
    kept_masks(MASKS),
    # the place of each lane's battle among the results
    ("places", i64, (LANES,)),
    ("frames", frame_t, (MOST_FRAMES,)),
    ("frame_count", i64),
    # 1 for effects with a run under way
    ("running", i64, (MOST_EFFECTS,)),
    # the cause, as in cause_t
    ("actor", i64),
    ("source", i64),
    ("depth", i64),
    ("marked", i64),
    # the fighter whose turn it is; the rest as in battle_t
    ("active", i64),
    ("striking", i64),
    ("deferring", i64),
    ("may_strike", i64),
    # at least as many as the runs of any lane in this step
    ("run_count", i64),
    # the lane of the step's address; for each block the groups of lanes in which it is drawn, as a bit set; the most
    # words taken
    ("lane", i64),
    ("drawn", i64, (MOST_BLOCKS,)),
    ("taken", i64),
    width=64,
)
STATE_TYPES: Mapping[int, np.dtype[np.void]] = MappingProxyType({SHORT_LANES: lanes_t})
