"""Enumerations and limits of titans. Kernels use the numbers; everything outside uses the names."""

from __future__ import annotations

RULES_VERSION = 2

# Sizes
PLAYERS = 2
OWN_ABILITIES = 5
MAX_ABILITIES = PLAYERS * OWN_ABILITIES
ABILITY_MASK = 15
ABILITY_SLOTS = ABILITY_MASK + 1
MAX_EFFECTS = 4
EFFECT_MASK = MAX_EFFECTS - 1
# Every effect that changes a stat has its own slot.
MAX_CHANGES = 64
CHANGE_MASK = MAX_CHANGES - 1
MAX_RULES = 32
RULE_MASK = MAX_RULES - 1
MAX_STEPS = 4096
MAX_ASKS = 1024
MAX_FACTS = 64
MAX_CELLS = 1 << 18
CELL_MASK = MAX_CELLS - 1
LOG_ROWS = 1 << 17
# The table of choices: values of HP, values of the other axes, situations, and the comparisons that a policy may have
HP_PLACES = 1 << 14
AXIS_PLACES = 1 << 10
MAX_SITUATIONS = 1 << 12
MAX_COMPARISONS = 256
LARGEST_HP = 10_000
LARGEST_STAT = 1000
LARGEST_AMOUNT = 10_000
LARGEST_TIMES = 100.0
LARGEST_PERCENT = 900
LARGEST_ROUND_CAP = 1000
MAX_CHARGE = 100
LEAST_SUM = -90
LARGEST_LEVEL = 50
LARGEST_STEPS = 101
# Stats and HP are shown to agents up to this multiple of their unit.
LARGEST_SEEN = 10.0

# Dice
CHANCE_LANE = 0x8000
GENERATE_LANE = 0xFF00
GROWTH_LANE = 0xFF10

# Stats
STATS = ("attack", "defense", "speed", "stamina", "evasion", "accuracy", "critical")
ATTACK_STAT, DEFENSE_STAT, SPEED_STAT, STAMINA_STAT, EVASION_STAT, ACCURACY_STAT, CRITICAL_STAT = range(7)
STAT_SLOTS = 8
STAT_MASK = STAT_SLOTS - 1

# Choices: the three that every titan has, then its abilities in order
ACTIONS = ("attack", "defend", "rest", "ability")
ATTACK, DEFEND, REST, FIRST_ABILITY = range(4)
CHOICES = FIRST_ABILITY + OWN_ABILITIES
CHOICE_MASK = CHOICES - 1
NOTHING_CHOSEN = -1
# A further choice for rules: the titan's first ability that it can afford
ANY_ABILITY = CHOICES
# In a list of choices: the player missed the deadline
MISSED = CHOICES + 1
MISSES_TO_FORFEIT = 3

# Effects of an ability
EFFECTS = ("damage", "heal", "shield", "charge", "set_charge", "change", "cleanse")
DAMAGE_EFFECT, HEAL_EFFECT, SHIELD_EFFECT, CHARGE_EFFECT, SET_CHARGE_EFFECT, CHANGE_EFFECT, CLEANSE_EFFECT = range(7)
EFFECT_SLOTS = len(EFFECTS)

# What agents see: the duel, both titans, the abilities of both; and how a network reads it (kernel/networks.py)
FEATURES = 2 + PLAYERS * (3 + len(STATS) + CHOICES) + PLAYERS * OWN_ABILITIES * (1 + EFFECT_SLOTS)
# Where an observation says what both chose in the last round
OWN_LAST = range(5 + len(STATS), 5 + len(STATS) + CHOICES)
ENEMY_LAST = range(OWN_LAST.stop + 3 + len(STATS), OWN_LAST.stop + 3 + len(STATS) + CHOICES)
NETWORK_SHAPE = (FEATURES, 0, 0, 0, 1, CHOICES, CHOICES, 0)

# Sources of an effect's amount
FIXED_AMOUNT, STAT_AMOUNT, DEALT_AMOUNT = range(3)

# Kinds of policies
POLICIES = ("rules", "random", "greedy", "solved", "choices", "network")
BY_RULES, AT_RANDOM, BY_GREED, BY_TABLE, BY_LIST, BY_NETWORK = range(6)

# Whether a player has a table of choices, and its axes: what a policy's rules depend on
UNPREPARED, PREPARED, WITHOUT_TABLE = range(3)
OWN_HP, ENEMY_HP, OWN_CHARGE, ENEMY_CHARGE, OWN_LAST_CHOICE, ENEMY_LAST_CHOICE, ROUND = range(7)
HP_AXES = 2
AXES = 7
NO_AXIS = -1

# Why a choice was made
WHYS = (
    "a rule of the policy",
    "nothing else",
    "at random",
    "the best that is expected",
    "the mix of the table",
    "submitted",
    "too late",
    "cannot pay for the one submitted",
    "a trained policy",
)
BY_RULE, BY_DEFAULT, RANDOMLY, GREEDILY, MIXED, SUBMITTED, TOO_LATE, NOT_PAYABLE, TRAINED = range(9)

# Sources of charge changes
SOURCES = ("a rest", "an attack while defending", "an attack that hurt", "an ability")
FROM_REST, FROM_DEFENDING, FROM_HURTING, FROM_ABILITY = range(4)

# Why a titan does not act
OBSTACLES = ("the duel is over", "not enough charge")
DUEL_OVER, TOO_LITTLE_CHARGE = range(2)

# How a duel ends
REASONS = ("undecided", "knock_out", "cap_hp", "cap_equal", "forfeit", "both_forfeit")
UNDECIDED, KNOCK_OUT, CAP_HP, CAP_EQUAL, FORFEIT, BOTH_FORFEIT = range(6)
DRAW = 0

# Numbers of facts of the condition language, which condition_facts.py declares: those of the duel are below SELF_FACTS.
# Both titans' facts have the same numbers, the opponent's with an offset.
SELF_FACTS, ENEMY_FACTS = 16, 48
(
    HP_PCT,
    HP,
    CHARGE,
    IS_READY,
    IS_BUFFED,
    IS_DEBUFFED,
    HAS_ATTACKED,
    HAS_DEFENDED,
    HAS_RESTED,
    HAS_USED_ABILITY,
) = range(10)
FIRST_STAT_FACT = 16
# Ten times the largest stat: the most that changes can make of it.
LARGEST_CURRENT_STAT = 1_000_000

# Experience (head profile): the amount for each next level, from level 1 on
WIN_EXPERIENCE, LOSS_EXPERIENCE = 50, 20
LEAST_SHARE, MOST_SHARE, SHARE_OF_A_LEVEL, KNOCK_OUT_SHARE = 50, 200, 10, 110
NEXT_LEVEL = (
    100,
    114,
    132,
    152,
    174,
    201,
    231,
    266,
    305,
    351,
    404,
    465,
    535,
    615,
    707,
    813,
    935,
    1076,
    1237,
    1423,
    1636,
    1882,
    2164,
    2489,
    2862,
    3291,
    3785,
    4353,
    5006,
    5757,
    6621,
    7614,
    8756,
    10069,
    11580,
    13317,
    15315,
    17612,
    20254,
    23292,
    26786,
    30804,
    35424,
    40738,
    46849,
    53876,
    61958,
    71252,
    81940,
)

# At a new level a stat gains 0, 1, 2 or 3 points: below(100) is under 10, under 40, under 80, or not
NO_GROWTH, SLIGHT_GROWTH, FAIR_GROWTH = 10, 40, 80
GROWTH_STATS = ("hp", *STATS)

# Values for generated titans
GENERATED_STAT = (5, 10)
CLASSIC_ABILITIES = (
    "drain",
    "focused_strike",
    "overdrive",
    "vital_surge",
    "cleansing_light",
    "fortify",
    "barrier",
    "quick_charge",
    "shock",
    "weaken",
)
TITAN_NAMES = (
    "Adamant",
    "Basalt",
    "Brand",
    "Briar",
    "Cairn",
    "Cinder",
    "Cobalt",
    "Crest",
    "Dirge",
    "Drift",
    "Dusk",
    "Ember",
    "Fathom",
    "Flint",
    "Gale",
    "Garnet",
    "Gloam",
    "Granite",
    "Harrow",
    "Hollow",
    "Ingot",
    "Iron",
    "Jasper",
    "Keel",
    "Knell",
    "Lantern",
    "Loam",
    "Marrow",
    "Mire",
    "Moraine",
    "Nettle",
    "Obsidian",
    "Onyx",
    "Osprey",
    "Pyre",
    "Quarry",
    "Reef",
    "Rook",
    "Rune",
    "Sable",
    "Shale",
    "Slate",
    "Sorrel",
    "Tarn",
    "Thorn",
    "Tundra",
    "Umber",
    "Vesper",
    "Warden",
    "Wrack",
)
