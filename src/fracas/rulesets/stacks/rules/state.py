"""The records of a stacks battle. stacks/README.md, "State", says what every field means."""

from __future__ import annotations

import numpy as np

from fracas.kernel.dice import dice_t
from fracas.kernel.event_log import log_type
from fracas.kernel.networks import network_t, thought_type
from fracas.kernel.records import record, result_record
from fracas.rulesets.stacks.rules import constants as codes
from fracas.rulesets.stacks.rules.options import options_t

i64 = np.int64

# The fields that a choice reads come first, so that they are close in memory.
participant_t = record(
    # changing
    ("health", i64),
    ("attack", i64),
    ("defence", i64),
    ("damage", i64),
    # given
    ("side", i64),
    ("full_health", i64),
    ("direction", i64),
    ("id", i64),
    ("first_health", i64),
    ("first_attack", i64),
    ("first_defence", i64),
    ("first_damage", i64),
    ("initiative", i64),
    # 1 if it has Strike, or a move type that counts as Strike
    ("can_riposte", i64),
    # its move types in registry order, and all their possible targets
    ("aims", i64),
    ("move_count", i64),
    ("moves", i64, (codes.MAX_UNIT_MOVES,)),
    # changing: the number of its tuples of each move type
    ("used", i64, (codes.MAX_MOVE_TYPES,)),
)

# `aims` is the set of its possible targets.
move_type_t = record(("harmful", i64), ("melee", i64), ("strike", i64), ("aims", i64))

# A direction of the field: the place of its stack in the resolved document, or -1; the stack's role; the directions of
# adjacent tiles, as a set of bits.
place_t = record(("stack", i64), ("role", i64), ("unit_count", i64), ("adjacent", i64))

# A side's participants by ascending id, living or dead; the number living and their health at the last count.
side_t = record(
    ("living", i64),
    ("total_health", i64),
    ("least_health", i64),
    ("member_count", i64),
    ("members", i64, (codes.SLOTS,)),
)

# A roll of the current making, for the log: the kind of its row, and that row's columns.
roll_t = record(("kind", i64), ("target", i64), ("a", i64), ("b", i64), ("c", i64), ("d", i64))

# A tuple of the making at hand; its actor and move type are the making's.
tuple_t = record(("target", i64), ("effect", i64))

# What a participant chooses from, best first; see move_ranking.py. Its pairs begin at `first`: those of moves that are
# always possible, from `first_turn` those of Charge, from `once` up to `end` those of Javelin. `unranked` is the set of
# its other moves, a bit for each entry of `moves`.
ranked_t = record(("first", i64), ("first_turn", i64), ("once", i64), ("end", i64), ("unranked", i64), width=64)

# A pair is a target and an entry of the actor's `moves`.
ranking_t = record(
    ("state", i64), ("participants", ranked_t, (codes.CAPACITY,)), ("pairs", np.uint16, (codes.MAX_PAIRS,))
)

battle_t = record(
    ("turn", i64),
    ("tick", i64),
    ("winner", i64),
    ("reason", i64),
    ("turns_played", i64),
    # 1 if the attackers took health from a defender in this turn
    ("harmed", i64),
    ("idle", i64),
    ("stale", i64),
    # the choice at hand
    ("chosen_target", i64),
    ("chosen_move", i64),
    # the plug-ins' values of the targets of the current choice: for each of the actor's moves, by place
    ("worths", np.float64, (codes.MAX_UNIT_MOVES, codes.CAPACITY)),
    # the making at hand; `move_type` is the code of the move type in question, `noting` 1 if rolls are stored for the
    # log
    ("move_type", i64),
    ("noting", i64),
    ("overfull", i64),
    ("roll_count", i64),
    ("rolls", roll_t, (codes.MAX_ROLLS,)),
    ("tuple_count", i64),
    ("tuples", tuple_t, (codes.MAX_TUPLES,)),
    # given
    ("number", i64),
    ("first_tick", i64),
    ("stack", i64),
    ("options", options_t),
    ("move_type_count", i64),
    ("move_types", move_type_t, (codes.MAX_MOVE_TYPES,)),
    ("direction_count", i64),
    ("places", place_t, (codes.DIRECTION_SLOTS,)),
    ("involved_count", i64),
    ("involved", i64, (codes.SLOTS,)),
    ("even_order", i64, (codes.SLOTS,)),
    ("odd_order", i64, (codes.SLOTS,)),
    ("sides", side_t, (codes.SIDES,)),
    ("dice", dice_t),
    ("participants", participant_t, (codes.CAPACITY,)),
    # worked out from the rest, for battles without a log
    ("ranking", ranking_t),
    # trained policies, by side, and room to work out their actions
    ("networks", network_t, (codes.SIDES,)),
    ("thought", thought_type(codes.FEATURES, codes.ACTIONS)),
)

# Large parts that no battle changes, or reads before it writes them: snapshots leave them out.
GIVEN = frozenset(("ranking", "networks", "thought"))

# `health` holds the health left of the involved participants by ascending id, without gaps.
result_t = result_record(
    codes.SIDES,
    ("health", i64, (codes.SLOTS,)),
)

log_t = log_type(codes.LOG_ROWS)
