"""Enumerations and limits of relics. Kernels use the numbers; everything outside uses the names."""

from __future__ import annotations

RULES_VERSION = 3

# Fighters: LEFT is side 1 of results, RIGHT side 2
LEFT, RIGHT = range(2)
SIDES = 2
NOBODY = -1

# A fighter's quantities by code, the index into its `values`
QUANTITIES = (
    "hp",
    "hp_max",
    "attack",
    "temp_attack",
    "armor",
    "speed",
    "freeze",
    "thorns",
    "poison",
    "acid",
    "riptide",
    "stun",
    "regen",
)
HP, HP_MAX, ATTACK, TEMP_ATTACK, ARMOR, SPEED, FREEZE, THORNS, POISON, ACID, RIPTIDE, STUN, REGEN = range(13)
VALUE_SLOTS = 16
QUANTITY_MASK = VALUE_SLOTS - 1
# Stats as items write them; `health` is the quantity hp_max, and hp with it
STATS = ("attack", "armor", "speed", "health")
STATUSES = QUANTITIES[FREEZE:]
FIRST_STATUS = FREEZE
# Own statuses of content follow, by id
FIRST_OWN_STATUS = len(QUANTITIES)
OWN_STATUSES = VALUE_SLOTS - FIRST_OWN_STATUS
# A random status, picked when needed; `each` is all seven in turn
RANDOM_STATUS = 16
EACH_STATUS = 17

# Ranges of values
LARGEST = 9_999
LEAST_RATE, LARGEST_RATE = -999, 9_999
LEAST_HP = -9_999
LEAST_ITEM_STAT = -999
DEFAULT_CAP = 20
LARGEST_CHANCE = 100
MOST_REPEATS = 20
MOST_STRIKES = 16
MOST_DEPTH = 32
MOST_RUNS = 1_000
LARGEST_TURN_CAP = 500
RIPTIDE_DAMAGE = 5
BASE_HEALTH, BASE_ATTACK, BASE_ARMOR, BASE_SPEED = 20, 1, 0, 1

# Sizes
MAX_UPGRADES = 4
MAX_ITEMS = 12
MAX_FOOD = 4
MAX_SETS = 8
MAX_PHASES = 4
MAX_TAGS = 8
# A fighter's pieces: 0 itself, 1 its weapon, 2 upgrades, 6 items, 18 food, 22 sets, the last ones its own statuses; the
# right fighter's from PIECES on
PIECES = 32
TRAIT_PIECE, WEAPON_PIECE, FIRST_UPGRADE, FIRST_ITEM, FIRST_FOOD, FIRST_SET = 0, 1, 2, 6, 18, 22
PIECE_SLOTS = SIDES * PIECES
PIECE_MASK = PIECE_SLOTS - 1
PIECE_KINDS = ("trait", "weapon", "upgrade", "item", "food", "set", "status")
MAX_ENTRIES = 16
MAX_EFFECT_OPS = 16
MAX_PIECE_MODIFIERS = 16
MAX_EFFECTS = 1024
EFFECT_MASK = MAX_EFFECTS - 1
MAX_OPS = 4096
OP_MASK = MAX_OPS - 1
MAX_MODIFIERS = 512
MODIFIER_MASK = MAX_MODIFIERS - 1
MAX_STEPS = 8192
MAX_ASKS = 4096
MAX_FACTS = 128
# A run and its consequences are at most 1 + 16 frames, and runs are at most MOST_DEPTH deep
MAX_FRAMES = 1024
FRAME_MASK = MAX_FRAMES - 1
TRIGGER_SLOTS = 32
TRIGGER_MASK = TRIGGER_SLOTS - 1
MODIFIER_SLOTS = 16
LOG_ROWS = 1 << 20

# Lanes: a fighter's own is its side
PRE_LANE = 0xFF00
TIE_LANE = 0xFFFF

# Tiers and what they multiply by
TIERS = ("normal", "golden", "diamond")
TIER_FACTORS = (1, 2, 4)

# Triggers: when effects run
TRIGGERS = (
    "pre",
    "battle_start",
    "first_turn",
    "turn_start",
    "turn_end",
    "every_other_turn",
    "every_n_turns",
    "countdown",
    "every_n_strikes",
    "on_hit",
    "on_struck",
    "on_damaged",
    "hp_lost",
    "armor_lost",
    "armor_gained",
    "speed_gained",
    "on_heal",
    "on_overheal",
    "status_gained",
    "thorns_gained",
    "enemy_status_gained",
    "status_lost",
    "status_ticked",
    "strike_skipped",
    "exposed",
    "wounded",
    "enemy_exposed",
    "enemy_wounded",
    "on_kill",
    "speed_lost",
    "attack_gained",
    "damage_outside_strikes",
)
(
    PRE,
    BATTLE_START,
    FIRST_TURN,
    TURN_START,
    TURN_END,
    EVERY_OTHER_TURN,
    EVERY_N_TURNS,
    COUNTDOWN,
    EVERY_N_STRIKES,
    ON_HIT,
    ON_STRUCK,
    ON_DAMAGED,
    HP_LOST,
    ARMOR_LOST,
    ARMOR_GAINED,
    SPEED_GAINED,
    ON_HEAL,
    ON_OVERHEAL,
    STATUS_GAINED,
    THORNS_GAINED,
    ENEMY_STATUS_GAINED,
    STATUS_LOST,
    STATUS_TICKED,
    STRIKE_SKIPPED,
    EXPOSED,
    WOUNDED,
    ENEMY_EXPOSED,
    ENEMY_WOUNDED,
    ON_KILL,
    SPEED_LOST,
    ATTACK_GAINED,
    DAMAGE_OUTSIDE_STRIKES,
) = range(32)
# Not a trigger: the frame below those of on_kill that decides who has fallen
JUDGE = 63

# Verbs: what ops do, independent of their name or short form
VERBS = (
    "gain",
    "lose",
    "set",
    "double",
    "halve",
    "restore",
    "steal",
    "heal",
    "heal_full",
    "deal",
    "pierce",
    "extra_damage",
    "execute",
    "move",
    "convert",
    "corrode",
    "spend",
    "extra_strikes",
    "retrigger",
    "hasten",
    "delay",
    "reset_countdowns",
    "count",
    "set_counter",
)
(
    GAIN,
    LOSE,
    SET,
    DOUBLE,
    HALVE,
    RESTORE,
    STEAL,
    HEAL,
    HEAL_FULL,
    DEAL,
    PIERCE,
    EXTRA_DAMAGE,
    EXECUTE,
    MOVE,
    CONVERT,
    CORRODE,
    SPEND,
    EXTRA_STRIKES,
    RETRIGGER,
    HASTEN,
    DELAY,
    RESET_COUNTDOWNS,
    COUNT,
    SET_COUNTER,
) = range(24)

# What single-op effects do, as far as fast_path.py handles them
NOT_QUICK, QUICK_GAIN, QUICK_HEAL, QUICK_DEAL, QUICK_PIERCE = range(5)
# What they require: nothing, a condition written as a range, another condition, a chance
ALWAYS, IN_RANGE, IF_TRUE, BY_CHANCE = range(4)
# The most effects of a trigger that run at once
MOST_QUIET = 32
# The last bit of a bit set of turns
LATER_TURNS = 62

# Targets of ops, as seen from the owner
TARGETS = ("self", "enemy", "both", "random")
SELF, ENEMY, BOTH, RANDOM = range(4)

# How an amount is found: a number, fact * times // per, or everything there is
NUMBER_AMOUNT, FACT_AMOUNT, ALL_AMOUNT = range(3)

# When extra strikes happen
MOMENTS = ("now", "next_turn", "every_turn")
NOW, NEXT_TURN, EVERY_TURN = range(3)

# The pieces that retrigger selects
SELECTIONS = ("all", "random", "left", "right")
ALL_PIECES, RANDOM_PIECE, LEFT_PIECE, RIGHT_PIECE = range(4)

# The order of on-hit effects, and the classes of ops that the canvas profile distinguishes
REMOVING, OTHER_ON_HIT, EXTRA = range(3)

# Modifiers
MODIFIERS = (
    "attack",
    "attack_pct",
    "damage_dealt",
    "damage_dealt_pct",
    "damage_taken",
    "damage_taken_pct",
    "healing",
    "healing_pct",
    "armor_gained",
    "stacks_given",
    "strikes",
    "on_hit_runs",
    "immune",
    "thorns_kept",
    "ignores_armor",
    "cannot_attack",
)
(
    ATTACK_BONUS,
    ATTACK_PCT,
    DAMAGE_DEALT,
    DAMAGE_DEALT_PCT,
    DAMAGE_TAKEN,
    DAMAGE_TAKEN_PCT,
    HEALING,
    HEALING_PCT,
    ARMOR_GAIN,
    STACKS_GIVEN,
    STRIKES,
    ON_HIT_RUNS,
    IMMUNE,
    THORNS_KEPT,
    IGNORES_ARMOR,
    CANNOT_ATTACK,
) = range(16)

# Rule options
LEFT_FIRST, RIGHT_FIRST, RANDOM_FIRST = range(3)
BY_DEFENDER, BY_ATTACKER = range(2)
DECAYS_EVERY_TURN, DECAYS_ON_OWN_TURN = range(2)
CLEARED_IF_STRUCK, CLEARED_IF_FIRED = range(2)
CHECKED_BY_STEPS, CHECKED_AT_ONCE = range(2)
BONE_TO_ENEMY, BONE_TO_OWNER = range(2)
ROUTE_HP, ROUTE_ARMOR = range(2)
EVEN, ODD = range(2)

# Steps of set-up, for event rows
STEPS = ("pre", "battle_start")
PRE_STEP, BATTLE_START_STEP = range(2)

# Marks that a fighter gets once in a battle
MARKS = ("exposed", "wounded")
EXPOSED_MARK, WOUNDED_MARK = range(2)

# Sources of event rows: pieces by number (0 to 63), then the rules
RULE_SOURCES = ("strike", "thorns", "poison", "acid", "riptide", "regen", "fatigue", "stun", "turn_end", "phase")
(
    BY_STRIKE,
    BY_THORNS,
    BY_POISON,
    BY_ACID,
    BY_RIPTIDE,
    BY_REGEN,
    BY_FATIGUE,
    BY_STUN,
    BY_TURN_END,
    BY_PHASE,
) = range(PIECE_SLOTS, PIECE_SLOTS + 10)

# The bit for the left's strikes in a limited modifier's bit set of rules; the right's comes next
STRIKE_BITS = 16

# Purposes of rolls
PURPOSES = ("chance", "target", "status", "effect", "first")
FOR_CHANCE, FOR_TARGET, FOR_STATUS, FOR_EFFECT, FOR_FIRST = range(5)

# Why a fighter acts first, why it skips a strike, why a guard drops a run
FIRST_REASONS = ("speed", "tie_breaker", "roll")
FIRST_BY_SPEED, FIRST_BY_TIE_BREAKER, FIRST_BY_ROLL = range(3)
SKIPS = ("stunned", "cannot_attack")
STUNNED, UNABLE = range(2)
CUTS = ("reentry", "depth", "runs", "strikes")
CUT_REENTRY, CUT_DEPTH, CUT_RUNS, CUT_STRIKES = range(4)

# How a battle ends
REASONS = ("undecided", "right_fell", "left_fell", "both_fell", "turn_cap")
UNDECIDED, RIGHT_FELL, LEFT_FELL, BOTH_FELL, TURN_CAP = range(5)
DRAW = 0

# Facts of conditions and amounts that more than one file needs; condition_facts.py declares all of them. Of a fighter:
# its quantities by their codes, then others; of the enemy, ENEMY_FACTS above; from twice as much on, of the battle.
HP_PCT = 16
ENEMY_FACTS = 32
# Built-in tags that conditions can count, from FIRST_TAG_FACT on
TAGS = (
    "blade",
    "blunt",
    "bow",
    "shield",
    "plate",
    "helm",
    "gloves",
    "boots",
    "ring",
    "amulet",
    "gem",
    "stone",
    "wood",
    "bone",
    "beast",
    "plant",
    "food",
    "tome",
    "potion",
    "fire",
    "ice",
    "water",
    "poison",
    "thorn",
    "light",
    "shadow",
)
FIRST_TAG_FACT = 96
# How many further tags a battle can count
OWN_TAGS = 22
TAG_SLOTS = len(TAGS) + OWN_TAGS
