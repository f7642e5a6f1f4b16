"""Pydantic models of squads files: units, abilities, strategies, rules and scenarios."""
