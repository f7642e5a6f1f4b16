"""Part of rules: the run around the fights, and what is no fight."""
