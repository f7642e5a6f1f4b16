"""Numbers only: dice, conditions, the event log, and the way to compiled code."""
