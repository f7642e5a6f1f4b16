"""The shapes of files: what people write about units, abilities, strategies and rules."""
