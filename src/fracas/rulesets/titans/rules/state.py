"""The records of a titans duel. titans/README.md, "State", defines every field."""

from __future__ import annotations

import numpy as np

from fracas.kernel.condition_evaluator import ask_t, fact_t, step_t
from fracas.kernel.dice import dice_t
from fracas.kernel.event_log import log_type
from fracas.kernel.networks import network_t, thought_type
from fracas.kernel.records import record, result_record
from fracas.rulesets.titans.rules import constants as codes
from fracas.rulesets.titans.rules.options import options_t

i64 = np.int64
f64 = np.float64

# `source` is the source of the amount; `change` is the index of a stat change in the titan's `until`.
effect_t = record(
    ("kind", i64),
    ("source", i64),
    ("amount", i64),
    ("stat", i64),
    ("times", f64),
    ("on_self", i64),
    ("rounds", i64),
    ("change", i64),
)

ability_t = record(("cost", i64), ("effect_count", i64), ("effects", effect_t, (codes.MAX_EFFECTS,)))

# A rule of a policy: `choice` is one of the titan's, or ANY_ABILITY; `chance` 100 draws nothing.
rule_t = record(
    ("choice", i64),
    ("chance", i64),
    ("first_step", i64),
    ("step_count", i64),
    ("first_ask", i64),
    ("ask_count", i64),
)

# The position of a solved table among the cells, and the steps of its four axes.
grid_t = record(("first", i64), ("own_hp", i64), ("enemy_hp", i64), ("own_charge", i64), ("enemy_charge", i64))

policy_t = record(
    ("kind", i64),
    ("rule_count", i64),
    ("rules", rule_t, (codes.MAX_RULES,)),
    ("grid", grid_t),
    # by round, from 1; entries beyond the list are unused
    ("choice_count", i64),
    ("choices", i64, (codes.LARGEST_ROUND_CAP,)),
)

# One of the stat changes of this duel; each titan has it or not.
change_t = record(("stat", i64), ("percent", i64))

titan_t = record(
    # changing
    ("hp", i64),
    ("charge", i64),
    ("shield", f64),
    ("choice", i64),
    ("last_choice", i64),
    ("why", i64),
    ("rule", i64),
    ("missed", i64),
    ("speed_roll", f64),
    # the titan's current stats
    ("now", f64, (codes.STAT_SLOTS,)),
    # per cent by stat, and the last round of each change (0: not active)
    ("sums", i64, (codes.STAT_SLOTS,)),
    ("active", i64),
    ("until", i64, (codes.MAX_CHANGES,)),
    # constant
    ("index", i64),
    ("max_hp", i64),
    ("stats", i64, (codes.STAT_SLOTS,)),
    ("level", i64),
    ("experience", i64),
    ("ability_count", i64),
    ("abilities", i64, (codes.OWN_ABILITIES,)),
    ("costs", i64, (codes.OWN_ABILITIES,)),
    ("cheapest", i64),
)

# A greedy player's expectation of a round, by player: HP, shields, stats and damage dealt.
outlook_t = record(
    ("hp", f64, (codes.PLAYERS,)),
    ("shield", f64, (codes.PLAYERS,)),
    ("attack", f64, (codes.PLAYERS,)),
    ("defense", f64, (codes.PLAYERS,)),
    ("dealt", f64, (codes.PLAYERS,)),
)

# What a player's rules choose in each situation; see choice_table.py. A situation is the sum of the offsets of the
# values on the axes. `asks_stats` is 1 if the rules depend on stat changes.
choice_table_t = record(
    ("state", i64),
    ("asks_stats", i64),
    ("hp_offsets", np.uint16, (codes.HP_PLACES, codes.HP_AXES)),
    ("offsets", np.uint16, (codes.AXIS_PLACES, codes.AXES - codes.HP_AXES)),
    ("entries", np.uint16, (codes.MAX_SITUATIONS,)),
)

battle_t = record(
    ("tick", i64),
    ("winner", i64),
    ("reason", i64),
    ("options", options_t),
    ("titans", titan_t, (codes.PLAYERS,)),
    ("abilities", ability_t, (codes.ABILITY_SLOTS,)),
    ("change_count", i64),
    ("changes", change_t, (codes.MAX_CHANGES,)),
    ("policies", policy_t, (codes.PLAYERS,)),
    ("outlook", outlook_t),
    # worked out from the rest, for duels without a log
    ("choice_tables", choice_table_t, (codes.PLAYERS,)),
    ("dice", dice_t),
    ("facts", fact_t, (codes.MAX_FACTS,)),
    ("steps", step_t, (codes.MAX_STEPS,)),
    ("asks", ask_t, (codes.MAX_ASKS,)),
    # weights of the choices in each cell of the solved tables
    ("cells", np.uint8, (codes.MAX_CELLS, codes.CHOICES)),
    # trained policies, by player, and room to work out their choices
    ("networks", network_t, (codes.PLAYERS,)),
    ("thought", thought_type(codes.FEATURES, codes.CHOICES)),
)

# Large fields that no duel changes, or reads before it writes them, so snapshots need no copy of them.
GIVEN = frozenset(("abilities", "choice_tables", "steps", "asks", "cells", "networks", "thought"))

result_t = result_record(
    codes.PLAYERS,
    ("charge_left", i64, (codes.PLAYERS,)),
)

log_t = log_type(codes.LOG_ROWS)
