"""Enumerations and limits of squads: kernels see the numbers, everything else the names."""

from __future__ import annotations

from fracas.kernel.seen_entries import Seen

RULES_VERSION = 2

# Sizes
SIDES = 2
SIDE_SLOTS = 8
SLOTS = SIDES * SIDE_SLOTS
LAST_SLOT = SLOTS - 1
MAX_ABILITIES = 64
ABILITY_MASK = MAX_ABILITIES - 1
MAX_EFFECTS = 4
MAX_STAGES = 16
MAX_PRIORITIES = 16
MAX_PLUGINS = 16
MAX_STEPS = 4096
MAX_ASKS = 1024
MAX_FACTS = 256
LOG_ROWS = 1 << 17
LARGEST_STAT = 10**6
LARGEST_PERCENT = 1000
LARGEST_ROUND_CAP = 1000
MAX_CHARGE = 100

# Classes
CLASSES = ("warrior", "ranger", "mage", "healer", "tank")
WARRIOR, RANGER, MAGE, HEALER, TANK = range(5)

# Reach of an ability
REACHES = ("one_enemy", "all_enemies", "one_ally", "all_allies", "self")
ONE_ENEMY, ALL_ENEMIES, ONE_ALLY, ALL_ALLIES, ONESELF = range(5)

# Effects of an ability
EFFECTS = ("damage", "heal", "shield", "attack_up", "attack_down", "taunt", "stun", "damage_over_time")
DAMAGE, HEAL, SHIELD, ATTACK_UP, ATTACK_DOWN, TAUNT, STUN, DAMAGE_OVER_TIME = range(8)

# Target selectors; "default" is an ability's own
SELECTORS = (
    "default",
    "priority",
    "lowest_hp",
    "highest_hp",
    "highest_threat",
    "fastest",
    "random",
    "lowest_hp_ally",
    "self",
    "tank_ally",
    "strongest_ally",
    "priority_ally",
)
(
    BY_DEFAULT,
    BY_PRIORITY,
    BY_LOWEST_HP,
    BY_HIGHEST_HP,
    BY_HIGHEST_THREAT,
    BY_FASTEST,
    BY_RANDOM,
    BY_LOWEST_HP_ALLY,
    BY_SELF,
    BY_TANK_ALLY,
    BY_STRONGEST_ALLY,
    BY_PRIORITY_ALLY,
) = range(12)
# Those that pick allies; "self" fits abilities for the unit itself too.
ALLY_SELECTORS = ("lowest_hp_ally", "self", "tank_ally", "strongest_ally", "priority_ally")

# Entries of a priority list: the selectors above, then one for each class
CLASS_PRIORITIES = {"warriors": WARRIOR, "rangers": RANGER, "mages": MAGE, "healers": HEALER, "tanks": TANK}
FIRST_CLASS_PRIORITY = 16
# The log's selector where an agent aims: the code after those of the priority lists
AGENT_SELECTOR_NAME = "an agent"
AGENT_SELECTOR = FIRST_CLASS_PRIORITY + len(CLASS_PRIORITIES)
# Those that always find a unit: entries after them are never read.
SURE_PRIORITIES = SELECTORS[BY_LOWEST_HP : BY_FASTEST + 1]
PRIORITIES = {name: SELECTORS.index(name) for name in SURE_PRIORITIES} | {
    name: FIRST_CLASS_PRIORITY + code for name, code in CLASS_PRIORITIES.items()
}

# Stages of the damage chain; a plug-in's stage is FIRST_PLUGIN_STAGE + its place among the plug-ins
STAGES = (
    "formation",
    "formation_exclusive",
    "class_advantage",
    "critical",
    "environment",
    "defense",
    "minimum",
    "fatigue",
    "scale",
    "add",
    "cap",
)
(
    FORMATION_STAGE,
    FORMATION_EXCLUSIVE_STAGE,
    CLASS_ADVANTAGE_STAGE,
    CRITICAL_STAGE,
    ENVIRONMENT_STAGE,
    DEFENSE_STAGE,
    MINIMUM_STAGE,
    FATIGUE_STAGE,
    SCALE_STAGE,
    ADD_STAGE,
    CAP_STAGE,
) = range(11)
FIRST_PLUGIN_STAGE = 32

# Words of rule options, in the order of options.py
CAP_TIE_DRAW, CAP_TIE_SIDE1 = range(2)
BY_CHARGE, BY_COOLDOWN = range(2)
UNLESS_CONFIGURED, EVEN_IF_REFUSED = range(2)

# Verdicts on an ability when a unit chooses
VERDICTS = (
    "not considered",
    "unconfigured, so it is used",
    "its condition holds",
    "someone is hurt",
    "refused, but someone is hurt",
    "not charged",
    "cooling down",
    "its condition does not hold",
    "nobody is hurt enough",
    "an agent decides",
)
(
    NOT_CONSIDERED,
    UNCONFIGURED,
    CONDITION_HOLDS,
    SOMEONE_HURT,
    REFUSED_BUT_HURT,
    NOT_CHARGED,
    COOLING_DOWN,
    CONDITION_FAILS,
    NOBODY_HURT,
    BY_AGENT,
) = range(10)
LAST_FAVOURABLE_VERDICT = REFUSED_BUT_HURT

# Choices
CHOICES = ("basic", "class ability", "ultimate")
BASIC, CLASS_ABILITY, ULTIMATE = range(3)
CHOICE_COUNT = len(CHOICES)

# Agents: an action is a choice and a target (a slot or none); observations of a unit are capped at this multiple
TARGETS = SLOTS + 1
ACTIONS = CHOICE_COUNT * TARGETS
CLASS_COUNT = len(CLASSES)
LARGEST_SEEN = 100.0
HUNDREDS = ("hundreds, at most 100", LARGEST_SEEN)

# What is seen of a unit; its share of HP comes first, and whether it is of each class after these. The values are of
# `unit`, `acting` (an index) and `share` (1 / its full HP).
SEEN_OF_A_UNIT = (
    Seen("hp", "HP of {unit}, of its full HP", "share", 1, "unit.hp * share"),
    Seen("full_hp", "full HP of {unit}", *HUNDREDS, "min(unit.max_hp * 0.01, LARGEST_SEEN)", is_fixed=True),
    Seen("attack", "attack, raised and lowered of {unit}", *HUNDREDS, "min(current_attack(unit) * 0.01, LARGEST_SEEN)"),
    Seen("defense", "defense of {unit}", *HUNDREDS, "min(unit.defense * 0.01, LARGEST_SEEN)", is_fixed=True),
    Seen("speed", "speed of {unit}", *HUNDREDS, "min(unit.speed * 0.01, LARGEST_SEEN)", is_fixed=True),
    Seen("charge", "charge of {unit}", "of 100", 1, "unit.charge * (1.0 / MAX_CHARGE)"),
    Seen(
        "class_ability_cooldown",
        "rounds until {unit} may use its class ability again",
        "tens, at most 1",
        1,
        "min(unit.cooldown * 0.1, 1.0)",
    ),
    Seen(
        "ultimate_cooldown",
        "rounds until {unit} may use its ultimate again",
        "tens, at most 1",
        1,
        "min(unit.ultimate_cooldown * 0.1, 1.0)",
    ),
    Seen("shield", "shield of {unit}, of its full HP", "share, at most 1", 1, "min(unit.shield * share, 1.0)"),
    Seen("taunting", "whether {unit} taunts", "0 or 1", 1, "unit.taunt_until > 0"),
    Seen("stunned", "whether {unit} loses its next turn", "0 or 1", 1, "unit.stunned != 0"),
    Seen(
        "wound",
        "damage over time that {unit} has still to suffer, of its full HP",
        "share",
        1,
        "min(unit.wound * unit.wound_strikes * share, 1.0)",
    ),
    Seen("acting", "whether it is the turn of {unit}", "0 or 1", 1, "unit.index == acting"),
)
ACTING_FEATURE = [entry.name for entry in SEEN_OF_A_UNIT].index("acting")
CLASS_FEATURE = len(SEEN_OF_A_UNIT)
UNIT_FEATURES = CLASS_FEATURE + CLASS_COUNT
FEATURES = 1 + SLOTS * UNIT_FEATURES
# What version 2 of observations adds of a unit's state, in the order in which `observation.see_lasting` writes it
LONGEST_SEEN = LARGEST_ROUND_CAP / 10 + 1
LASTING_OF_A_UNIT = (
    ("shield_points", "shield of {unit}", "hundreds", 1e7),
    ("shield_left", "rounds until the shield of {unit} ends", "tens", LONGEST_SEEN),
    ("attack_up", "attack that {unit} has gained", "hundreds of per cent", 10),
    ("attack_up_left", "rounds until the gain of attack of {unit} ends", "tens", LONGEST_SEEN),
    ("attack_down", "attack that {unit} has lost", "hundreds of per cent", 10),
    ("attack_down_left", "rounds until the loss of attack of {unit} ends", "tens", LONGEST_SEEN),
    ("taunt_left", "rounds until the taunt of {unit} ends", "tens", LONGEST_SEEN),
    ("just_stunned", "whether {unit} has just lost an action, so that no stun holds", "0 or 1", 1),
    ("wound_points", "damage of the next strike of the wound of {unit}", "hundreds", 1e7),
    ("wound_strikes", "strikes of its wound that {unit} has still to suffer", "tens", LONGEST_SEEN),
    ("class_ability_wait", "rounds until {unit} may use its class ability again", "tens", LONGEST_SEEN),
    ("ultimate_wait", "rounds until {unit} may use its ultimate again", "tens", LONGEST_SEEN),
)
UNIT_LASTING = len(LASTING_OF_A_UNIT)
# How a network reads an observation: kernel/networks.py
NETWORK_SHAPE = (1, SIDE_SLOTS, UNIT_FEATURES, SLOTS, TARGETS, ACTIONS, ACTIONS, ACTING_FEATURE)

# What became of an effect
OUTCOMES_OF_EFFECTS = ("applied", "weaker than what is there", "already stunned", "just lost an action to a stun")
APPLIED, WEAKER, ALREADY_STUNNED, JUST_STUNNED = range(4)

# How a battle ends
REASONS = ("undecided", "wiped_out", "cap_hp", "cap_equal", "both_wiped_out")
UNDECIDED, WIPED_OUT, CAP_HP, CAP_EQUAL, BOTH_WIPED_OUT = range(5)
DRAW = 0

# Numbers of facts of the condition language that more than one file needs; condition_facts.py declares all of them.
ALLIES, ENEMIES = 1, 2
SELF_HP_PCT, UNIT_HP_PCT = 0, 0
ALLIES_LOWEST, ALLIES_HIGHEST, ENEMIES_LOWEST, ENEMIES_HIGHEST = range(6, 10)
FIRST_STATUS, STATUSES_END = 2, 50
FIRST_CLASS_FACT = 10
SELF_STATUS_OFFSET = 100
