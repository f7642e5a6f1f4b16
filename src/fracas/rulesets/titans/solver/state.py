"""The records of the solver. titans/README.md, "Solving"."""

from __future__ import annotations

import numpy as np

from fracas.kernel.records import record
from fracas.rulesets.titans.rules import constants as codes

i64 = np.int64
f64 = np.float64

# Saved points of a round: before anyone acts, and after the first action.
STEPS = 2
# A stage game as a linear program: a row for each choice and the objective, a column for each choice, slack and limit.
TABLEAU_ROWS = codes.CHOICES + 1
TABLEAU_COLUMNS = 2 * codes.CHOICES + 1

# What an action changes and the next outcome restores.
kept_t = record(
    ("hp", i64, (codes.PLAYERS,)),
    ("charge", i64, (codes.PLAYERS,)),
    ("shield", f64, (codes.PLAYERS,)),
    ("active", i64, (codes.PLAYERS,)),
    ("until", i64, (codes.PLAYERS, codes.MAX_CHANGES)),
    ("sums", i64, (codes.PLAYERS, codes.STAT_SLOTS)),
    ("now", f64, (codes.PLAYERS, codes.STAT_SLOTS)),
)

# The nodes of the grid, and the weights to interpolate between them.
space_t = record(
    ("hp_nodes", i64, (codes.PLAYERS,)),
    ("charge_nodes", i64, (codes.PLAYERS,)),
    # for each HP and each charge the node at or below it, and the share of the one above
    ("hp_low", i64, (codes.PLAYERS, codes.LARGEST_HP + 1)),
    ("hp_share", f64, (codes.PLAYERS, codes.LARGEST_HP + 1)),
    ("charge_low", i64, (codes.PLAYERS, codes.MAX_CHARGE + 1)),
    ("charge_share", f64, (codes.PLAYERS, codes.MAX_CHARGE + 1)),
    # stat changes: for each titan and change the rounds distinguished, and its factor in the encoding number
    ("longest", i64, (codes.PLAYERS, codes.MAX_CHANGES)),
    ("stride", i64, (codes.PLAYERS, codes.MAX_CHANGES)),
    # the players with a fixed policy, who do not play their best
    ("is_fixed", i64, (codes.PLAYERS,)),
    ("kept", kept_t, (STEPS,)),
    # the stage game of the last state: player 1's chances for each pair of choices, and both mixes
    ("chances", f64, (codes.CHOICES, codes.CHOICES)),
    ("mixes", f64, (codes.PLAYERS, codes.CHOICES)),
    ("tableau", f64, (TABLEAU_ROWS, TABLEAU_COLUMNS)),
    ("basis", i64, (codes.CHOICES,)),
    # the most that a best reply has gained against the mixes of any stage game so far
    ("reply_gain", f64),
    # legal choices by player, in order
    ("counts", i64, (codes.PLAYERS,)),
    ("legal", i64, (codes.PLAYERS, codes.CHOICES)),
)
