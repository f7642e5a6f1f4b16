"""delve: a party goes down and meets what lives there; d100 combat, skill queues, dungeon runs, loot."""
