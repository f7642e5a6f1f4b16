"""The relics ruleset: one-on-one battles that items fight on their own. README.md is the rule book."""
