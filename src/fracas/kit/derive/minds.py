"""What records keep of conditions and strategies: compiled programs, and the lines of strategies.

A condition is a span of the battle's programs; a strategy is a run of the battle's lines. The programs are those of
`kernel/condition_evaluator.py`.
"""

from __future__ import annotations

import numpy as np

from fracas.kernel.condition_evaluator import ask_t, fact_t, step_t
from fracas.kernel.records import record

# The name of the record of all of these in a battle's record.
MINDS = "kit_minds"
MOST_LINES = 16
MOST_STEPS = 1024
MOST_ASKS = 512
# The facts of one condition; the last place is where selectors compare targets.
MOST_FACTS = 65
AIM = MOST_FACTS - 1

span_t = record(("first_step", np.int64), ("step_count", np.int64), ("first_ask", np.int64), ("ask_count", np.int64))
line_t = record(("when", span_t), ("choice", np.int64), ("selector", np.int64), ("fact", np.int64))
strategy_t = record(("first", np.int64), ("lines", np.int64))
minds_t = record(
    ("steps", step_t, (MOST_STEPS,)),
    ("asks", ask_t, (MOST_ASKS,)),
    ("facts", fact_t, (MOST_FACTS,)),
    ("lines", line_t, (2 * MOST_LINES,)),
)

# How a line chooses among the legal actions of its choice.
FIRST, RANDOM, SELF, LOWEST, HIGHEST = range(5)
