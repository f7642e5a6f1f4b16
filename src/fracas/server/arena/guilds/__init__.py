"""Guilds: what their members do."""
