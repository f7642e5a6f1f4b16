"""Part of rules: how effects are stacked, resolved and what they do."""
