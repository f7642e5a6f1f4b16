"""Part of rules: the run around the fights, encounters without a fight, and loot."""
