"""The records of a delve battle. delve/README.md, "State", says what every field means."""

from __future__ import annotations

import numpy as np

from fracas.kernel.condition_evaluator import ask_t, fact_t, step_t
from fracas.kernel.dice import dice_t
from fracas.kernel.event_log import log_type
from fracas.kernel.networks import network_t, thought_type
from fracas.kernel.records import record, result_record
from fracas.rulesets.delve.rules import constants as codes
from fracas.rulesets.delve.rules.options import options_t

i64 = np.int64

range_t = record(("low", i64), ("high", i64))

# A condition on a participant. `source` is the event number of its author, `skill` the skill that caused it.
affliction_t = record(("rounds", i64), ("potency", i64), ("source", i64), ("skill", i64))

# A condition that a skill applies.
infliction_t = record(("condition", i64), ("rounds", i64), ("potency", i64))

skill_t = record(
    ("reach", i64),
    ("hostile", i64),
    ("damaging", i64),
    ("healing", i64),
    ("pure_heal", i64),
    ("attack", i64),
    ("defense", i64),
    ("modifier", i64),
    ("element", i64),
    ("weapon", i64),
    ("damage", range_t),
    ("heal", range_t),
    ("cost", i64),
    ("cooldown", i64),
    ("condition_count", i64),
    ("conditions", infliction_t, (codes.MAX_SKILL_CONDITIONS,)),
)

# A slot of a queue. `known` is the skill's place among those that the queue's owner keeps track of, `cost` the skill's
# cost.
queue_slot_t = record(
    ("skill", i64),
    ("known", i64),
    ("cost", i64),
    ("selector", i64),
    ("first_step", i64),
    ("step_count", i64),
    ("first_ask", i64),
    ("ask_count", i64),
)

# What a boss's phase replaces; -1 means unchanged.
phase_t = record(
    ("threshold", i64),
    ("first_slot", i64),
    ("slot_count", i64),
    ("armor", i64),
    ("resistance", i64),
    ("evasion", i64),
    ("regeneration", i64),
    ("attributes", i64, (len(codes.ATTRIBUTES),)),
)

participant_t = record(
    # changing
    ("hp", i64),
    ("resource", i64),
    ("initiative", i64),
    ("guard", i64),
    ("next_phase", i64),
    # bit c is set while it has condition c; their order, and their numbers at the place of their codes
    ("conditions", i64),
    ("affliction_count", i64),
    ("affliction_order", i64, (len(codes.CONDITIONS),)),
    ("afflictions", affliction_t, (len(codes.CONDITIONS),)),
    # for each skill that it knows: the round from which it can be used again, and how often it was used
    ("ready_from", i64, (codes.MAX_KNOWN,)),
    ("used", i64, (codes.MAX_KNOWN,)),
    ("xp", i64),
    # changed by phases
    ("first_slot", i64),
    ("slot_count", i64),
    ("armor", i64),
    ("resistance", i64),
    ("evasion", i64),
    ("regeneration", i64),
    ("attributes", i64, (len(codes.ATTRIBUTES),)),
    # given
    ("index", i64),
    ("side", i64),
    # its number in event rows: the slot of a member, 8 + the place in the roster of an enemy
    ("number", i64),
    ("level", i64),
    ("boss", i64),
    ("max_hp", i64),
    ("max_resource", i64),
    ("start_pct", i64),
    ("weapon_speed", i64),
    ("weapon", range_t),
    ("damage_pct", i64),
    ("known_count", i64),
    ("first_phase", i64),
    ("phase_count", i64),
    ("checks", i64, (len(codes.CHECKS),)),
    ("xp_reward", i64),
)

side_t = record(("first", i64), ("count", i64), ("living", i64))

# The consequence of a decision or a puzzle. An ambush is a range of the roster; length 0 means none.
consequence_t = record(
    ("gold", i64),
    ("loot_rolls", i64),
    ("skip", i64),
    ("heal", i64),
    ("harms", i64),
    ("damage", range_t),
    ("first_foe", i64),
    ("foe_count", i64),
    ("table", i64),
)

# An option of a decision, or one of the checks of a puzzle.
option_t = record(("check", i64), ("difficulty", i64), ("success", consequence_t), ("failure", consequence_t))

# `difficulty` is that of a hazard's check, or of detecting a trap. `table` is the loot table without an ambush.
encounter_t = record(
    ("type", i64),
    ("first_foe", i64),
    ("foe_count", i64),
    ("check", i64),
    ("difficulty", i64),
    ("avoid", i64),
    ("damage", range_t),
    ("first_option", i64),
    ("option_count", i64),
    ("xp", i64),
    ("gold", range_t),
    ("loot", i64),
    ("table", i64),
)

table_row_t = record(("template", i64), ("rarity_weights", i64, (len(codes.RARITIES),)))

# The rarity weights are those under the difficulty.
table_t = record(
    ("row_count", i64),
    ("weights", i64, (codes.MAX_TABLE_ROWS,)),
    ("rows", table_row_t, (codes.MAX_TABLE_ROWS,)),
)

template_t = record(("bonus_total", i64), ("bonus_weights", i64, (codes.MAX_BONUSES,)))

rarity_t = record(("bonus_count", i64), ("tier_weights", i64, (len(codes.TIERS),)))

bonus_t = record(("amounts", i64, (len(codes.TIERS),)))

# An item found, and its dice address.
drop_t = record(
    ("template", i64),
    ("rarity", i64),
    ("source", i64),
    ("tick", i64),
    ("lane", i64),
    ("word", i64),
    ("bonus_count", i64),
    ("bonuses", i64, (codes.MAX_ITEM_BONUSES,)),
    ("tiers", i64, (codes.MAX_ITEM_BONUSES,)),
)

difficulty_t = record(("check", i64), ("loot_chance", i64), ("xp", i64))

battle_t = record(
    ("journey", i64),
    ("tick", i64),
    ("winner", i64),
    ("reason", i64),
    # the encounter at hand
    ("encounter", i64),
    ("combat_round", i64),
    ("outcome", i64),
    ("quiet", i64),
    ("stirred", i64),
    ("reduced", i64),
    ("skip", i64),
    ("found_gold", i64),
    ("extra_rolls", i64),
    ("table", i64),
    ("fought_first", i64),
    ("fought_count", i64),
    # what `random` rolled for the target that was chosen last, or -1
    ("selected_roll", i64),
    # the round's order: keys whose lowest four bits are slots
    ("order_count", i64),
    ("order_keys", i64, (codes.SLOTS,)),
    # what was collected
    ("rounds", i64),
    ("passed", i64),
    ("survived_fights", i64),
    ("xp", i64),
    ("gold", i64),
    ("drop_count", i64),
    ("drops", drop_t, (codes.MAX_DROPS,)),
    ("last_killer", i64),
    ("skill_damage", i64, (codes.RESULT_SKILLS,)),
    ("slot_uses", i64, (codes.RESULT_SLOTS,)),
    # given; of how many skills and queue slots, the party's and the first of their tables, statistics are kept
    ("counted_skills", i64),
    ("counted_slots", i64),
    ("options", options_t),
    ("difficulty", difficulty_t),
    ("sides", side_t, (codes.SIDES,)),
    ("participants", participant_t, (codes.SLOTS,)),
    ("dice", dice_t),
    ("skills", skill_t, (codes.MAX_SKILLS,)),
    ("queue_slots", queue_slot_t, (codes.MAX_QUEUE_SLOTS,)),
    ("phases", phase_t, (codes.MAX_PHASE_POOL,)),
    ("facts", fact_t, (codes.MAX_FACTS,)),
    ("encounter_count", i64),
    ("encounters", encounter_t, (codes.MAX_ENCOUNTERS,)),
    ("decision_options", option_t, (codes.MAX_OPTION_POOL,)),
    ("roster", i64, (codes.MAX_ROSTER,)),
    ("foes", participant_t, (codes.MAX_FOES,)),
    ("chest_table", i64),
    ("tables", table_t, (codes.MAX_TABLES,)),
    ("templates", template_t, (codes.MAX_TEMPLATES,)),
    ("rarities", rarity_t, (len(codes.RARITIES),)),
    ("bonuses", bonus_t, (codes.MAX_BONUSES,)),
    ("steps", step_t, (codes.MAX_STEPS,)),
    ("asks", ask_t, (codes.MAX_ASKS,)),
    # trained policies, by side, and room to work out their actions
    ("networks", network_t, (codes.SIDES,)),
    ("thought", thought_type(codes.FEATURES, codes.ACTIONS)),
)

# Large parts that no battle changes, or reads before it writes them: snapshots leave them out.
GIVEN = frozenset(
    (
        "skills",
        "queue_slots",
        "phases",
        "encounters",
        "decision_options",
        "roster",
        "foes",
        "tables",
        "templates",
        "rarities",
        "bonuses",
        "steps",
        "asks",
        "networks",
        "thought",
    )
)

# hp_left and units_left are those of the party and of the last enemies; `wipe_encounter` and `wiped_by` the encounter
# and the event number of who felled the last member, or -1.
result_t = result_record(
    codes.SIDES,
    ("encounters_passed", i64),
    ("wipe_encounter", i64),
    ("wiped_by", i64),
    ("xp", i64),
    ("gold", i64),
    ("items", i64, (len(codes.RARITIES),)),
    ("member_hp", i64, (codes.SIDE_SLOTS,)),
    # the first skills of the battle's table, which are the party's, and the first slots of the party's queues
    ("skill_damage", i64, (codes.RESULT_SKILLS,)),
    ("slot_uses", i64, (codes.RESULT_SLOTS,)),
)

log_t = log_type(codes.LOG_ROWS)
