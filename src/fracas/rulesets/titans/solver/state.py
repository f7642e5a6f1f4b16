"""The records of the solver. titans/README.md, "Solving"."""

from __future__ import annotations

import numpy as np

from fracas.kernel.records import record
from fracas.rulesets.titans.rules.constants import CHOICES, LARGEST_HP, MAX_CHANGES, MAX_CHARGE, PLAYERS, STAT_SLOTS

i64 = np.int64
f64 = np.float64

# Saved points of a round: before anyone acts, and after the first action.
STEPS = 2
# A stage game as a linear program: a row for each choice and the objective, a column for each choice, slack and limit.
TABLEAU_ROWS = CHOICES + 1
TABLEAU_COLUMNS = 2 * CHOICES + 1

# What an action changes and the next outcome restores.
kept_t = record(
    ("hp", i64, (PLAYERS,)),
    ("charge", i64, (PLAYERS,)),
    ("shield", f64, (PLAYERS,)),
    ("active", i64, (PLAYERS,)),
    ("until", i64, (PLAYERS, MAX_CHANGES)),
    ("sums", i64, (PLAYERS, STAT_SLOTS)),
    ("now", f64, (PLAYERS, STAT_SLOTS)),
)

# The nodes of the grid, and the weights to interpolate between them.
space_t = record(
    ("hp_nodes", i64, (PLAYERS,)),
    ("charge_nodes", i64, (PLAYERS,)),
    # for each HP and each charge the node at or below it, and the share of the one above
    ("hp_low", i64, (PLAYERS, LARGEST_HP + 1)),
    ("hp_share", f64, (PLAYERS, LARGEST_HP + 1)),
    ("charge_low", i64, (PLAYERS, MAX_CHARGE + 1)),
    ("charge_share", f64, (PLAYERS, MAX_CHARGE + 1)),
    # stat changes: for each titan and change the rounds distinguished, and its factor in the encoding number
    ("longest", i64, (PLAYERS, MAX_CHANGES)),
    ("stride", i64, (PLAYERS, MAX_CHANGES)),
    # the players with a fixed policy, who do not play their best
    ("is_fixed", i64, (PLAYERS,)),
    ("kept", kept_t, (STEPS,)),
    # the stage game of the last state: player 1's chances for each pair of choices, and both mixes
    ("chances", f64, (CHOICES, CHOICES)),
    ("mixes", f64, (PLAYERS, CHOICES)),
    ("tableau", f64, (TABLEAU_ROWS, TABLEAU_COLUMNS)),
    ("basis", i64, (CHOICES,)),
    # the most that a best reply has gained against the mixes of any stage game so far
    ("reply_gain", f64),
    # legal choices by player, in order
    ("counts", i64, (PLAYERS,)),
    ("legal", i64, (PLAYERS, CHOICES)),
)
