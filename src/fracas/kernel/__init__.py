"""Numbers only: dice, records, snapshots, conditions, the event log, and compilation."""
