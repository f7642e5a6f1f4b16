"""Playing, keeping and checking single battles."""
