"""Pydantic models of relics files: items, effects, fighters, rule options and scenarios."""
