"""Helpers for rulesets; they import no ruleset."""
