"""The records of a relics battle. README, "State", says what every field means.

What changes stands in `fighters`, `runs` and the agenda; everything else is given and never written by a battle, so
that the next battle of a batch begins by resetting the former alone.

**The agenda** is a stack of frames that stands for depth-first consequences without recursion. A frame is a run through
some of the effects of one side: from `effect` up to but not including `last`. Taking the top frame means:

    op == -1        the effect at `effect` is looked at: phase, n, of, reentry, limits, guards, `if`, chance; if it
                    runs, its row is written, runs[effect].running becomes 1 and op 0; else `effect` grows by 1
    op >= 0         the op is performed once (`left` performances are to come) or, if `left` is 0, looked at first:
                    `if`, chance; a performance pushes the frames of its consequences on top, last first
    op == op_count  the run is over: running becomes 0, `effect` grows by 1, op becomes -1
    effect == last  the frame is taken off

So a frame pushed by a performance is worked off before the next performance, op, effect or frame below. While nothing
is pushed, the kernel goes through a frame without looking up, and writes down how far it came when something is.

A kind of trigger that a side has no effects of pushes nothing (bit `kind` of `hears` is 0). The frame of kind JUDGE has
no effects: taken, it judges who has fallen.
"""

from __future__ import annotations

import numpy as np

from fracas.kernel.condition_evaluator import ask_t, fact_t, step_t
from fracas.kernel.dice import dice_t
from fracas.kernel.event_log import log_type
from fracas.kernel.records import record, result_record
from fracas.rulesets.relics.rules.constants import (
    LOG_ROWS,
    MAX_ASKS,
    MAX_EFFECTS,
    MAX_FACTS,
    MAX_FRAMES,
    MAX_MODIFIERS,
    MAX_OPS,
    MAX_PHASES,
    MAX_STEPS,
    MODIFIER_SLOTS,
    PIECE_SLOTS,
    SIDES,
    TAG_SLOTS,
    TRIGGER_SLOTS,
    VALUE_SLOTS,
)

i64 = np.int64

# A run of entries in a table.
span_t = record(("first", i64), ("entries", i64))

fighter_t = record(
    # what it has, by the codes of QUANTITIES
    ("values", i64, (VALUE_SLOTS,)),
    # 1 if it lost ARMOR or HP in a strike step, or its Thorns were reflected, since the last end of a turn
    ("struck", i64),
    ("reflected", i64),
    # marks that come once, and thresholds crossed in a strike that wait for its end
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
    # sums for the result: what its packets took of the enemy, ARMOR that packets took of it, HP that heals gave it
    ("dealt", i64),
    ("absorbed", i64),
    ("healed", i64),
    width=256,
)

# What is given of a fighter. `start` and the marks are what set-up begins with; a phase's `start` replaces the values.
phase_t = record(("start", i64, (VALUE_SLOTS,)))
build_t = record(
    ("start", i64, (VALUE_SLOTS,)),
    ("struck", i64),
    ("exposed", i64),
    ("wounded", i64),
    ("item_count", i64),
    ("phase_count", i64),
    # phase 1 is the fighter as it begins
    ("phases", phase_t, (MAX_PHASES,)),
    ("tags", i64, (TAG_SLOTS,)),
    # effects by trigger in firing order; modifiers by code; and of which there are any, as sets of bits
    ("hears", i64),
    ("holds", i64),
    # triggers from whose effects nothing follows, as a set of bits; those that are not heard as well
    ("quiet", i64),
    # its own turns in which every_n_turns effects may run, as a set of bits; the last stands for all later ones
    ("due_turns", i64),
    # the sums of modifiers that never change, and of which kinds they may, as a set of bits
    ("sums", i64, (MODIFIER_SLOTS,)),
    ("varies", i64),
    ("listeners", span_t, (TRIGGER_SLOTS,)),
    ("modifiers", span_t, (MODIFIER_SLOTS,)),
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
    # -1: always succeeds, and draws nothing
    ("chance", i64),
    # 0: no limit
    ("per_turn", i64),
    ("per_battle", i64),
    ("condition", condition_t),
    ("first_op", i64),
    ("op_count", i64),
    # 1 if phase, n, of and the limits have nothing to say, so that it need not be asked for them
    ("plain", i64),
    width=128,
)

amount_t = record(("kind", i64), ("number", i64), ("fact", i64), ("times", i64), ("per", i64))

op_t = record(
    ("verb", i64),
    ("target", i64),
    # a code of QUANTITIES, RANDOM_STATUS, EACH_STATUS, or -1
    ("quantity", i64),
    # convert: what it becomes; extra_strikes: the moment; retrigger: the trigger; corrode: the per cent
    ("other", i64),
    # retrigger: which pieces, and the tag as a set of pieces (bit = piece of that side)
    ("which", i64),
    ("pieces", i64),
    ("amount", amount_t),
    ("condition", condition_t),
    ("chance", i64),
    # performances in all; and in each repeat: 2 for both, times 7 for each
    ("performances", i64),
    ("parts", i64),
    # 1 if target, quantity and amount are as they are written, so that nothing need be found
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

# An effect of one plain op once more, as quick.py goes through it.
quick_t = record(
    # NOT_QUICK, or what the op does
    ("kind", i64),
    # 1 if phase, n, of or a limit must be asked
    ("asks", i64),
    # what must come true, of the effect or of its op, which have not both: a range, a condition or a chance from 1
    ("gate", i64),
    ("source", i64),
    # 1 if what it causes is marked
    ("marks", i64),
    # 0: its owner, 1: the other
    ("target", i64),
    # 1 if the amount has met all modifiers, which never change; 0: it is as written
    ("is_settled", i64),
    ("amount", i64),
    # from here on what is looked at less often
    ("chance", i64),
    # 1 if that is the op's, so that the effect has run even if it does not come true
    ("counts_first", i64),
    ("quantity", i64),
    ("within", range_t),
    ("condition", condition_t),
    width=256,
)

modifier_t = record(
    ("source", i64),
    ("phase", i64),
    # the status it is about, or -1
    ("quantity", i64),
    ("amount", amount_t),
    ("condition", condition_t),
    # 1 if it counts only for what some do: pieces, and rules by their sources, as sets of bits; strikes stand in the
    # latter at STRIKE_BITS + the striker
    ("is_limited", i64),
    ("pieces", i64),
    ("rules", i64),
)

# What changes of an effect.
run_t = record(
    ("running", i64),
    ("this_turn", i64),
    ("this_battle", i64),
    # the tick that this_turn belongs to
    ("tick", i64),
    # a countdown's own turns to go; 0: it has come to its end; 1 while it has, and its effect was not looked at since
    ("left", i64),
    ("due", i64),
    # 1 once a dropped run of it is in the log
    ("reported", i64),
    width=64,
)

# One run through the effects of a side; the module's text says how it is worked off.
frame_t = record(
    ("side", i64),
    ("trigger", i64),
    ("effect", i64),
    ("last", i64),
    ("op", i64),
    # performances left of the op at hand
    ("left", i64),
    ("payload", i64),
    # the quantity that the trigger is about, or -1
    ("quantity", i64),
    # 1 if a retaliation caused it
    ("marked", i64),
    ("depth", i64),
    # the only pieces whose effects run, as a set of bits; 0: all
    ("pieces", i64),
    # the only phase whose effects run; 0: all
    ("phase", i64),
)

# Who does what happens now, with what, and what its consequences inherit.
cause_t = record(
    # the fighter, or -1: the rules
    ("actor", i64),
    # a source of event rows
    ("source", i64),
    # how deep it stands: 0 if a step of the order of play does it
    ("depth", i64),
    ("marked", i64),
)

options_t = record(
    ("tie_breaker", i64),
    ("allow_pre_phase", i64),
    ("freeze_side", i64),
    ("freeze_decay", i64),
    ("thorns_clear", i64),
    ("death_check", i64),
    ("corroded_bone_receiver", i64),
    ("onhit_damage_route", i64),
    ("riptide_route", i64),
    ("cadence_parity", i64),
    ("fatigue_start", i64),
    ("turn_cap", i64),
)

battle_t = record(
    # changing
    ("turn", i64),
    # the fighter whose turn it is, -1 in set-up; the one that has the odd turns
    ("active", i64),
    ("first", i64),
    ("winner", i64),
    ("reason", i64),
    # strikes made and attempted in this turn, and how many there are without extra ones for this turn alone
    ("strike", i64),
    ("attempts", i64),
    ("base_strikes", i64),
    # 1 until the turn's strikes are over; 1 while one is attempted; 1 while thresholds wait for a strike's end
    ("may_strike", i64),
    ("striking", i64),
    ("deferring", i64),
    # 1 while a death is being judged
    ("judging", i64),
    # runs since the count was set back
    ("run_count", i64),
    ("cut_count", i64),
    # the lane of the address (turn, lane) that rolls of this step come from, and whether it is open
    ("lane", i64),
    ("is_open", i64),
    ("fighters", fighter_t, (SIDES,)),
    ("cause", cause_t),
    ("frame_count", i64),
    ("frames", frame_t, (MAX_FRAMES,)),
    ("counters", i64, (PIECE_SLOTS,)),
    ("runs", run_t, (MAX_EFFECTS,)),
    ("facts", fact_t, (MAX_FACTS,)),
    # given
    ("options", options_t),
    # 1 if nothing in the battle can draw
    ("deterministic", i64),
    ("builds", build_t, (SIDES,)),
    # a piece's kind by PIECE_KINDS, -1 where there is none; its tier
    ("piece_kinds", i64, (PIECE_SLOTS,)),
    ("piece_tiers", i64, (PIECE_SLOTS,)),
    ("dice", dice_t),
    ("effects", effect_t, (MAX_EFFECTS,)),
    ("quick", quick_t, (MAX_EFFECTS,)),
    ("ops", op_t, (MAX_OPS,)),
    ("modifiers", modifier_t, (MAX_MODIFIERS,)),
    ("steps", step_t, (MAX_STEPS,)),
    ("asks", ask_t, (MAX_ASKS,)),
)

# What no battle changes, and is large: going on from the middle of one needs no copy of it.
GIVEN = frozenset(("builds", "effects", "quick", "ops", "modifiers", "steps", "asks"))

# `units_left` is 1 for whoever stands.
result_t = result_record(
    SIDES,
    ("strikes", i64, (SIDES,)),
    ("dealt", i64, (SIDES,)),
    ("absorbed", i64, (SIDES,)),
    ("healed", i64, (SIDES,)),
    counts=("cuts",),
)

log_t = log_type(LOG_ROWS)
