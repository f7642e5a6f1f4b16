"""The records of a relics battle. relics/README.md, "State", defines every field.

The changing parts are `fighters`, `runs` and the agenda. A battle never writes anything else, so the next battle of a
batch only resets these.

**The agenda** is a stack of frames: depth-first consequences without recursion. A frame is a run through some of the
effects of one side, from `effect` up to but not including `last`. Processing the top frame means:

    op == -1        check the effect at `effect`: phase, n, of, reentry, limits, guards, `if`, chance; if it runs,
                    write its row and set runs[effect].running to 1 and op to 0; else add 1 to `effect`
    op >= 0         perform the op once (`left` performances remain); if `left` is 0, first check its `if` and
                    chance; a performance pushes the frames of its consequences, last first
    op == op_count  the run is over: set running to 0 and op to -1, and add 1 to `effect`
    effect == last  pop the frame

So a pushed frame is processed before the next performance, op, effect or frame below. The kernel processes a frame
without touching the stack until something is pushed, and then saves its position.

A trigger without effects on a side pushes nothing (bit `kind` of `hears` is 0). The frame of kind JUDGE has no effects;
processing it judges the fallen.
"""

from __future__ import annotations

import numpy as np

from fracas.kernel.condition_evaluator import ask_t, fact_t, step_t
from fracas.kernel.dice import dice_t
from fracas.kernel.event_log import log_type
from fracas.kernel.records import record, result_record
from fracas.rulesets.relics.rules import constants as codes
from fracas.rulesets.relics.rules.options import options_t

i64 = np.int64

# A run of entries in a table.
span_t = record(("first", i64), ("entries", i64))

fighter_t = record(
    # its values by the codes of QUANTITIES, then own statuses by id
    ("values", i64, (codes.VALUE_SLOTS,)),
    # 1 if it lost ARMOR or HP in a strike step, or its Thorns did damage, since the last end of a turn
    ("struck", i64),
    ("reflected", i64),
    # marks it has, and thresholds crossed in a strike that wait for the strike's end
    ("exposed", i64),
    ("wounded", i64),
    ("exposed_due", i64),
    ("wounded_due", i64),
    ("own_turn", i64),
    ("phase", i64),
    # strikes made in the battle; extra strikes of this turn, the next, and every turn
    ("strikes_made", i64),
    ("extra_now", i64),
    ("extra_next", i64),
    ("extra_always", i64),
    # sums for the result: what its packets took from the enemy, ARMOR that packets took from it, HP healed
    ("dealt", i64),
    ("absorbed", i64),
    ("healed", i64),
    width=256,
)

# The constant part of a fighter. Set-up starts from `start` and the marks; a new phase starts from its own `start`.
phase_t = record(("start", i64, (codes.VALUE_SLOTS,)))
build_t = record(
    ("start", i64, (codes.VALUE_SLOTS,)),
    ("struck", i64),
    ("exposed", i64),
    ("wounded", i64),
    ("item_count", i64),
    ("phase_count", i64),
    # phase 1 is the fighter's first
    ("phases", phase_t, (codes.MAX_PHASES,)),
    ("tags", i64, (codes.TAG_SLOTS,)),
    # effects by trigger in firing order; modifiers by code; and bit sets of the triggers and codes in use
    ("hears", i64),
    ("holds", i64),
    # bit set of the triggers whose effects have no consequences, including triggers without effects
    ("quiet", i64),
    # bit set of its own turns in which every_n_turns effects may run; the last bit stands for all later turns
    ("due_turns", i64),
    # the sums of modifiers that never change, and a bit set of the kinds that may change
    ("sums", i64, (codes.MODIFIER_SLOTS,)),
    ("varies", i64),
    ("listeners", span_t, (codes.TRIGGER_SLOTS,)),
    ("modifiers", span_t, (codes.MODIFIER_SLOTS,)),
    # its effects, of all triggers, for countdowns and resetting
    ("effects", span_t),
    width=2048,
)

condition_t = record(("first_step", i64), ("step_count", i64), ("first_ask", i64), ("ask_count", i64))

effect_t = record(
    ("trigger", i64),
    # the piece, 0 to 63
    ("source", i64),
    # 0: any phase of its owner
    ("phase", i64),
    ("n", i64),
    # the quantity of a status, or -1: any
    ("of", i64),
    # -1: always succeeds without a draw
    ("chance", i64),
    # 0: no limit
    ("per_turn", i64),
    ("per_battle", i64),
    ("condition", condition_t),
    ("first_op", i64),
    ("op_count", i64),
    # 1 if phase, n, of and the limits need no check
    ("plain", i64),
    width=128,
)

amount_t = record(("kind", i64), ("number", i64), ("fact", i64), ("times", i64), ("per", i64))

op_t = record(
    ("verb", i64),
    ("target", i64),
    # a code of `values`, RANDOM_STATUS, EACH_STATUS, or -1
    ("quantity", i64),
    # convert: the quantity gained; extra_strikes: the moment; retrigger: the trigger; corrode: the per cent
    ("other", i64),
    # retrigger: the selection, and the pieces with the tag as a bit set (bit = piece of that side)
    ("which", i64),
    ("pieces", i64),
    ("amount", amount_t),
    ("condition", condition_t),
    ("chance", i64),
    # how often it is performed in all, and in each repeat: 2 for both, times 7 for each
    ("performances", i64),
    ("parts", i64),
    # 1 if target, quantity and amount are fixed, so that nothing must be looked up
    ("plain", i64),
)

# A comparison as a range: least <= values[quantity] * times - values[HP_MAX] * share <= most.
range_t = record(
    # 0: its owner's values, 1: the other's
    ("whose", i64),
    ("quantity", i64),
    ("times", i64),
    ("share", i64),
    ("least", i64),
    ("most", i64),
)

# A copy of a single-op effect in the form that fast_path.py reads.
quick_t = record(
    # NOT_QUICK, or what the op does
    ("kind", i64),
    # 1 if phase, n, of or a limit must be checked
    ("asks", i64),
    # what it requires, on the effect or on its op but not both: a range, a condition or a chance from 1
    ("gate", i64),
    ("source", i64),
    # 1 if its consequences are marked
    ("marks", i64),
    # 0: its owner, 1: the other
    ("target", i64),
    # 1 if the amount includes all modifiers, which never change; 0: as written
    ("is_settled", i64),
    ("amount", i64),
    # fields that are read less often
    ("chance", i64),
    # 1 if the requirement is the op's, so that the effect counts as run even if it fails
    ("counts_first", i64),
    ("quantity", i64),
    ("within", range_t),
    ("condition", condition_t),
    width=256,
)

modifier_t = record(
    ("source", i64),
    ("phase", i64),
    # the status it concerns, or -1
    ("quantity", i64),
    ("amount", amount_t),
    ("condition", condition_t),
    # 1 if it is limited to some pieces, and rules by their sources, as bit sets; strikes are in the latter at
    # STRIKE_BITS + the striker
    ("is_limited", i64),
    ("pieces", i64),
    ("rules", i64),
)

# The changing part of an effect.
run_t = record(
    ("running", i64),
    ("this_turn", i64),
    ("this_battle", i64),
    # the tick that this_turn belongs to
    ("tick", i64),
    # own turns left on a countdown, 0 at its end; and 1 from then until its effect is looked at
    ("left", i64),
    ("due", i64),
    # 1 once a dropped run of it is in the log
    ("reported", i64),
    width=64,
)

# One run through the effects of a side; the module's docstring says how it is processed.
frame_t = record(
    ("side", i64),
    ("trigger", i64),
    ("effect", i64),
    ("last", i64),
    ("op", i64),
    # performances left of the current op
    ("left", i64),
    ("payload", i64),
    # the quantity that the trigger concerns, or -1
    ("quantity", i64),
    # 1 if a retaliation caused it
    ("marked", i64),
    ("depth", i64),
    # bit set of the only pieces whose effects run; 0: all
    ("pieces", i64),
    # the only phase whose effects run; 0: all
    ("phase", i64),
)

# Who causes what happens now, with what, and what its consequences inherit.
cause_t = record(
    # the fighter, or -1: the rules
    ("actor", i64),
    # a source of event rows
    ("source", i64),
    # its depth of consequences: 0 for a step of the order of play
    ("depth", i64),
    ("marked", i64),
)

battle_t = record(
    # changing
    ("turn", i64),
    # the fighter whose turn it is, -1 in set-up; the fighter with the odd turns
    ("active", i64),
    ("first", i64),
    ("winner", i64),
    ("reason", i64),
    # strikes made and attempted in this turn, and how many it has without extra strikes for this turn only
    ("strike", i64),
    ("attempts", i64),
    ("base_strikes", i64),
    # 1 until the turn's strikes are over; 1 during an attempt; 1 while thresholds wait for a strike's end
    ("may_strike", i64),
    ("striking", i64),
    ("deferring", i64),
    # 1 while a death is being judged
    ("judging", i64),
    # runs since the count was reset
    ("run_count", i64),
    ("cut_count", i64),
    # the lane of the address (turn, lane) that rolls of this step come from, and whether it is open
    ("lane", i64),
    ("is_open", i64),
    ("fighters", fighter_t, (codes.SIDES,)),
    ("cause", cause_t),
    ("frame_count", i64),
    ("frames", frame_t, (codes.MAX_FRAMES,)),
    ("counters", i64, (codes.PIECE_SLOTS,)),
    ("runs", run_t, (codes.MAX_EFFECTS,)),
    ("facts", fact_t, (codes.MAX_FACTS,)),
    # constant
    ("options", options_t),
    # 1 if nothing in the battle can draw
    ("deterministic", i64),
    ("builds", build_t, (codes.SIDES,)),
    # a piece's kind by PIECE_KINDS, -1 where there is none; its tier
    ("piece_kinds", i64, (codes.PIECE_SLOTS,)),
    ("piece_tiers", i64, (codes.PIECE_SLOTS,)),
    ("dice", dice_t),
    ("effects", effect_t, (codes.MAX_EFFECTS,)),
    ("quick", quick_t, (codes.MAX_EFFECTS,)),
    ("ops", op_t, (codes.MAX_OPS,)),
    ("modifiers", modifier_t, (codes.MAX_MODIFIERS,)),
    ("steps", step_t, (codes.MAX_STEPS,)),
    ("asks", ask_t, (codes.MAX_ASKS,)),
)

# Large fields that no battle changes, so snapshots need no copy of them.
GIVEN = frozenset(("builds", "effects", "quick", "ops", "modifiers", "steps", "asks"))

# `units_left` is 1 for a fighter that stands.
result_t = result_record(
    codes.SIDES,
    ("strikes", i64, (codes.SIDES,)),
    ("dealt", i64, (codes.SIDES,)),
    ("absorbed", i64, (codes.SIDES,)),
    ("healed", i64, (codes.SIDES,)),
    counts=("cuts",),
)

log_t = log_type(codes.LOG_ROWS)
