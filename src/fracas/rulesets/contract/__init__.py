"""The contract between rulesets and everything above them: the Ruleset class and its types."""
