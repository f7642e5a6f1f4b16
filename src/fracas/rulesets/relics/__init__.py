"""The ruleset relics: one-on-one battles that items fight by themselves. Its README.md is the rule book."""
