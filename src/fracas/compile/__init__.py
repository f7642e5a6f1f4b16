"""Names become numbers: what all rulesets share of it."""
