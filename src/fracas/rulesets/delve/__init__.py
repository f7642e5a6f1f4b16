"""The delve ruleset: a party on a dungeon run, with d100 combat, skill queues and loot. README.md is the rule book."""
