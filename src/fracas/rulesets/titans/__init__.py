"""The titans ruleset: duels with simultaneous hidden choices. README.md is the rule book."""
