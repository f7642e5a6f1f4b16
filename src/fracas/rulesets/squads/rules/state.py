"""The records of a squads battle. squads/README.md, "State", says what every field means."""

from __future__ import annotations

import numpy as np

from fracas.kernel.condition_evaluator import ask_t, fact_t, step_t
from fracas.kernel.dice import dice_t
from fracas.kernel.event_log import log_type
from fracas.kernel.networks import network_t, thought_type
from fracas.kernel.records import record, result_record
from fracas.rulesets.squads.rules import constants as codes
from fracas.rulesets.squads.rules.options import options_t

i64 = np.int64

effect_t = record(
    ("kind", i64),
    ("attack", i64),
    ("defense", i64),
    ("max_hp", i64),
    ("percentage", i64),
    ("rounds", i64),
)

ability_t = record(
    ("reach", i64),
    ("hostile", i64),
    ("healing", i64),
    ("cooldown", i64),
    ("effect_count", i64),
    ("effects", effect_t, (codes.MAX_EFFECTS,)),
)

# A strategy's order for one ability of one unit.
order_t = record(
    ("ability", i64),
    ("selector", i64),
    ("first_step", i64),
    ("step_count", i64),
    ("first_ask", i64),
    ("ask_count", i64),
)

unit_t = record(
    # changing
    ("hp", i64),
    ("charge", i64),
    ("cooldown", i64),
    ("ultimate_cooldown", i64),
    ("shield", i64),
    ("shield_until", i64),
    ("attack_up", i64),
    ("attack_up_until", i64),
    ("attack_down", i64),
    ("attack_down_until", i64),
    ("taunt_until", i64),
    ("stunned", i64),
    ("just_stunned", i64),
    ("wound", i64),
    ("wound_strikes", i64),
    ("wound_source", i64),
    # given
    ("index", i64),
    ("side", i64),
    ("role", i64),
    ("max_hp", i64),
    ("attack", i64),
    ("defense", i64),
    ("speed", i64),
    ("damage_pct", i64),
    ("defense_pct", i64),
    ("healing_pct", i64),
    ("critical_chance", i64),
    ("critical_multiplier", i64),
    ("basic", order_t),
    ("class_ability", order_t),
    ("ultimate", order_t),
)

side_t = record(
    ("first", i64),
    ("unit_count", i64),
    ("living", i64),
    ("attack_pct", i64),
    ("defense_pct", i64),
    ("taken_pct", i64),
    ("priority_count", i64),
    ("priorities", i64, (codes.MAX_PRIORITIES,)),
    ("ally_priority_count", i64),
    ("ally_priorities", i64, (codes.MAX_PRIORITIES,)),
)

stage_t = record(("kind", i64), ("first", i64), ("second", i64))

battle_t = record(
    ("tick", i64),
    ("winner", i64),
    ("reason", i64),
    ("selected_by", i64),
    ("selected_entry", i64),
    ("selected_roll", i64),
    ("ultimate_verdict", i64),
    ("class_verdict", i64),
    ("order_count", i64),
    ("order_keys", i64, (codes.SLOTS,)),
    ("drawn", i64, (codes.SLOTS,)),
    ("fielded", i64),
    ("by_speed", i64, (codes.SLOTS,)),
    ("options", options_t),
    ("chain_length", i64),
    ("chain", stage_t, (codes.MAX_STAGES,)),
    ("sides", side_t, (codes.SIDES,)),
    ("units", unit_t, (codes.SLOTS,)),
    ("dice", dice_t),
    ("abilities", ability_t, (codes.MAX_ABILITIES,)),
    ("facts", fact_t, (codes.MAX_FACTS,)),
    ("steps", step_t, (codes.MAX_STEPS,)),
    ("asks", ask_t, (codes.MAX_ASKS,)),
    # trained policies, by side, and room to work out their actions
    ("networks", network_t, (codes.SIDES,)),
    ("thought", thought_type(codes.FEATURES, codes.ACTIONS)),
)

# Large parts that no battle changes, or reads before it writes them: snapshots leave them out.
GIVEN = frozenset(("abilities", "steps", "asks", "networks", "thought"))

result_t = result_record(codes.SIDES)

log_t = log_type(codes.LOG_ROWS)
