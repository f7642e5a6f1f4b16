"""Part of rules: the shipped moves."""
