"""Enumerations and limits of delve: kernels see the numbers, everything else the names."""

from __future__ import annotations

RULES_VERSION = 2

# Sizes
SIDES = 2
SIDE_SLOTS = 8
SLOTS = SIDES * SIDE_SLOTS
LAST_SLOT = SLOTS - 1
PARTY, DUNGEON = 0, 1
MAX_ENCOUNTERS = 40
MAX_FOES = 64
MAX_ROSTER = 512
MAX_SKILLS = 128
MAX_KNOWN = 32
MAX_QUEUE = 32
MAX_QUEUE_SLOTS = 1024
MAX_PHASES = 4
MAX_PHASE_POOL = 256
MAX_SKILL_CONDITIONS = 4
MAX_OPTIONS = 6
MAX_OPTION_POOL = 256
MAX_TABLES = 48
MAX_TABLE_ROWS = 24
MAX_TEMPLATES = 256
MAX_BONUSES = 32
MAX_ITEM_BONUSES = 6
MAX_DROPS = 256
MAX_LOOT_ROLLS = 4
MAX_STEPS = 4096
MAX_ASKS = 1024
MAX_FACTS = 256
# Masks tell the compiler that an index is never negative
SKILL_MASK = MAX_SKILLS - 1
KNOWN_MASK = MAX_KNOWN - 1
QUEUE_SLOT_MASK = MAX_QUEUE_SLOTS - 1
CONDITION_MASK = 15
ATTRIBUTE_MASK = 7
RESULT_SKILLS = 64
RESULT_SLOTS = 128
LOG_ROWS = 1 << 19

# Bounds of values
LARGEST_AMOUNT = 10**6
LARGEST_ATTRIBUTE = 255
LARGEST_DEFENSE = 10**5
LARGEST_RESOURCE = 1000
LARGEST_TRAINING = 100
LARGEST_LEVEL = 100
LARGEST_PERCENT = 1000
LARGEST_ROUND_CAP = 1000
LARGEST_DURATION = 1000
LARGEST_WEIGHT = 10_000
LARGEST_SPEED_MODIFIER = 100
LARGEST_MODIFIER = 100

# Ticks: the upper half is the encounter's number, the lower half the step in it
TICKS_PER_ENCOUNTER = 1 << 16
FIRST_STEP_TICK = 0x8000
REWARD_TICK = 0xFFFF

# Lanes of rolls outside turns
FLEE_LANE = 0xFF01
LOOT_LANE = 0xFF02
CHEST_LANE = 0xFF03
GOLD_LANE = 0xFF04
ENHANCEMENT_LANE = 0xFF05
FIRST_EXTRA_LANE = 0xFF10

# Attributes
ATTRIBUTES = ("might", "logic", "speed", "presence", "fortitude", "luck")
MIGHT, LOGIC, SPEED, PRESENCE, FORTITUDE, LUCK = range(6)

# Skills of checks; 0 is no skill. The first six add training to an attribute, the others are attributes
TRAININGS = ("perception", "acrobatics", "athletics", "arcana", "lore", "survival")
TRAINED_BY = (PRESENCE, SPEED, MIGHT, LOGIC, LOGIC, FORTITUDE)
CHECKS = ("no skill", *TRAININGS, *ATTRIBUTES)
NO_CHECK, PERCEPTION, ACROBATICS, ATHLETICS, ARCANA, LORE, SURVIVAL = range(7)
FIRST_ATTRIBUTE_CHECK = 7

# Reach of a skill
REACHES = ("one_enemy", "all_enemies", "one_ally", "all_allies", "self")
ONE_ENEMY, ALL_ENEMIES, ONE_ALLY, ALL_ALLIES, ONESELF = range(5)
HOSTILE_REACHES = ("one_enemy", "all_enemies")

# Kinds of damage
ELEMENTS = ("physical", "magic")
PHYSICAL, MAGIC = range(2)

# Target selectors
SELECTORS = ("lowest_hp", "highest_hp", "highest_threat", "lowest_hp_pct", "random")
BY_LOWEST_HP, BY_HIGHEST_HP, BY_HIGHEST_THREAT, BY_LOWEST_HP_PCT, BY_RANDOM = range(5)
# The log's selector where an agent aims
AGENT_SELECTOR_NAME = "an agent"
AGENT_SELECTOR = len(SELECTORS)

# Conditions on participants
CONDITIONS = (
    "poisoned",
    "bleeding",
    "burning",
    "stunned",
    "blinded",
    "slowed",
    "weakened",
    "shielded",
    "regenerating",
    "empowered",
    "hasted",
)
(
    POISONED,
    BLEEDING,
    BURNING,
    STUNNED,
    BLINDED,
    SLOWED,
    WEAKENED,
    SHIELDED,
    REGENERATING,
    EMPOWERED,
    HASTED,
) = range(11)
HARMFUL_CONDITIONS = CONDITIONS[: WEAKENED + 1]
HELPFUL_CONDITIONS = CONDITIONS[WEAKENED + 1 :]
POTENT_CONDITIONS = ("poisoned", "bleeding", "burning", "shielded", "regenerating")

# What the conditions do
BLINDED_PENALTY = 30
SLOWED_DELAY = 50
HASTED_LEAD = 25
WEAKENED_PCT = 75
EMPOWERED_PCT = 125

# Rolls
BASE_CHANCE = 50
LEAST_CHANCE, GREATEST_CHANCE = 5, 95
CRITICAL_UP_TO, GREATEST_CRITICAL = 5, 20
FUMBLE_FROM, GREATEST_FUMBLE = 96, 100
LUCK_PER_POINT = 20
ATTRIBUTE_PER_POINT = 10
QUIET_ROUNDS = 3
REST_SHARE = 4
# All effective initiatives are above the negative of this
INITIATIVE_OFFSET = 1024

# The verdicts on an attack's d100
VERDICTS = ("miss", "hit", "critical", "fumble")
MISS, HIT, CRITICAL, FUMBLE = range(4)

# Why a queue slot was passed over
OBSTACLES = ("none", "its condition does not hold", "it cannot be paid", "cooling down", "nobody is hurt", "no target")
NO_OBSTACLE, CONDITION_FAILS, TOO_COSTLY, COOLING_DOWN, NOBODY_HURT, NO_TARGET = range(6)

# What became of a condition
EFFECTS = ("applied", "refreshed", "already stunned", "just lost an action to a stun")
APPLIED, REFRESHED, ALREADY_STUNNED, JUST_STUNNED = range(4)

# Encounters
ENCOUNTER_TYPES = ("combat", "trap", "decision", "hazard", "rest", "puzzle")
COMBAT, TRAP, DECISION, HAZARD, REST, PUZZLE = range(6)

# The kinds of battles
JOURNEYS = ("encounter", "run")
LONE_ENCOUNTER, RUN = range(2)

# How an encounter ends
OUTCOMES = ("undecided", "Victory", "Survived", "PartyWipe", "Fled")
UNDECIDED, VICTORY, SURVIVED, PARTY_WIPE, FLED = range(5)

# How a battle ends: as a lone encounter's outcome, or a run's
REASONS = ("undecided", "victory", "survived", "party_wipe", "fled", "completed")
COMPLETED = 5
DRAW = 0

# Items
SLOT_NAMES = (
    "main_hand",
    "off_hand",
    "head",
    "chest",
    "hands",
    "feet",
    "cloak",
    "ring",
    "amulet",
    "belt",
)
SLOT_CAPACITY = {"ring": 2}
RARITIES = ("common", "uncommon", "rare", "very_rare", "legendary", "artifact")
COMMON, UNCOMMON, RARE, VERY_RARE, LEGENDARY, ARTIFACT = range(6)
TIERS = ("minor", "standard", "major", "grand")
BONUS_STATS = (
    *ATTRIBUTES,
    "hp",
    "resource",
    "regeneration",
    "armor",
    "resistance",
    "evasion",
    "weapon_speed",
    "damage",
    *TRAININGS,
)
ENHANCEMENT_CHANCES = (100, 80, 60, 40, 20)
MAX_ENHANCEMENT = 5
ENHANCEMENT_PCT = 5

# The sources of items
SOURCES = ("encounter", "extra", "chest")
BY_ENCOUNTER, BY_EXTRA_ROLL, BY_CHEST = range(3)

# Numbers of facts of the condition language that more than one file needs; condition_facts.py declares all of them.
ALLIES, ENEMIES = 1, 2
TIMES_USED = 6
# A condition's code is added: a unit fact of a group, or, with the offset, a fact about the deciding participant
FIRST_CONDITION_FACT = 10
SELF_CONDITION_OFFSET = 100

# Agents: an action is a slot of the queue and a target, a slot or none; or passing; or an option of a decision
TARGETS = SLOTS + 1
PASSING = MAX_QUEUE * TARGETS
FIRST_OPTION = PASSING + 1
ACTIONS = FIRST_OPTION + MAX_OPTIONS
# A run's stage for an agent: before an encounter, at the choice of an option, in a fight
AT_ENCOUNTER, AT_OPTION, IN_FIGHT = range(3)
# Caps on what agents see of a participant, as a multiple of its measure, and of a run
PARTICIPANT_FEATURES = 9 + len(CONDITIONS)
RUN_FEATURES = 3 + len(ENCOUNTER_TYPES) + MAX_OPTIONS
FEATURES = RUN_FEATURES + SLOTS * PARTICIPANT_FEATURES
# How a network reads an observation: kernel/networks.py
NETWORK_SHAPE = (RUN_FEATURES, SIDE_SLOTS, PARTICIPANT_FEATURES, SLOTS, TARGETS, PASSING, ACTIONS, 8)
LARGEST_SEEN = 100.0
# What version 2 of observations adds of a participant's state, in the order in which `observation.see_lasting` writes
# it: these, its attributes, how long each condition lasts and how strong it is. Of the own side's members the queue.
LASTING_OF_A_PARTICIPANT = (
    ("armor_points", "armor of {who}", "hundreds", 1e4),
    ("resistance_points", "resistance of {who}", "hundreds", 1e4),
    ("evasion", "evasion of {who}", "hundreds", 1e4),
    ("regeneration", "resource that {who} gains each round", "tens", 1e3),
    ("guard", "what the shield of {who} still takes", "hundreds", 1e4),
    ("most_hp", "full HP of {who}", "hundreds", 1e5),
    ("damage_pct", "damage that {who} deals", "hundreds of per cent", 1e3),
    ("weapon_speed", "speed of the weapon of {who}", "hundreds", 1e3),
    ("weapon_low", "least damage of the weapon of {who}", "hundreds", 1e4),
    ("weapon_high", "most damage of the weapon of {who}", "hundreds", 1e4),
)
PARTICIPANT_LASTING = len(LASTING_OF_A_PARTICIPANT) + len(ATTRIBUTES) + 2 * len(CONDITIONS)
QUEUE_LASTING = 2 * MAX_QUEUE
LASTING = SLOTS * PARTICIPANT_LASTING + SIDE_SLOTS * QUEUE_LASTING
