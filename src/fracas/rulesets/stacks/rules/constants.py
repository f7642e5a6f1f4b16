"""Enumerations and limits of stacks: kernels see the numbers, everything else the names."""

from __future__ import annotations

RULES_VERSION = 2

# Sizes
SIDES = 2
STACK_SLOTS = 8
MAX_DIRECTIONS = 9
SLOTS = STACK_SLOTS * MAX_DIRECTIONS
# Places for participants by id, a power of two: a mask tells the compiler that an index is never negative
CAPACITY = 128
PARTICIPANT_MASK = CAPACITY - 1
DIRECTION_SLOTS = 16
DIRECTION_MASK = DIRECTION_SLOTS - 1
MAX_UNIT_MOVES = 16
UNIT_MOVE_MASK = MAX_UNIT_MOVES - 1
MAX_PLUGINS = 16
MAX_MOVE_TYPES = 32
MOVE_TYPE_MASK = MAX_MOVE_TYPES - 1
MAX_TUPLES = 128
TUPLE_MASK = MAX_TUPLES - 1
MAX_ROLLS = 256
ROLL_MASK = MAX_ROLLS - 1
LOG_ROWS = 1 << 20
# Pairs in the ranking of moves: 36 participants a side, each with four moves that are ranked, are 10,368
MAX_PAIRS = 1 << 14
PAIR_MASK = MAX_PAIRS - 1

# Bounds of worlds
LARGEST_MAP = 1000
MAX_FACTIONS = 64
MAX_STACKS = 1000
MAX_TILES = 10_000
MAX_ATTACKS = 1000
LARGEST_ATTACK_NUMBER = 32_767
LARGEST_REVISION = 10**9

# Bounds of values
LARGEST_STAT = 1000
LARGEST_HEALTH = 10_000
LARGEST_SCORE = 10_000
LARGEST_COUNT = 1000
LARGEST_TURN_CAP = 1000
MOST_REPEATS = 8

# Ticks and lanes: the upper half of a tick is the attack's number, the lower half its turn
TICKS_PER_ATTACK = 1 << 16
TRIAL_LANE = 0x8000

# Sides
ATTACKERS, DEFENDERS = range(2)

# Maps. The direction after the last is the tile itself.
MAP_KINDS = ("hex", "square4", "square8")
HEX, SQUARE4, SQUARE8 = range(3)
DIRECTIONS = (
    ("N", "NE", "SE", "S", "SW", "NW"),
    ("N", "E", "S", "W"),
    ("N", "NE", "E", "SE", "S", "SW", "W", "NW"),
)
ITSELF = "itself"
EVEN_COLUMN_STEPS = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 0), (-1, -1))
ODD_COLUMN_STEPS = ((0, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0))
SQUARE4_STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))
SQUARE8_STEPS = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))

# The roles of stacks on the field
ROLES = ("allied with neither side", "attacks", "defends", "allied with both sides")
OF_NEITHER_SIDE, ATTACKS, DEFENDS, OF_BOTH_SIDES = range(4)

# Move types in registry order; a plug-in's is FIRST_PLUGIN_MOVE + its place among the plug-ins
MOVES = ("archery", "charge", "healing", "strike", "riposte", "bombard", "javelin", "sacrifice")
ARCHERY, CHARGE, HEALING, STRIKE, RIPOSTE, BOMBARD, JAVELIN, SACRIFICE = range(8)
FIRST_PLUGIN_MOVE = 8
SHIPPED_MOVES = len(MOVES)
HARMFUL_MOVES = ("archery", "charge", "strike", "riposte", "bombard", "javelin")
MELEE_MOVES = ("charge", "strike", "riposte")

# The possible targets of a move type, as a set of bits; no other target is considered
LIVING_ENEMIES, LIVING_FRIENDS, ANYBODY = 1, 2, 4

# The value of a pair that is not viable
NOT_VIABLE = float("-inf")

# The numbers of the moves
ARCHERY_REPEATS = 2
STRIKE_REPEATS = 2
CHARGE_BONUS = 2
JAVELIN_BONUS = 2
SPLASH_LOSS = 2
RIPOSTE_LOSS = 1
MOST_HEALED = 5
SACRIFICE_FACTOR = 2
TRIALS = 5

# Rule options
SIDE_RULES = ("alliances", "factions")
ORDERS = ("alternate", "id", "initiative")
VALUATIONS = ("exact", "sampled")
EXACT, SAMPLED = range(2)
CHARGE_ESTIMATES = ("attack", "value")
AS_ATTACK, AS_VALUE = range(2)
DAMAGE_SCORES = ("damage", "attack")
BY_DAMAGE, BY_ATTACK = range(2)
PROVOCATIONS = ("melee", "strike")
BY_MELEE, BY_STRIKE = range(2)
IDLE_RULES = ("attackers", "anyone")
ATTACKERS_IDLE, ANYONE_IDLE = range(2)

# Whether a record has its ranking of moves
UNPREPARED, PREPARED, WITHOUT_RANKING = range(3)

# How a battle ends
REASONS = (
    "undecided",
    "defenders_fell",
    "attackers_fell",
    "both_fell",
    "repelled",
    "turn_cap",
    "unopposed",
)
UNDECIDED, DEFENDERS_FELL, ATTACKERS_FELL, BOTH_FELL, REPELLED, TURN_CAP, UNOPPOSED = range(7)
DRAW = 0

# Why an attack of a campaign is skipped
OBSTACLES = (
    "the stack is gone",
    "the tile is no neighbour of the stack's",
    "nobody is there to attack",
    "the tile is the attacker's or an ally's",
)
STACK_GONE, NO_NEIGHBOUR, NOBODY_THERE, ALLYS_TILE = range(4)

# The functions of a move type, in the order of the plug-ins' tuples
MOVE_FUNCTIONS = ("is_viable", "expected_value", "repeats", "generate", "apply")
IS_VIABLE, EXPECTED_VALUE, REPEATS, GENERATE, APPLY = range(5)
# The weighing function, built from the first two; it comes after all of them
WEIGH = 5
PLUGIN_MASK = MAX_PLUGINS - 1

# Agents: an action is a move type and a target, or waiting; observations are capped at this multiple
WAITING = SHIPPED_MOVES * SLOTS
PARTICIPANT_FEATURES = 7 + SHIPPED_MOVES
FEATURES = 3 + SLOTS * PARTICIPANT_FEATURES
ACTIONS = WAITING + 1
# How a network reads an observation: kernel/networks.py
NETWORK_SHAPE = (3, 0, PARTICIPANT_FEATURES, SLOTS, SLOTS, WAITING, ACTIONS, 1)
LARGEST_SEEN = 1000.0
