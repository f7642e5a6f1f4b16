"""Helpers that rulesets call (never the other way)."""
