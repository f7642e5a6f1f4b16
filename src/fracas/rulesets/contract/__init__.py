"""What a ruleset must answer, and the types that pass."""
